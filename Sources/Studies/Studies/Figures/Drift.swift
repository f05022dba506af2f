import FleetEngine
import Numerics
import Scenario
import SimulationKernel

/// The trend over the measured days, found by comparing the first and second halves of the whole days in each
/// replication (MODEL.md 8).
package enum Drift: Equatable, Sendable {
  /// The run covers only one measured day, so there is nothing to compare.
  case oneDay
  /// There is no load, or only one replication, which cannot show random variation.
  case oneReplication
  case noLoad
  /// The relative change in requests from the first to the second half, which is significant and exceeds `consequence`.
  case drifts(Double)
  /// The requests in the two halves differ by at most this fraction, with 99 % confidence.
  case within(Double)

  /// The smallest significant change.
  package static let consequence = 0.05

  package init(of run: StoredRun) {
    let clock = run.scenario.clock
    let halves = MeasuredHalves(of: clock.duration)
    guard halves.days > 0 else {
      self = .oneDay
      return
    }
    let steps = halves.steps(of: clock.step)
    let requests = run.replications.map { replication -> (first: Double, second: Double) in
      let counts = replication.stepCounts(endpoint: nil)
      func requests(_ steps: Range<Int>) -> Double { Double(counts[steps.clamped(to: counts.indices)].reduce(0, +)) }
      return (requests(steps.first), requests(steps.second))
    }
    self.init(halves: requests)
  }

  /// - Parameter halves: the numbers of requests in the first and second half of the measured days, by replication.
  init(halves: [(first: Double, second: Double)]) {
    guard halves.count > 1 else {
      self = .oneReplication
      return
    }
    let mean = halves.reduce(0) { $0 + $1.first } / Double(halves.count)
    let changes = halves.map { ($0.second - $0.first) / mean }
    guard mean > 0, let interval = try? ConfidenceInterval(of: changes, level: 0.99) else {
      self = .noLoad
      return
    }
    let isCertain = interval.low > 0 || interval.high < 0
    self =
      isCertain && abs(interval.mean) > Self.consequence
      ? .drifts(significant(interval.mean)) : .within(significant(max(abs(interval.low), abs(interval.high))))
  }

  /// Returns the change between the halves in the number of budget exhaustions per widget per day. The result is `nil`
  /// unless the change is significant at 99 % and exceeds 5 % of the rate.
  package static func ofBudgets(_ summary: Summary) -> Double? {
    guard let change = summary.row(.budgetExhaustedDrift, .mean)?.replications.compactMap({ $0?.approximate }),
      let often = summary.value(.budgetExhaustedPerDay, .mean), often > 0,
      let interval = try? ConfidenceInterval(of: change, level: 0.99), interval.low > 0 || interval.high < 0,
      abs(interval.mean) > consequence * often
    else { return nil }
    return significant(interval.mean)
  }
}
