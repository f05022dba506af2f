import SimulationKernel

/// The width of tables and sentences on stdout, in columns. It is set only once, before any output is created.
package enum TerminalWidth {
  /// The default width, in columns.
  package static let usual = 80
  /// The minimum width of tables, in columns.
  package static let minimum = 40
  /// The maximum width of sentences, in columns, limited for readability.
  static let widestSentence = 100

  private static let width = Locked(usual)

  /// The width of tables, in columns.
  package static var columns: Int { width.withLock { $0 } }

  /// - Parameter columns: the width of the terminal in columns; `nil` for a pipe or a file, whose width is unlimited.
  package static func adopt(_ columns: Int?) {
    width.withLock { $0 = columns.map { max($0, minimum) } ?? Int.max }
  }

  /// Returns the width of sentences that corresponds to a width of tables.
  static func ofSentences(_ columns: Int) -> Int { columns == Int.max ? columns : min(columns, widestSentence) }
}
