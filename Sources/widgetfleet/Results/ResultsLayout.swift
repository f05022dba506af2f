import FleetReports

/// The names that results folders use: the only ones that this program ever removes.
enum ResultsLayout {
  static let manifestName = ReportFile.manifest.name
  static let manifestPrefix = FleetReports.manifestPrefix
  /// What the backend did, on demand.
  static let conditions = "conditions.csv"
  static let fileNames = ReportFile.allCases.map(\.name) + [conditions]
  /// Files of earlier versions, which do not stay beside the results of this one.
  private static let formerNames = ["radios.csv", "tradeoff.csv", "tradeoff.html", "tradeoff.svg"]
  /// Those of every command that writes a folder, and of SQLite's journal where a store was not finished.
  static let allNames =
    fileNames + formerNames + SweepFile.allCases.map(\.name) + unfinishedFiles + TuneFile.allCases.map(\.name)
    + CalibrationFile.allCases.map(\.name) + BacktestFile.allCases.map(\.name)

  /// Where a command keeps what it has done until it is complete, and whose settings hold the name meanwhile.
  static func unfinishedName(_ name: String) -> String { ".\(name).unfinished" }
  static let claimName = "claim"
  /// The runs of a sweep there.
  static let unfinishedFiles = [SweepFile.store.name, SweepFile.store.name + storeJournalSuffix]
  /// How SQLite names what it writes beside a store.
  static let storeJournalSuffix = "-journal"

  /// What lies there of a run (`RunJournal`), and of ranks that tell each other that they live.
  static func isJournalFile(_ name: String) -> Bool {
    [JournalIdentity.file, JournalFolder.markFile].contains(name) || isKeptWork(name)
      || [pulseSuffix, freshSuffix].contains { name.hasSuffix($0) }
  }

  /// Whether a file there is work that `--resume` goes on with.
  static func isKept(_ name: String) -> Bool { name == unfinishedFiles[0] || isKeptWork(name) }

  /// Whether a file there is ours, and worth nothing without such work.
  static func isPassing(_ name: String) -> Bool {
    name == claimName || name == unfinishedFiles[1] || isJournalFile(name) && !isKept(name)
  }

  /// Whether a name is that of such a folder, of any command.
  static func isUnfinishedName(_ name: String) -> Bool { name.hasPrefix(".") && name.hasSuffix(".unfinished") }

  /// Whether it is work of a run that need not be done again.
  static func isKeptWork(_ name: String) -> Bool {
    [".steps", ".shards", ".sums"].contains { name.hasSuffix($0) }
  }

  static let pulseSuffix = ".pulse"
  /// How a file there is named until it is whole.
  static let freshSuffix = ".new"

  /// How folders in the making are named beside the final one.
  static func stagingName(_ attempt: Int, process: Int32) -> String { ".widgetfleet-\(process)-\(attempt).partial" }

  /// How a single file in the making is named.
  static func stagedFileName(_ attempt: Int, process: Int32) -> String {
    ".widgetfleet-\(process)-\(attempt)-file.partial"
  }

  /// Whether a name is that of a single file in the making, whoever's.
  static func isStagedFileName(_ name: String) -> Bool {
    guard name.hasSuffix("-file.partial"), isStagingName(name) else { return false }
    let numbers = name.dropFirst(".widgetfleet-".count).dropLast("-file.partial".count)
    return numbers.first?.isNumber == true && numbers.utf8.allSatisfy { "0123456789-".utf8.contains($0) }
  }

  static func isStagingName(_ name: String) -> Bool { name.hasPrefix(".widgetfleet-") && name.hasSuffix(".partial") }
}
