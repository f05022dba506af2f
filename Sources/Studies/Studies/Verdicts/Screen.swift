import FleetEngine
package import Scenario

/// The value of a figure for the whole fleet, with one or more assumptions at an end of their range.
package struct AssumedEffect: Hashable, Sendable {
  /// The key of the assumption's range, or `together` if several assumptions are changed.
  package var key: String
  /// The index of the end of the range or, for several assumptions, the index of the combination.
  package var end: Int
  package var value: Quantity
  /// The interval of the value if it is estimated from some of the phones; `nil` if it is counted.
  package var interval: Interval?

  package init(key: String, end: Int, value: Quantity, interval: Interval? = nil) {
    (self.key, self.end, self.value, self.interval) = (key, end, value, interval)
  }

  /// The key used for the effects of several assumptions that are changed together.
  static let together = "together"

  /// Whether several assumptions are changed together.
  package var isSudden: Bool { key == Self.together }

  /// The range of the assumption. It is `nil` if there are several assumptions, or if this version has no such range.
  package var range: AssumedRange? { AssumedRange.named(key) }

  /// The displayed value of the assumption at this end of its range.
  package var text: String { range.map { $0.ends.indices.contains(end) ? $0.ends[end].text : "" } ?? "" }
}

/// The runs that set one assumption at a time to an end of its range and simulate only some of the phones (MODEL.md
/// 4.8).
///
/// All runs use the scenario's draws. They are compared with a run of the scenario itself that simulates the same
/// phones. For each figure, two more runs combine the ends that lower it and the ends that raise it.
package struct Screen: Sendable {
  private let scenario: Scenario
  private let variants: VariantRuns
  /// The number of phones that the scenario simulates.
  private let devices: Int
  private let ranges: [AssumedRange]

  /// The minimum number of phones that a run simulates.
  package static let minimum = 100
  /// The number of phones per cohort in each run that estimates the demand on budgets.
  private static let phonesOfDemand = 16
  /// The maximum number of assumptions that are simulated with feedback from the backend.
  package static let maxWithFeedback = 5

  /// - Parameter devices: the number of phones that the scenario simulates.
  package init(of scenario: Scenario, by variants: VariantRuns, devices: Int) {
    var one = scenario
    one.run.replications = 1
    self.scenario = one
    self.variants = variants
    self.devices = devices
    ranges = AssumedRange.varied(in: scenario)
  }

  private struct Trial {
    var range: AssumedRange
    var end: Int
  }

  private var trials: [Trial] {
    ranges.flatMap { range in
      range.ends.indices.filter { range.applied(to: scenario, end: $0) != scenario }
        .map { Trial(range: range, end: $0) }
    }
  }

  /// Returns the number of phones per run, such that all runs together take no longer than the two runs of the bracket.
  private func part(of runs: Int) -> Int { min(devices, max(Self.minimum, 3 * devices / (2 * max(runs, 1)))) }

  /// The maximum number of runs that combine assumptions. There are two runs per figure of a goal or capacity, and per
  /// peak.
  private var maxCorners: Int {
    let goals = scenario.goals.flatMap { [$0.figure, $0.reference].compactMap { $0 } }.uniqued
    return 2 * (goals.count + Overload.endpoints(of: scenario).count + 2)
  }

  /// The total number of phones that all runs simulate.
  package var devicesSimulated: Int {
    let count = trials.count
    guard count > 0 else { return 0 }
    guard answersBack else { return (count + maxCorners + 1) * part(of: count + maxCorners + 1) }
    let second = min(2 * Self.maxWithFeedback, count) + maxCorners + 1
    return (count + 1) * part(of: 2 * (count + 1)) + second * part(of: 2 * second)
  }

  /// Returns the effects on the given figures.
  ///
  /// - Parameter summary: the scenario's own figures.
  /// - Returns: `nil` if cancelled.
  package func effects(
    on names: [FigureName], of summary: Summary
  ) throws(StudyError) -> [FigureName: [AssumedEffect]]? {
    let all = trials
    guard !all.isEmpty, !names.isEmpty else { return [:] }
    guard answersBack else {
      return try effects(of: all, on: names, of: summary, part: part(of: all.count + maxCorners + 1))
    }
    guard let strongest = try strongest(of: all, names, summary) else { return nil }
    let chosen = all.filter { strongest.contains($0.range.key) }
    return try effects(of: chosen, on: names, of: summary, part: part(of: 2 * (chosen.count + maxCorners + 1)))
  }

  private func effects(
    of trials: [Trial], on names: [FigureName], of summary: Summary, part: Int
  ) throws(StudyError) -> [FigureName: [AssumedEffect]]? {
    let changed = trials.map { $0.range.applied(to: scenario, end: $0.end) }
    guard let found = try summaries(of: [scenario] + changed, on: names, part) else { return nil }
    let base = found[0]
    let projection = Projection(part: part, isExact: part >= devices && scenario.clock.settle == .zero)
    var effects: [FigureName: [AssumedEffect]] = [:]
    func add(_ found: Summary, _ key: String, _ end: Int) {
      for name in names where !answersBack || projection.represents(summary.figure(name), by: base.figure(name)) {
        let effect = projection.effect(
          own: summary.figure(name), base: base.figure(name), found: found.figure(name))
        guard let effect else { continue }
        effects[name, default: []].append(
          AssumedEffect(key: key, end: end, value: effect.value, interval: effect.interval))
      }
    }
    for (trial, found) in zip(trials, found.dropFirst()) { add(found, trial.range.key, trial.end) }
    let corners = names.flatMap { name in
      Corner.worst(effects[name] ?? [], around: summary.figure(name)?.value?.approximate)
    }
    let combined = corners.uniqued.map { $0.applied(to: scenario) }
    guard let found = try summaries(of: combined, on: names, part) else { return nil }
    for (index, found) in found.enumerated() { add(found, AssumedEffect.together, index) }
    return effects
  }

  /// Returns the keys of the assumptions that affect the demand or the goals most, assuming that every request is
  /// answered. With this assumption, no simulation in steps is needed.
  private func strongest(
    of trials: [Trial], _ names: [FigureName], _ summary: Summary
  ) throws(StudyError) -> Set<String>? {
    let part = part(of: 2 * (trials.count + 1))
    let peaks = LoadWindow.all(of: scenario.clock).map {
      FigureName(.peakRPS, .max, Labels().with(\.window, $0.name))
    }
    let asked = Set(names.map(\.labels.window))
    let names = names + peaks.filter { asked.contains($0.labels.window) }
    let answered = withoutBackend
    let changed = trials.map { $0.range.applied(to: answered, end: $0.end) }
    guard let found = try summaries(of: [answered] + changed, on: names, part) else { return nil }
    let base = found[0]
    var moves: [String: Double] = [:]
    for (trial, found) in zip(trials, found.dropFirst()) {
      for name in names {
        guard let own = base.figure(name)?.value?.approximate, let value = found.figure(name)?.value?.approximate,
          own > 0
        else { continue }
        moves[trial.range.key] = max(moves[trial.range.key] ?? 0, abs(value / own - 1))
      }
    }
    let order = ranges.map(\.key).enumerated().sorted { left, right in
      let (first, second) = (moves[left.element] ?? 0, moves[right.element] ?? 0)
      return first == second ? left.offset < right.offset : first > second
    }
    return Set(order.prefix(Self.maxWithFeedback).map(\.element))
  }

  /// Returns the summaries of several scenarios, each simulated with some of the phones. Only the metrics of these
  /// figures are kept, because all rows of many cohorts would use a lot of memory.
  private func summaries(
    of scenarios: [Scenario], on names: [FigureName], _ part: Int
  ) throws(StudyError) -> [Summary]? {
    let loads = Set(names.flatMap(\.withSources))
    let metrics = Set(loads.map(\.metric))
    return try variants.several(scenarios.count, devices: part) { index, variants throws(StudyError) -> Summary? in
      var scenario = scenarios[index]
      scenario.run.simulate = .count(part)
      scenario.run.phonesOfDemand = Self.phonesOfDemand
      return try variants.result(of: scenario).map { result in
        Summary(rows: Summary(of: result, loads: loads).rows.filter { metrics.contains($0.metric) })
      }
    }
  }
}

/// The projection of an effect from some of the phones to the whole fleet.
private struct Projection {
  let part: Int
  /// Whether the runs simulate exactly the same phones as the scenario's own run.
  let isExact: Bool

  /// The maximum difference at which some of the phones are considered to represent the scenario. The difference is
  /// relative to the figure, but absolute for shares.
  private static let maxMiss = 0.1

  /// Returns whether a figure measured with some of the phones is close to the scenario's own figure. The two differ if
  /// there are too few phones for a backend's caches and queues.
  func represents(_ own: SummaryRow?, by base: SummaryRow?) -> Bool {
    guard let own, let whole = own.value?.approximate, let part = base?.value?.approximate else { return false }
    return abs(part - whole) <= Self.maxMiss * (own.statistic == .share ? 1 : abs(whole))
  }

  /// Returns the fleet's figure, changed by the same ratio as the figure of the simulated phones. Shares are changed by
  /// the same difference instead.
  ///
  /// The error of an effect is 2/sqrt(n) of the effect, where n is the number of phones. The relative bounds of an
  /// estimate are kept.
  func effect(own: SummaryRow?, base: SummaryRow?, found: SummaryRow?) -> (value: Quantity, interval: Interval?)? {
    guard let own, let found, let value = found.value else { return nil }
    if isExact { return (value, found.estimatedInterval) }
    guard let whole = own.value?.approximate, let base = base?.value?.approximate else { return nil }
    let isShare = own.statistic == .share
    let end = value.approximate
    let moved = !isShare && whole > 0 && base > 0 ? whole * end / base : whole + end - base
    let result = max(0, isShare ? min(moved, 1) : moved)
    let half = abs(result - whole) * 2 / Double(part).squareRoot()
    let scale = end > 0 ? result / end : 0
    let (below, above) = found.estimatedInterval.map { ((end - $0.low) * scale, ($0.high - end) * scale) } ?? (0, 0)
    return (
      .real(significant(result)),
      Interval(low: significant(max(0, result - half - below)), high: significant(result + half + above))
    )
  }
}

extension Screen {
  /// Whether the state of the backend depends on the phones, so that it must be simulated in steps (MODEL.md 6.7).
  private var answersBack: Bool { scenario.hasLimits || scenario.endpoints.contains { $0.cdn != nil } }

  /// The scenario in which all requests are answered immediately by servers without a CDN.
  private var withoutBackend: Scenario {
    var answered = scenario.withoutLimits
    for index in answered.endpoints.indices { answered.endpoints[index].cdn = nil }
    return answered
  }

  /// Returns the figures to measure, grouped by the names of their rows: the figures of goals and capacities, and the
  /// peaks in the headline window and the shortest window.
  package func figures(_ summary: Summary) -> [FigureName] {
    let window = HeadlineWindow.of(scenario, [summary])
    let limits = scenario.goals + CapacityGoal.all(of: scenario, window).map(\.goal)
    let peak = window.flatMap { LoadPoint.first(scenario, endpoint: nil).name(.peak, window: $0.name) }
    let finest = LoadWindow.finest(of: scenario.clock).flatMap { finest in
      LoadPoint.first(scenario, endpoint: nil).name(.peak, window: finest.name)
    }
    let names = limits.flatMap { [$0.figure, $0.reference] } + [peak, finest]
    return names.compactMap { $0 }.map { summary.figure($0)?.name ?? $0 }.uniqued
  }
}

extension Summary {
  /// Returns this summary with the effects of assumptions added to the figures.
  package func assuming(_ effects: [FigureName: [AssumedEffect]]) -> Summary {
    Summary(
      rows: rows.map { row in
        guard let found = effects[row.name] else { return row }
        var row = row
        row.effects = found
        return row
      })
  }
}

extension SummaryRow {
  /// Returns the row of the figure with one assumption at an end of its range.
  package func assuming(_ effect: AssumedEffect) -> SummaryRow {
    SummaryRow(
      metric, labels, statistic, replications: [effect.value], bounds: effect.interval.map { [$0] } ?? [])
  }

  /// The values that form the bracket together with the scenario's own value; `nil` for unknown values.
  package var bracketValues: [Quantity?] { [prompt, lazy] + effects.ofBracket.map(\.value) }
}

extension [AssumedEffect] {
  /// The effects of assumptions about undocumented behaviour of the system. Assumptions about the app's users are
  /// excluded.
  package var ofSystem: [AssumedEffect] { filter { $0.range?.isOfUsers == false } }

  /// The effects of assumptions about behaviour that Apple does not document, changed one at a time or together.
  var ofBracket: [AssumedEffect] { filter { $0.isSudden || $0.range?.isOfUsers == false } }
}

extension GoalResult {
  /// The values that form the bracket together with the scenario's own value; `nil` for unknown values.
  package var bracketValues: [Quantity?] { [prompt, lazy] + effects.ofBracket.map(\.value) }
}
