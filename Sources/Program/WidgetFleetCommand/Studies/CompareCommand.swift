import FleetEngine
import FleetReports
import Scenario
import ScenarioFiles
import Studies

/// The `widgetfleet compare` command, which shows how changes to a scenario affect its metrics, using paired
/// replications.
struct CompareCommand: StudyCommand {
  let settings: Settings
  let console: Console

  func run() throws(Failure) -> ExitCode {
    let sides = try sides()
    let page = try settings.study.page.map { path throws(Failure) in try OutputFile(path) }
    let comparisons = try compared(sides)
    if let page {
      try page.write(comparisonPage(of: comparisons, version: Version.current))
      console.note("page: \(page.path.printable)\n")
    }
    for comparison in comparisons { console.note(warnings(comparison)) }
    switch settings.format {
    case .human, .github: try console.output(comparisonTable(of: comparisons, answerOnly: settings.isQuiet))
    case .markdown: try console.output(comparisonMarkdown(of: comparisons))
    case .json: try console.output(comparisonJSON(of: comparisons, version: Version.current))
    }
    let isRegression = comparisons.contains { comparison in
      comparison.conditions.contains {
        $0.verdict == .regression || settings.isStrict && $0.verdict == .inconclusive
      }
    }
    return isRegression && !settings.exitsWithZero ? .goalFailed : .success
  }

  /// Returns the scenarios to compare, starting with the base. Each of the others can be compared with the base.
  private func sides() throws(Failure) -> [ComparisonSide] {
    guard settings.operands.count(where: { $0 == "-" }) < 2 else {
      throw .usage("standard input can be only one of the scenarios", command: "compare")
    }
    var sides = try settings.operands.map { path throws(Failure) in
      try ComparisonSide(path, settings, console)
    }
    try refuseChangesOfFolders(sides)
    let changes = settings.study.with
    if !changes.isEmpty { sides.append(try ComparisonSide(changing: sides[0], changes, settings, console)) }
    for side in sides.dropFirst() {
      let obstacles = side.run.obstacles(to: sides[0].run)
      guard obstacles.isEmpty else { throw refusal(side.run, sides[0].run, obstacles) }
    }
    return sides
  }

  /// Rejects options that would change the simulation of results that already exist.
  private func refuseChangesOfFolders(_ sides: [ComparisonSide]) throws(Failure) {
    // A seed in the environment applies only to runs that are simulated.
    let asked = settings.assignments.filter { $0.origin != Environment.seedName }
    guard let first = asked.first, sides.allSatisfy(\.isFolder) else { return }
    throw .usage(
      "\(first.origin) changes the simulation, but a results folder is already simulated: use scenario files",
      command: "compare")
  }

  private func refusal(_ run: ComparedRun, _ base: ComparedRun, _ obstacles: [String]) -> Failure {
    let reasons = obstacles.joined(separator: "; ").printable
    guard settings.study.with.isEmpty else {
      return .unsuitableInput(
        path: base.name,
        reason: "cannot be compared pair by pair with this change: it has \(reasons); --with can change policies, "
          + "people, the system and the backend")
    }
    return .unsuitableInput(
      path: run.name,
      reason: "cannot be compared with '\(base.name.printable)', pair by pair: it has "
        + reasons
        + (run.differsOnlyInSample(from: base)
          ? "; compare the scenario files instead of the folders, or run both again with --set run.simulate="
            + "\(max(run.devicesSimulated, base.devicesSimulated))"
          : "; run both again with one version and the same --seed and -n"))
  }

  private func compared(_ sides: [ComparisonSide]) throws(Failure) -> [RunComparison] {
    let conditions = try settings.study.failOn.map { text throws(Failure) in try condition(text, sides[0].run) }
    let total = sides.reduce(0) { $0 + $1.devicesToSimulate }
    return try simulate(devices: total) { control, watch throws(Failure) -> [RunComparison] in
      let isDrawn = settings.study.page != nil
      let expect: @Sendable (Int) -> Void = { watch.expect(more: $0) }
      let base = try sides[0].completed(control, withLoad: isDrawn, expect: expect)
      return try sides.dropFirst().map { side throws(Failure) in
        let new = try side.completed(control, withLoad: isDrawn, expect: expect)
        for condition in conditions { for run in [base, new] { try check(condition, run) } }
        return RunComparison(
          base, new, differences: new.scenario.differences(from: base.scenario), conditions: conditions,
          minimum: settings.study.minEffect ?? RunComparison.standardMin)
      }
    }
  }

  private func condition(_ text: String, _ base: ComparedRun) throws(Failure) -> ChangeCondition {
    let outcome = ChangeConditionReader.read(text, of: base.scenario)
    guard let condition = outcome.condition else { throw .invalidScenario(problems: outcome.diagnostics.humanText) }
    return condition
  }

  /// Rejects a condition on a metric that a run does not have, because such a condition would never be met, and no
  /// warning would be printed.
  private func check(_ condition: ChangeCondition, _ run: ComparedRun) throws(Failure) {
    guard run.summary.figure(condition.figure) == nil else { return }
    throw .unsuitableInput(
      path: run.name, reason: "has no figure \(condition.figure.text.printable), named in --fail-on")
  }

  /// Returns a warning for each inconclusive condition.
  private func warnings(_ comparison: RunComparison) -> String {
    comparison.conditions.filter { $0.verdict == .inconclusive }
      .map { "warning: '\($0.condition.text.printable)' is inconclusive: \($0.reason.printable)\n" }.joined()
  }
}

/// One side of a comparison: a base or a changed scenario, which may not have been simulated yet.
struct ComparisonSide {
  private enum Origin {
    case folder
    case file(Simulation, Engine)
  }

  private let origin: Origin
  /// The run of this side. A run from a scenario file has no metrics until it has been simulated.
  let run: ComparedRun

  /// Reads one side of a comparison.
  ///
  /// - Parameter path: the path of a results folder or of a scenario file.
  init(_ path: String, _ settings: Settings, _ console: Console) throws(Failure) {
    if let folder = try ResultsFolder.ifFolder(path) {
      let results = try folder.results()
      let (run, provenance) = (results.content.run, results.content.provenance)
      self.init(
        .folder,
        ComparedRun(
          name: path, version: provenance.version, scenario: run.scenario,
          resolvedScenario: provenance.resolvedScenario, devicesSimulated: run.devicesSimulated,
          summary: results.content.summary, distributions: results.distributions, load: run))
      return
    }
    let outcome = try ScenarioSource.outcome(path: path, assignments: settings.assignments)
    try self.init(outcome, name: path, path, settings, console)
  }

  /// Creates a side to be simulated, from the scenario in a file or results folder with some values changed.
  init(
    changing base: ComparisonSide, _ changes: [Assignment], _ settings: Settings, _ console: Console
  ) throws(Failure) {
    let path = base.run.name
    let name = path + " with " + changes.map(\.text).joined(separator: ", ")
    switch base.origin {
    case .folder:
      // The scenario in a results folder is complete and includes all defaults and `--set` values.
      let outcome = ScenarioReader.read(
        text: Array(base.run.resolvedScenario.utf8), fileName: path, settings: changes.map(\.argument),
        files: .only(ProgramProviders.table))
      try self.init(outcome, name: name, path, settings, console)
    case .file:
      let outcome = try ScenarioSource.outcome(path: path, assignments: settings.assignments + changes)
      try self.init(outcome, name: name, path, settings, console)
    }
  }

  private init(
    _ outcome: ScenarioReader.Outcome, name: String, _ path: String, _ settings: Settings, _ console: Console
  ) throws(Failure) {
    let outcome = outcome.prepared()
    guard let scenario = outcome.scenario else { throw .invalidScenario(problems: outcome.diagnostics.humanText) }
    if !outcome.warnings.isEmpty { console.note(outcome.warnings.humanText) }
    console.note(SampleWords.note(scenario))
    let simulation = Simulation(scenario, path: path, settings, console)
    let engine = try simulation.prepared(others: false)
    self.init(
      .file(simulation, engine),
      ComparedRun(
        name: name, version: Version.current, scenario: scenario, resolvedScenario: scenario.resolvedText,
        devicesSimulated: engine.devicesSimulated, summary: Summary(rows: []), distributions: Distributions()))
  }

  private init(_ origin: Origin, _ run: ComparedRun) { (self.origin, self.run) = (origin, run) }

  /// Whether the metrics come from a results folder, so that options cannot change them.
  var isFolder: Bool { if case .folder = origin { true } else { false } }

  /// The total number of devices to simulate in all replications.
  var devicesToSimulate: Int {
    switch origin {
    case .folder: 0
    case .file(_, let engine): engine.devicesTotal * run.scenario.run.replications
    }
  }

  /// Returns the run of this side, including its metrics.
  ///
  /// - Parameters:
  /// - withLoad: whether to include the load in each step.
  /// - expect: a function called with the number of devices before a run whose necessity depends on the results of
  ///   another run.
  func completed(
    _ control: RunControl, withLoad: Bool, expect: @escaping @Sendable (Int) -> Void
  ) throws(Failure) -> ComparedRun {
    var run = run
    switch origin {
    case .folder: break
    case .file(let simulation, let engine):
      let result = try simulation.result(of: engine, control)
      let variants = simulation.variants(of: engine, control) { expect(engine.devicesTotal) }
      run.summary = try simulation.finished { () throws(StudyError) in
        try variants.completed(Summary(of: result), of: simulation.scenario)
      }
      run.distributions = Distributions(of: result)
      if withLoad { run.load = StoredRun(of: result) }
    }
    return run
  }
}
