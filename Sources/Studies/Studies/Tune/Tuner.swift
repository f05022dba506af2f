package import Numerics

/// Tuning step by step: it says what to simulate next, and is given the figures.
///
/// Rounds of a search with one seed and a check of its winner with another. A goal that the check does not find met is asked
/// to be met by more from then on, by as much as the search was too hopeful and half as much again as the check is unsure
/// of, and the next round steps back from the limit.
package struct Tuner {
  private enum Phase {
    case searching
    case checking(TunePoint)
    case over
  }

  package let problem: TuneProblem
  /// In the order in which they were simulated.
  package private(set) var trials: [TuneTrial] = []
  private var search: TuneSearch
  private var phase = Phase.searching
  private var request: TuneRequest?
  private var checks = 0
  /// Runs after which a round's search is over.
  private var searchLimit: Int

  /// Settings after which a figure that none of them has is given up.
  private static let patience = 3
  /// Most replications of a check, unless the problem asks for more.
  private static let mostReplications = 20
  /// Times the half interval of a check that the next winner keeps away from the limit.
  private static let caution = 1.5

  /// - Throws: for more keys than Sobol's sequence has dimensions.
  package init(_ problem: TuneProblem) throws(NumericsError) {
    self.problem = problem
    // Two checks are kept, and a fifth for what the first one teaches.
    searchLimit = (problem.mostRuns - 2 * problem.checkRuns) * 4 / 5
    search = try TuneSearch(
      axes: problem.axes, goals: problem.goals.count, trials: max(searchLimit / problem.settingRuns, 1))
  }

  private var runs: Int { trials.reduce(0) { $0 + $1.runs } }

  /// What to simulate; nil at the end.
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
    guard unmeasured == nil, let best = search.best, runs + problem.checkRuns <= problem.mostRuns else {
      return nil
    }
    // The nearest miss is looked at once: it may have been bad luck.
    guard best.violation(search.safety) == 0 || checks == 0 else { return nil }
    // What the search left over narrows the intervals; the later check must not be the poorer one.
    let share = (problem.mostRuns - runs) / (checks == 0 ? 4 : 2) - problem.presets.count
    checks += 1
    phase = .checking(best)
    return TuneRequest(
      stage: .check, levels: best.levels, seed: problem.seed &+ UInt64(checks),
      replications: max(problem.checkReplications, min(share, Self.mostReplications)))
  }

  /// Whether what was asked for must be simulated under the presets, too, now that its own figures are known.
  ///
  /// A setting that misses a goal by itself cannot win once another is known to meet them all: it is spared the rest.
  package func needsBracket(_ summary: Summary) -> Bool {
    guard !problem.presets.isEmpty else { return false }
    guard case .searching = phase, let best = search.best, best.violation(search.safety) == 0 else { return true }
    return !problem.goals.contains { $0.finding(in: summary) == .misses }
  }

  /// Takes the figures of what was asked for.
  ///
  /// - Parameter bracket: nil where none was needed.
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

  /// What the bracket takes from each goal at the best setting: the guess for a setting that is spared it.
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
      // In any case by so much that this winner is out.
      search.safety[goal] = max(search.safety[goal], hope, 1e-9 - point.misses[goal])
    }
    search.trustAgain()
    searchLimit = problem.mostRuns - problem.checkRuns
    phase = .searching
  }

  /// What was found; to be asked for at the end.
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

  /// What no setting has a value of, as a sentence; nil while everything is known of one.
  private var unmeasured: String? {
    guard trials.count >= Self.patience else { return nil }
    if trials.allSatisfy({ $0.measure == nil }) {
      return "nothing is known of the figure to be minimized under any setting: nothing of the kind was measured"
    }
    let goal = problem.goals.indices.first { goal in trials.allSatisfy { $0.margins[goal].miss == nil } }
    return goal.map { goal in
      let result = trials[0].goals[goal]
      return "the goal '\(result.goal.id)' cannot be judged under any setting: \(result.reason)"
    }
  }
}
