import FleetEngine
import FleetReports
import Platform
import Scenario
import ScenarioFiles
import Studies

/// A results folder that a run has left, to be read.
struct ResultsFolder {
  private let path: String

  /// Bytes; a day of a fleet at one second for ten endpoints takes some 50 MB in each replication.
  private static let largestFile = 4_000_000_000

  init(_ path: String) throws(Failure) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .cannotRead(path: path, errno: errno) }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw .unsuitableInput(path: path, reason: "is not a results folder: name the folder, not a file in it")
    }
    self.path = path
  }

  /// nil for a file, and for standard input.
  static func ifFolder(_ path: String) throws(Failure) -> ResultsFolder? {
    var status = stat()
    guard path != "-" else { return nil }
    guard stat(path, &status) == 0 else {
      if errno == ENOENT { return nil }
      throw .cannotRead(path: path, errno: errno)
    }
    return status.st_mode & S_IFMT == S_IFDIR ? try ResultsFolder(path) : nil
  }

  /// What the manifest says; a folder without one is no results folder.
  func manifest() throws(Failure) -> StoredManifest {
    guard access(file(StoredManifest.file), F_OK) == 0 else {
      guard errno == ENOENT else { throw .cannotRead(path: file(StoredManifest.file), errno: errno) }
      throw .unsuitableInput(
        path: path, reason: "is not a results folder: it has no \(StoredManifest.file), which comes last")
    }
    let bytes = try read(StoredManifest.file)
    let manifest = try understood { () throws(StoredFileError) in try StoredManifest(bytes) }
    let hash = SHA256.hexadecimal(of: Array(manifest.resolvedScenario.utf8))
    guard hash == manifest.scenarioHash else {
      throw .unsuitableInput(
        path: file(StoredManifest.file), reason: "is damaged: the scenario in it is not the one of its scenario_sha256")
    }
    return manifest
  }

  /// What a study's manifest says of it.
  func study() throws(Failure) -> StoredStudyManifest {
    let bytes = try read(StoredManifest.file)
    return try understood { () throws(StoredFileError) in try StoredStudyManifest(bytes) }
  }

  /// The figures with their goals' rows, as compare needs them too.
  func summary() throws(Failure) -> StoredSummary {
    let bytes = try read(StoredSummary.file)
    return try understood { () throws(StoredFileError) in try StoredSummary(bytes) }
  }

  /// What the manifest says, and its scenario.
  func identity() throws(Failure) -> (manifest: StoredManifest, scenario: Scenario) {
    let manifest = try manifest()
    return (manifest, try resolvedScenario(of: manifest))
  }

  /// Empty for a folder that was written without them.
  func distributions(_ scale: Scale) throws(Failure) -> StoredDistributions {
    if access(file(StoredRun.Files.distribution), F_OK) != 0, errno == ENOENT { return StoredDistributions() }
    let bytes = try read(StoredRun.Files.distribution)
    return try understood { () throws(StoredFileError) in try StoredDistributions(bytes, scale) }
  }

  /// The load step by step; nil for a folder that was written without it.
  func load() throws(Failure) -> StoredRun? {
    if access(file(StoredRun.Files.load), F_OK) != 0, errno == ENOENT { return nil }
    let manifest = try manifest()
    let (scenario, engine) = try scenario(of: manifest)
    let bytes = try read(StoredRun.Files.load)
    return try understood { () throws(StoredFileError) in
      try StoredRun(loadOf: manifest, scenario, engine.eventSpans, bytes)
    }
  }

  /// Everything that the page shows.
  func content() throws(Failure) -> ReportContent {
    let manifest = try manifest()
    guard manifest.version == Version.current else {
      throw .unsuitableInput(
        path: path,
        reason: "was written by widgetfleet \(manifest.version.printable), and this is \(Version.current): run the "
          + "scenario again")
    }
    let (scenario, engine) = try scenario(of: manifest)
    let summary = try summary()
    let files = StoredRun.Files(
      load: try read(StoredRun.Files.load), causes: try read(StoredRun.Files.causes),
      distribution: try read(StoredRun.Files.distribution), hours: try read(StoredRun.Files.hours),
      asked: try read(StoredRun.Files.asked))
    let (echo, trials) = (try read(StoredTrials.echoFile), try read(StoredTrials.trialsFile))
    return try understood { () throws(StoredFileError) in
      let run = try StoredRun(manifest, scenario, engine.eventSpans, files)
      var content = ReportContent(
        run: run, summary: summary.summary, goals: try summary.goalResults(of: scenario),
        provenance: Provenance(version: manifest.version, resolvedScenario: manifest.resolvedScenario),
        precision: manifest.precision, trials: try StoredTrials(of: run, echo: echo, trials: trials))
      content.rowSample = manifest.rowSample
      content.hasTimestamps = manifest.hasTimestamps
      content.zones = FleetZone.all(scenario, zoneTables(for: scenario))
      return content
    }
  }

  /// The scenario with every default filled in.
  private func resolvedScenario(of manifest: StoredManifest) throws(Failure) -> Scenario {
    let outcome = ScenarioReader.read(
      text: Array(manifest.resolvedScenario.utf8), fileName: file(StoredManifest.file), settings: [])
    guard let scenario = outcome.scenario else {
      throw .unsuitableInput(
        path: file(StoredManifest.file), reason: "is damaged: its resolved_scenario is not valid")
    }
    return scenario
  }

  /// The scenario, and prepared: when its events come.
  private func scenario(of manifest: StoredManifest) throws(Failure) -> (Scenario, Engine) {
    let scenario = try resolvedScenario(of: manifest)
    do {
      let zones = zoneTables(for: scenario)
      return (scenario, try Engine(preparing: scenario, zones: zones))
    } catch {
      throw .unsuitableInput(
        path: file(StoredManifest.file), reason: "is damaged: its scenario cannot be simulated: \(error.message)")
    }
  }

  private func file(_ name: String) -> String { path + "/" + name }

  private func read(_ name: String) throws(Failure) -> [UInt8] {
    try InputFile.read(file(name), limit: Self.largestFile, kind: "file of results")
  }

  private func understood<Value>(_ reading: () throws(StoredFileError) -> Value) throws(Failure) -> Value {
    do { return try reading() } catch {
      throw .unsuitableInput(path: file(error.file), reason: error.sentence.printable)
    }
  }
}
