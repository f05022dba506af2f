import Studies

/// Settings that were tried, as points in a plane: which of them hold, and which one was chosen.
struct TriedFigure: Drawing {
  struct Point {
    /// Fractions of the plot.
    var x: Double
    var y: Double
    var holds: Bool
    var isChosen = false
    /// What it is, in full.
    var title: String
  }

  /// What one direction measures.
  struct Scale {
    var title: String
    /// Fractions of the plot with their labels.
    var ticks: [(place: Double, text: String)]
  }

  var points: [Point]
  var x: Scale
  var y: Scale
  /// Points that a line joins, in its order.
  var joined: [Int] = []
  /// Where settings hold: from one fraction to another, over the whole height or at one.
  var bands: [(range: ClosedRange<Double>, y: Double?)] = []
  /// The height at which a limit lies, as a fraction.
  var limit: Double?

  func draw(_ canvas: Canvas) -> [Markup] {
    let places = points.map { (x: canvas.x($0.x), y: canvas.y($0.y)) }
    let line = joined.map { place(places[$0].x) + " " + place(places[$0].y) }.joined(separator: "L")
    let order = points.indices.filter { !points[$0].isChosen } + points.indices.filter { points[$0].isChosen }
    return canvas.rows(y.ticks.map { ($0.place, $0.text) }, unit: y.title) + columns(canvas)
      + bands.map { band($0, canvas) }
      + (limit.map { [.line("mark", from: (canvas.x(0), canvas.y($0)), to: (canvas.x(1), canvas.y($0)))] } ?? [])
      + (joined.count > 1 ? [.path("front", "M" + line)] : [])
      + order.flatMap { dot(points[$0], places[$0]) }
  }

  private func columns(_ canvas: Canvas) -> [Markup] {
    let isNarrow = canvas.ticksAcross < 5
    let shown = x.ticks.enumerated().filter { index, _ in
      !isNarrow || x.ticks.count < 4 || index % 2 == 0
    }
    return shown.flatMap { _, tick in
      canvas.columnTick(canvas.x(tick.place), shortened(tick.text, to: isNarrow ? 10 : 16), room: 22)
    } + [axisTitle(canvas, shortened(x.title, to: isNarrow ? 44 : 90))]
  }

  private func band(_ band: (range: ClosedRange<Double>, y: Double?), _ canvas: Canvas) -> Markup {
    // A range of one setting is seen, too.
    let (left, right) = (canvas.x(band.range.lowerBound) - 4, canvas.x(band.range.upperBound) + 4)
    let (top, height) = band.y.map { (canvas.y($0) - 12, 24) } ?? (canvas.top, canvas.plotHeight)
    return .rectangle("holds-here", x: left, y: top, width: right - left, height: height)
  }

  private func dot(_ point: Point, _ at: (x: Double, y: Double)) -> [Markup] {
    let title = Markup.tag("title", [:], point.title)
    let style = "point " + (point.holds ? "good" : "beaten")
    let ring: [Markup] = point.isChosen ? [.circle("chosen", at.x, at.y, radius: 11)] : []
    return ring + [.circle(style, at.x, at.y, radius: point.isChosen ? 7 : 5, [title])]
  }
}
