import Scenario
package import Studies

/// A comparison as a table for a terminal.
///
/// - Parameter answerAlone: for scripts: the verdicts alone, a line each.
package func comparisonTable(of comparisons: [RunComparison], answerAlone isAlone: Bool = false) -> [UInt8] {
  if isAlone { return answerAlone(comparisons.map { ComparisonVerdictText($0).line }) }
  let texts = comparisons.map { comparison in
    (lines(of: ComparisonTables(comparison: comparison)).joined(separator: "\n") + "\n")
  }
  return Array(texts.joined(separator: "\n").utf8)
}

private func lines(of tables: ComparisonTables) -> [String] {
  let sides = [("base", tables.comparison.base), ("new", tables.comparison.new)]
  var lines = alignedLines([["", "", ""]] + sides.map { [$0, $1.name, $1.scenario.name] }, numberColumns: [])
  lines.removeFirst()
  lines += [plain(tables.pairing), "", plain(tables.differenceSentence)]
  if tables.differenceRows.count > 1 { lines += alignedLines(tables.differenceRows, numberColumns: []) }
  if tables.conditionRows.count > 1 {
    lines += [""] + alignedLines(tables.conditionRows, numberColumns: [2, 3, 4]) + tables.reasons.map(plain)
  }
  lines.append("")
  let figures = tables.figureRows(hasPlaces: false)
  if figures.count > 1 {
    lines += alignedLines(figures, numberColumns: [1, 2, 3]) + tables.placeLines.flatMap { folded($0) }
  }
  if tables.hasUnresolvedFigures { lines.append(unresolvedNote) }
  if !tables.figureSentence.isEmpty { lines.append(plain(tables.figureSentence)) }
  if tables.distributionRows.count > 1 {
    lines += ["", plain(tables.distributionSentence)]
    lines += alignedLines(tables.distributionRows, numberColumns: [1, 2, 3])
  }
  return lines + [""] + folded(ComparisonVerdictText(tables.comparison).line)
}

private let unresolvedNote = "* not resolved by the sample: the 95 % interval reaches further than 5 %"

/// A comparison as Markdown, for a pull request.
package func comparisonMarkdown(of comparisons: [RunComparison]) -> [UInt8] {
  Array(comparisons.map { markdown(of: ComparisonTables(comparison: $0)) }.joined(separator: "\n").utf8)
}

/// Rows of tables that a comment shows; the rest is folded.
private let mostRows = 8

private func markdown(of tables: ComparisonTables) -> String {
  let names = [tables.comparison.base, tables.comparison.new].map { escaped($0.name) }
  let verdict = ComparisonVerdictText(tables.comparison)
  let (conditions, figures) = (tables.conditionRows, tables.figureRows(hasPlaces: true))
  let (shownConditions, moreConditions) = split(conditions, after: mostRows)
  let (shownFigures, moreFigures) = split(figures, after: mostRows - min(conditions.count - 1, mostRows))
  let shown = [
    "## WidgetFleet: \(escaped(tables.heading))", "**\(escaped(verdict.head))**: \(escaped(verdict.reason))",
    "\(names[0]) → \(names[1]). \(tables.pairing)", shownConditions,
    tables.reasons.map { "- " + escaped($0) }.joined(separator: "\n"), shownFigures,
    tables.hasUnresolvedFigures ? escaped(unresolvedNote) : "",
  ]
  let hasDistributions = tables.distributionRows.count > 1
  let folded = [
    moreConditions, moreFigures, escaped(tables.figureSentence), escaped(tables.differenceSentence),
    table(tables.differenceRows), hasDistributions ? escaped(tables.distributionSentence) : "",
    table(tables.distributionRows),
  ]
  let details = ["<details><summary>Settings that differ, and the other figures</summary>"] + folded + ["</details>"]
  return (shown + details).filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
}

/// The first rows as a table, and the others as another.
private func split(_ rows: [[String]], after count: Int) -> (shown: String, more: String) {
  let (header, body) = (Array(rows.prefix(1)), rows.dropFirst())
  return (table(header + body.prefix(count)), table(header + body.dropFirst(count)))
}

/// The names of the columns first; empty without a row below them.
private func table(_ rows: [[String]]) -> String {
  guard rows.count > 1 else { return "" }
  let lines = rows.map { "| " + $0.map(escaped).joined(separator: " | ") + " |" }
  let rule = "|" + rows[0].map { _ in "---|" }.joined()
  return ([lines[0], rule] + lines.dropFirst()).joined(separator: "\n")
}

/// A text in which Markdown and HTML find nothing to obey.
private func escaped(_ text: String) -> String {
  let special: Set<Character> = ["\\", "`", "*", "_", "[", "]", "|", "#", "~", "!", "@"]
  return text.map { character in
    switch character {
    case "<": "&lt;"
    case ">": "&gt;"
    case "&": "&amp;"
    case "\u{202F}": "\u{A0}"
    case let character where special.contains(character): "\\\(character)"
    case let character where character.unicodeScalars.contains(where: \.isHidden): "?"
    default: String(character)
    }
  }.joined()
}
