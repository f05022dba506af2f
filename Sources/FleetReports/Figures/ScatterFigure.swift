import Scenario
import Studies

/// Settings as points in a plane of two figures, with their intervals, some of them joined and some in a marked region.
struct ScatterFigure: Drawing {
  struct Point {
    var x: Double
    var y: Double
    var xInterval: Interval?
    var yInterval: Interval?
    /// In units of the drawing.
    var radius: Double
    /// The class that colours it.
    var style: String
    /// Beside it, where there is room.
    var label: String
    /// In place of a label that is too long; empty: the label loses its middle.
    var shortLabel = ""
    /// What it is, in full.
    var title: String
  }

  /// What one direction measures.
  struct Direction {
    var title: String
    var label: TickText.Label
    /// A line at a value that should not be exceeded; nil: none.
    var limit: Double?
    var limitName = ""
    /// The side of the limit that is shaded; nil: neither.
    var forbidden: KeyFigure.Side?
  }

  var points: [Point]
  var x: Direction
  var y: Direction
  /// Points that a line joins, in its order.
  var joined: [Int] = []
  /// Points of the region that is marked; those that follow each other in the line are marked together.
  var region: [Int] = []
  /// The point that the study speaks for.
  var chosen: Int?
  var height: Double?

  /// Radii of points whose areas grow with some values.
  static func radii(_ values: [Double?]) -> [Double] {
    let (least, most) = (values.compactMap { $0 }.min() ?? 0, values.compactMap { $0 }.max() ?? 0)
    return values.map { value in
      let part = value.map { most > least ? ($0 - least) / (most - least) : 0.5 } ?? 0
      return 6 + 7 * part.squareRoot()
    }
  }

  var xAxis: RangeAxis { axis(x, points.map(\.x), points.map(\.xInterval)) }
  var yAxis: RangeAxis { axis(y, points.map(\.y), points.map(\.yInterval)) }

  /// How much of a direction may be empty for a limit, or for 0, to lie on its axis, as a share.
  private static let mostEmpty = 0.25

  /// An axis that ends where points and intervals end, or at a limit not far beyond them.
  private func axis(_ direction: Direction, _ values: [Double], _ intervals: [Interval?]) -> RangeAxis {
    // What an interval says of figures that are never negative.
    let least = values.min() ?? 0
    let ends = intervals.compactMap { $0 }.flatMap { [least >= 0 ? max($0.low, 0) : $0.low, $0.high] }
    return RangeAxis(
      over: values + ends + (showsLimit(direction, values) ? [direction.limit ?? 0] : []), empty: Self.mostEmpty)
  }

  /// Whether a limit is near enough to the points to be drawn with them: they keep most of the scale.
  func showsLimit(_ direction: Direction, _ values: [Double]) -> Bool {
    guard let limit = direction.limit, let least = values.min(), let most = values.max() else { return false }
    let room = (most - least) * Self.mostEmpty / (1 - Self.mostEmpty)
    return limit >= least - room && limit <= most + room
  }

  func draw(_ canvas: Canvas) -> [Markup] {
    let (xAxis, yAxis) = (xAxis, yAxis)
    let places = points.map { (x: canvas.x(xAxis.fraction($0.x)), y: canvas.y(yAxis.fraction($0.y))) }
    return yAxis.rows(canvas, unit: y.title, label: y.label)
      + xAxis.columns(canvas, title: x.title, every: canvas.ticksAcross > 4 ? 1 : 2, label: x.label)
      + shades(xAxis, yAxis, canvas)
      + marked(places) + limits(xAxis, yAxis, canvas) + line(places)
      + points.indices.flatMap { whiskers(points[$0], xAxis, yAxis, canvas) }
      + points.indices.map { dot(points[$0], places[$0]) } + ring(places) + labels(places, canvas)
  }

  /// Circles around the points of the region, and bands between neighbours on the line.
  private func marked(_ places: [(x: Double, y: Double)]) -> [Markup] {
    let bands = zip(joined, joined.dropFirst()).filter { region.contains($0.0) && region.contains($0.1) }.map {
      one, next in
      Markup.path(
        "region-band",
        "M\(place(places[one].x)) \(place(places[one].y))L\(place(places[next].x)) \(place(places[next].y))")
    }
    let circles = region.map { index in
      Markup.circle("region", places[index].x, places[index].y, radius: points[index].radius + 11)
    }
    return bands.isEmpty && circles.isEmpty ? [] : [.tag("g", ["class": "regions"], bands + circles)]
  }

  private func line(_ places: [(x: Double, y: Double)]) -> [Markup] {
    guard joined.count > 1 else { return [] }
    let path = joined.map { place(places[$0].x) + " " + place(places[$0].y) }.joined(separator: "L")
    return [.path("front", "M" + path)]
  }

  private func limits(_ xAxis: RangeAxis, _ yAxis: RangeAxis, _ canvas: Canvas) -> [Markup] {
    var parts: [Markup] = []
    if showsLimit(x, points.map(\.x)), let limit = x.limit {
      let at = canvas.x(xAxis.fraction(limit))
      let isRight = at > canvas.x(0.7)
      parts += [
        .line("mark", from: (at, canvas.top), to: (at, canvas.baseline)),
        .label(isRight ? "limit-name end" : "limit-name", isRight ? at - 6 : at + 6, canvas.top + 12, x.limitName),
      ]
    }
    if showsLimit(y, points.map(\.y)), let limit = y.limit {
      let at = canvas.y(yAxis.fraction(limit))
      parts += [
        .line("mark", from: (canvas.left, at), to: (canvas.width - canvas.right, at)),
        .label("limit-name end", canvas.width - canvas.right, at - 6, y.limitName),
      ]
    }
    return parts
  }

  /// What goals and capacities do not allow.
  private func shades(_ xAxis: RangeAxis, _ yAxis: RangeAxis, _ canvas: Canvas) -> [Markup] {
    let (left, right) = (canvas.left, canvas.width - canvas.right)
    var parts: [Markup] = []
    if let limit = x.limit, let side = x.forbidden {
      let at = canvas.x(min(max(xAxis.fraction(limit), 0), 1))
      let (from, to) = side == .above ? (at, right) : (left, at)
      parts.append(.rectangle("forbidden", x: from, y: canvas.top, width: to - from, height: canvas.plotHeight))
    }
    if let limit = y.limit, let side = y.forbidden {
      let at = canvas.y(min(max(yAxis.fraction(limit), 0), 1))
      let (from, to) = side == .above ? (canvas.top, at) : (at, canvas.baseline)
      parts.append(.rectangle("forbidden", x: left, y: from, width: canvas.plotWidth, height: to - from))
    }
    return parts.filter { $0.attribute("width") != "0" && $0.attribute("height") != "0" }
  }

  private func ring(_ places: [(x: Double, y: Double)]) -> [Markup] {
    guard let chosen else { return [] }
    return [.circle("chosen", places[chosen].x, places[chosen].y, radius: points[chosen].radius + 5)]
  }

  private func whiskers(_ point: Point, _ xAxis: RangeAxis, _ yAxis: RangeAxis, _ canvas: Canvas) -> [Markup] {
    let (left, baseline) = (canvas.x(xAxis.fraction(point.x)), canvas.y(yAxis.fraction(point.y)))
    let x = { (value: Double) in canvas.x(min(max(xAxis.fraction(value), 0), 1)) }
    let y = { (value: Double) in canvas.y(min(max(yAxis.fraction(value), 0), 1)) }
    let across = point.xInterval.map { Markup.line("reach", from: (x($0.low), baseline), to: (x($0.high), baseline)) }
    let upright = point.yInterval.map { Markup.line("reach", from: (left, y($0.low)), to: (left, y($0.high))) }
    return [across, upright].compactMap { $0 }
  }

  private func dot(_ point: Point, _ place: (x: Double, y: Double)) -> Markup {
    .circle("point " + point.style, place.x, place.y, radius: point.radius, [.tag("title", [:], point.title)])
  }

  // MARK: Labels

  /// Room that a text or a point takes.
  private struct Box {
    var left, right, top, baseline: Double

    func meets(_ other: Box) -> Bool {
      left < other.right && other.left < right && top < other.baseline && other.top < baseline
    }
  }

  /// Labels beside their points, those of the region and of the line first; what finds no free place is left out.
  private func labels(_ places: [(x: Double, y: Double)], _ canvas: Canvas) -> [Markup] {
    var taken = zip(points, places).map { point, place in
      Box(
        left: place.x - point.radius, right: place.x + point.radius, top: place.y - point.radius,
        baseline: place.y + point.radius)
    }
    let order = ([chosen].compactMap { $0 } + region + joined + Array(points.indices)).eachOnce
    return order.compactMap { index in
      let (point, at) = (points[index], places[index])
      let columns = canvas.ticksAcross > 4 ? 40 : 18
      let isLong = point.label.displayWidth > columns && !point.shortLabel.isEmpty
      let text = shortened(isLong ? point.shortLabel : point.label, to: columns)
      let width = 7.2 * Double(text.displayWidth) + 4
      let gap = point.radius + 5
      // At the baseline of the plot a text stands a little higher than its point.
      let beside = min(at.y + 4, canvas.baseline - 2)
      let choices = [
        (at.x + gap, beside), (at.x - gap - width, beside), (at.x - width / 2, at.y - gap - 2),
        (at.x - width / 2, at.y + gap + 10), (at.x + gap, at.y - 9), (at.x + gap, at.y + 17),
      ]
      for (x, y) in choices {
        let box = Box(left: x, right: x + width, top: y - 12, baseline: y + 4)
        let fits =
          box.left >= canvas.left && box.right <= canvas.width - 2 && box.top >= canvas.top - 12
          && box.baseline <= canvas.baseline + 2
        guard fits, !taken.enumerated().contains(where: { $0.offset != index && $0.element.meets(box) }) else {
          continue
        }
        taken.append(box)
        return .label("label", x, y, text)
      }
      return nil
    }
  }
}
