import Numerics
import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel
@testable import FleetEngine

/// Day factors shared by all devices, compared with MODEL.md 2.2 and 9.
@Suite struct CommonDayTests {
  /// Returns two cohorts in two zones whose unlocks are Poisson except for the shared factor.
  private static func sample(sigma: String) -> FleetSample {
    var sample = FleetSample(devices: 4)
    sample.clock = "{start: 2027-01-18T00:00:00Z, settle: 0s, warmup: 0s, duration: 1d}"
    let person = "person: {unlocks_per_day: 20, day_variation: none, session: 1s, home_visits: 0}"
    sample.cohorts = """
      [{name: a, share: 50%, zones: {Europe/Berlin: 100%}, \(person), network: wifi, power: mains, widgets: [{kind: k}]},
       {name: b, share: 50%, zones: {Asia/Tokyo: 100%}, \(person), network: wifi, power: mains, widgets: []}]
      """
    sample.fleetKeys = "day_factor: \(sigma)"
    return sample
  }

  /// Returns each device's factors for a number of dates.
  private static func factors(
    _ sample: FleetSample, dates: Int, from first: LocalDay = LocalDay(number: 20_000), replication: Int = 0
  ) throws -> [[Double]] {
    let engine = try sample.engine()
    var simulator = DeviceSimulator(plan: engine.plan, shape: engine.tallyShape)
    var found: [[Double]] = []
    for device in 0..<sample.devices {
      simulator.begin(device: device, cohort: engine.cohort(of: device), replication: replication)
      found.append((0..<dates).map { simulator.dayFactor(on: LocalDay(number: first.number + Int64($0))) })
      simulator.finish()
    }
    withExtendedLifetime(engine) {}
    return found
  }

  /// All phones in all cohorts and zones share one draw per date: lognormal with mean 1, and different in each
  /// replication.
  @Test func allPhonesShareTheDayFactor() throws {
    let found = try Self.factors(Self.sample(sigma: "{sigma: 0.25}"), dates: 1_500)
    #expect(found.allSatisfy { $0 == found[0] })
    let law = ContinuousDistribution.lognormal(median: SteadyMath.exp(-0.25 * 0.25 / 2), sigma: 0.25)
    #expect(try agrees(found[0]) { try law.lowerTail($0) })
    #expect(Sample(found[0]).agrees(with: 1))
    #expect(Sample(zip(found[0], found[0].dropFirst()).map { ($0 - 1) * ($1 - 1) }).agrees(with: 0))
    let other = try Self.factors(Self.sample(sigma: "0.25"), dates: 1_500, replication: 1)[0]
    #expect(try agrees(other) { try law.lowerTail($0) })
    #expect(Sample(zip(found[0], other).map { ($0 - 1) * ($1 - 1) }).agrees(with: 0))
  }

  @Test func zeroSigmaGivesNoDayFactor() throws {
    #expect(try Self.factors(Self.sample(sigma: "0"), dates: 20).joined().allSatisfy { $0 == 1 })
  }

  /// A base load of 100/s in Tokyo follows the factor of its local dates, which start at 15:00 UTC.
  ///
  /// Each whole date has 100 x 86 400 s x the factor of phones there, in steps or not, unless it does not follow days.
  @Test(arguments: ["capacity: 1000/s, ", ""]) func baseLoadFollowsTheDayFactor(capacity: String) throws {
    func daily(_ keys: String = "") throws -> [[Double]] {
      var sample = Self.sample(sigma: "{sigma: 0.25}")
      sample.clock = "{start: 2027-01-18T15:00:00Z, settle: 0s, warmup: 0s, duration: 4d, step: 10s}"
      sample.endpoints = "{api: {\(capacity)base_load: {rate: 100/s, hours: flat, zone: Asia/Tokyo\(keys)}}}"
      sample.run = "{seed: 1, replications: 2}"
      return try sample.result().replications.map { replication in
        let records = try #require(replication.backend?.records[0])
        return (0..<4).map { day in records[day * 8_640..<(day + 1) * 8_640].reduce(0) { $0 + $1.base } }
      }
    }
    for (replication, sums) in try daily().enumerated() {
      let first = LocalDay(number: 20_837)  // 2027-01-19
      let factors = try Self.factors(Self.sample(sigma: "0.25"), dates: 4, from: first, replication: replication)[0]
      for (sum, factor) in zip(sums, factors) { #expect(abs(sum / (8_640_000 * factor) - 1) < 1e-9) }
      #expect(Set(factors).count == 4)
    }
    #expect(try daily(", follows_days: false").joined().allSatisfy { $0 == 8_640_000 })
  }

  /// The daily count of 40 phones with rate 20 and shape 6, with sigma 0.2, has the sum of two variances.
  ///
  /// Between days it is 40^2 20^2 (e^0.04 - 1), between people 40 (20 + e^0.04 20^2 / 6).
  @Test func varianceOfTheFleet() throws {
    let (phones, days, rate) = (40, 400, 20.0)
    var crowd = Crowd(devices: phones)
    crowd.clock = "{start: 2027-01-18T00:00:00Z, settle: 0s, warmup: 0s, duration: \(days)d, step: 1h}"
    crowd.person = "unlocks_per_day: 20, day_variation: 6, session: 1s, home_visits: 0"
    crowd.fleetKeys = "day_factor: {sigma: 0.2}"
    var counts = Array(repeating: Array(repeating: 0.0, count: days), count: phones)
    try crowd.live { simulator, now, event in
      guard event == .sessionStart else { return }
      counts[simulator.device.widgets.phone.number][Int(now.millisecondsSinceStart / 86_400_000)] += 1
    }
    let common = SteadyMath.exp(0.04)
    let (number, square) = (Double(phones), rate * rate)
    let between = number * number * square * (common - 1)
    let persons = number * (rate + common * square / 6)
    let sums = Sample((0..<days).map { day in counts.reduce(0) { $0 + $1[day] } })
    #expect(
      isWithin(sums.mean, of: number * rate, deviation: (between + persons).squareRoot(), count: days), "\(sums.mean)")
    // The factor is nearly lognormal with sigma 0.2, and its kurtosis is a little above 3 + 16 x 0.04. The sample
    // variance of n has the variance (kurtosis - 1) / n times its square.
    let slack = 4.5 * (2.7 / Double(days)).squareRoot()
    #expect(abs(sums.variance / (between + persons) - 1) < slack, "\(sums.variance)")
    // Two phones have only the factor in common.
    let products = (0..<days).map { day in
      stride(from: 0, to: phones, by: 2).reduce(0.0) {
        $0 + (counts[$1][day] - rate) * (counts[$1 + 1][day] - rate) / (number / 2)
      }
    }
    let pairs = Sample(products)
    #expect(pairs.agrees(with: square * (common - 1)), "\(pairs.mean)")
  }
}
