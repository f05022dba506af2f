import Numerics
import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel
@testable import FleetEngine

/// Unlocks and glances compared with MODEL.md 2.1 and 2.2.
@Suite struct UnlockTests {
  /// A device's rate is lognormal with median 60 and sigma 0.55, and the same every day.
  @Test func ratesOfDevices() throws {
    let engine = try Crowd(devices: 4_000).engine()
    var simulator = DeviceSimulator(plan: engine.plan, shape: engine.tallyShape)
    var rates: [Double] = []
    for device in 0..<4_000 {
      simulator.begin(device: device, cohort: 0, replication: 0)
      rates.append(simulator.person.unlocksPerDay)
    }
    let law = ContinuousDistribution.lognormal(median: 60, sigma: 0.55)
    #expect(try agrees(rates) { try law.lowerTail($0) })
    // The mean is 60 exp(0.55^2 / 2).
    #expect(Sample(rates).agrees(with: 69.796))
  }

  /// Returns each device's unlocks by day.
  private static func dailyCounts(_ person: String, devices: Int) throws -> [[Int]] {
    var counts: [[Int]] = []
    try Crowd(devices: devices, person: person).live { _ in
      counts.append([0, 0])
    } _: { _, now, event in
      if case .sessionStart = event {
        counts[counts.count - 1][Int((now - .start).milliseconds / 86_400_000)] += 1
      }
    }
    return counts
  }

  /// The mean is N = 60; the variance is N without the day factor and N + N^2/6 with it.
  @Test(arguments: [("6", 660, 4.0), ("none", 60, 3.02)] as [(String, Double, Double)])
  func dailyUnlocksHaveTheExpectedMoments(variation: String, variance: Double, kurtosis: Double) throws {
    let counts = try Self.dailyCounts(Crowd.brisk + ", day_variation: \(variation)", devices: 700)
    let sample = Sample(counts.joined().map(Double.init))
    #expect(sample.agrees(with: 60))
    // The sample variance of n has the variance (kurtosis - 1) / n times its square; a negative binomial with shape 6
    // has kurtosis 3 + 6/6 + 1/660.
    let slack = 4.5 * ((kurtosis - 1) / Double(sample.count)).squareRoot()
    #expect(abs(sample.variance / variance - 1) < slack, "\(sample.variance)")
  }

  /// The factors of two days are independent, and so are those of two devices.
  @Test func factorsOfDaysAreIndependent() throws {
    let counts = try Self.dailyCounts(Crowd.brisk, devices: 700)
    let days = Sample(counts.map { Double(($0[0] - 60) * ($0[1] - 60)) })
    #expect(days.agrees(with: 0))
    let devices = Sample(zip(counts, counts.dropFirst()).map { Double(($0[0] - 60) * ($1[0] - 60)) })
    #expect(devices.agrees(with: 0))
  }

  /// The mean over devices is E[lognormal], with variance E[L]^2 (e^(sigma^2) - 1) + E[L] + E[L^2]/6.
  @Test func unlocksOfTheFleet() throws {
    let counts = try Self.dailyCounts("session: 1s, home_visits: 0", devices: 700)
    #expect(Sample(counts.map { Double($0[0]) }).agrees(with: 69.796))
    let second = 69.796 * 69.796 * 1.353_2  // E[L^2]; e^(0.3025) = 1.3532
    let expected = second * (1 + 1.0 / 6) - 69.796 * 69.796 + 69.796
    let squares = Sample(counts.map { (Double($0[0]) - 69.796) * (Double($0[0]) - 69.796) })
    #expect(squares.agrees(with: expected), "\(squares.mean) for \(expected)")
  }

  private static let weights = [
    0.915, 0.612, 0.410, 0.307, 0.261, 0.273, 0.523, 1.032, 1.283, 1.224, 1.209, 1.235,
    1.256, 1.175, 1.179, 1.192, 1.257, 1.427, 1.443, 1.297, 1.207, 1.100, 1.094, 1.085,
  ]

  /// Returns each quarter hour's share of a day (MODEL.md 9).
  private static func quarters(_ weights: [Double] = weights) -> [Double] {
    let sum = weights.reduce(0, +)
    return (0..<96).map { quarter in
      let own = weights[quarter / 4]
      let other = weights[(quarter / 4 + (quarter % 4 < 2 ? 23 : 1)) % 24]
      let part = [5.0, 7, 7, 5][quarter % 4]
      return (part * own + (8 - part) * (own > 0 && other > 0 ? other : own)) / (32 * sum)
    }
  }

  /// Returns the events by quarter hour on a zone's clock.
  private static func byQuarter(_ crowd: Crowd, _ belongs: (DeviceEvent) -> Bool) throws -> [Int] {
    var counts = Array(repeating: 0, count: 96)
    try crowd.live { simulator, now, event in
      guard belongs(event) else { return }
      let local = simulator.device.widgets.phone.wall.reading(at: now).sinceMidnight
      counts[Int(local.milliseconds / 900_000)] += 1
    }
    return counts
  }

  private static func isSessionStart(_ event: DeviceEvent) -> Bool { event == .sessionStart }

  /// The shares of quarter hours follow the zone's clock, even with an offset that is not whole hours or that changes
  /// the day.
  @Test(arguments: ["Europe/Berlin", "Asia/Kolkata"])
  func hoursOfAZone(zone: String) throws {
    let crowd = Crowd(
      devices: 300, zones: "{\(zone): 100%}", person: Crowd.brisk + ", day_variation: none")
    let counts = try Self.byQuarter(crowd, Self.isSessionStart)
    #expect(try agrees(counts, Self.quarters().map { $0 * 300 * 120 }, totalIsGiven: false), "\(counts)")
  }

  /// Each quarter hour is within 4.5 standard errors, for rising and falling hours, an empty one, a box and a flat day.
  ///
  /// Hours with weight 0 are empty.
  @Test(
    arguments: [
      Array(repeating: [1, 3], count: 12).flatMap { $0 }, [4, 0] + Array(repeating: 1, count: 22),
      Array(repeating: 0, count: 12) + [2, 2, 2] + Array(repeating: 0, count: 9), Array(repeating: 0.7, count: 24),
    ] as [[Double]])
  func quartersOfHours(weights: [Double]) throws {
    let hours = "hours: [\(weights.map { "\($0)" }.joined(separator: ", "))]"
    let counts = try Self.byQuarter(
      Crowd(devices: 300, person: Crowd.brisk + ", day_variation: none, " + hours), Self.isSessionStart)
    let expected = Self.quarters(weights).map { $0 * 300 * 120 }
    for (quarter, (count, mean)) in zip(counts, expected).enumerated() {
      #expect(abs(Double(count) - mean) <= 4.5 * mean.squareRoot(), "\(quarter)")
    }
    #expect(try agrees(counts, expected, totalIsGiven: false), "\(counts)")
  }

  /// An hour skipped by the clock is lost, and a repeated one counts twice; the others do not change.
  @Test(
    arguments: [
      ("2027-03-27T23:00:00Z", "23h", 0), ("2027-10-30T22:00:00Z", "25h", 2),
    ] as [(String, String, Double)])
  func clockChangeLosesOrRepeatsUnlocks(start: String, duration: String, times: Double) throws {
    let crowd = Crowd(
      devices: 500, clock: "{start: \(start), warmup: 0s, duration: \(duration)}", zones: "{Europe/Berlin: 100%}",
      person: Crowd.brisk + ", day_variation: none")
    let counts = try Self.byQuarter(crowd, Self.isSessionStart)
    let expected = Self.quarters().enumerated().map { quarter, share in
      share * 500 * 60 * (quarter / 4 == 2 ? times : 1)
    }
    #expect(try agrees(counts, expected, totalIsGiven: false), "\(counts)")
  }

  /// Glances follow the same hours and factors, at 1.2 times the rate.
  @Test func glances() throws {
    var (unlocks, glances): ([Double], [Double]) = ([], [])
    var quarters = Array(repeating: 0, count: 96)
    try Crowd(
      devices: 600, clock: "{start: 2027-01-18T00:00:00Z, warmup: 0s, duration: 1d}", person: Crowd.brisk,
      widgets: "[{kind: k, place: lock-screen}]"
    ).live { _ in
      unlocks.append(0)
      glances.append(0)
    } _: { _, now, event in
      if event == .sessionStart { unlocks[unlocks.count - 1] += 1 }
      guard event == .glance else { return }
      glances[glances.count - 1] += 1
      quarters[Int(now.millisecondsSinceStart / 900_000)] += 1
    }
    #expect(Sample(glances).agrees(with: 72))
    // The covariance 1.2 N^2 / 6 comes from the shared factor.
    let products = Sample(zip(unlocks, glances).map { ($0 - 60) * ($1 - 72) })
    #expect(products.agrees(with: 720), "\(products.mean)")
    let total = Double(quarters.reduce(0, +))
    #expect(try agrees(quarters, Self.quarters().map { $0 * total }))
  }

  /// Location changes occur per device and kind, following the same hours, without the day factor.
  @Test func movements() throws {
    var counts = Array(repeating: [0, 0], count: 300)
    var quarters = Array(repeating: 0, count: 96)
    try Crowd(
      devices: 300, person: "unlocks_per_day: 0",
      kinds: "{k: {reload: never, location_changes_per_day: 10}, m: {reload: never, location_changes_per_day: 30}}",
      widgets: "[{kind: k}, {kind: m}]"
    ).live { simulator, now, event in
      guard case .locationChange(let kind) = event else { return }
      counts[simulator.device.widgets.phone.number][kind.place] += 1
      quarters[Int(now.millisecondsSinceStart / 900_000) % 96] += 1
    }
    let (few, many) = (Sample(counts.map { Double($0[0]) }), Sample(counts.map { Double($0[1]) }))
    #expect(few.agrees(with: 20) && many.agrees(with: 60))
    // For Poisson counts the variance equals the mean, within 4.5 x sqrt(2 / 300).
    #expect(abs(few.variance / 20 - 1) < 0.37 && abs(many.variance / 60 - 1) < 0.37)
    #expect(Sample(counts.map { Double(($0[0] - 20) * ($0[1] - 60)) }).agrees(with: 0))
    #expect(try agrees(quarters, Self.quarters().map { $0 * 300 * 80 }, totalIsGiven: false))
  }
}
