import RequestStatistics
import Testing

@testable import Calibration

/// 95 % intervals checked against the truth of two hundred new logs.
@Suite struct CoverageTests {
  private func expectCoverage(_ coverages: (String, Coverage)...) {
    for (name, coverage) in coverages {
      if Coverage.isLong { print(name, coverage.covered, coverage.mean, coverage.deviation) }
      #expect(Coverage.expected.contains(coverage.covered), "\(name): \(coverage.covered)")
    }
  }

  @Test func intervalWindowAndShareInUse() throws {
    var (cycle, window, inUse) = (Coverage(), Coverage(), Coverage())
    var fleet = SyntheticFleet()
    fleet.phones = 60
    for trial in 0..<Coverage.trials {
      let estimates = KindEstimates(fleet.history(key: UInt64(trial)))
      cycle.add(estimates.cycle, truth: 1_800.4)
      let delay = try #require(estimates.startDelay)
      window.add(delay.window, truth: 900)
      inUse.add(delay.inUseShare, truth: 0.1)
    }
    expectCoverage(("cycle", cycle), ("window", window), ("in use", inUse))
  }

  @Test func intervalAndWindowUnderJitter() throws {
    var (cycle, window) = (Coverage(), Coverage())
    var fleet = SyntheticFleet()
    (fleet.phones, fleet.days, fleet.jitter) = (60, 5, 600)
    var known = KnownPolicy()
    known.jitter = 600
    for trial in 0..<Coverage.trials {
      let estimates = KindEstimates(fleet.history(key: UInt64(trial)), known: known)
      cycle.add(estimates.cycle, truth: 1_800.4)
      window.add(try #require(estimates.startDelay).window, truth: 900)
    }
    expectCoverage(("cycle with jitter", cycle), ("window with jitter", window))
  }

  /// Free runs that vary by person and day: rates are log-normal with sigma 0.55, days have a gamma factor of shape 6.
  @Test func freeRunsOfPeople() throws {
    var (rate, sigma, shape) = (Coverage(), Coverage(), Coverage())
    var fleet = SyntheticFleet()
    (fleet.phones, fleet.interval, fleet.freeRuns, fleet.offline) = (150, 3_600, 6, 0)
    (fleet.personSigma, fleet.dayShape) = (0.55, 6)
    for trial in 0..<Coverage.trials {
      let rhythm = try #require(KindEstimates(fleet.history(key: UInt64(trial))).rhythm)
      // The mean of a log-normal rate of median 1 is exp(sigma^2 / 2).
      rate.add(rhythm.freeRuns, truth: 6 * 1.1633)
      sigma.add(rhythm.personSigma, truth: 0.55)
      shape.add(rhythm.dayShape, truth: 6)
    }
    expectCoverage(("free runs", rate), ("person sigma", sigma), ("day shape", shape))
  }

  /// Zones are drawn phone by phone: the estimates are of these phones' shares, not of the distribution.
  @Test func sharesOfZones() throws {
    var (east, middle) = (Coverage(), Coverage())
    var fleet = SyntheticFleet()
    (fleet.phones, fleet.days, fleet.freeRuns) = (150, 5, 8)
    fleet.hours = SyntheticDay.hours
    for trial in 0..<Coverage.trials {
      let zone: @Sendable (Int) -> Int = { phone in
        var draws = Draws(key: UInt64(trial) << 32 | 0xA5A5, stream: phone)
        let place = draws.uniform()
        return place < 0.5 ? -5 : place < 0.8 ? -6 : -8
      }
      fleet.zone = zone
      func share(of hours: Int) -> Double {
        Double((0..<fleet.phones).count { zone($0) == hours }) / Double(fleet.phones)
      }
      let clocks = [-5, -6, -7, -8].map { hours in ZoneClock("\(hours)") { _ in Int64(hours) * 3_600_000 } }
      let zones = FleetEstimates(fleet.history(key: UInt64(trial)), known: .usualHours, clocks: clocks).zones
      east.add(zones.shares[0], truth: share(of: -5))
      middle.add(zones.shares[1], truth: share(of: -6))
    }
    expectCoverage(("eastern zone", east), ("middle zone", middle))
  }

  @Test func intervalsFromCountsCoverTheTruth() {
    var (interval, window, devices) = (Coverage(), Coverage(), Coverage())
    var fleet = SyntheticFleet()
    fleet.phones = 300
    for trial in 0..<Coverage.trials {
      let counts = fleet.history(key: UInt64(trial)).minuteCounts
      let estimates = AggregateEstimates(counts: counts, step: 60, known: KnownPolicy())
      interval.add(estimates.interval, truth: 1_800)
      window.add(estimates.window, truth: 900)
      devices.add(estimates.devices, truth: 300)
    }
    expectCoverage(("interval from counts", interval), ("window from counts", window), ("devices from counts", devices))
  }

  /// Phones seen with their own probability each day; being a lower bound, the estimate may miss more often.
  @Test func devicesSeenOnSomeDays() {
    var devices = Coverage()
    for trial in 0..<Coverage.trials {
      var draws = Draws(key: UInt64(trial), stream: 9)
      var history = WakeHistory(span: 0..<7 * 86_400_000)
      for phone in 0..<1_000 {
        let wakes = (0..<7).compactMap { day in
          draws.isTrue(0.3) ? WakeHistory.Wake(time: Int64(day) * 86_400_000 + 1_000) : nil
        }
        if !wakes.isEmpty { history.append(UInt64(phone + 1), wakes) }
      }
      devices.add(DeviceEvidence(history).devices, truth: 1_000)
    }
    expectCoverage(("devices", devices))
  }
}
