/// A figure over the values of two keys: a cell for each pair of values, the stronger its colour the more.
struct MatrixFigure: Drawing {
  /// From the top down, and from left to right.
  var rows: [String]
  var columns: [String]
  /// What the rows and the columns are.
  var rowTitle: String
  var columnTitle: String
  /// By row, then by column; nil: nothing was simulated there.
  var cells: [[Double?]]
  /// Cells with a frame, by row, then by column.
  var framed: [[Bool]]
  var text: (Double) -> String
  /// Cells that are crossed out, by row, then by column; empty: none.
  var crossed: [[Bool]] = []
  /// The cell that is marked beside all others.
  var chosen: (row: Int, column: Int)?

  /// Shades from the lowest to the highest.
  static let levels = 8

  private static let rowHeight = 38.0
  private static let top = 32.0

  /// The height of both drawings.
  var height: Double? { Double(rows.count) * Self.rowHeight + Self.top + 56 }

  var lowest: Double { cells.joined().compactMap { $0 }.min() ?? 0 }
  var highest: Double { cells.joined().compactMap { $0 }.max() ?? 0 }

  /// The shade of a value: 1 for the lowest, 8 for the highest; all the same are in the middle.
  func level(_ value: Double) -> Int {
    guard highest > lowest else { return Self.levels / 2 }
    let part = (value - lowest) / (highest - lowest)
    return 1 + min(max(Int((part * Double(Self.levels - 1)).rounded()), 0), Self.levels - 1)
  }

  func draw(_ canvas: Canvas) -> [Markup] {
    let left = canvas.ticksAcross > 4 ? 150.0 : 84
    let width = (canvas.width - left - 4) / Double(max(columns.count, 1))
    let baseline = Self.top + Double(rows.count) * Self.rowHeight
    let cells = rows.indices.flatMap { row in
      columns.indices.flatMap { column in
        cell(row, column, left: left + Double(column) * width, width: width)
      }
    }
    let room = Int(width / 7.4)
    let heads = columns.enumerated().map { index, name in
      Markup.label("middle", left + (Double(index) + 0.5) * width, baseline + 19, shortened(name, to: max(room, 8)))
    }
    let sides = rows.enumerated().map { index, name in
      Markup.label(
        "end", left - 8, Self.top + (Double(index) + 0.5) * Self.rowHeight + 4,
        shortened(name, to: Int((left - 10) / 7.4)))
    }
    let titles: [Markup] = [
      .label("unit", 2, 18, shortened(rowTitle, to: Int(canvas.width / 7.4))),
      .label("middle unit", canvas.width / 2, baseline + 44, shortened(columnTitle, to: Int(canvas.width / 7.4))),
    ]
    return cells + heads + sides + titles
  }

  private func cell(_ row: Int, _ column: Int, left: Double, width: Double) -> [Markup] {
    let top = Self.top + Double(row) * Self.rowHeight
    guard let value = cells[row][column] else { return [] }
    let (right, baseline) = (left + width - 2, top + Self.rowHeight - 2)
    let outline = "M\(place(left)) \(place(top))H\(place(right))V\(place(baseline))H\(place(left))Z"
    let text = text(value)
    var parts: [Markup] = [.path("heat-\(level(value))", outline)]
    if framed[row][column] {
      parts.append(
        .rectangle("frame", x: left + 1.5, y: top + 1.5, width: width - 5, height: Self.rowHeight - 5))
    }
    if !crossed.isEmpty, crossed[row][column] {
      parts.append(.path("crossed", "M\(place(left)) \(place(baseline))L\(place(right)) \(place(top))"))
    }
    if let chosen, chosen == (row, column) {
      parts.append(
        .rectangle("chosen-cell", x: left + 5, y: top + 5, width: width - 12, height: Self.rowHeight - 12))
    }
    // A text that does not fit says nothing; the table has it.
    if Double(text.displayWidth) * 7.4 <= width - 4 {
      parts.append(
        .label("label middle", (left + right) / 2, (top + baseline) / 2 + 5, text)
      )
    }
    return parts
  }
}
