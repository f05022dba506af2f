import RequestStatistics
import Testing

@testable import Calibration

@Suite struct ClockTests {
  private let clocks = [-8, -7, -6, -5, 0, 1].map { hours in
    ZoneClock("UTC\(hours)") { _ in Int64(hours) * 3_600_000 }
  }

  /// Losing an hour on one of five days does not lower its share: the other four days stand for all five.
  @Test func holeDoesNotLowerTheShareOfItsHour() throws {
    var fleet = SyntheticFleet()
    (fleet.phones, fleet.days) = (200, 5)
    var history = fleet.history(key: 11)
    let hour = SyntheticFleet.start + 2 * 86_400_000 + 9 * 3_600_000
    let hole = hour..<hour + 3_600_000
    var lost = WakeHistory(span: history.span, holes: [hole])
    for phone in history.phones {
      lost.append(phone.sender, history.wakes[phone.wakes].filter { !hole.contains($0.time) })
    }
    history = lost
    let marks = KindEstimates(history).wallMarks
    #expect(marks.daysSeen[8].reduce(0, +) == 60)
    #expect(marks.daysSeen[9].reduce(0, +) == 48)
    // 200 phones wake about 1.6 times per hour: 1 280 and 1 600 wakes, steadier than Poisson.
    let rates = (8...9).map { Double(marks.heat[$0].reduce(0, +)) / marks.daysSeen[$0].reduce(0, +) }
    let error = (1.0 / 1_280 + 1.0 / 1_600).squareRoot()
    #expect(abs(rates[1] / rates[0] - 1) < 4 * error)
  }

  @Test(arguments: [3_600.0, 1_800, 900]) func marksOfTheHour(period: Double) throws {
    var fleet = SyntheticFleet()
    (fleet.marks, fleet.window) = (period, 300)
    let estimates = KindEstimates(fleet.history(key: 1))
    #expect(estimates.wallMarks.hours == Array(0..<24))
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
    let truth = [0.2, 0, 0.3, 0.4, 0, 0.1]
    // About 30 wakes of each phone follow the hours; zones an hour apart can be separated for the fleet, but not for a
    // phone.
    for (share, truth) in zip(zones.shares, truth) {
      let value = try #require(share.value)
      let half = (try #require(share.high) - #require(share.low)) / 2
      #expect(abs(value - truth) < max(1.5 * half, 0.03) && half < 0.15)
    }
  }

  /// Half of the phones are five hours behind UTC and half one ahead. Clocks at UTC and nine hours ahead are refused,
  /// and so is a list that has one half of them.
  @Test(arguments: [([0, 9], false), ([1, 9], false), ([-5, 1], true)])
  func zonesThatFitBadlyAreRefused(_ hours: [Int], _ isRight: Bool) {
    var fleet = SyntheticFleet()
    (fleet.hours, fleet.waitsAtNight, fleet.phones) = (SyntheticDay.hours, true, 400)
    // Halves of the phones by hash have both zones.
    fleet.zone = { phone in phone % 4 < 2 ? -5 : 1 }
    let clocks = hours.map { hours in ZoneClock("UTC\(hours)") { _ in Int64(hours) * 3_600_000 } }
    let zones = FleetEstimates(fleet.history(key: 8), known: .usualHours, clocks: clocks).zones
    #expect(
      zones.shares.allSatisfy { ($0.value != nil) == isRight && ($0.reason == .otherZones) != isRight },
      "\(zones.shares)")
  }

  /// Two widgets per phone halve the gaps, but do not move phones to other zones.
  @Test func severalWidgetsDoNotShiftZones() throws {
    var fleet = SyntheticFleet()
    (fleet.hours, fleet.waitsAtNight, fleet.widgets) = (SyntheticDay.hours, true, 2)
    fleet.zone = { phone in phone % 8 < 3 ? -5 : 1 }
    let zones = FleetEstimates(fleet.history(key: 9), known: .usualHours, clocks: [clocks[3], clocks[5]]).zones
    let share = zones.shares[0]
    let (value, low) = (try #require(share.value), try #require(share.low))
    #expect(abs(value - 3.0 / 8) < max(1.5 * (value - low), 0.03), "\(share)")
  }

  @Test func flatDayDoesNotIdentifyZones() {
    let zones = FleetEstimates(SyntheticFleet().history(key: 3), known: .usualHours, clocks: clocks).zones
    #expect(zones.shares.allSatisfy { $0.verdict == .notFromThisLog })
  }

  /// Marks of one zone are not marks of another whose clock differs by half an hour.
  @Test func marksFollowTheLocalClock() throws {
    var fleet = SyntheticFleet()
    (fleet.marks, fleet.window, fleet.phones) = (3_600, 300, 200)
    let history = fleet.history(key: 1)
    let clock = ZoneClock("half") { _ in 1_800_000 }
    let phones = FleetEstimates(history, known: KnownPolicy(), clocks: [clock]).phoneZones
    let marks = KindEstimates(history, known: KnownPolicy(), phones: phones, resolution: .millisecond).wallMarks
    let here = KindEstimates(history).wallMarks
    #expect(try #require(here.window.value) < 310)
    #expect(marks.heat[0][6...7].reduce(0, +) > 4 * marks.heat[0][0...1].reduce(0, +))
  }

  @Test func noMarks() {
    let marks = KindEstimates(SyntheticFleet().history(key: 5)).wallMarks
    #expect(marks.period == nil && marks.resultants.allSatisfy { $0.length < 0.05 })
  }

  @Test func rhythm() throws {
    var fleet = SyntheticFleet()
    fleet.hours = SyntheticDay.hours
    fleet.zone = { phone in phone % 2 == 0 ? -5 : 1 }
    let history = fleet.history(key: 4)
    let phones = FleetEstimates(history, known: .usualHours, clocks: clocks).phoneZones
    let estimates = KindEstimates(history, known: .usualHours, phones: phones, resolution: .millisecond)
    let rhythm = try #require(estimates.rhythm)
    let sum = SyntheticDay.hours.reduce(0, +)
    // Night hours have about 40 free runs in the log, others about 500; the tolerance is three standard errors.
    for hour in 0..<24 {
      let (before, after) = (SyntheticDay.hours[(hour + 23) % 24], SyntheticDay.hours[(hour + 1) % 24])
      let weight = (before + 6 * SyntheticDay.hours[hour] + after) / 8 * 24 / sum
      #expect(abs(try #require(rhythm.inUseByHour[hour].value) - 0.1 * weight) < 0.02)
      let rate = try #require(rhythm.freeRateByHour[hour].value)
      #expect(abs(rate - 8.0 / 24 * weight) < 0.04)
    }
    #expect(rhythm.delaysByHour[12][0] > 2 * rhythm.delaysByHour[12][5])
  }

  /// Timestamps that are an hour late shift the zones by an hour and nothing else.
  @Test func hourShiftChangesOnlyZones() {
    var fleet = SyntheticFleet()
    (fleet.hours, fleet.phones) = (SyntheticDay.hours, 200)
    fleet.zone = { phone in phone % 3 == 0 ? -6 : -5 }
    let history = fleet.history(key: 6)
    var shifted = history
    shifted.span = history.span.lowerBound + 3_600_000..<history.span.upperBound + 3_600_000
    for index in shifted.wakes.indices { shifted.wakes[index].time += 3_600_000 }
    let (one, other) = (
      FleetEstimates(history, known: .usualHours, clocks: clocks).zones,
      FleetEstimates(shifted, known: .usualHours, clocks: clocks).zones
    )
    // Sorted by zone name: -5 comes before -6.
    let (before, after) = (one.shares.map { $0.value ?? 0 }, other.shares.map { $0.value ?? 0 })
    // Some phones could be in either zone, and the other zones of the list take a few.
    #expect(abs(before[3] - after[2]) < 0.05 && abs(before[2] - after[1]) < 0.05)
    #expect(KindEstimates(history).interval == KindEstimates(shifted).interval)
  }
}
