import Scenario
import SimulationKernel
import Studies

/// A figure with up to two scales, the marks drawn on them, and the data that users can read from it.
struct Chart {
  var across: Axis
  /// The vertical scale; `nil` if the chart consists of rows.
  var up: Axis?
  /// The marks, from back to front.
  var marks: [Mark]
  /// The data that users can read from the chart; `nil` if there is none.
  var readings: Readings?
  /// A function that adapts each canvas before drawing, for example by changing its height or margins.
  var fit: (Canvas) -> Canvas = { $0 }

  func draw(_ canvas: Canvas) -> [Markup] {
    let plot = Plot(canvas: fit(canvas), across: across, up: up)
    return (up?.rows(plot.canvas) ?? []) + across.columns(plot.canvas) + marks.flatMap { $0.draw(plot) }
  }

  /// Returns the figure as shown on pages, with a wide and a narrow drawing and one caption.
  ///
  /// - Parameter description: the alternative text for users who cannot see the figure.
  /// - Parameter legend: the CSS class of each colour swatch, with its text.
  /// - Parameter zoom: the data for the script that replaces the drawings; `nil` if there is none.
  func markup(
    id: String, title: String, description: String, legend: [(swatch: String, text: String)] = [], zoom: String? = nil
  ) -> Markup {
    var parts = [Markup.tag("figcaption", [:], title)]
    parts += [Canvas.wide, .narrow].map { drawing($0, id + "-" + $0.name, title, description) }
    if !legend.isEmpty {
      let entries = legend.map { entry in
        Markup.tag("li", [:], [.tag("span", ["class": "swatch " + entry.swatch]), .text(entry.text)])
      }
      parts.append(.tag("ul", ["class": "legend"], entries))
    }
    guard let zoom else {
      if let readings, !readings.rows.isEmpty {
        parts.append(.script(readings.text, attributes: "type=\"application/json\" class=\"readings\""))
      }
      return .tag("figure", ["id": "figure-" + id], parts)
    }
    parts.append(.script(zoom, attributes: "type=\"application/json\" id=\"\(id)-data\""))
    return .tag("figure", ["id": "figure-" + id, "data-zoom": id + "-data"], parts)
  }

  private func drawing(_ canvas: Canvas, _ name: String, _ title: String, _ description: String) -> Markup {
    let own = fit(canvas)
    return .tag(
      "svg",
      [
        "class": canvas.name, "viewBox": "0 0 \(place(own.width)) \(place(own.height))", "role": "img",
        "aria-labelledby": "\(name)-title \(name)-text",
        "data-plot": [own.left, own.width - own.right, own.top, own.baseline].map(place).joined(separator: " "),
      ],
      [.tag("title", ["id": name + "-title"], title), .tag("desc", ["id": name + "-text"], description)]
        + draw(canvas))
  }
}

/// A canvas with the scales of a chart. Values outside a scale are drawn at its nearest end.
struct Plot {
  let canvas: Canvas
  let across: Axis
  let up: Axis?

  func x(_ value: Double) -> Double { canvas.x(across.fraction(value)) }
  func y(_ value: Double) -> Double { canvas.y(up?.fraction(value) ?? 0) }
  /// Returns a point in SVG path syntax.
  func text(_ point: Point) -> String { place(x(point.x)) + " " + place(y(point.y)) }
}

/// A point given by its values on the two scales. Infinite values are drawn at the ends of the scales.
struct Point: Hashable {
  var x: Double
  var y: Double
}

/// A mark on a plot, represented by the function that draws it.
struct Mark {
  let draw: (Plot) -> [Markup]
}

// MARK: - Lines and areas

extension Mark {
  /// Returns a line through points, omitting points that would be invisible.
  static func line(_ style: String, _ points: [Point]) -> Mark {
    Mark { plot in
      let places = points.map { (x: plot.x($0.x), y: plot.y($0.y)) }
      let shown = places.indices.filter { index in
        guard index > 0, index + 1 < places.count else { return true }
        let (before, own, next) = (places[index - 1], places[index], places[index + 1])
        let isLevel = tenths(before.y) == tenths(own.y) && tenths(own.y) == tenths(next.y)
        let isCovered = own.x.rounded() == next.x.rounded() && abs(own.y - next.y) < 1
        return !isLevel && !isCovered
      }
      let path = shown.map { place(places[$0].x) + " " + place(places[$0].y) }.joined(separator: "L")
      return path.isEmpty ? [] : [.path(style, "M" + path)]
    }
  }

  /// Returns the area enclosed by a line that connects points.
  static func area(_ style: String, _ points: [Point]) -> Mark {
    Mark { plot in [.path(style, "M" + points.map(plot.text).joined(separator: "L") + "Z")] }
  }

  /// Returns a line of horizontal steps, one fewer than the number of places. A value of `nil` leaves a gap.
  static func steps(_ style: String, _ places: [Double], _ values: [Double?]) -> Mark {
    stretches(style, values) { plot, range in
      StepPath.line(places[range.lowerBound...range.upperBound].map(plot.x), values[range].map { plot.y($0 ?? 0) })
    }
  }

  /// Returns the area between two lines of horizontal steps. A value of `nil` leaves a gap.
  static func steps(_ style: String, _ places: [Double], from lower: [Double], to upper: [Double?]) -> Mark {
    stretches(style, upper) { plot, range in
      StepPath.area(
        places[range.lowerBound...range.upperBound].map(plot.x), upper: upper[range].map { plot.y($0 ?? 0) },
        lower: lower[range].map(plot.y))
    }
  }

  /// Returns the path of one outline for each uninterrupted run of known values.
  private static func stretches(
    _ style: String, _ values: [Double?], _ outline: @escaping (Plot, Range<Int>) -> String
  ) -> Mark {
    let known = values.indices.filter { values[$0] != nil }.reduce(into: [Range<Int>]()) { stretches, index in
      if let last = stretches.last, last.upperBound == index {
        stretches[stretches.count - 1] = last.lowerBound..<index + 1
      } else {
        stretches.append(index..<index + 1)
      }
    }
    return Mark { plot in known.isEmpty ? [] : [.path(style, known.map { outline(plot, $0) }.joined())] }
  }

  /// Returns a straight line.
  static func rule(_ style: String, from: Point, to: Point) -> Mark {
    Mark { plot in [.line(style, from: (plot.x(from.x), plot.y(from.y)), to: (plot.x(to.x), plot.y(to.y)))] }
  }

  /// Returns a vertical line across the whole plot.
  static func rule(_ style: String, x: Double) -> Mark {
    rule(style, from: Point(x: x, y: .infinity), to: Point(x: x, y: -.infinity))
  }

  /// Returns a horizontal line across the whole plot.
  static func rule(_ style: String, y: Double) -> Mark {
    rule(style, from: Point(x: -.infinity, y: y), to: Point(x: .infinity, y: y))
  }

  /// Returns a rectangle between two corners; empty if it is narrower than a tenth of a unit.
  ///
  /// - Parameter minimum: the minimum height of the rectangle, in the drawing's units.
  static func bar(_ style: String, from: Point, to: Point, minimum: Double = 0) -> Mark {
    Mark { plot in
      let (left, right) = (min(plot.x(from.x), plot.x(to.x)), max(plot.x(from.x), plot.x(to.x)))
      let (top, foot) = (min(plot.y(from.y), plot.y(to.y)), max(plot.y(from.y), plot.y(to.y)))
      let height = max(foot - top, minimum)
      guard tenths(right - left) > 0, tenths(height) > 0 else { return [] }
      return [.rectangle(style, x: left, y: foot - height, width: right - left, height: height)]
    }
  }

  /// Returns text to the right of a vertical line, or to its left if the plot's right edge is too close.
  static func text(_ style: String, _ text: String, besideX x: Double, below top: Double) -> Mark {
    Mark { plot in
      let at = plot.x(x)
      let isRight = at > plot.canvas.x(0.7)
      return [.label(isRight ? style + " end" : style, isRight ? at - 6 : at + 6, plot.canvas.top + top, text)]
    }
  }
}

/// The data that users can read from a figure with a pointer, a keyboard or a touch screen. The figure's table contains
/// the same data.
struct Readings {
  enum Direction: String {
    /// Horizontal positions, as fractions of the plot's width from its left edge.
    case across
    /// Vertical positions, as fractions of the drawing's height from its top.
    case down
  }

  enum Cell {
    case number(Double)
    case text(String)
    /// A time in milliseconds since 1970, which is shown as a time of day.
    case time(Int64)
  }

  var direction = Direction.across
  /// The titles of the columns. The first one is the title of the positions.
  var columns: [String]
  var rows: [(place: Double, cells: [Cell])]
  /// Whether the readings form a grid. If so, the rows divide the plot vertically, and each row consists of cells of
  /// equal width.
  var isGrid = false

  /// The data for the script, escaped so that it cannot close the enclosing element.
  var text: String {
    ZoomSeries.text(of: [
      ("direction", .string(isGrid ? "grid" : direction.rawValue)),
      ("columns", .array(columns.map { .string(ZoomSeries.harmless($0)) })),
      (
        "rows",
        .array(
          rows.map { row in
            .array([.number((row.place * 10_000).rounded() / 10_000)] + row.cells.map(\.value))
          })
      ),
    ])
  }
}

extension Readings.Cell {
  fileprivate var value: JSONValue {
    switch self {
    case .number(let value): .number(Self.fiveDigits(value))
    case .text(let text): .string(ZoomSeries.harmless(text))
    case .time(let milliseconds): .object([("t", .integer(Int128(milliseconds)))])
    }
  }

  /// Returns a value rounded to five significant digits, which is more than any text displays.
  private static func fiveDigits(_ value: Double) -> Double {
    guard value.isFinite, value != 0 else { return value }
    var power = 1.0
    while value.magnitude * power < 10_000, power < 1e15 { power *= 10 }
    return (value * power).rounded() / power
  }
}

extension Readings {
  /// Creates readings at positions on a horizontal scale.
  init(_ axis: Axis, columns: [String], rows: [(value: Double, cells: [Cell])]) {
    self.init(columns: columns, rows: rows.map { (axis.fraction($0.value), $0.cells) })
  }

  /// Creates readings at instants of a clock.
  init(_ clock: Clock, columns: [String], rows: [(instant: Instant, cells: [Cell])]) {
    let axis = Axis.time(clock)
    self.init(
      axis, columns: ["time"] + columns,
      rows: rows.map { instant, cells in
        (instant.across, [.time(clock.startUnixMilliseconds + instant.millisecondsSinceStart)] + cells)
      })
  }
}
