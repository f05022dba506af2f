import FleetReports
import Platform
import Scenario
import ScenarioFiles
import Studies

/// The folder of results whose name nobody gave: that of the scenario, or with a number where results of other settings
/// are there under it.
struct ResultsName {
  let path: String
  /// A sentence for stderr; empty where the folder has the scenario's own name.
  let note: String

  /// More are not looked through.
  private static let most = 1_000

  /// - Parameter precision: of a run that replicates until its goals' figures are known so well.
  init(_ path: String, for scenario: Scenario, _ precision: AskedPrecision?) {
    self.init(path) { Self.holdsOther($0, scenario, precision) }
  }

  /// - Parameter holdsOther: whether there are results in a folder that must stay.
  private init(_ path: String, _ holdsOther: (String) -> Bool) {
    let free = (1...Self.most).lazy.map { $0 == 1 ? path : "\(path)-\($0)" }.first { !holdsOther($0) }
    self.path = free ?? path
    note =
      self.path == path
      ? ""
      : "widgetfleet: \(path.printable) has results of other settings, which stay: these go to \(self.path.printable) "
        + "(-o \(path.printable) replaces them)\n"
  }

  /// The folder of a study: that which was asked for, else one that holds no study of other settings.
  ///
  /// - Parameter hash: of what it varies and how.
  static func output(
    ofStudy hash: String, at path: String, _ settings: Settings, _ console: Console
  ) throws(Failure) -> OutputPath {
    if let out = settings.out { return try OutputPath(out) }
    let name = ResultsName(path) { candidate in
      OutputPath.bearsManifest(candidate) && ManifestLines(in: candidate)?.text(ManifestLines.studyHash) != hash
    }
    console.note(name.note)
    return try OutputPath(name.path)
  }

  /// Whether results of ours are there that a run with this scenario would not write.
  ///
  /// What is no folder of ours is none of these: it is refused where it is opened.
  private static func holdsOther(_ path: String, _ scenario: Scenario, _ precision: AskedPrecision?) -> Bool {
    guard OutputPath.bearsManifest(path) else { return false }
    let isSame = ManifestLines(in: path)?.isRun(precision) { replications in
      var same = scenario
      same.run.replications = replications ?? same.run.replications
      // Seed, replications and overrides are in it.
      return SHA256.hexadecimal(of: Array(same.resolvedText.utf8))
    }
    return isSame != true
  }
}
