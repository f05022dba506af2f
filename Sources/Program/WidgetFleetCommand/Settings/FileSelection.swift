import FleetReports
import Scenario

/// The files of the results folder that are selected with `--only`, given by name with or without the extension.
enum FileSelection {
  /// - Parameter list: a comma-separated list of names; `nil` for all files.
  /// - Returns: the selected files in the order in which they are written. The manifest is always included, because a
  ///   folder without it is not recognized.
  static func files(_ list: String?) throws(Failure) -> [ReportFile] {
    guard let list else { return ReportFile.allCases }
    let names = list.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    for name in names where !ReportFile.allCases.contains(where: { matches($0, name) }) {
      if let advice = Removed.advice("run", Option.only.spelling, name) {
        throw .usage("\(Option.only.spelling) \(name) was removed", command: "run", hint: advice)
      }
      throw .usage(
        "--only does not name a result file: '\(name.printable)'", command: "run",
        hint: Suggestion.hint(name, among: ReportFile.allCases.map(\.name))
          ?? "files are \(ReportFile.allCases.map(\.name).joined(separator: ", "))")
    }
    return ReportFile.allCases.filter { file in
      file == .manifest || names.contains { matches(file, $0) }
    }
  }

  /// Returns whether a name such as `summary` matches a file such as summary.csv or summary.json.
  private static func matches(_ file: ReportFile, _ name: String) -> Bool {
    file.name == name || !name.isEmpty && file.name.split(separator: ".").first.map(String.init) == name
  }
}
