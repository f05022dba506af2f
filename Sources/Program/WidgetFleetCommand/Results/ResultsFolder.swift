import FleetReports
import Platform
import ScenarioFiles

/// The results folder of a run, opened for reading.
struct ResultsFolder {
  private let path: String

  /// The maximum size of a file in bytes. With ten endpoints and 1-second steps, one day takes about 50 MB per
  /// replication.
  private static let largestFile = 4_000_000_000

  init(_ path: String) throws(Failure) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .cannotRead(path: path, errno: errno) }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw .unsuitableInput(path: path, reason: "is not a results folder: name the folder, not a file in it")
    }
    FileIdentity(status).noteInput()
    self.path = path
  }

  /// Returns the results folder at a path; `nil` if the path is a file or standard input.
  static func ifFolder(_ path: String) throws(Failure) -> ResultsFolder? {
    var status = stat()
    guard path != "-" else { return nil }
    guard stat(path, &status) == 0 else {
      if errno == ENOENT { return nil }
      throw .cannotRead(path: path, errno: errno)
    }
    return status.st_mode & S_IFMT == S_IFDIR ? try ResultsFolder(path) : nil
  }

  /// Reads the results of the run.
  func results() throws(Failure) -> RunFile {
    let file = path + "/" + ReportFile.run.name
    guard access(file, F_OK) == 0 else {
      guard errno == ENOENT else { throw .cannotRead(path: file, errno: errno) }
      throw .unsuitableInput(path: path, reason: reasonWithoutResults)
    }
    let bytes = try InputFile.read(
      file, limit: Self.largestFile, kind: "results file", head: RunFile.beginning)
    do {
      var results = try RunFile(bytes, version: Version.current) { text in
        // Results can be read without the code that they depend on.
        ScenarioReader.read(text: Array(text.utf8), fileName: file, files: .only(nil)).scenario
      }
      let scenario = results.content.run.scenario
      results.content.zones = FleetZone.all(scenario, zoneTables(for: scenario))
      return results
    } catch { throw .unsuitableInput(path: file, reason: error.sentence.printable) }
  }

  /// The reason why results cannot be read from the folder.
  private var reasonWithoutResults: String {
    let name = ReportFile.run.name
    guard let schema = ManifestLines(in: path)?.text("schema") else {
      return "is not a results folder: it has no \(name)"
    }
    if schema == ManifestLines.planSchema {
      return "is the folder of a plan: read \(PlanFile.page.name) and \(PlanFile.answer.name) in it; "
        + "to explain a peak, run the plan's scenario and explain that folder"
    }
    guard schema == ManifestLines.runSchema else {
      return "is not a run folder: its \(ManifestLines.file) has schema '\(schema.printable)'"
    }
    return
      "has no \(name), which a run of \(Version.current) writes unless --only leaves it out: run the scenario again"
  }
}

extension ManifestLines {
  /// Reads the manifest of a folder; returns `nil` if there is no manifest of WidgetFleet results.
  init?(in path: String) {
    guard OutputPath.hasManifest(path),
      let bytes = try? InputFile.read(path + "/" + Self.file, limit: 100_000_000, kind: "manifest")
    else { return nil }
    self.init(bytes)
  }
}
