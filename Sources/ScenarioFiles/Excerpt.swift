import Scenario

/// A line of the source as a terminal may show it: nothing raw, at most about 100 columns around the caret.
package struct Excerpt: Hashable, Sendable {
  package var text: String
  /// Columns of the terminal before the caret.
  package var caretColumn: Int
  /// Columns of the terminal under the place; at least 1.
  package var caretWidth: Int

  private static let widest = 100
  private static let lead = 40
  /// Bytes of a line to look at on both sides of the place.
  static let reach = 600

  /// - Parameter length: of the place, in Unicode scalars of `after`.
  init(before: [Unicode.Scalar], after: [Unicode.Scalar], length: Int) {
    let stop = min(max(length, 1), after.count)
    let start = Excerpt.shown(before[...])
    let marked = Excerpt.shown(after[..<stop])
    let rest = marked + Excerpt.shown(after[stop...])
    let isWide = start.displayWidth + rest.displayWidth > Excerpt.widest
    let head = isWide ? Excerpt.tail(of: start, width: Excerpt.lead) : start
    let tail = isWide ? Excerpt.head(of: rest, width: Excerpt.widest - head.displayWidth) : rest
    text = head + tail
    caretColumn = head.displayWidth
    caretWidth = max(1, min(marked.displayWidth, tail.displayWidth))
  }

  private static func shown(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var text = String.UnicodeScalarView()
    for scalar in scalars {
      if scalar == "\t" {
        text.append(contentsOf: "    ".unicodeScalars)
      } else {
        text.append(scalar.isHidden ? "\u{FFFD}" : scalar)
      }
    }
    return String(text)
  }

  private static func tail(of text: String, width: Int) -> String {
    guard text.displayWidth > width else { return text }
    return "..." + String(fitting(text.reversed(), width).reversed())
  }

  private static func head(of text: String, width: Int) -> String {
    guard text.displayWidth > width else { return text }
    return String(fitting(text, width)) + "..."
  }

  /// As many characters as stand beside three dots in `width` columns.
  private static func fitting(_ text: some Sequence<Character>, _ width: Int) -> [Character] {
    var kept: [Character] = []
    var used = 3
    for character in text {
      used += character.displayWidth
      if used > width { break }
      kept.append(character)
    }
    return kept
  }
}
