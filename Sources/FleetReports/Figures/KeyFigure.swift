import Scenario
import Studies

/// A figure of each setting over the values of one key, with what a goal forbids.
struct KeyFigure: Drawing {
  struct Point {
    /// The amount, or the number of a value that is none.
    var x: Double
    var y: Double
    /// Over replications.
    var interval: Interval?
    /// From the least to the most of the scenario and its presets; nil: there are none.
    var reach: Interval?
    /// What the goal allows at most, or asks for at least; nil: nothing.
    var limit: Double?
    /// The class that colours it.
    var style: String
    var title: String
  }

  /// On which side of the limit values are forbidden.
  enum Side {
    case above, below
  }

  /// From the left.
  var points: [Point]
  var xTitle: String
  /// Values of x with their labels.
  var xTicks: [(x: Double, text: String)]
  var yTitle: String
  var yLabel: TickText.Label
  var forbidden: Side?
  /// What stands in the forbidden region.
  var forbiddenText = ""
  /// The setting that the study speaks for.
  var chosen: Int?

  var height: Double? { 250 }

  private var yAxis: RangeAxis {
    let values = points.map(\.y)
    let least = values.min() ?? 0
    let ends = points.flatMap { point in [point.interval, point.reach].compactMap { $0 }.flatMap { [$0.low, $0.high] } }
    let limits = points.compactMap(\.limit)
    return RangeAxis(over: values + limits + ends.map { least >= 0 ? max($0, 0) : $0 }, ticks: 4, hasZero: true)
  }

  func draw(_ canvas: Canvas) -> [Markup] {
    let axis = yAxis
    let xs = points.map(\.x) + xTicks.map(\.x)
    let (least, most) = (xs.min() ?? 0, xs.max() ?? 1)
    // Points stand off the edges.
    let x = { (value: Double) in
      canvas.x(0.05 + 0.9 * (most > least ? (value - least) / (most - least) : 0.5))
    }
    let y = { (value: Double) in canvas.y(min(max(axis.fraction(value), 0), 1)) }
    return axis.rows(canvas, unit: yTitle, label: yLabel) + ticks(canvas, x) + region(canvas, x, y)
      + chosenLine(canvas, x) + [line(x, y)] + points.flatMap { dot($0, x($0.x), y) } + ring(x, y)
  }

  /// Labels below their values, that of the choice first; one that would touch another is left out.
  private func ticks(_ canvas: Canvas, _ x: (Double) -> Double) -> [Markup] {
    let first = xTicks.filter { tick in chosen.map { points[$0].x } == tick.x }
    var taken: [ClosedRange<Double>] = []
    let labels = (first + xTicks).compactMap { tick -> Markup? in
      let text = shortened(tick.text, to: canvas.ticksAcross > 4 ? 20 : 12)
      let half = 3.7 * Double(text.displayWidth) + 4
      let middle = min(max(x(tick.x), half), canvas.width - half)
      let room = (middle - half)...(middle + half)
      guard !taken.contains(where: { $0.overlaps(room) }) else { return nil }
      taken.append(room)
      return .label("middle", middle, canvas.baseline + 19, text)
    }
    let marks = xTicks.map { tick in
      Markup.line("base", from: (x(tick.x), canvas.baseline), to: (x(tick.x), canvas.baseline + 5))
    }
    return marks + labels + [axisTitle(canvas, xTitle)]
  }

  /// Beyond the limit, along it from value to value.
  private func region(_ canvas: Canvas, _ x: (Double) -> Double, _ y: (Double) -> Double) -> [Markup] {
    let limits = points.compactMap { point in point.limit.map { (x: x(point.x), y: y($0)) } }
    guard let first = limits.first, let last = limits.last, limits.count == points.count else { return [] }
    let (left, right) = (canvas.left, canvas.width - canvas.right)
    let edge = [(x: left, y: first.y)] + limits + [(x: right, y: last.y)]
    let path = edge.map { place($0.x) + " " + place($0.y) }.joined(separator: "L")
    let border = Markup.path("goal-limit", "M" + path)
    guard let forbidden else { return [border] }
    let far = forbidden == .above ? canvas.top : canvas.baseline
    let area = Markup.path("forbidden", "M\(place(left)) \(place(far))L\(path)L\(place(right)) \(place(far))Z")
    let inside = forbidden == .above ? min(last.y - 6, canvas.top + 14) : max(last.y + 16, canvas.baseline - 8)
    let hasRoom = abs(last.y - far) >= 18
    let text = hasRoom ? [Markup.label("limit-name end", right - 6, inside, forbiddenText)] : []
    return [area, border] + text
  }

  private func chosenLine(_ canvas: Canvas, _ x: (Double) -> Double) -> [Markup] {
    guard let chosen else { return [] }
    let at = x(points[chosen].x)
    return [.line("chosen-line", from: (at, canvas.top), to: (at, canvas.baseline))]
  }

  private func line(_ x: (Double) -> Double, _ y: (Double) -> Double) -> Markup {
    .path("front", "M" + points.map { place(x($0.x)) + " " + place(y($0.y)) }.joined(separator: "L"))
  }

  private func dot(_ point: Point, _ x: Double, _ y: (Double) -> Double) -> [Markup] {
    let reach = point.reach.map { Markup.line("presets", from: (x, y($0.low)), to: (x, y($0.high))) }
    let whisker = point.interval.map { Markup.line("reach", from: (x, y($0.low)), to: (x, y($0.high))) }
    let dot = Markup.circle("point " + point.style, x, y(point.y), radius: 5, [.tag("title", [:], point.title)])
    return [reach, whisker, dot].compactMap { $0 }
  }

  private func ring(_ x: (Double) -> Double, _ y: (Double) -> Double) -> [Markup] {
    guard let chosen else { return [] }
    return [.circle("chosen", x(points[chosen].x), y(points[chosen].y), radius: 10)]
  }
}
