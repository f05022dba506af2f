import Scenario
import Studies

/// A table cell, which is shown as text and exported as JSON object members.
enum Cell {
  case text(String)
  case figure(Quantity?, FigureName)
  case interval(Interval?, FigureName)
  case share(Double?)
  case count(Int)
  case number(Double?)
  case yes(Bool)
  case blank

  /// Returns a cell that shows a figure of a summary.
  static func figure(_ row: SummaryRow?, _ name: FigureName) -> Cell { .figure(row?.value, name) }

  /// The text shown to users; empty if there is no value.
  var text: String {
    switch self {
    case .text(let text): text
    case .figure(let value, let name): GoalText.text(value?.approximate, name)
    case .interval(let interval, let name): interval?.words(name) ?? ""
    case .share(let share): NumberText.percent(share)
    case .count(let count): NumberText.whole(Double(count))
    case .number(let value): NumberText.text(value)
    case .yes(let isSo): isSo ? "yes" : "no"
    case .blank: ""
    }
  }

  /// Returns the cell as members of a JSON object.
  fileprivate func members(_ key: String) -> JSONValue.Members {
    switch self {
    case .text(let text): [(key, text.isEmpty ? .null : .string(text))]
    case .figure(let value, _): [(key, JSONValue(value))]
    case .interval(let interval, _): [("low", JSONValue(interval?.low)), ("high", JSONValue(interval?.high))]
    case .share(let value), .number(let value): [(key, JSONValue(value))]
    case .count(let count): [(key, .integer(Int128(count)))]
    case .yes(let isSo): [(key, .boolean(isSo))]
    case .blank: [(key, .null)]
    }
  }
}

/// A table column with a title for users, a key for JSON, and a cell for each row.
struct Column<Row> {
  /// The title; `nil` for a column that appears only in JSON.
  var title: String?
  /// The key; `nil` for a column that is omitted from JSON.
  var key: String?
  var isNumber = false
  var cell: (Row) -> Cell

  /// Creates a column of text cells.
  init(_ title: String?, key: String? = nil, _ cell: @escaping (Row) -> Cell) {
    (self.title, self.key, self.cell) = (title, key, cell)
  }

  /// Creates a right-aligned column of numbers.
  init(number title: String, key: String? = nil, _ cell: @escaping (Row) -> Cell) {
    self.init(title, key: key, cell)
    isNumber = true
  }
}

/// A table with titled columns that has the same content in the terminal, on pages, in Markdown and in JSON. Columns
/// without content are omitted.
struct Table {
  var caption: String
  private(set) var titles: [String]
  private(set) var rows: [[String]]
  private var numbers: Set<Int>
  /// Whether the cells of each row are stacked on narrow screens even if only one column contains words.
  private var isStacked = false
  /// The rows as an array of objects, keyed by column.
  private(set) var json: JSONValue

  init<Row>(_ caption: String = "", _ rows: [Row], _ columns: [Column<Row>]) {
    self.caption = caption
    let cells = rows.map { row in columns.map { $0.cell(row) } }
    let texts = cells.map { $0.map(\.text) }
    let shown = columns.indices.filter { column in
      columns[column].title != nil && (column == 0 || texts.contains { !$0[column].isEmpty })
    }
    titles = shown.map { columns[$0].title ?? "" }
    self.rows = texts.map { row in shown.map { row[$0] } }
    numbers = Set(shown.indices.filter { columns[shown[$0]].isNumber })
    json = .array(
      cells.map { row in
        .object(zip(columns, row).flatMap { column, cell in column.key.map { cell.members($0) } ?? [] })
      })
  }

  var isEmpty: Bool { rows.isEmpty }

  /// This table, with the cells of each row stacked on narrow screens.
  var stacked: Table {
    var table = self
    table.isStacked = true
    return table
  }

  /// Returns the table with a different caption or with only some of its rows.
  func with(caption: String? = nil, rows: Range<Int>? = nil) -> Table {
    var table = self
    table.caption = caption ?? self.caption
    if let rows { table.rows = Array(self.rows[rows.clamped(to: self.rows.indices)]) }
    return table
  }

  /// The table as lines for the terminal; empty if there are no rows.
  var lines: [String] { isEmpty ? [] : alignedLines([titles] + rows, numberColumns: numbers) }

  /// The table as markup for a page; empty if there are no rows.
  var markup: [Markup] { isEmpty ? [] : [data] }

  /// Returns the table as markup that is folded under a summary line; empty if there are no rows.
  func details(_ summary: String) -> [Markup] { isEmpty ? [] : [.details(summary, [data])] }

  /// The table in a region that scrolls horizontally on narrow screens. If several columns contain words, the cells of
  /// each row are stacked there instead.
  private var data: Markup {
    let words = max(titles.indices.first(where: numbers.contains) ?? titles.count, 1)
    let stacks = isStacked || words > 1
    let names = titles.map(\.asSentence)
    let head = names.enumerated().map { column, name in
      Markup.tag("th", ["scope": "col", "class": column < words ? "text" : "number"], name)
    }
    let cell = { (column: Int, text: String) -> Markup in
      if column == 0 { return .tag("th", ["scope": "row", "class": "text"], text) }
      // Most cells are numbers whose column heading stays visible, so they need no attributes.
      let attributes =
        (column < words ? [Markup.Attribute(name: "class", value: "text")] : [])
        + (stacks ? [Markup.Attribute(name: "data-label", value: names[column])] : [])
      return .element(name: "td", attributes: attributes, children: [.text(text)])
    }
    let body = rows.map { row in Markup.tag("tr", [:], row.enumerated().map(cell)) }
    let table = Markup.tag(
      "table", ["class": stacks ? "stacking" : "plain"],
      [.tag("caption", [:], caption), .tag("thead", [:], [.tag("tr", [:], head)]), .tag("tbody", [:], body)])
    return .tag("div", ["class": "scroll", "role": "region", "tabindex": "0", "aria-label": caption], [table])
  }

  /// The table as Markdown; empty if there are no rows.
  var markdown: String {
    guard !isEmpty else { return "" }
    let lines = ([titles] + rows).map { "| " + $0.map(escapedMarkdown).joined(separator: " | ") + " |" }
    return ([lines[0], "|" + titles.map { _ in "---|" }.joined()] + lines.dropFirst()).joined(separator: "\n")
  }
}

/// Returns text in which Markdown and HTML syntax is escaped.
func escapedMarkdown(_ text: String) -> String {
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

/// Returns paragraphs as terminal text, separated by empty lines.
func terminalText(_ paragraphs: [[String]]) -> [UInt8] {
  Array((paragraphs.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n").utf8)
}
