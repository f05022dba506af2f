/// A line of the source as a terminal may show it: nothing raw, at most about 100 columns around the caret.
package struct Excerpt: Hashable, Sendable {
  package var text: String
  /// Columns of the terminal before the caret.
  package var caretColumn: Int
  /// Columns of the terminal under the place; at least 1.
  package var caretWidth: Int

  private static let widest = 100
  private static let lead = 40

  /// - Parameter column: in Unicode scalars, counted from 1; `length` likewise.
  init(line: some Collection<Unicode.Scalar>, column: Int, length: Int) {
    let scalars = Array(line)
    let start = min(max(column - 1, 0), scalars.count)
    let stop = min(start + max(length, 1), scalars.count)
    let before = Excerpt.shown(scalars[..<start])
    let marked = Excerpt.shown(scalars[start..<stop])
    let after = Excerpt.shown(scalars[stop...])
    let isWide = before.displayWidth + marked.displayWidth + after.displayWidth > Excerpt.widest
    let head = isWide ? Excerpt.tail(of: before, width: Excerpt.lead) : before
    let rest = isWide ? Excerpt.head(of: marked + after, width: Excerpt.widest - head.displayWidth) : marked + after
    text = head + rest
    caretColumn = head.displayWidth
    caretWidth = max(1, min(marked.displayWidth, rest.displayWidth))
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
    var kept: [Character] = []
    var used = 3
    for character in text.reversed() {
      used += character.displayWidth
      if used > width { break }
      kept.append(character)
    }
    return "..." + String(kept.reversed())
  }

  private static func head(of text: String, width: Int) -> String {
    guard text.displayWidth > width else { return text }
    var kept = ""
    var used = 3
    for character in text {
      used += character.displayWidth
      if used > width { break }
      kept.append(character)
    }
    return kept + "..."
  }
}
