import Studies

/// Hours below each other, their parts from left to right, the darker the more requests.
struct HeatFigure: Drawing {
  /// By part of the day, as many for each hour; nil where nothing was measured.
  let cells: [Double?]
  let highest: Double
  /// What the parts of an hour are, below them.
  let title: String
  private let perHour: Int

  /// - Precondition: there are as many cells for each of 24 hours, in number a divisor of 60.
  init(cells: [Double?], title: String = "minute of the hour, UTC") {
    self.cells = cells
    self.title = title
    perHour = cells.count / 24
    highest = cells.reduce(0) { max($0, $1 ?? 0) }
  }

  /// Shades from none to the highest.
  static let levels = 8

  /// What the shades of a load stand for.
  var legend: [(swatch: String, text: String)] {
    [
      ("heat-1", "up to " + NumberText.text(highest / Double(Self.levels)) + "/s"),
      ("heat-4", NumberText.text(highest / 2) + "/s"), ("heat-8", NumberText.text(highest) + "/s"),
    ]
  }

  /// The height of both drawings.
  let height: Double? = 24.0 * 14 + 78

  var readings: Readings? {
    Readings(
      columns: ["hour", "requests/s"],
      rows: (0..<24).map { hour in
        let values = cells[hour * perHour..<(hour + 1) * perHour]
        return (Double(hour), values.map { $0.map { .number($0) } ?? .text("") })
      }, isGrid: true)
  }

  func draw(_ canvas: Canvas) -> [Markup] {
    let paths = (0...Self.levels).map { level -> Markup? in
      let shape = (0..<24).map { outline(hour: $0, level: level, canvas) }.joined()
      let parts = "translate(\(place(canvas.left))) scale(\(canvas.plotWidth / Double(perHour)) 1)"
      return shape.isEmpty
        ? nil : .tag("path", ["class": "heat-\(level) hour", "transform": parts, "d": shape])
    }
    return paths.compactMap { $0 } + hours(canvas) + minutes(canvas)
  }

  /// The shade of a cell: none for nothing, the first for anything above.
  func level(_ part: Int) -> Int? {
    guard let value = cells[part] else { return nil }
    guard value > 0, highest > 0 else { return 0 }
    return max(1, min(Self.levels, Int((value / highest * Double(Self.levels)).rounded(.up))))
  }

  /// The runs of one shade in an hour, as lines as thick as an hour is high, from part to part of it.
  private func outline(hour: Int, level: Int, _ canvas: Canvas) -> String {
    let middle = canvas.y(1 - (Double(hour) + 0.5) / 24)
    var text = ""
    var begin: Int?
    for part in 0...perHour {
      let isInside = part < perHour && self.level(hour * perHour + part) == level
      if isInside, begin == nil { begin = part }
      guard !isInside, let from = begin else { continue }
      text += "M\(from) \(place(middle))H\(part)"
      begin = nil
    }
    return text
  }

  private func hours(_ canvas: Canvas) -> [Markup] {
    stride(from: 0, to: 24, by: 3).map { hour in
      let y = canvas.y(1 - (Double(hour) + 0.5) / 24)
      return .label("end", canvas.left - 8, y + 4, TimeText.two(hour) + ":00")
    }
  }

  private func minutes(_ canvas: Canvas) -> [Markup] {
    stride(from: 0, through: 50, by: 10).map { minute in
      canvas.columnLabel(canvas.x(Double(minute) / 60 + 0.5 / Double(perHour)), ":" + TimeText.two(minute))
    } + [axisTitle(canvas, title)]
  }
}
