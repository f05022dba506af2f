import FleetEngine
import FleetReports
import ScenarioFiles
import Studies

/// One side of a comparison before it is simulated.
struct ComparisonSide {
  private enum Origin {
    case folder
    case file(Simulation, Engine)
  }

  private let origin: Origin
  /// A file has no figures until they are asked for.
  let run: ComparedRun

  /// - Parameter path: of a results folder, or of a scenario file.
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

  /// Makes a scenario of that of a file or a results folder, with some values changed: it is simulated.
  init(
    changing base: ComparisonSide, _ changes: [Assignment], _ settings: Settings, _ console: Console
  ) throws(Failure) {
    let path = base.run.name
    let name = path + " with " + changes.map(\.text).joined(separator: ", ")
    switch base.origin {
    case .folder:
      // A folder keeps its scenario whole: every default and every --set is in it.
      let outcome = ScenarioReader.read(
        text: Array(base.run.resolvedScenario.utf8), fileName: path, settings: changes.map(\.argument))
      try self.init(outcome, name: name, path, settings, console)
    case .file:
      let outcome = try ScenarioSource.outcome(path: path, assignments: settings.assignments + changes)
      try self.init(outcome, name: name, path, settings, console)
    }
  }

  private init(
    _ outcome: ScenarioReader.Outcome, name: String, _ path: String, _ settings: Settings, _ console: Console
  ) throws(Failure) {
    guard let scenario = outcome.scenario else { throw .invalidScenario(problems: outcome.diagnostics.humanText) }
    let warnings = outcome.withLoadLints.warnings
    if !warnings.isEmpty { console.note(warnings.humanText) }
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

  /// Whether its figures are read, so that no option changes them.
  var isFolder: Bool { if case .folder = origin { true } else { false } }

  /// Devices to simulate, over all replications.
  var devicesToSimulate: Int {
    switch origin {
    case .folder: 0
    case .file(_, let engine): engine.devicesLived * run.scenario.run.replications
    }
  }

  /// The run with its figures.
  ///
  /// - Parameters:
  ///   - withLoad: whether its load is wanted too, step by step.
  ///   - expect: called with the devices of a run that depends on the results of another.
  func completed(
    _ control: RunControl, withLoad: Bool, expect: @escaping @Sendable (Int) -> Void
  ) throws(Failure) -> ComparedRun {
    var run = run
    switch origin {
    case .folder: break
    case .file(let simulation, let engine):
      let result = try simulation.result(of: engine, control)
      let variants = simulation.variants(of: engine, control) { expect(engine.devicesLived) }
      run.summary = try simulation.finished { () throws(StudyError) in
        try variants.completed(Summary(of: result), of: simulation.scenario)
      }
      run.distributions = Distributions(of: result)
      if withLoad { run.load = StoredRun(of: result) }
    }
    return run
  }
}
