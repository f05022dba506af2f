import RequestStatistics
import Testing

@testable import Calibration

@Suite struct ClockTests {
  private let clocks = [-8, -7, -6, -5, 0, 1].map { hours in
    ZoneClock("UTC\(hours)") { _ in Int64(hours) * 3_600_000 }
  }

  @Test(arguments: [3_600.0, 1_800, 900]) func marksOfTheHour(period: Double) throws {
    var fleet = SyntheticFleet()
    (fleet.marks, fleet.window) = (period, 300)
    let estimates = KindEstimates(fleet.history(key: 1))
    print(
      period, estimates.interval, estimates.wallMarks.period as Any, estimates.wallMarks.hours.count,
      estimates.wallMarks.window, estimates.wallMarks.share)
    #expect(estimates.wallMarks.period == Int(period / 60))
    #expect(estimates.interval.reason == .wallMarks)
    #expect(abs(try #require(estimates.wallMarks.window.value) - 300) < 10)
  }

  @Test(arguments: [0.0, 4]) func zones(freeRuns: Double) throws {
    var fleet = SyntheticFleet()
    fleet.hours = SyntheticDay.hours
    fleet.waitsAtNight = true
    fleet.freeRuns = freeRuns
    fleet.zone = { phone in [-5, -5, -5, -5, -6, -6, -6, -8, -8, 1][phone % 10] }
    let history = fleet.history(key: 2)
    let zones = FleetEstimates(history, known: .usualHours, clocks: clocks).zones
    for (name, share) in zip(zones.names, zones.shares) {
      print(freeRuns, name, share.value as Any, share.low as Any, share.high as Any, share.verdict)
    }
    let truth = [0.2, 0, 0.3, 0.4, 0, 0.1]
    for (share, truth) in zip(zones.shares, truth) { #expect(abs(try #require(share.value) - truth) < 0.03) }
  }

  @Test func aFlatDayTellsNoZone() {
    let zones = FleetEstimates(SyntheticFleet().history(key: 3), known: .usualHours, clocks: clocks).zones
    #expect(zones.shares.allSatisfy { $0.verdict == .notFromThisLog })
  }

  @Test func rhythm() throws {
    var fleet = SyntheticFleet()
    fleet.hours = SyntheticDay.hours
    fleet.zone = { phone in phone % 2 == 0 ? -5 : 1 }
    (fleet.personSigma, fleet.dayShape) = (0.55, 6)
    let history = fleet.history(key: 4)
    let phones = FleetEstimates(history, known: .usualHours, clocks: clocks).phoneZones
    let rhythm = try #require(
      KindEstimates(history, known: KnownPolicy(), phones: phones, resolution: .millisecond).rhythm)
    print(rhythm.freeRuns, rhythm.personSigma, rhythm.dayShape, rhythm.tapShare)
    for hour in 0..<24 {
      print(
        hour, rhythm.inUseByHour[hour].value as Any, 0.1 * SyntheticDay.hours[hour] / 4.275,
        rhythm.freeRateByHour[hour].value as Any, 8 * 1.16 * SyntheticDay.hours[hour] / 102.6)
    }
  }
}

@Suite struct DebugTests {
  @Test func slip() throws {
    let clocks = [-8, -7, -6, -5, 0, 1].map { hours in
    ZoneClock("UTC\(hours)") { _ in Int64(hours) * 3_600_000 }
  }
    var fleet = SyntheticFleet()
    fleet.hours = SyntheticDay.hours
    fleet.zone = { phone in phone % 2 == 0 ? -5 : 1 }
    (fleet.personSigma, fleet.dayShape) = (0.55, 6)
    let history = fleet.history(key: 4)
    let f = FleetEstimates(history, known: .usualHours, clocks: clocks)
    for (name, share) in zip(f.zones.names, f.zones.shares) { print(name, share.value as Any, share.low as Any, share.high as Any, share.verdict) }
    
  }
}
