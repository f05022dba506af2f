package import Numerics
package import Scenario

/// A step-by-step tuning process that proposes the next simulation and receives its figures.
///
/// Each round consists of a search with one seed and a check of the best setting with another seed. A goal that fails
/// the check gets a larger margin in the next round. The margin is the difference between search and check plus 1.5
/// times the uncertainty of the check.
package struct Tuner {
  private enum Phase {
    case searching
    case checking(TunePoint)
    case over
  }

  package private(set) var problem: TuneProblem
  package private(set) var trials: [TuneTrial] = []
  private var search: TuneSearch
  private var phase = Phase.searching
  private var request: TuneRequest?
  private var checks = 0
  /// The number of runs after which the search of a round ends.
  private var searchLimit: Int

  /// The number of settings after which tuning stops if a required value is unknown for all of them.
  private static let patience = 3
  /// The maximum number of replications in a check, unless the problem requires more.
  private static let maxReplications = 20
  /// The margin that the next round's best setting must keep from the limit, in half-widths of a check's interval.
  private static let caution = 1.5

  /// - Throws: an error if there are more keys than a Sobol sequence supports.
  package init(_ problem: TuneProblem) throws(NumericsError) {
    self.problem = problem
    // Runs are reserved for two checks, and a fifth of the remaining runs for a search after the first check.
    searchLimit = (problem.maxRuns - 2 * problem.checkRuns) * 4 / 5
    search = try TuneSearch(
      axes: problem.axes, goals: problem.goals.count, trials: max(searchLimit / problem.settingRuns, 1))
  }

  private var runs: Int { trials.reduce(0) { $0 + $1.runs } }

  /// Returns the next setting to simulate; `nil` if tuning has ended.
  package mutating func next() throws(NumericsError) -> TuneRequest? {
    request = nil
    if case .searching = phase {
      request = try nextOfSearch() ?? nextCheck()
    }
    if request == nil { phase = .over }
    return request
  }

  private mutating func nextOfSearch() throws(NumericsError) -> TuneRequest? {
    guard unmeasured == nil, runs + problem.settingRuns <= searchLimit, let levels = try search.next() else {
      return nil
    }
    return TuneRequest(stage: .search, levels: levels, seed: problem.seed, replications: problem.replications)
  }

  private mutating func nextCheck() -> TuneRequest? {
    guard unmeasured == nil, let best = search.best, runs + problem.checkRuns <= problem.maxRuns else {
      return nil
    }
    // If no setting meets the goals, the closest one is checked once, because its miss may be due to chance.
    guard best.violation(search.safety) == 0 || checks == 0 else { return nil }
    // Runs that remain after the search are used to narrow the intervals. The second check must have at least as many
    // runs as the first.
    let share = (problem.maxRuns - runs) / (checks == 0 ? 4 : 2) - problem.presets.count
    checks += 1
    phase = .checking(best)
    return TuneRequest(
      stage: .check, levels: best.levels, seed: problem.seed &+ UInt64(checks),
      replications: max(problem.checkReplications, min(share, Self.maxReplications)))
  }

  /// Updates limits that are shares of a capacity, using the scenario of the requested setting.
  package mutating func limitGoals(by scenario: Scenario) {
    problem.goals = problem.goals.map { $0.limited(by: scenario) }
  }

  /// Returns whether the requested setting must also be simulated with the presets, given its figures without presets.
  ///
  /// A setting whose own figures miss a goal cannot win if another setting is already known to meet all goals.
  package func needsBracket(_ summary: Summary) -> Bool {
    guard !problem.presets.isEmpty else { return false }
    guard case .searching = phase, let best = search.best, best.violation(search.safety) == 0 else { return true }
    return !problem.goals.contains { $0.finding(in: summary) == .misses }
  }

  /// Records the figures of the requested setting.
  ///
  /// - Parameter bracket: `nil` if it was not needed.
  package mutating func add(_ summary: Summary, _ bracket: Bracket? = nil) {
    guard let request else { return }
    let extra = bracket == nil ? addedAtBest : []
    let trial = TuneTrial(request, summary, bracket, problem)
    trials.append(trial)
    switch phase {
    case .checking(let point): stepBack(from: point, trial)
    case .searching: search.add(trial.point(adding: extra.isEmpty ? problem.goals.map { _ in 0 } : extra))
    case .over: break
    }
  }

  /// The amount by which the bracket increases the relative miss of each goal at the best setting. The same amount is
  /// assumed for settings whose bracket was not simulated.
  private var addedAtBest: [Double] {
    guard let best = search.best else { return [] }
    return trials.first { $0.stage == .search && $0.levels == best.levels }?.added ?? []
  }

  private mutating func stepBack(from point: TunePoint, _ check: TuneTrial) {
    let wasFeasible = point.violation(search.safety) == 0
    guard !check.passes, wasFeasible else {
      phase = .over
      return
    }
    for (goal, margin) in check.margins.enumerated() where check.goals[goal].verdict != .pass {
      let hope = margin.miss.map { $0 - point.misses[goal] + Self.caution * margin.half } ?? 0
      // The margin must be at least large enough to exclude the setting that failed this check.
      search.safety[goal] = max(search.safety[goal], hope, 1e-9 - point.misses[goal])
    }
    search.restoreTrust()
    searchLimit = problem.maxRuns - problem.checkRuns
    phase = .searching
  }

  /// The study so far. It is complete when `next` returns `nil`.
  package var study: TuneStudy { TuneStudy(problem: problem, trials: trials, outcome: outcome) }

  private var outcome: TuneStudy.Outcome {
    if let unmeasured { return .unmeasured(unmeasured) }
    let checks = trials.filter { $0.stage == .check }
    if let winner = checks.last(where: { $0.passes }) ?? checks.last(where: { $0.mayPass && isFeasible($0) }) {
      return .found(winner)
    }
    let nearest = checks.min { worst($0) < worst($1) }
    return nearest.map { .infeasible($0) } ?? .unmeasured("no setting could be simulated twice")
  }

  private func isFeasible(_ trial: TuneTrial) -> Bool { trial.margins.allSatisfy { ($0.miss ?? 1) <= 0 } }

  private func worst(_ trial: TuneTrial) -> Double {
    trial.margins.reduce(-.infinity) { max($0, $1.miss ?? TunePoint.unknown) }
  }

  /// The reason why tuning is impossible, as a sentence, if a required value is unknown for every setting; `nil`
  /// otherwise.
  private var unmeasured: String? {
    guard trials.count >= Self.patience else { return nil }
    if trials.allSatisfy({ $0.measure == nil }) {
      return "the figure to be minimized is unknown under every setting: it was not measured"
    }
    let goal = problem.goals.indices.first { goal in trials.allSatisfy { $0.margins[goal].miss == nil } }
    return goal.map { goal in
      let result = trials[0].goals[goal]
      return "the goal '\(result.goal.id)' cannot be judged under any setting: \(result.reason)"
    }
  }
}
