import Calibration
import FleetEngine
import FleetReports
import RequestStatistics
import Scenario
import ScenarioFiles
import SimulationKernel
import Synchronization

/// A fit by simulation of keys that cannot be estimated from a log in closed form.
struct LogFit: Sendable {
  let plan: CalibrationPlan
  let ranges: [FitRange]
  /// A single-threaded simulation of the period of the log.
  let simulated: SimulatedLog
  /// The number of concurrent simulations.
  let threads: Int
  let clocks: [ZoneClock]
  let control: RunControl
  /// The time after which no further simulations are started.
  let end: ContinuousClock.Instant

  /// The maximum number of phones in each simulation.
  ///
  /// A fit of eight keys needs 300 to 416 simulations. With this number of phones, the random variation is a few
  /// percent.
  static let maxDevices = 1_000

  /// The number of devices in each simulation.
  var devices: Int { min(simulated.scenario(plan.base).fleet.devices, Self.maxDevices) }

  /// Runs the fit.
  ///
  /// - Parameter evidence: the evidence from the log.
  func result(_ evidence: LogEvidence) throws(Failure) -> FitResult? {
    let names = plan.base.kinds.map(\.name)
    let phones = Double(evidence.history?.phones.count ?? plan.base.fleet.devices)
    let problem = FitProblem(
      keys: ranges.map(\.path), measured: evidence.statistics(names), phones: phones / Double(devices))
    var fit = SimulatedFit(problem, LogSimulator(fit: self, names: names))
    return try fit.result()
  }

  /// Returns the findings of the fit and their precision, in a form that can be combined with closed-form findings.
  ///
  /// - Parameter evidence: the evidence from the log, which includes wakes of phones if the log has IDs that identify
  ///   phones.
  func reported(_ result: FitResult, _ evidence: LogEvidence) -> ReportedFit {
    let wakes = evidence.history?.phones.reduce(0) { $0 + $1.wakes.count } ?? 0
    let keys = zip(ranges, result.keys).map { range, key -> ReportedFit.Key in
      let ends = Self.values(range, key.withModelError)
      let reason = Self.reason(key)
      let estimate =
        key.verdict == .notFromThisLog
        ? Estimate.unknown(reason ?? .wideInterval, count: wakes)
        : Estimate(
          range.value(at: key.place), low: ends.lowerBound, high: ends.upperBound, verdict: key.verdict, count: wakes,
          reason: reason)
      let measure = KeyMeasure(range.amount)
      let finding = KeyFinding(
        range.path, written: range.ownText, known: range.own, estimate, measure)
      return ReportedFit.Key(
        finding, key, statistical: Self.values(range, key.statistical), withModelError: ends)
    }
    return ReportedFit(result, keys)
  }

  private static func reason(_ key: FitResult.FittedKey) -> Estimate.Reason? {
    if !key.confounded.isEmpty { return .onlyProduct }
    if key.verdict == .identified { return nil }
    return key.meetsEnd ? .endOfRange : .wideInterval
  }

  private static func values(_ range: FitRange, _ places: ClosedRange<Double>) -> ClosedRange<Double> {
    range.value(at: places.lowerBound)...range.value(at: places.upperBound)
  }
}

extension KeyMeasure {
  init(_ amount: FitRange.Amount) {
    switch amount {
    case .span: self = .span
    case .share: self = .share
    case .number: self = .number
    case .daily: self = .daily
    case .rate: self = .rate
    }
  }
}

/// A simulator of the period of the log for given key values, which runs several single-threaded simulations
/// concurrently.
private struct LogSimulator: FitSimulator, Sendable {
  let fit: LogFit
  let names: [String]

  func statistics(of trials: [FitTrial]) throws(Failure) -> [[LogStatistic]?] {
    let results = Locked([[LogStatistic]?](repeating: nil, count: trials.count))
    let failure = Locked<Failure?>(nil)
    let next = Atomic(0)
    Workers.run(atMost: min(fit.threads, trials.count)) { _ in
      { _ in
        while failure.withLock({ $0 == nil }) {
          let number = next.add(1, ordering: .relaxed).oldValue
          guard number < trials.count else { break }
          do throws(Failure) {
            let rows = try statistics(of: trials[number])
            results.withLock { $0[number] = rows }
          } catch { failure.withLock { $0 = error } }
        }
      }
    }
    if let failure = failure.withLock({ $0 }) { throw failure }
    return results.withLock { $0 }
  }

  private func statistics(of trial: FitTrial) throws(Failure) -> [LogStatistic]? {
    guard ContinuousClock.now < fit.end else { return nil }
    guard var scenario = fit.plan.scenario(with: fit.ranges, at: trial.places) else { return [] }
    scenario.run.simulate = .count(min(scenario.fleet.devices, fit.devices))
    scenario.run.seed &+= (trial.seed + 1) << 20
    return try fit.simulated.load(of: scenario, clocks: fit.clocks, fit.control)?.evidence.statistics(names) ?? []
  }
}
