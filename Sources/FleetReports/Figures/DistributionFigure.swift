import Scenario
import SimulationKernel
import Studies

/// The shares of values up to anywhere in several runs, over each other: a curve on the left has smaller values.
struct DistributionFigure: Drawing {
  struct Curve {
    /// The class that colours it.
    var style: String
    var histogram: RunHistogram
  }

  /// The base first.
  var curves: [Curve]
  /// What the values are.
  var figure: FigureName
  /// Where the base and another curve lie farthest apart.
  var gaps: [(curve: Int, place: Double)]

  /// A value with the share of all that are at most so large, at the ends of the bins.
  struct Point: Hashable {
    var value: Double
    var share: Double
  }

  static func points(of histogram: RunHistogram) -> [Point] {
    let bins = histogram.bins.filter { $0.value.count > 0 }.sorted { $0.key < $1.key }
    guard let first = bins.first else { return [] }
    let total = Double(histogram.total)
    var below: Int64 = 0
    return [Point(value: first.key, share: 0)]
      + bins.flatMap { from, bin -> [Point] in
        let start = Double(below) / total
        below += bin.count
        // Nothing lies between two bins that do not touch.
        return [Point(value: from, share: start), Point(value: bin.to, share: Double(below) / total)]
      }
  }

  func draw(_ canvas: Canvas) -> [Markup] {
    let share = Axis(reaching: 100)
    let lines = curves.map { (style: $0.style, points: Self.points(of: $0.histogram)) }
    let scale = ValueScale(figure, lines.flatMap { $0.points.map(\.value) })
    let y = { (value: Double) in canvas.y(share.fraction(value * 100)) }
    return share.rows(canvas, unit: "% of all values") + scale.columns(canvas, "\(figure.text), or less")
      + gaps.compactMap { gap -> Markup? in
        guard let base = lines.first, lines.indices.contains(gap.curve) else { return nil }
        let x = canvas.x(scale.fraction(gap.place))
        let heights = [base.points, lines[gap.curve].points].map { y(Self.share(upTo: gap.place, of: $0)) }
        return .line("gap", from: (x, heights[0]), to: (x, heights[1]))
      }
      + lines.map { line in
        .path("curve " + line.style, Self.path(line.points, scale, y, canvas))
      }
  }

  /// The share of the values up to one of them.
  static func share(upTo value: Double, of points: [Point]) -> Double {
    guard let next = points.firstIndex(where: { $0.value >= value }) else { return points.isEmpty ? 0 : 1 }
    let (left, right) = (points[max(next - 1, 0)], points[next])
    guard right.value > left.value else { return points.last { $0.value == value }?.share ?? right.share }
    return left.share + (right.share - left.share) * max(value - left.value, 0) / (right.value - left.value)
  }

  /// Through all points; of those that fall on one pixel the last.
  private static func path(
    _ points: [Point], _ scale: ValueScale, _ y: (Double) -> Double, _ canvas: Canvas
  ) -> String {
    var path = ""
    for (index, point) in points.enumerated() {
      let text = place(canvas.x(scale.fraction(point.value)).rounded()) + " " + place(y(point.share))
      let next = index + 1 < points.count ? points[index + 1] : nil
      let isCovered =
        next.map { next in
          canvas.x(scale.fraction(next.value)).rounded() == canvas.x(scale.fraction(point.value)).rounded()
            && (next.share - point.share).magnitude < 0.004
        } ?? false
      if index == 0 || !isCovered { path += (path.isEmpty ? "M" : "L") + text }
    }
    return path
  }
}

/// A horizontal scale for values of a figure: logarithmic for spans of time, otherwise linear.
enum ValueScale {
  case spans(SpanAxis)
  case plain(RangeAxis, TickText.Label)

  init(_ figure: FigureName, _ values: [Double]) {
    guard figure.unit == .seconds else {
      let label: TickText.Label = figure.unit == .hours ? { TickText.hour($0, $1) } : { TickText.number($0, $1) }
      self = .plain(RangeAxis(over: values, ticks: 6), label)
      return
    }
    self = .spans(SpanAxis(from: values.filter { $0 > 0 }.min() ?? 1, to: values.max() ?? 1))
  }

  func fraction(_ value: Double) -> Double {
    switch self {
    case .spans(let axis): axis.fraction(value)
    case .plain(let axis, _): axis.fraction(value)
    }
  }

  func columns(_ canvas: Canvas, _ title: String) -> [Markup] {
    switch self {
    case .spans(let axis): axis.columns(canvas, title: title)
    case .plain(let axis, let label): axis.columns(canvas, title: title, label: label)
    }
  }
}
