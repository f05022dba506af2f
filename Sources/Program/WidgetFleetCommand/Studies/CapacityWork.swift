import FleetEngine
import Scenario
import SimulationKernel
import Studies

/// The simulations of the `capacity` command.
struct CapacityWork {
  let command: CapacityCommand
  let presets: [Preset]
  /// The number of replications; `nil` if neither the file nor an option specifies it.
  let replications: Int?
  let control: RunControl
  /// A function called before each simulation with the number of devices.
  let begins: (Int) -> Void

  func study(of scenario: Scenario) throws(Failure) -> CapacityStudy {
    let problem = CapacityProblem(scenario, try window(of: scenario))
    let answers = try problem.levers.map { lever throws(Failure) in try answer(problem, lever) }
    var study = CapacityStudy(problem: problem, answers: answers, trials: [])
    for isOfPhones in [true, false] {
      let planned = answers.indices.filter { answers[$0].plan != nil && (answers[$0].lever == .devices) == isOfPhones }
      if let trial = try tried(problem, &study.answers, planned) { study.trials.append(trial) }
    }
    return study
  }

  /// Returns the window for peaks: the window of a goal or, if there is none, a window that the sample size can
  /// resolve.
  private func window(of scenario: Scenario) throws(Failure) -> LoadWindow? {
    let finest = HeadlineWindow.of(scenario, [])
    let isAsked = CapacityGoal.all(of: scenario, finest).contains { $0.goal.figure.metric == .serverPeakRPS }
    guard isAsked, HeadlineWindow.asked(by: scenario) == nil else { return finest }
    let effort = CapacityProblem.effort(scenario, replications: 1, oneIsEnough: true)
    let asItIs = CapacityProblem(scenario, finest)
    return HeadlineWindow.of(
      scenario, [try summary(of: asItIs.scenario(.devices, at: Double(scenario.fleet.devices), effort))])
  }

  private func answer(_ problem: CapacityProblem, _ lever: CapacityLever) throws(Failure) -> CapacityStudy.Answer {
    let peak = try peak(problem, lever)
    let range = peak.map { problem.capacityRange(peak: $0) } ?? problem.devicesRange
    let own = try limit(problem, lever, range, under: nil)
    var ends: [Preset: CapacityLimit] = [:]
    for preset in presets {
      var near = range
      // The search starts near the limit of the scenario itself, because the limit under a preset is usually similar.
      if let value = own.value { near.start = lever == .devices ? value : 1 / value }
      ends[preset] = try limit(problem, lever, near, under: preset)
    }
    return CapacityStudy.Answer(lever: lever, own: own, ends: ends)
  }

  /// Runs a rough search, followed by a fine search that starts from its result.
  private func limit(
    _ problem: CapacityProblem, _ lever: CapacityLever, _ range: LimitSearch.Range, under preset: Preset?
  ) throws(Failure) -> CapacityLimit {
    var range = range
    range.isRough = true
    let rough = try searched(problem, lever, range, problem.roughEffort, under: preset)
    let effort = CapacityProblem.effort(
      problem.scenario, replications: replications, oneIsEnough: rough.search.needsNoReplications)
    range.isRough = false
    range.start = rough.search.middle ?? range.start
    let (search, unresolved) = try searched(problem, lever, range, effort, under: preset)
    var limit = CapacityLimit(search, of: lever, goals: problem.goals(of: lever), effort)
    limit.isResolved = limit.goal.map { !unresolved.contains($0) } ?? true
    return limit
  }

  /// Runs a search to its end. Also returns the goals whose metrics the sample size cannot resolve for some setting.
  private func searched(
    _ problem: CapacityProblem, _ lever: CapacityLever, _ range: LimitSearch.Range, _ effort: CapacityEffort,
    under preset: Preset?
  ) throws(Failure) -> (search: LimitSearch, unresolved: Set<Int>) {
    let goals = problem.goals(of: lever)
    var search = LimitSearch(range)
    var unresolved: Set<Int> = []
    while let load = search.next() {
      var scenario = problem.scenario(lever, at: lever == .devices ? load : 1 / load, effort)
      if let preset { scenario = scenario.under(preset) }
      let summary = try summary(of: scenario)
      search.add(problem.point(load, goals, in: summary, of: scenario))
      unresolved.formUnion(problem.unresolved(goals, in: summary))
    }
    return (search, unresolved)
  }

  /// Simulates the plan once more. Because metrics can jump, the plan may miss a goal, in which case it is made
  /// slightly more conservative.
  private func tried(
    _ problem: CapacityProblem, _ answers: inout [CapacityStudy.Answer], _ planned: [Int]
  ) throws(Failure) -> CapacityStudy.Trial? {
    guard !planned.isEmpty else { return nil }
    var outcome = try trial(problem, of: planned.map { answers[$0] })
    for _ in 0..<Self.maxRetries where outcome.misses.contains(where: { $0 > 0 }) {
      for index in planned { answers[index].planMoreCarefully() }
      outcome = try trial(problem, of: planned.map { answers[$0] })
    }
    return outcome
  }

  /// The maximum number of times that a plan is made more conservative.
  private static let maxRetries = 5

  private func trial(
    _ problem: CapacityProblem, of answers: [CapacityStudy.Answer]
  ) throws(Failure) -> CapacityStudy.Trial {
    let plans = Dictionary(uniqueKeysWithValues: answers.map { ($0.lever, $0.plan ?? 0) })
    let goals = Set(answers.map(\.lever).flatMap(problem.goals))
    var worst = problem.goals.map { _ in -Double.infinity }
    // The number of phones is that of the most thorough search.
    let effort = answers.map(\.deciding.effort).max { $0.devices < $1.devices } ?? problem.roughEffort
    for preset in [nil] + presets.map(Optional.some) {
      let own = problem.scenario(with: plans, effort)
      let scenario = preset.map { own.under($0) } ?? own
      let summary = try summary(of: scenario)
      for goal in goals { worst[goal] = max(worst[goal], problem.point(1, [goal], in: summary, of: scenario).miss) }
    }
    return CapacityStudy.Trial(plans: plans, misses: worst)
  }

  /// Returns the load in the busiest step of an endpoint without limits, in requests per second; `nil` if the number of
  /// devices is varied.
  private func peak(
    _ problem: CapacityProblem, _ lever: CapacityLever
  ) throws(Failure) -> Double? {
    guard case .capacity(let index) = lever else { return nil }
    let effort = CapacityProblem.effort(problem.scenario, replications: 1, oneIsEnough: true)
    let unlimited = problem.scenario(lever, at: CapacityProblem.unlimited, effort)
    let endpoint = unlimited.endpoints[index]
    let rows = try summary(of: unlimited).rows.filter { $0.labels.endpoint == endpoint.name }
    // Servers without a CDN, limits or base load receive exactly the requests that phones send.
    let peaks = [Metric.serverPeakRPS, .peakRPS].map { metric in
      rows.filter { $0.metric == metric }.compactMap { $0.value?.approximate }.max()
    }
    return max(peaks.compactMap { $0 }.first ?? 1, 1e-3)
  }

  private func summary(of scenario: Scenario) throws(Failure) -> Summary {
    let (simulation, engine) = try command.prepared(scenario, others: false)
    begins(engine.devicesTotal * scenario.run.replications)
    return try simulation.summary(of: simulation.result(of: engine, control), engine, control)
  }
}
