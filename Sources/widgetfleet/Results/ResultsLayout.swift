import FleetReports

/// The names in results folders: the only ones that this program ever removes.
enum ResultsLayout {
  static let manifestName = ReportFile.manifest.name
  static let manifestPrefix = FleetReports.manifestPrefix
  /// The backend's conditions, on demand.
  static let conditions = "conditions.csv"
  static let fileNames = ReportFile.allCases.map(\.name) + [conditions]
  /// Files of earlier versions, which are removed beside the results of this one.
  private static let formerNames = ["radios.csv", "tradeoff.csv", "tradeoff.html", "tradeoff.svg"]
  /// The names of every command that writes a folder, and of SQLite's journal for an unfinished store.
  static let allNames =
    fileNames + formerNames + SweepFile.allCases.map(\.name) + unfinishedFiles + TuneFile.allCases.map(\.name)
    + CalibrationFile.allCases.map(\.name) + BacktestFile.allCases.map(\.name)

  /// Returns the name of the folder for unfinished work, and the files of a sweep there.
  static func unfinishedName(_ name: String) -> String { ".\(name).unfinished" }
  static let claimName = "claim"
  /// The runs of a sweep there.
  static let unfinishedFiles = [SweepFile.store.name, SweepFile.store.name + storeJournalSuffix]
  /// The suffix of SQLite's files beside a store.
  static let storeJournalSuffix = "-journal"

  /// Returns whether it is a file of a run (`RunJournal`), or a sign of life of ranks.
  static func isJournalFile(_ name: String) -> Bool {
    [JournalIdentity.file, JournalFolder.markFile].contains(name) || isKeptWork(name)
      || [pulseSuffix, freshSuffix].contains { name.hasSuffix($0) }
  }

  /// Returns whether a file there is work for `--resume`.
  static func isKept(_ name: String) -> Bool { name == unfinishedFiles[0] || isKeptWork(name) }

  /// Returns whether a file there is the program's own and useless without such work.
  static func isPassing(_ name: String) -> Bool {
    name == claimName || name == unfinishedFiles[1] || isJournalFile(name) && !isKept(name)
  }

  /// Returns whether a name is that of such a folder, of any command.
  static func isUnfinishedName(_ name: String) -> Bool { name.hasPrefix(".") && name.hasSuffix(".unfinished") }

  /// Returns whether it is work of a run that need not be repeated.
  static func isKeptWork(_ name: String) -> Bool {
    [".steps", ".shards", ".sums"].contains { name.hasSuffix($0) }
  }

  static let pulseSuffix = ".pulse"
  /// The suffix of an incomplete file there.
  static let freshSuffix = ".new"

  /// Returns the name of an unfinished folder beside the final one.
  static func stagingName(_ attempt: Int, process: Int32) -> String { ".widgetfleet-\(process)-\(attempt).partial" }

  /// Returns the name of a single unfinished file.
  static func stagedFileName(_ attempt: Int, process: Int32) -> String {
    ".widgetfleet-\(process)-\(attempt)-file.partial"
  }

  /// Returns whether a name is that of any process's single unfinished file.
  static func isStagedFileName(_ name: String) -> Bool {
    guard name.hasSuffix("-file.partial"), isStagingName(name) else { return false }
    let numbers = name.dropFirst(".widgetfleet-".count).dropLast("-file.partial".count)
    return numbers.first?.isNumber == true && numbers.utf8.allSatisfy { "0123456789-".utf8.contains($0) }
  }

  static func isStagingName(_ name: String) -> Bool { name.hasPrefix(".widgetfleet-") && name.hasSuffix(".partial") }
}
