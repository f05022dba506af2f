import SimulationKernel

/// How wide tables and sentences on stdout may be, in columns: set once, before the first of them is made.
package enum TerminalWidth {
  /// Where no more is known of a terminal.
  package static let usual = 80
  /// Tables are not squeezed into less.
  package static let least = 40
  /// Sentences of longer lines are hard to read.
  static let widestSentence = 100

  private static let width = Guarded(usual)

  /// How wide tables may be.
  package static var columns: Int { width.withLock { $0 } }

  /// - Parameter columns: of the terminal; nil: nobody sees lines end, as in a pipe or a file.
  package static func adopt(_ columns: Int?) {
    width.withLock { $0 = columns.map { max($0, least) } ?? Int.max }
  }

  /// How wide sentences may be where tables may have so many columns.
  static func ofSentences(_ columns: Int) -> Int { columns == Int.max ? columns : min(columns, widestSentence) }
}
