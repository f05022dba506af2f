/// Curves over a common horizontal scale, each through its points, and named lines at some heights.
struct CoursesFigure: Drawing {
  struct Curve {
    /// The class that colours it.
    var style: String
    /// From left to right.
    var points: [Point]
  }

  struct Point: Hashable {
    var x: Double
    var y: Double
  }

  var curves: [Curve]
  var scale: ValueScale
  /// What is across, and what is up.
  var title: String
  var unit: String

  func draw(_ canvas: Canvas) -> [Markup] {
    let axis = Axis(reaching: curves.flatMap { $0.points.map(\.y) }.max() ?? 0)
    return axis.rows(canvas, unit: unit) + scale.columns(canvas, title)
      + curves.map { .path("curve " + $0.style, path($0.points, axis, canvas)) }
  }

  private func path(_ points: [Point], _ axis: Axis, _ canvas: Canvas) -> String {
    points.enumerated().map { index, point in
      (index == 0 ? "M" : "L") + place(canvas.x(scale.fraction(point.x))) + " "
        + place(canvas.y(axis.fraction(point.y)))
    }.joined()
  }
}
