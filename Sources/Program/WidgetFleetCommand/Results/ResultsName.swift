import FleetReports
import Platform
import Scenario
import ScenarioFiles
import Studies

/// The default name of a results folder: the name of the scenario, followed by a number if the folder with that name
/// contains results for other settings.
struct ResultsName {
  private let path: String
  /// The SHA-256 hash, in hexadecimal, of everything that determines the results.
  private let hash: String
  /// Whether a folder contains results that must not be replaced.
  private let holdsOther: (String) -> Bool

  /// The maximum number of names to try.
  private static let maximum = 1_000

  /// - Parameter precision: the required precision if the run adds replications until its target metrics are precise
  ///   enough.
  init(_ path: String, for scenario: Scenario, _ precision: RequiredPrecision?) {
    self.path = path
    hash = SHA256.hexadecimal(of: Array((scenario.resolvedText + (precision.map { "\($0)" } ?? "")).utf8))
    holdsOther = { Self.holdsOther($0, scenario, precision) }
  }

  /// - Parameter hash: the SHA-256 hash of the study design.
  init(_ path: String, ofStudy hash: String) {
    (self.path, self.hash) = (path, hash)
    holdsOther = { candidate in
      OutputPath.hasManifest(candidate) && ManifestLines(in: candidate)?.text(ManifestLines.studyHash) != hash
    }
  }

  private var candidates: some Sequence<String> {
    (1...Self.maximum).lazy.map { [path] in $0 == 1 ? path : "\(path)-\($0)" }
  }

  /// Returns the name that new results would currently get.
  func free(_ console: Console) -> String {
    let free = candidates.first { !holdsOther($0) } ?? path
    console.note(note(on: free))
    return free
  }

  /// Claims the requested folder. If none was requested, claims the first folder that contains no results for other
  /// settings and is not being written by another process.
  func claimed(_ settings: Settings, _ console: Console) throws(Failure) -> UnfinishedFolder {
    if let out = settings.out {
      if let claim = try UnfinishedFolder(claiming: OutputPath(out), for: hash) { return claim }
      throw .notReplaced(path: out, reason: "another process is working on it")
    }
    let own = settings.study.resumes ? candidates.first { UnfinishedFolder.settings(beside: $0) == hash } : nil
    for candidate in candidates where (own ?? candidate) == candidate && !holdsOther(candidate) {
      let output = try OutputPath(candidate)
      let claim = try UnfinishedFolder(claiming: output, for: hash)
      // The other process may have finished in the meantime.
      if let claim, !holdsOther(candidate) {
        if own == nil { console.note(note(on: candidate)) }
        return claim
      }
      claim?.release()
      output.parent.close()
    }
    throw .notReplaced(
      path: path, reason: "it and \(Self.maximum - 1) numbered ones have results for other settings; use another -o")
  }

  /// Returns a note for stderr about the chosen name; empty if the name is that of the scenario.
  private func note(on chosen: String) -> String {
    if chosen == path { return "" }
    return "widgetfleet: \(path.printable) "
      + (holdsOther(path)
        ? "has results for other settings (kept); new ones go to \(chosen.printable) (-o \(path.printable) replaces "
          + "them)\n" : "is being written with other settings by another process; results go to \(chosen.printable)\n")
  }

  /// Returns whether a folder contains WidgetFleet results that a run of this scenario would not produce.
  ///
  /// Folders not written by this program are ignored, because the program refuses to write results to them.
  private static func holdsOther(_ path: String, _ scenario: Scenario, _ precision: RequiredPrecision?) -> Bool {
    guard OutputPath.hasManifest(path) else { return false }
    let isSame = ManifestLines(in: path)?.isRun(precision) { replications in
      var same = scenario
      same.run.replications = replications ?? same.run.replications
      // The text includes the seed, the number of replications and values from the command line.
      return SHA256.hexadecimal(of: Array(same.resolvedText.utf8))
    }
    return isSame != true
  }
}
