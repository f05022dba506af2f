package import Scenario
package import SimulationKernel

// The fields of figures and verdicts in a run's file.

extension Metric: Stored {}
extension Statistic: Stored {}
extension Preset: Stored {}
extension Verdict: Stored {}

extension Quantity: Stored {
  package static var blank: Quantity { .whole(0) }

  package mutating func visit(_ file: inout StoredFields) {
    var (real, whole): (Double?, String) = (nil, "")
    switch self {
    case .whole(let count): whole = String(count)
    case .real(let value): real = value
    }
    file.field(&real)
    guard real == nil else {
      self = real.map { .real($0) } ?? self
      return
    }
    file.field(&whole)
    let count = Int128(whole)
    file.check(count.map { $0.magnitude < UInt128(1) << 100 } ?? false, "an impossible count")
    self = .whole(file.hasFailed ? 0 : count ?? 0)
  }
}

extension Interval: Stored {
  package static var blank: Interval { Interval(low: 0, high: 0) }

  package mutating func visit(_ file: inout StoredFields) {
    file.fields(of: &self, \.low, \.high)
  }
}

extension Instant: Stored {
  package static var blank: Instant { .start }

  package mutating func visit(_ file: inout StoredFields) {
    file.field(&millisecondsSinceStart)
    // The limit corresponds to about 12 000 days before or after the start.
    file.check(millisecondsSinceStart.magnitude < 1 << 40, "an impossible time")
  }
}

extension Range: Stored where Bound == Instant {
  package static var blank: Range<Instant> { .start..<Instant(millisecondsSinceStart: 1) }

  package mutating func visit(_ file: inout StoredFields) {
    var (from, to) = (lowerBound, upperBound)
    file.field(&from)
    file.field(&to)
    file.check(from < to, "an end before its start")
    if !file.hasFailed { self = from..<to }
  }
}

extension Labels: Stored {
  package static var blank: Labels { Labels() }

  package mutating func visit(_ file: inout StoredFields) {
    for label in Label.allCases { file.field(&self[label]) }
  }
}

extension SummaryRow: Stored {
  package static var blank: SummaryRow { SummaryRow(.blank, Labels(), .blank, replications: []) }

  package mutating func visit(_ file: inout StoredFields) {
    file.fields(
      of: &self, \.metric, \.labels, \.statistic, \.replications, \.value, \.bounds, \.interval, \.prompt, \.lazy,
      \.promptInterval, \.lazyInterval, \.effects, \.busiest, \.isResolved, \.isOfPeriod)
    file.check(bounds.isEmpty || bounds.count == replications.count, "bounds for other replications")
  }
}

extension AssumedEffect: Stored {
  package static var blank: AssumedEffect { AssumedEffect(key: "", end: 0, value: .whole(0)) }

  package mutating func visit(_ file: inout StoredFields) {
    file.fields(of: &self, \.key, \.end, \.value, \.interval)
    let isKnown = file.hasFailed || isSudden || range?.ends.indices.contains(end) == true
    file.check(isKnown, "an assumption unknown to this version")
  }
}

extension Summary: Stored {
  package static var blank: Summary { Summary(rows: []) }

  package mutating func visit(_ file: inout StoredFields) {
    var rows = rows
    file.field(&rows)
    if file.isReading { self = Summary(rows: rows) }
  }
}

extension RequiredPrecision: Stored {
  package static var blank: RequiredPrecision { RequiredPrecision(share: 1, maxReplications: 1) }

  package mutating func visit(_ file: inout StoredFields) {
    file.fields(of: &self, \.share, \.maxReplications)
    file.check(share > 0, "a precision that is not above 0")
  }
}

extension GoalResult {
  /// Reads or writes the results of a scenario's goals.
  package static func visit(_ results: inout [GoalResult], of scenario: Scenario, _ file: inout StoredFields) {
    var places = results.map { result in scenario.goals.firstIndex(of: result.goal) ?? -1 }
    file.field(&places)
    file.check(places.allSatisfy(scenario.goals.indices.contains), "a goal missing from the scenario")
    if file.hasFailed { return }
    if file.isReading { results = places.map { GoalResult(goal: scenario.goals[$0], verdict: .blank) } }
    for index in results.indices { results[index].visit(&file) }
  }

  private mutating func visit(_ file: inout StoredFields) {
    file.fields(
      of: &self, \.verdict, \.value, \.interval, \.limit, \.prompt, \.lazy, \.promptInterval, \.lazyInterval,
      \.turning, \.unknownUnder, \.effects, \.flips, \.reason, \.dependsOn, \.dependsTogether)
  }
}
