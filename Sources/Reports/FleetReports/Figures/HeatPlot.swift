/// A heat map of values by row and column, in which larger values have stronger colours.
struct HeatPlot {
  /// The names of the rows, from top to bottom, and of the columns, from left to right.
  var rows: [String]
  var columns: [String]
  /// The titles of the rows and columns, drawn above their names.
  var rowTitle = ""
  var columnTitle: String
  /// The values by row, then by column; `nil` for unknown values.
  let cells: [[Double?]]
  /// The lowest value on the scale of shades. It is 0 for loads.
  let lowest: Double
  let highest: Double
  /// The marks of the cells, by row and then by column.
  var marks: [[CellMarks]] = []
  /// A function that returns the text of a cell. If it is `nil`, cells have no text, and adjacent cells with the same
  /// shade are joined.
  var text: ((Double) -> String)?

  /// The marks of a cell.
  struct CellMarks: OptionSet {
    var rawValue: Int
    static let framed = CellMarks(rawValue: 1)
    static let crossed = CellMarks(rawValue: 2)
    static let chosen = CellMarks(rawValue: 4)
  }

  /// Creates a plot with one row per hour, in which the cells run from left to right.
  ///
  /// - Precondition: all 24 hours have the same number of cells, which is a divisor of 60.
  init(hours cells: [Double?], title: String = "minute of the hour, UTC") {
    let perHour = cells.count / 24
    rows = (0..<24).map { TimeText.two($0) + ":00" }
    columns = (0..<perHour).map { ":" + TimeText.two($0 * 60 / perHour) }
    columnTitle = title
    self.cells = (0..<24).map { Array(cells[$0 * perHour..<($0 + 1) * perHour]) }
    (lowest, highest) = (0, cells.lazy.compactMap { $0 }.max() ?? 0)
  }

  /// - Parameter rows: the title of the rows and the name of each row.
  /// - Parameter columns: the title of the columns and the name of each column.
  init(
    rows: (title: String, names: [String]), columns: (title: String, names: [String]), cells: [[Double?]],
    marks: [[CellMarks]], text: @escaping (Double) -> String
  ) {
    (rowTitle, self.rows) = rows
    (columnTitle, self.columns) = columns
    (self.cells, self.marks, self.text) = (cells, marks, text)
    let values = cells.joined().compactMap { $0 }
    (lowest, highest) = (values.min() ?? 0, values.max() ?? 0)
  }

  /// The number of shades.
  static let levels = 8

  /// Returns whether at least one cell has this mark.
  func has(_ mark: CellMarks) -> Bool { marks.joined().contains { $0.contains(mark) } }

  /// Returns the shade of a value. A load of 0 has no shade, and any other load has a shade of at least 1. Other values
  /// have shades from 1 (lowest) to 8 (highest), or the middle shade if all values are equal.
  func level(_ value: Double) -> Int {
    let (count, part) = (Double(Self.levels), highest > lowest ? (value - lowest) / (highest - lowest) : 0.5)
    guard text == nil else { return highest > lowest ? 1 + Int((part * (count - 1)).rounded()) : Self.levels / 2 }
    return value > 0 && highest > 0 ? max(1, Int((part * count).rounded(.up))) : 0
  }

  /// The legend that explains the shades of a load.
  var legend: [(swatch: String, text: String)] {
    [
      ("heat-1", "up to " + NumberText.text(highest / Double(Self.levels)) + "/s"),
      ("heat-4", NumberText.text(highest / 2) + "/s"), ("heat-8", NumberText.text(highest) + "/s"),
    ]
  }

  private var rowHeight: Double { text == nil ? 14 : 38 }
  /// The gap between neighbouring cells.
  private var gap: Double { text == nil ? 0 : 2 }

  var chart: Chart {
    let ticks = columns.enumerated().map { Axis.Tick(value: Double($0) + 0.5, text: $1) }
    var axis = Axis(0...Double(max(columns.count, 1)), title: columnTitle, lines: .none, ticks: ticks)
    axis.steps = [1, 5, 10, 15, 30]
    let readings = Readings(
      columns: ["hour", "requests/s"],
      rows: cells.enumerated().map { row, cells in
        (Double(row), cells.map { $0.map { .number($0) } ?? .text("") })
      }, isGrid: true)
    return Chart(
      across: axis, marks: [Mark(draw: names), Mark(draw: shades)] + (text == nil ? [] : [Mark(draw: details)]),
      readings: text == nil ? readings : nil,
      fit: { canvas in
        var canvas = canvas.high(Double(rows.count) * rowHeight + 78)
        if text != nil { canvas.left = canvas.ticksAcross > 4 ? 150 : 84 }
        return canvas
      })
  }

  private func top(_ row: Int, _ plot: Plot) -> Double { plot.canvas.top + Double(row) * rowHeight }

  /// Returns the names of the rows, omitting names for which there is no space.
  private func names(_ plot: Plot) -> [Markup] {
    let every = Int((24 / rowHeight).rounded(.up))
    let names = stride(from: 0, to: rows.count, by: every).map { row in
      Markup.label(
        "end", plot.canvas.left - 8, top(row, plot) + rowHeight / 2 + 4,
        shortened(rows[row], to: Int((plot.canvas.left - 10) / 7.4)))
    }
    return rowTitle.isEmpty
      ? names : names + [.label("unit", 2, 18, shortened(rowTitle, to: Int(plot.canvas.width / 7.4)))]
  }

  /// Returns runs of cells with the same shade, each drawn as a line with the thickness of a row.
  private func shades(_ plot: Plot) -> [Markup] {
    (0...Self.levels).compactMap { level in
      var path = ""
      for (row, cells) in cells.enumerated() {
        let isInside = cells.map { $0.map { self.level($0) == level } ?? false }
        var begin = 0
        for column in isInside.indices where isInside[column] {
          let isFirst = text != nil || column == 0 || !isInside[column - 1]
          let isLast = text != nil || column + 1 == isInside.count || !isInside[column + 1]
          if isFirst { begin = column }
          guard isLast else { continue }
          let (left, right) = (plot.x(Double(begin)), plot.x(Double(column + 1)) - gap)
          path += "M\(place(left)) \(place(top(row, plot) + (rowHeight - gap) / 2))H\(place(right))"
        }
      }
      return path.isEmpty
        ? nil : .tag("path", ["class": "heat-\(level)", "stroke-width": place(rowHeight - gap), "d": path])
    }
  }

  /// Returns the text and marks of each cell.
  private func details(_ plot: Plot) -> [Markup] {
    cells.indices.flatMap { row in
      cells[row].indices.flatMap { column -> [Markup] in
        guard let value = cells[row][column] else { return [] }
        let (left, right) = (plot.x(Double(column)), plot.x(Double(column + 1)) - gap)
        let (top, foot) = (top(row, plot), top(row, plot) + rowHeight - gap)
        let marks = marks.isEmpty ? [] : marks[row][column]
        var parts: [Markup] = []
        if marks.contains(.framed) {
          parts.append(
            .rectangle("frame", x: left + 1.5, y: top + 1.5, width: right - left - 3, height: foot - top - 3))
        }
        if marks.contains(.crossed) {
          parts.append(.line("crossed", from: (left, foot), to: (right, top)))
        }
        if marks.contains(.chosen) {
          parts.append(
            .rectangle("chosen-cell", x: left + 5, y: top + 5, width: right - left - 10, height: foot - top - 10))
        }
        // Text that does not fit into its cell is omitted, because the table contains it as well.
        if let text = text?(value), Double(text.displayWidth) * 7.4 <= right - left - 2 {
          parts.append(.label("label middle", (left + right) / 2, (top + foot) / 2 + 5, text))
        }
        return parts
      }
    }
  }
}
