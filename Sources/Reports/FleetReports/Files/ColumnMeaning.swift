import Scenario
import Words

/// A column of a results file, with its meaning and unit.
package struct ColumnMeaning: Hashable, Sendable {
  package var file: String
  package var column: String
  /// The unit of the column's values; empty for text columns.
  package var unit: String
  package var meaning: String

  /// All columns of all CSV files, in file order. For study files, only columns with fixed names are included.
  package static let all: [ColumnMeaning] = {
    var file = ""
    return Words.text("columns.txt").split(separator: "\n").flatMap { line -> [ColumnMeaning] in
      if line.hasPrefix("# ") { file = String(line.dropFirst(2)) }
      guard !file.hasPrefix("@") else { return [] }
      return (line.hasPrefix("@") ? block(line) : [line]).compactMap { ColumnMeaning($0, of: file) }
    }
  }()

  private init?(_ line: Substring, of file: String) {
    let cells = line.split(separator: "|", maxSplits: 2).map(\.withoutBlanks)
    guard cells.count == 3 else { return nil }
    (self.file, column, unit, meaning) = (file, cells[0], cells[1], cells[2])
  }

  /// Returns the lines of a block that several files share. The name of such a block starts with `@`.
  private static func block(_ name: Substring) -> [Substring] {
    let lines: [String] =
      switch name {
      case "@labels": labels(Label.allCases)
      case "@labels of distributions": labels([.cohort, .kind, .cause, .charged])
      case "@failures":
        FailureReason.allCases.map {
          "failures_\($0.name) | requests | Requests that failed for reason \($0.name). \($0.explanation.meaning)"
        }
      case "@runs":
        Cause.allCases.filter(\.isOfRuns).map {
          "runs_\(columnName($0.name)) | runs | Refreshes with cause \($0.name). \($0.explanation.meaning)"
        }
      case "@waits":
        WaitReason.allCases.map {
          "waits_\(columnName($0.name)) | waits | How often a run was withheld for reason \($0.name). "
            + $0.explanation.meaning
        }
      default: []
      }
    let written = Words.text("columns.txt").split(separator: "\n").drop { $0 != "# " + name }.dropFirst()
    return lines.map { $0[...] } + written.prefix { !$0.hasPrefix("# ") }
  }

  private static func labels(_ labels: [Label]) -> [String] {
    labels.map { "\($0.rawValue) | | \($0.meaning); empty: all combined." }
  }
}
