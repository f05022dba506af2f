import FleetReports
import Platform
import Scenario
import ScenarioFiles
import Studies

/// The default name of a results folder: that of the scenario, with a number where it has results of other settings.
struct ResultsName {
  let path: String
  /// A sentence for stderr; empty where the folder has the scenario's own name.
  let note: String

  /// The max number of names that are tried.
  private static let most = 1_000

  /// - Parameter precision: of a run that replicates until its goals' figures reach it.
  init(_ path: String, for scenario: Scenario, _ precision: AskedPrecision?) {
    self.init(path) { Self.holdsOther($0, scenario, precision) }
  }

  /// - Parameter holdsOther: returns whether a folder has results that must stay.
  private init(_ path: String, _ holdsOther: (String) -> Bool) {
    let free = (1...Self.most).lazy.map { $0 == 1 ? path : "\(path)-\($0)" }.first { !holdsOther($0) }
    self.path = free ?? path
    note =
      self.path == path
      ? ""
      : "widgetfleet: \(path.printable) has results of other settings, which stay: these go to \(self.path.printable) "
        + "(-o \(path.printable) replaces them)\n"
  }

  /// Returns the folder of a study: the requested one, else one without a study of other settings.
  ///
  /// - Parameter hash: of the study's design.
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

  /// Returns whether it has WidgetFleet results that a run with this scenario would not write.
  ///
  /// A foreign folder does not count: it is refused when it is opened.
  private static func holdsOther(_ path: String, _ scenario: Scenario, _ precision: AskedPrecision?) -> Bool {
    guard OutputPath.bearsManifest(path) else { return false }
    let isSame = ManifestLines(in: path)?.isRun(precision) { replications in
      var same = scenario
      same.run.replications = replications ?? same.run.replications
      // The text includes seed, replications and overrides.
      return SHA256.hexadecimal(of: Array(same.resolvedText.utf8))
    }
    return isSame != true
  }
}
