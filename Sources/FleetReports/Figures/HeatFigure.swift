import Studies

/// Hours below each other, minutes from left to right, the darker the more requests.
struct HeatFigure: Drawing {
  /// By minute of the day; nil where nothing was measured.
  let cells: [Double?]
  let highest: Double

  init(cells: [Double?]) {
    self.cells = cells
    highest = cells.reduce(0) { max($0, $1 ?? 0) }
  }

  /// Shades from none to the highest.
  static let levels = 8

  /// The height of both drawings.
  let height: Double? = 24.0 * 14 + 78

  func draw(_ canvas: Canvas) -> [Markup] {
    let paths = (0...Self.levels).map { level -> Markup? in
      let shape = (0..<24).map { outline(hour: $0, level: level, canvas) }.joined()
      return shape.isEmpty ? nil : .path("heat-\(level)", shape)
    }
    return paths.compactMap { $0 } + hours(canvas) + minutes(canvas)
  }

  /// The shade of a cell: none for nothing, the first for anything above.
  func level(_ minute: Int) -> Int? {
    guard let value = cells[minute] else { return nil }
    guard value > 0, highest > 0 else { return 0 }
    return max(1, min(Self.levels, Int((value / highest * Double(Self.levels)).rounded(.up))))
  }

  /// Rectangles around the runs of one shade in an hour.
  private func outline(hour: Int, level: Int, _ canvas: Canvas) -> String {
    let (top, baseline) = (canvas.y(1 - Double(hour) / 24), canvas.y(1 - Double(hour + 1) / 24))
    var text = ""
    var begin: Int?
    for minute in 0...60 {
      let isInside = minute < 60 && self.level(hour * 60 + minute) == level
      if isInside, begin == nil { begin = minute }
      guard !isInside, let from = begin else { continue }
      let (left, right) = (canvas.x(Double(from) / 60), canvas.x(Double(minute) / 60))
      text += "M\(place(left)) \(place(top))H\(place(right))V\(place(baseline))H\(place(left))Z"
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
      canvas.columnLabel(canvas.x((Double(minute) + 0.5) / 60), ":" + TimeText.two(minute))
    } + [axisTitle(canvas, "minute of the hour, UTC")]
  }
}
