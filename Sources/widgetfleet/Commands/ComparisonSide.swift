import FleetEngine
import FleetReports
import Studies

/// One side of a comparison before its figures are read or simulated.
struct ComparisonSide {
  private enum Origin {
    case folder(ResultsFolder)
    case file(Simulation, Engine)
  }

  private let origin: Origin
  /// Without figures, until they are asked for.
  let run: ComparedRun

  /// - Parameter path: of a results folder, or of a scenario file.
  init(_ path: String, _ settings: Settings, _ console: Console) throws(Failure) {
    if let folder = try ResultsFolder.ifFolder(path) {
      let (manifest, scenario) = try folder.identity()
      origin = .folder(folder)
      run = ComparedRun(
        name: path, version: manifest.version, scenario: scenario, resolvedScenario: manifest.resolvedScenario,
        devicesSimulated: manifest.devicesSimulated, summary: Summary(rows: []), distributions: StoredDistributions())
      return
    }
    let source = try ScenarioSource(path: path, assignments: settings.assignments)
    if !source.warnings.isEmpty { console.note(source.warnings.humanText) }
    console.note(SampleWords.note(source.scenario))
    let simulation = Simulation(source.scenario, path: path, settings, console)
    let engine = try simulation.prepared(others: false)
    origin = .file(simulation, engine)
    run = ComparedRun(
      name: path, version: Version.current, scenario: source.scenario, resolvedScenario: source.scenario.resolvedText,
      devicesSimulated: engine.devicesSimulated, summary: Summary(rows: []), distributions: StoredDistributions())
  }

  /// Devices to simulate, over all replications.
  var devicesToSimulate: Int {
    switch origin {
    case .folder: 0
    case .file(_, let engine): engine.devicesLived * run.scenario.run.replications
    }
  }

  /// The run with its figures.
  ///
  /// - Parameter withLoad: whether its load is wanted too, step by step.
  func completed(_ control: RunControl, withLoad: Bool) throws(Failure) -> ComparedRun {
    var run = run
    switch origin {
    case .folder(let folder):
      run.summary = try folder.summary().summary
      run.distributions = try folder.distributions(
        Scale(fleet: run.scenario.fleet.devices, simulated: run.devicesSimulated))
      if withLoad { run.load = try folder.load() }
    case .file(let simulation, let engine):
      let result = try simulation.result(of: engine, control)
      run.summary = Summary(of: result)
      run.distributions = try distributions(of: result, run)
      if withLoad { run.load = StoredRun(of: result) }
    }
    return run
  }

  /// As a folder of the same run would hold them.
  private func distributions(of result: RunResult, _ run: ComparedRun) throws(Failure) -> StoredDistributions {
    let provenance = Provenance(version: run.version, resolvedScenario: run.resolvedScenario)
    let bytes = ReportFile.distribution.bytes(
      of: Report(result: result, summary: run.summary, provenance: provenance))
    do { return try StoredDistributions(bytes, Scale(of: result)) } catch {
      throw .bug("\(error.file) \(error.sentence)", seed: run.scenario.run.seed)
    }
  }
}
