import FleetEngine
import Numerics
import SimulationKernel

/// Whether the load of the measured days still changes: the first half of the whole days against the second, replication
/// by replication.
package enum Drift: Equatable, Sendable {
  /// One day repeats nothing that could be compared.
  case oneDay
  /// What chance does from half to half is not known from one replication, or there is no load.
  case oneReplication
  case noLoad
  /// By what share the second half has more requests, beyond chance and beyond `consequence`.
  case drifts(Double)
  /// The most that the halves differ by, with 99 % confidence.
  case within(Double)

  /// A change below this decides nothing.
  package static let consequence = 0.05

  package init(of run: StoredRun) {
    let days = Int(run.scenario.clock.duration.milliseconds / TimeAmount.day.milliseconds)
    guard days > 1 else {
      self = .oneDay
      return
    }
    let steps = Int(TimeAmount.day.milliseconds * Int64(days / 2) / run.scenario.clock.step.milliseconds)
    let last = Int(TimeAmount.day.milliseconds * Int64(days) / run.scenario.clock.step.milliseconds)
    let halves = run.replications.map { replication -> (first: Double, second: Double) in
      let counts = replication.stepCounts(endpoint: nil)
      let (first, second) = (counts.prefix(steps), counts.prefix(last).suffix(steps))
      return (Double(first.reduce(0, +)), Double(second.reduce(0, +)))
    }
    self.init(halves: halves)
  }

  /// - Parameter halves: requests in either half, by replication.
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
}
