import Studies

/// A point with an uncertainty in both coordinates.
struct Dot {
  var x: Double
  var y: Double
  var xInterval: Interval?
  var yInterval: Interval?
  /// The range of values over the scenario and its presets; `nil` if no presets were simulated.
  var reach: Interval?
  /// The radius of the dot, in the drawing's units.
  var radius = 5.0
  /// The CSS class that sets the dot's colour.
  var style: String
  /// The label of the dot, which is shown if it fits.
  var label = ""
  /// A shorter label, used if the label does not fit. If it is empty, the middle of the label is omitted instead.
  var shortLabel = ""
  /// The full description of the dot; empty if there is none.
  var title = ""

  fileprivate var point: Point { Point(x: x, y: y) }

  /// Returns about as many settings as fit into a chart, in order. The result always includes `kept`.
  static func thinned(_ settings: [Int], to maximum: Int, keeping kept: Int?) -> [Int] {
    let every = max(1, settings.count / maximum)
    return settings.enumerated().filter { $0.offset % every == 0 || $0.element == kept }.map(\.element)
  }

  /// Returns radii such that the areas of the dots are proportional to the values.
  static func radii(_ values: [Double?]) -> [Double] {
    let (minimum, maximum) = (values.compactMap { $0 }.min() ?? 0, values.compactMap { $0 }.max() ?? 0)
    return values.map { value in
      let part = value.map { maximum > minimum ? ($0 - minimum) / (maximum - minimum) : 0.5 } ?? 0
      return 6 + 7 * part.squareRoot()
    }
  }
}

/// The side of a limit that a goal forbids.
enum ForbiddenSide {
  case above, below

  fileprivate var end: Double { self == .above ? .infinity : -.infinity }
}

extension Mark {
  /// Returns dots with their intervals.
  ///
  /// - Parameter chosen: the index of the dot that is marked with a ring and drawn on top of the others.
  static func dots(_ dots: [Dot], chosen: Int? = nil) -> Mark {
    Mark { plot in
      let reaches = dots.flatMap { dot -> [Markup] in
        let (x, y) = (plot.x(dot.x), plot.y(dot.y))
        let across = dot.xInterval.map { Markup.line("reach", from: (plot.x($0.low), y), to: (plot.x($0.high), y)) }
        let upright = [("presets", dot.reach), ("reach", dot.yInterval)].compactMap { style, range in
          range.map { Markup.line(style, from: (x, plot.y($0.low)), to: (x, plot.y($0.high))) }
        }
        return [across].compactMap { $0 } + upright
      }
      let circle = { (dot: Dot) in
        Markup.circle(
          "point " + dot.style, plot.x(dot.x), plot.y(dot.y), radius: dot.radius,
          dot.title.isEmpty ? [] : [.tag("title", [:], dot.title)])
      }
      let others = dots.indices.filter { $0 != chosen }.map { circle(dots[$0]) }
      guard let own = chosen.map({ dots[$0] }) else { return reaches + others }
      return reaches + others + [
        .circle("chosen", plot.x(own.x), plot.y(own.y), radius: own.radius + 5), circle(own),
      ]
    }
  }

  /// Returns labels next to their dots. They are placed in the given order, and labels that do not fit are omitted.
  static func labels(_ dots: [Dot], order: [Int]) -> Mark {
    Mark { plot in
      var taken = dots.map { dot in
        let (x, y) = (plot.x(dot.x), plot.y(dot.y))
        return Box(left: x - dot.radius, right: x + dot.radius, top: y - dot.radius, foot: y + dot.radius)
      }
      return order.compactMap { index in
        let dot = dots[index]
        let columns = plot.canvas.ticksAcross > 4 ? 40 : 18
        let isLong = dot.label.displayWidth > columns && !dot.shortLabel.isEmpty
        let text = shortened(isLong ? dot.shortLabel : dot.label, to: columns)
        let own = taken[index]
        let others = taken.indices.filter { $0 != index }.map { taken[$0] }
        let place = Box.places(beside: own, width: 7.2 * Double(text.displayWidth) + 4, plot.canvas).first { place in
          place.isInside(plot.canvas) && !others.contains { $0.meets(place) }
        }
        guard let place else { return nil }
        taken.append(place)
        return .label("label", place.left, place.foot - 4, text)
      }
    }
  }
}

/// The rectangle covered by a text or a dot.
private struct Box {
  var left, right, top, foot: Double

  func meets(_ other: Box) -> Bool {
    left < other.right && other.left < right && top < other.foot && other.top < foot
  }

  func isInside(_ canvas: Canvas) -> Bool {
    left >= canvas.left && right <= canvas.width - 2 && top >= canvas.top - 12 && foot <= canvas.baseline + 2
  }

  /// Returns the possible positions of a text next to a dot, best first.
  static func places(beside dot: Box, width: Double, _ canvas: Canvas) -> [Box] {
    let (x, y) = ((dot.left + dot.right) / 2, (dot.top + dot.foot) / 2)
    // Close to the baseline of the plot, the text is placed slightly higher than its dot.
    let level = min(y + 4, canvas.baseline - 2)
    let texts = [
      (dot.right + 5, level), (dot.left - 5 - width, level), (x - width / 2, dot.top - 7),
      (x - width / 2, dot.foot + 15), (dot.right + 5, y - 9), (dot.right + 5, y + 17),
    ]
    return texts.map { Box(left: $0, right: $0 + width, top: $1 - 12, foot: $1 + 4) }
  }
}

/// A chart of settings as dots in a plane with one figure per axis. Some dots may be joined by a line or lie in a
/// marked region.
struct ScatterPlot {
  /// One of the two axes of the plane.
  struct Direction {
    var title: String
    var label: TickText.Label
    /// The value at which a limit line is drawn; `nil` if there is none.
    var limit: Double?
    var limitName = ""
    /// The side of the limit that is shaded as forbidden; `nil` if no side is shaded.
    var forbidden: ForbiddenSide?
  }

  var dots: [Dot]
  var x: Direction
  var y: Direction
  /// The indices of the dots that are joined by a line, in order.
  var joined: [Int] = []
  /// The indices of the dots in the marked region. A band joins dots that are adjacent on the line.
  var region: [Int] = []
  /// The index of the dot that the study recommends.
  var chosen: Int?

  /// The maximum fraction of an axis that may be left empty to include a limit or 0.
  private static let maxEmptyShare = 0.25

  /// Returns whether a limit is close enough to the dots to be shown without compressing the chart.
  func showsLimit(_ direction: Direction, _ values: [Double]) -> Bool {
    guard let limit = direction.limit, let minimum = values.min(), let maximum = values.max() else { return false }
    let room = (maximum - minimum) * Self.maxEmptyShare / (1 - Self.maxEmptyShare)
    return limit >= minimum - room && limit <= maximum + room
  }

  /// Returns an axis that includes the dots and their intervals, and also the limit if it is close enough.
  private func axis(_ direction: Direction, _ values: [Double], _ intervals: [Interval?]) -> Axis {
    // Intervals of figures that are never negative are cut off at 0.
    let minimum = values.min() ?? 0
    let ends = intervals.compactMap { $0 }.flatMap { [minimum >= 0 ? max($0.low, 0) : $0.low, $0.high] }
    let limit = showsLimit(direction, values) ? [direction.limit ?? 0] : []
    return Axis(
      over: values + ends + limit, empty: Self.maxEmptyShare, title: direction.title, label: direction.label)
  }

  var chart: Chart {
    let bands = zip(joined, joined.dropFirst()).filter { region.contains($0.0) && region.contains($0.1) }
      .map { Mark.line("region-band", [dots[$0].point, dots[$1].point]) }
    let circles = Mark { plot in
      region.map { .circle("region", plot.x(dots[$0].x), plot.y(dots[$0].y), radius: dots[$0].radius + 11) }
    }
    let regions = Mark { plot in
      region.isEmpty ? [] : [.tag("g", ["class": "regions"], (bands + [circles]).flatMap { $0.draw(plot) })]
    }
    let order = ([chosen].compactMap { $0 } + region + joined + Array(dots.indices)).uniqued
    return Chart(
      across: axis(x, dots.map(\.x), dots.map(\.xInterval)), up: axis(y, dots.map(\.y), dots.map(\.yInterval)),
      marks: limits + [regions] + (joined.count > 1 ? [.line("front", joined.map { dots[$0].point })] : [])
        + [.dots(dots, chosen: chosen), .labels(dots, order: order)],
      fit: { $0.high(420) })
  }

  /// The areas that goals and capacities rule out.
  private var limits: [Mark] {
    var marks: [Mark] = []
    if let limit = x.limit, let side = x.forbidden {
      marks.append(
        .bar("forbidden", from: Point(x: limit, y: -.infinity), to: Point(x: side.end, y: .infinity)))
    }
    if let limit = y.limit, let side = y.forbidden {
      marks.append(
        .bar("forbidden", from: Point(x: -.infinity, y: limit), to: Point(x: .infinity, y: side.end)))
    }
    if let limit = x.limit, showsLimit(x, dots.map(\.x)) {
      marks += [.rule("mark", x: limit), .text("limit-name", x.limitName, besideX: limit, below: 12)]
    }
    if let limit = y.limit, showsLimit(y, dots.map(\.y)) {
      let name = Mark { plot in
        [.label("limit-name end", plot.canvas.width - plot.canvas.right, plot.y(limit) - 6, y.limitName)]
      }
      marks += [.rule("mark", y: limit), name]
    }
    return marks
  }
}

extension Chart {
  /// Returns a chart of dots, ordered from left to right by the value of a single key, with the area that a goal
  /// forbids.
  ///
  /// - Parameter limits: the limit of the goal at each dot; `nil` if there is none.
  /// - Parameter chosen: the setting that the study recommends.
  static func course(
    _ dots: [Dot], across: (title: String, ticks: [Axis.Tick]), up: (title: String, label: TickText.Label),
    limits: [Double?], forbidden: ForbiddenSide?, chosen: Int?
  ) -> Chart {
    let xs = dots.map(\.x) + across.ticks.map(\.value)
    let (first, last) = (xs.min() ?? 0, xs.max() ?? 0)
    // A margin separates the dots from the edges.
    let margin = last > first ? (last - first) / 18 : 0.5
    let isChosen = { (tick: Axis.Tick) in chosen.map { dots[$0].x } == tick.value }
    var axis = Axis(
      (first - margin)...(last + margin), title: across.title,
      ticks: across.ticks.filter(isChosen) + across.ticks.filter { !isChosen($0) })
    axis.steps = []
    let minimum = dots.map(\.y).min() ?? 0
    let ends = dots.flatMap { [$0.yInterval, $0.reach].compactMap { $0 }.flatMap { [$0.low, $0.high] } }
      .map { minimum >= 0 ? max($0, 0) : $0 }
    return Chart(
      across: axis,
      up: Axis(
        over: dots.map(\.y) + limits.compactMap { $0 } + ends, ticks: 4, hasZero: true, title: up.title, label: up.label
      ),
      marks: region(zip(dots, limits).compactMap { dot, limit in limit.map { Point(x: dot.x, y: $0) } }, forbidden)
        + (chosen.map { [.rule("chosen-line", x: dots[$0].x)] } ?? [])
        + [.line("front", dots.map(\.point)), .dots(dots, chosen: chosen)],
      fit: { $0.high(250) })
  }

  /// Returns the forbidden area on one side of a line that connects the limits.
  private static func region(_ limits: [Point], _ forbidden: ForbiddenSide?) -> [Mark] {
    guard let first = limits.first, let last = limits.last else { return [] }
    let edge = [Point(x: -.infinity, y: first.y)] + limits + [Point(x: .infinity, y: last.y)]
    let border = Mark { plot in [.path("goal-limit", "M" + edge.map(plot.text).joined(separator: "L"))] }
    guard let end = forbidden?.end else { return [border] }
    let corners = [Point(x: .infinity, y: end), Point(x: -.infinity, y: end)]
    let name = Mark { plot in
      let (far, limit) = (plot.y(end), plot.y(last.y))
      guard abs(limit - far) >= 18 else { return [] }
      let y = far < limit ? min(limit - 6, far + 14) : max(limit + 16, far - 8)
      return [.label("limit-name end", plot.x(.infinity) - 6, y, "not allowed")]
    }
    return [.area("forbidden", edge + corners), border, name]
  }

  /// Returns a quantile–quantile plot of two distributions of waits. Points on the diagonal indicate equal waits.
  ///
  /// - Parameter points: pairs of quantiles in seconds, in ascending order.
  static func quantiles(_ points: [Point], across: String, up: String) -> Chart {
    let all = points.flatMap { [$0.x, $0.y] }
    return Chart(
      across: .spans(over: all, title: across), up: .spans(over: all, title: up),
      marks: [
        .rule("mark", from: Point(x: -.infinity, y: -.infinity), to: Point(x: .infinity, y: .infinity)),
        .dots(points.map { Dot(x: $0.x, y: $0.y, style: "free") }),
      ])
  }
}
