import FleetEngine
import Foundation
import Scenario
import Testing

/// The findings in the comments of scenarios with networks and batteries, from mathematics rather than an earlier run.
/// Tolerances are 4 standard errors.
@Suite struct NetworkFindingTests {
  /// The network's states at the starts of runs form a Markov chain. Online and offline spells have rates r1 and r2,
  /// and r = r1 + r2. With an offline share s, a run finds the state changed after a gap G with probability s or 1 - s,
  /// times (1 - E exp(-rG)). Gaps are 30 min or the retry, plus a lateness of U(0, 15 min).
  @Test(arguments: [5.0, 15, 120]) func yandexWeather(retry: Double) throws {
    let trial = try Trial(
      "yandex-weather", devices: 300, "os.budget.model=off", "kinds.weather.on_error.after=\(Int(retry))min")
    let chain = Chain(share: 0.05, mean: 20)
    let loss = 0.05 * (1 - chain.memory(after: 30))
    let recovery = 0.95 * (1 - chain.memory(after: retry))
    let failing = loss / (loss + recovery)
    let runs = 1_440 / ((1 - failing) * 37.5 + failing * (retry + 7.5))
    let devices = trial.devices
    let found = (0..<devices.rowCount).map { Double(devices[$0, .charged]) }
    let failed = (0..<devices.rowCount).map { Double(devices[$0, .failures]) }
    #expect(isMean(of: found, near: runs), "\(runs)")
    #expect(isMean(of: failed, near: runs * failing), "\(runs * failing)")
    // A failed run sends nothing; the requests of one near the start or end of the day may arrive outside it.
    let (failures, charged) = (failed.reduce(0, +), found.reduce(0, +))
    #expect(abs(Double(trial.requests) + failures - charged) <= 5)
  }

  /// One cycle: 1 h and U(0, 15 min), the download's run, 5 min of spacing and U(0, 1 min), then the run that shows it.
  @Test func newsBackground() throws {
    let devices = 150.0
    let trial = try Trial("news-background", devices: Int(devices), "os.budget.model=off")
    let cycle = 60 + 7.5 + 5 + 0.5 + 0.4 / 60
    let error = ((1_440 * (18.75 + 1.0 / 12) / (cycle * cycle * cycle) + 0.25) / devices).squareRoot()
    #expect(abs(trial.runsPerDay(.policy) - 1_440 / cycle) <= 4 * error)
    #expect(abs(trial.runsPerDay(.background) - 1_440 / cycle) <= 4 * error)
    #expect(abs(Double(trial.requests) / 5 / devices - trial.runsPerDay(.policy)) <= 0.05)
    let plain = try Trial(
      "news-background", devices: Int(devices), "os.budget.model=off", "kinds.headlines.background_session=false")
    #expect(plain.runsPerDay(.background) == 0)
    #expect(abs(plain.runsPerDay(.policy) - 1_440 / (67.5 + 0.4 / 60)) <= 4 * error)
  }

  /// For the half that is offline at placement, the first success comes after a geometric number of gaps, which take E
  /// G / ((1 - s)(1 - E exp(-rG))). A request means success, the only one of a widget that never reloads again.
  @Test(arguments: [5.0, 15, 120]) func airplanePlacement(retry: Double) throws {
    let devices = 800
    let trial = try Trial(
      "airplane-placement", devices: devices, "os={idle: none, budget: {model: off}}", "clock.duration=5d",
      "fleet.cohorts.travellers.person={unlocks_per_day: 0}", "kinds.weather.reload=never",
      "kinds.weather.on_error.after=\(Int(retry))min")
    let atOnce = trial.arrivals(minutes: 0..<1)
    #expect(isBinomial(atOnce, trials: devices, share: 0.5))
    #expect(Int(trial.requests) == devices)
    let expected = (retry + 7.5) / (0.5 * (1 - Chain(share: 0.5, mean: 120).memory(after: retry)))
    let arrivals = (1..<5 * 1_440).flatMap { minute in
      Array(repeating: Double(minute) + 0.5, count: trial.arrivals(minutes: minute..<minute + 1))
    }
    #expect(isMean(of: arrivals, near: expected), "\(expected)")
  }

  /// Without charging, 5.568 Wh at 25 mW reach 20 % after 178 h and 15 % after 189 h. In between, Low Power Mode starts
  /// each run in the last tenth of its 15 minutes.
  @Test(arguments: [(100, 14.25), (0, 7.5)]) func lowPowerEvening(share: Int, lateness: Double) throws {
    let devices = 60.0
    let trial = try Trial(
      "low-power-evening", devices: Int(devices), "os={idle: none, budget: {model: off}}",
      "clock={start: 2027-01-18T00:00:00Z, settle: 0s, warmup: 180h, duration: 6h}", "kinds.news.cpu=0s",
      "fleet.cohorts.readers.person={unlocks_per_day: 0}", "fleet.cohorts.readers.network=wifi",
      "fleet.cohorts.readers.power={overnight: 0%, health: 80%, low_power_mode: \(share)%}")
    let group = trial.result.replications[0].groups[0]
    let runs = Double(group.runs[Int(Cause.policy.rawValue)])
    // The phase of the first cycle is uniform: a 6 h count deviates by at most 1/2, plus the effect of its lateness.
    #expect(abs(runs / devices - 360 / (30 + lateness)) <= 4 * (0.5 / devices).squareRoot())
    let found = try #require(group.lateness.meanSeconds) / 60
    let deviation = share == 100 ? 1.5 / 12.0.squareRoot() : 15 / 12.0.squareRoot()
    #expect(abs(found - lateness) <= 4 * deviation / runs.squareRoot())
    let waits = group.waits[Int(WaitReason.lowPower.rawValue)].count
    #expect(share == 100 ? abs(Double(waits) - runs) <= devices : waits == 0)
  }

  /// Exponential offline spells, and how much the current state still matters after some time.
  private struct Chain {
    /// The rate per minute, both ways combined.
    var rate: Double

    /// - Parameter mean: the mean length of offline spells, in minutes.
    init(share: Double, mean: Double) { rate = 1 / mean + share / (1 - share) / mean }

    /// Returns E exp(-rate G) for a gap G of some minutes plus U(0, 15 min).
    func memory(after minutes: Double) -> Double { exp(-rate * minutes) * (1 - exp(-rate * 15)) / (rate * 15) }
  }

  /// Returns whether the mean of independent values is within 4 of their own standard errors.
  private func isMean(of values: [Double], near expected: Double) -> Bool {
    let count = Double(values.count)
    let mean = values.reduce(0, +) / count
    let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
    return abs(mean - expected) <= 4 * (variance / count).squareRoot()
  }
}
