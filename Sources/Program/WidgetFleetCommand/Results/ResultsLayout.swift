import FleetReports

/// The names of files in results folders. The program never removes files with other names.
enum ResultsLayout {
  static let manifestName = ReportFile.manifest.name
  static let manifestPrefix = FleetReports.manifestPrefix
  /// The file with the backend conditions, which is written only on request.
  static let conditions = "conditions.csv"
  static let fileNames = ReportFile.allCases.map(\.name) + [conditions]
  /// The names of files written by earlier versions, which are removed together with old results.
  private static let formerNames = ["radios.csv", "tradeoff.csv", "tradeoff.html", "tradeoff.svg"]
  /// The file names used by all commands that write a folder, and those used by SQLite for the journal of an unfinished
  /// store.
  static let allNames =
    fileNames + formerNames + SweepFile.allCases.map(\.name) + unfinishedFiles + TuneFile.allCases.map(\.name)
    + CalibrationFile.allCases.map(\.name) + BacktestFile.allCases.map(\.name)

  /// Returns the name of the folder for unfinished work.
  static func unfinishedName(_ name: String) -> String { ".\(name).unfinished" }
  static let claimName = "claim"
  /// The files that store the runs of a sweep in a folder for unfinished work.
  static let unfinishedFiles = [SweepFile.store.name, SweepFile.store.name + storeJournalSuffix]
  /// The suffix of the journal file that SQLite creates next to a store.
  static let storeJournalSuffix = "-journal"

  /// Returns whether a file is part of a run's journal (`RunJournal`) or is a rank's heartbeat.
  static func isJournalFile(_ name: String) -> Bool {
    [JournalIdentity.file, JournalFolder.markFile].contains(name) || isKeptWork(name)
      || [pulseSuffix, freshSuffix].contains { name.hasSuffix($0) }
  }

  /// Returns whether a file in a folder for unfinished work is needed for `--resume`.
  static func isKept(_ name: String) -> Bool { name == unfinishedFiles[0] || isKeptWork(name) }

  /// Returns whether a file in a folder for unfinished work belongs to the program but is not needed for `--resume`.
  static func isPassing(_ name: String) -> Bool {
    name == claimName || name == unfinishedFiles[1] || isJournalFile(name) && !isKept(name)
  }

  /// Returns whether a name denotes a folder for unfinished work of any command.
  static func isUnfinishedName(_ name: String) -> Bool { name.hasPrefix(".") && name.hasSuffix(".unfinished") }

  /// Returns whether a file contains completed work of a run, which need not be repeated.
  static func isKeptWork(_ name: String) -> Bool {
    [".steps", ".shards", ".sums"].contains { name.hasSuffix($0) }
  }

  static let pulseSuffix = ".pulse"
  /// The suffix of an incomplete file in a folder for unfinished work.
  static let freshSuffix = ".new"

  /// Returns the name of an unfinished results folder next to its destination.
  static func stagingName(_ attempt: Int, process: Int32) -> String { ".widgetfleet-\(process)-\(attempt).partial" }

  /// Returns the name of a single unfinished file.
  static func stagedFileName(_ attempt: Int, process: Int32) -> String {
    ".widgetfleet-\(process)-\(attempt)-file.partial"
  }

  /// Returns whether a name denotes a single unfinished file of any process.
  static func isStagedFileName(_ name: String) -> Bool {
    guard name.hasSuffix("-file.partial"), isStagingName(name) else { return false }
    let numbers = name.dropFirst(".widgetfleet-".count).dropLast("-file.partial".count)
    return numbers.first?.isNumber == true && numbers.utf8.allSatisfy { "0123456789-".utf8.contains($0) }
  }

  static func isStagingName(_ name: String) -> Bool { name.hasPrefix(".widgetfleet-") && name.hasSuffix(".partial") }
}
