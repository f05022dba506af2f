import Studies

/// The load duration curve: for which share of the time the load is at least so high.
struct CurveFigure {
  /// Rates in ascending order.
  var ascending: [Double]

  func draw(_ canvas: Canvas) -> [Markup] {
    let axis = Axis(reaching: ascending.last ?? 0)
    let count = min(Int(canvas.plotWidth / 2), ascending.count)
    let heights = (0..<count).map { slice in
      canvas.y(axis.fraction(ascending[ascending.count - 1 - slice * ascending.count / count]))
    }
    let places = (0...count).map { canvas.x(Double($0) / Double(max(count, 1))) }
    let foot = heights.map { _ in canvas.y(0) }
    return axis.rows(canvas, unit: "requests/s") + [
      .tag("path", ["class": "band", "d": StepPath.area(places, upper: heights, lower: foot)]),
      .tag("path", ["class": "mean", "d": StepPath.line(places, heights)]),
    ] + Axis(reaching: 100, ticks: 5).columns(canvas, title: "% of the time with at least this load")
  }
}
