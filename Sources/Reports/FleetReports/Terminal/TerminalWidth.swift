import SimulationKernel

/// The width of tables and sentences on stdout, in columns: set once, before the first of them is made.
package enum TerminalWidth {
  /// The default width.
  package static let usual = 80
  /// The min width of tables.
  package static let least = 40
  /// The max width of readable sentences.
  static let widestSentence = 100

  private static let width = Guarded(usual)

  /// The width of tables.
  package static var columns: Int { width.withLock { $0 } }

  /// - Parameter columns: of the terminal; `nil` for a pipe or a file, without a limit.
  package static func adopt(_ columns: Int?) {
    width.withLock { $0 = columns.map { max($0, least) } ?? Int.max }
  }

  /// Returns the width of sentences for this width of tables.
  static func ofSentences(_ columns: Int) -> Int { columns == Int.max ? columns : min(columns, widestSentence) }
}
