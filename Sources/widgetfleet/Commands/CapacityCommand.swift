import FleetEngine
import FleetReports
import Scenario
import ScenarioFiles
import SimulationKernel
import Studies

/// `widgetfleet capacity`: how many phones the goals allow, and how much capacity they need.
struct CapacityCommand {
  let settings: Settings
  let console: Console

  private var path: String { settings.operands[0] }

  /// Where the file has one replication, so many give the intervals.
  private static let replications = 5
  /// Simulations that one search takes, as a rule.
  private static let runsOfSearch = 8

  func run() throws(Failure) -> ExitCode {
    let source = try ScenarioSource(path: path, assignments: settings.assignments)
    if !source.warnings.isEmpty { console.note(source.warnings.humanText) }
    let problem = CapacityProblem(scenario(source))
    let levers = try levers(of: problem)
    let presets = presets(of: problem)
    let price = StudyPrice(
      replications: problem.scenario.run.replications, presets: presets,
      runs: levers.count * Self.runsOfSearch * (problem.scenario.run.replications + presets.count))
    console.note((price.note.isEmpty ? "" : "about " + price.note) + SampleWords.note(problem.scenario))
    try tellTime(of: price, problem.scenario, searches: levers.count)
    let control = settings.ranks.control()
    var expected = price.runs * problem.scenario.devicesLived
    let watch = Watch(control, Progress(settings, Environment(), total: expected)) {}
    // A search may take longer than most.
    let begins = { (devices: Int) in
      let more = control.devicesDone.load(ordering: .relaxed) + devices - expected
      guard more > 0 else { return }
      watch.expect(more: more)
      expected += more
    }
    let work = CapacityWork(problem: problem, presets: presets, control: control, prepared: prepared, begins: begins)
    let study = try watch.during { () throws(Failure) -> CapacityStudy in try work.study(levers) }
    try console.output(
      settings.format == .json ? capacityJSON(of: study) : capacityTable(of: study, answerAlone: settings.isQuiet))
    return study.isFeasible ? .success : .infeasible
  }

  /// Says how long all searches will take, and the quickest form of them, where that is long.
  private func tellTime(of price: StudyPrice, _ scenario: Scenario, searches: Int) throws(Failure) {
    let days = (scenario.clock.end - scenario.clock.beginning).seconds / 86_400
    let deviceDays = Double(scenario.devicesLived) * days * Double(price.runs)
    guard !settings.isQuiet, deviceDays >= RunSize.quick else { return }
    let (simulation, engine) = try prepared(scenario)
    let forecast = try simulation.forecast(devices: scenario.devicesLived, runs: price.runs, like: engine)
    let seconds = { (devices: Int, runs: Int) in
      forecast.seconds(devices: devices, runs: runs, threads: simulation.threads)
    }
    let sentence = RunSize.sentence(
      deviceDays: deviceDays, seconds: seconds(scenario.devicesLived, price.runs),
      quickest: seconds(scenario.devicesOfFirstLook, searches * Self.runsOfSearch))
    if let sentence { console.note("widgetfleet: \(sentence)\n") }
  }

  /// With replications enough for intervals.
  private func scenario(_ source: ScenarioSource) -> Scenario {
    var scenario = source.scenario
    let isGiven = settings.assignments.contains { $0.origin == Option.replicationsOfCapacity.spelling }
    if !isGiven { scenario.run.replications = max(scenario.run.replications, Self.replications) }
    return scenario
  }

  private func levers(of problem: CapacityProblem) throws(Failure) -> [CapacityLever] {
    let levers = [CapacityLever.devices] + problem.endpoints.map { .capacity(endpoint: $0) }
    let answerable = levers.filter { !problem.goals(of: $0).isEmpty }
    if answerable.isEmpty {
      throw .unsuitableInput(
        path: path,
        reason: "has nothing that could be too small: no goal of severity error and no endpoint with a capacity")
    }
    return answerable
  }

  private func presets(of problem: CapacityProblem) -> [Preset] {
    settings.study.judging == .nominal ? [] : BracketRuns.presets(of: problem.scenario, judging: problem.goals)
  }

  private func prepared(_ scenario: Scenario) throws(Failure) -> (Simulation, Engine) {
    let simulation = Simulation(scenario, path: path, settings, console)
    return (simulation, try simulation.prepared(others: false))
  }
}

/// The simulations of `capacity`.
struct CapacityWork {
  let problem: CapacityProblem
  let presets: [Preset]
  let control: RunControl
  let prepared: (Scenario) throws(Failure) -> (Simulation, Engine)
  /// Is told how many devices a simulation will live.
  let begins: (Int) -> Void

  func study(_ levers: [CapacityLever]) throws(Failure) -> CapacityStudy {
    let answers = try levers.map { lever throws(Failure) in try answer(lever) }
    let proposed = Dictionary(
      uniqueKeysWithValues: answers.compactMap { answer -> (Int, Double)? in
        guard case .capacity(let endpoint) = answer.lever, let value = answer.own.value else { return nil }
        return (endpoint, CapacityStudy.roundedUp(answer.own.interval?.high ?? value))
      })
    guard !proposed.isEmpty else {
      return CapacityStudy(
        scenario: problem.scenario, goals: problem.goals, answers: answers, together: nil, proposed: [:])
    }
    let scenario = problem.scenario(with: proposed)
    let summary = try summary(of: scenario)
    let counted = levers.filter { $0 != .devices }.flatMap { problem.goals(of: $0) }
    let together = problem.goals.indices.map { goal in
      counted.contains(goal)
        ? LimitSearch.Point(load: 1, misses: problem.misses([goal], in: summary, of: scenario)).miss : 0
    }
    return CapacityStudy(
      scenario: problem.scenario, goals: problem.goals, answers: answers, together: together, proposed: proposed)
  }

  private func answer(_ lever: CapacityLever) throws(Failure) -> CapacityStudy.Answer {
    let goals = problem.goals(of: lever)
    let peak = try peak(of: lever)
    let range = peak.map { problem.capacityRange(peak: $0.rate) } ?? problem.devicesRange
    let own = try limit(of: lever, goals, range, under: nil)
    var ends: [Preset: CapacityLimit] = [:]
    for preset in presets {
      var near = range
      // Near what was found: an end is seldom far.
      if let value = own.value { near.start = lever == .devices ? value : 1 / value }
      ends[preset] = try limit(of: lever, goals, near, under: preset)
    }
    return CapacityStudy.Answer(lever: lever, own: own, ends: ends, busiestStep: peak?.within)
  }

  private func limit(
    of lever: CapacityLever, _ goals: [Int], _ range: LimitSearch.Range, under preset: Preset?
  ) throws(Failure) -> CapacityLimit {
    var search = LimitSearch(range)
    var unresolved: Set<Int> = []
    while let load = search.next() {
      var scenario = problem.scenario(lever, at: lever == .devices ? load : 1 / load)
      if let preset {
        scenario = scenario.under(preset)
        scenario.run.replications = 1
      }
      let summary = try summary(of: scenario)
      search.add(LimitSearch.Point(load: load, misses: problem.misses(goals, in: summary, of: scenario)))
      unresolved.formUnion(problem.unresolved(goals, in: summary))
    }
    var limit = CapacityLimit(search, of: lever, goals: goals)
    limit.isResolved = limit.goal.map { !unresolved.contains($0) } ?? true
    return limit
  }

  /// The busiest step of an endpoint when no capacity limits it, in requests per second, and what serves it within the
  /// timeout; nil for devices.
  private func peak(of lever: CapacityLever) throws(Failure) -> (rate: Double, within: Double)? {
    guard case .capacity(let index) = lever else { return nil }
    var unlimited = problem.scenario(lever, at: CapacityProblem.unlimited)
    unlimited.run.replications = 1
    let endpoint = unlimited.endpoints[index]
    let rows = try summary(of: unlimited).rows.filter { $0.labels.endpoint == endpoint.name }
    // Where nothing stands before the servers, they get what the phones send.
    let peaks = [Metric.serverPeakRPS, .peakRPS].map { metric in
      rows.filter { $0.metric == metric }.compactMap { $0.value?.approximate }.max()
    }
    let rate = max(peaks.compactMap { $0 }.first ?? 1, 1e-3)
    return (rate, rate * unlimited.clock.step.seconds / endpoint.timeout.seconds)
  }

  private func summary(of scenario: Scenario) throws(Failure) -> Summary {
    let (simulation, engine) = try prepared(scenario)
    begins(engine.devicesLived * scenario.run.replications)
    return Summary(of: try simulation.result(of: engine, control))
  }
}
