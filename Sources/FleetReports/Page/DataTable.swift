/// A table of figures: the first column names the row, the others are right-aligned.
struct DataTable {
  var caption: String
  var columns: [String]
  var rows: [[String]]
  /// How many columns from the left hold text.
  var textColumns = 1
  /// Whether a narrow screen shows the cells of a row below each other: for tables of sentences.
  var stacks = false

  /// The table in a region that scrolls sideways on narrow screens.
  var markup: Markup {
    let head = Markup.tag("thead", [:], [.tag("tr", [:], columns.indices.map(header))])
    let body = Markup.tag("tbody", [:], rows.map(row))
    let table = Markup.tag(
      "table", ["class": stacks ? "stacking" : "plain"], [.tag("caption", [:], caption), head, body])
    return .tag("div", ["class": "scroll", "role": "region", "tabindex": "0", "aria-label": caption], [table])
  }

  /// The table behind a line that opens it.
  func details(_ summary: String) -> Markup { .details(summary, [markup]) }

  private func header(_ index: Int) -> Markup {
    .tag("th", ["scope": "col", "class": index < textColumns ? "text" : "number"], columns[index])
  }

  private func row(_ cells: [String]) -> Markup {
    .tag(
      "tr", [:],
      cells.enumerated().map { index, cell in
        index == 0
          ? .tag("th", ["scope": "row", "class": "text"], cell)
          : .element(name: "td", attributes: attributes(index), children: [.text(cell)])
      })
  }

  /// Attributes of a cell: none for a number under a head that stays in sight, as most are.
  private func attributes(_ index: Int) -> [Markup.Attribute] {
    (index < textColumns ? [Markup.Attribute(name: "class", value: "text")] : [])
      + (stacks ? [Markup.Attribute(name: "data-label", value: columns[index])] : [])
  }
}
