import Scenario
import SimulationKernel
import Testing

@testable import FleetEngine
@testable import Studies

/// Prices of silences on paper.
@Suite struct RadioPriceTests {
  /// 2 W for 1 s, then 1 W for 3 s; 0.5 s of 4 W to wake.
  private static let radio = RadioProfile(
    name: "paper", promotion: RadioSpell(.milliseconds(500), Power(microwatts: 4_000_000)),
    active: Power(microwatts: 1_000_000), down: EnergyPerBit(picojoules: 1_000), up: EnergyPerBit(picojoules: 2_000),
    tails: [
      RadioSpell(.seconds(1), Power(microwatts: 2_000_000)), RadioSpell(.seconds(3), Power(microwatts: 1_000_000)),
    ], roundTrip: .milliseconds(100), evidence: .scenario(tails: 2))

  private func use(_ change: (inout RadioResult) -> Void) -> RadioPrice {
    var use = RadioResult()
    use.wokenAgain = Array(repeating: 0, count: SilenceBins.count)
    use.left = use.wokenAgain
    use.wokenAfterOthers = use.wokenAgain
    change(&use)
    return RadioPricing(use: use, own: Self.radio).price(on: Self.radio)
  }

  /// O8: each tail for its part of the silence; a promotion only where the silence is longer than all tails.
  @Test(arguments: [
    (Int64(0), 0.0, 0.0), (100, 0.2, 0), (1_024, 2.024, 0), (2_048, 3.048, 0), (10_000, 5, 2), (1 << 30, 5, 2),
  ]) func oneSilence(milliseconds: Int64, tail: Double, promotion: Double) {
    let price = use { $0.wokenAgain[SilenceBins.bin(of: milliseconds)] = 1 }
    #expect(abs(price.tail / 1e9 - tail) <= tail / 64)
    #expect(price.promotion / 1e9 == promotion)
  }

  @Test func othersTailsAreNotTheWidgets() {
    #expect(use { $0.wokenAfterOthers[SilenceBins.bin(of: 10_000)] = 3 }.tail == 0)
    #expect(use { $0.wokenAfterOthers[SilenceBins.bin(of: 10_000)] = 3 }.promotion == 6e9)
    #expect(use { $0.left[SilenceBins.bin(of: 10_000)] = 3 }.tail == 15e9)
    #expect(use { $0.left[SilenceBins.bin(of: 10_000)] = 3 }.promotion == 0)
  }

  /// 1 000 bytes down at 1 nJ/bit and 500 up at 2 nJ/bit; 2 s on the air, awake for 2 s.
  @Test func bytesAndTimeOnTheAir() {
    let price = use {
      ($0.bytesDown, $0.bytesUp, $0.activeMilliseconds, $0.bursts) = (1_000, 500, 2_000, 4)
    }
    #expect(price.transfer == 16_000)
    #expect(price.active == 2e9)
    #expect(abs(price.wait - 0.3e9) < 1)
  }

  /// The total is the sum of what each component costs; the radio pays for no processor time.
  @Test func theTotalIsTheSumOfItsComponents() {
    var price = RadioPrice()
    (price.promotion, price.active, price.transfer, price.tail, price.wait) = (1, 20, 300, 4_000, 50_000)
    #expect(price.total == 54_321)
    #expect(EnergyComponent.allCases.reduce(0) { $0 + price[$1] } == price.total)
    #expect(price[.cpu] == 0 && price[.wait] == 50_000 && price[.tail] == 4_000)
  }

  /// Each burst lasts as much longer as the other radio's round trip is.
  @Test func roundTrips() {
    var use = RadioResult()
    (use.activeMilliseconds, use.bursts) = (2_000, 4)
    let price = RadioPricing(use: use, own: Self.radio).price(on: .wifi)
    #expect(abs(price.active - 133_000 * (2_000 - 4 * 70)) < 1)
  }
}
