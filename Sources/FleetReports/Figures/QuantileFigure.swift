/// Spans of time that equal shares of two kinds of waits take, one across and the other up: on the line they are equal.
struct QuantileFigure: Drawing {
  /// In seconds, ascending.
  var points: [(across: Double, up: Double)]
  /// What is across, and what is up.
  var title: String
  var unit: String

  func draw(_ canvas: Canvas) -> [Markup] {
    let all = points.flatMap { [$0.across, $0.up] }
    let axis = SpanAxis(from: all.min() ?? 1, to: all.max() ?? 1)
    let rows = axis.ticks.map { (axis.fraction($0), TimeText.span(.milliseconds(Int64($0 * 1_000)))) }
    return canvas.rows(rows, unit: unit) + axis.columns(canvas, title: title)
      + [.line("mark", from: (canvas.x(0), canvas.y(0)), to: (canvas.x(1), canvas.y(1)))]
      + points.map { point in
        .circle("point", canvas.x(axis.fraction(point.across)), canvas.y(axis.fraction(point.up)), radius: 4.5)
      }
  }
}
