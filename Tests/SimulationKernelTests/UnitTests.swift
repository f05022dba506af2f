import SimulationKernel
import Testing

@Suite struct UnitTests {
  @Test func timeAmounts() {
    #expect(TimeAmount.seconds(2).milliseconds == 2_000)
    #expect(TimeAmount.minutes(3) == .seconds(180))
    #expect(TimeAmount.hours(24) == .day)
    #expect(TimeAmount.days(2) - .hour * 47 == .hour)
    #expect(TimeAmount.zero - .second < .zero)
    #expect(TimeAmount.milliseconds(1_500).seconds == 1.5)
    var sum = TimeAmount.minute
    sum += .second
    #expect(sum == .seconds(61))
  }

  @Test func instants() {
    let noon = Instant.start + .hours(12)
    #expect(noon.millisecondsSinceStart == 43_200_000)
    #expect(noon - .hours(13) == Instant(millisecondsSinceStart: -3_600_000))
    #expect(noon - Instant.start == .hours(12))
    #expect(Instant.longAgo < .start && .start < Instant.never)
  }

  /// 600 mW for 1.5 s are 0.9 J; the smallest power for the shortest time is 1 nJ.
  @Test func energy() {
    #expect(Power(microwatts: 600_000) * .milliseconds(1_500) == Energy(nanojoules: 900_000_000))
    #expect(Power(microwatts: 1) * .milliseconds(1) == Energy(nanojoules: 1))
    #expect(Energy(nanojoules: 5) - Energy(nanojoules: 7) + Energy(nanojoules: 2) == .zero)
    #expect(Power(microwatts: 1) < Power(microwatts: 2))
    // The largest load over a year stays well within 64 bits.
    #expect((Power(microwatts: 20_000_000) * .days(366)).nanojoules == 632_448_000_000_000_000)
  }
}
