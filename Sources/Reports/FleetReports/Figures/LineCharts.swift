import Scenario
import SimulationKernel
import Studies

/// A line that connects points.
struct Curve {
  /// The CSS class that sets the curve's colour.
  var style: String
  /// The points, from left to right.
  var points: [Point]
}

extension Chart {
  /// Creates a chart of several curves.
  init(_ curves: [Curve], across: Axis, unit: String) {
    self.init(
      across: across, up: .reaching(curves.flatMap { $0.points.map(\.y) }.max() ?? 0, title: unit),
      marks: curves.map { .line("curve " + $0.style, $0.points) })
  }

  // MARK: Cumulative ages

  /// The cumulative share of events up to each age, on a logarithmic scale of ages.
  struct Ages {
    var name: String
    /// The CSS class that sets the curve's colour.
    var style: String
    var ages: SpanBins
    /// The fraction of all events that this curve covers, from 0 to 1.
    var part = 1.0
  }

  /// - Parameter limits: the ages that are marked on the chart.
  static func ages(_ curves: [Ages], limits: [TimeAmount], of unit: String, title: String) -> Chart {
    // The smallest first percentile of any curve.
    let youngest = curves.compactMap { $0.ages.quantileSeconds(0.01) }.min() ?? 1
    let oldest = curves.compactMap { $0.ages.quantileSeconds(1) }.max() ?? 1
    let axis = Axis.spans(over: [youngest, oldest], title: title)
    let ages = (0...440).map { axis.value(at: Double($0) / 440) }
    let lines = curves.map { curve in
      Mark.line(
        "curve " + curve.style,
        zip(ages, curve.ages.shares(upTo: ages)).map { age, share in
          Point(x: age, y: share * curve.part * 100)
        })
    }
    let read = (0...80).map { axis.value(at: Double($0) / 80) }
    let shares = curves.map { $0.ages.shares(upTo: read) }
    return Chart(
      across: axis, up: .reaching(100, title: "% of " + unit),
      marks: limits.map { .rule("mark", x: $0.seconds) } + lines + curves.indices.map { name(of: $0, curves) },
      readings: Readings(
        axis, columns: ["age"] + curves.map { "% of the \(unit) of " + $0.name },
        rows: read.enumerated().map { index, age in
          (age, [.text(TimeText.seconds(age) + " or younger")] + shares.map { .number($0[index] * 100) })
        }))
  }

  /// Returns the name of a curve, at its own height, to the left of the curve unless the left edge is too close.
  private static func name(of index: Int, _ curves: [Ages]) -> Mark {
    Mark { plot in
      guard curves.count > 1, curves.count <= 6 else { return [] }
      let (curve, height) = (curves[index], 0.75 - 0.5 * Double(index) / Double(curves.count - 1))
      guard let age = curve.ages.quantileSeconds(height) else { return [] }
      let (x, y) = (plot.x(age), plot.y(height * curve.part * 100) + 4)
      let isRight = x > plot.canvas.x(0.2)
      return [.label(isRight ? "label end" : "label", isRight ? x - 8 : x + 8, y, curve.name)]
    }
  }

  // MARK: Distributions

  /// Returns a chart of the cumulative distributions of several runs. A curve further to the left has smaller values.
  ///
  /// - Parameter curves: the values and the colour class of each curve, starting with the base run.
  /// - Parameter gaps: the values at which the curves are farthest from the base run's curve.
  static func distributions(
    of figure: FigureName, _ curves: [(style: String, histogram: RunHistogram)], gaps: [(curve: Int, place: Double)]
  ) -> Chart {
    let points = curves.map { shares(of: $0.histogram) }
    return Chart(
      across: .values(of: figure, points.flatMap { $0.map(\.x) }, title: figure.text + ", or less"),
      up: .reaching(100, title: "% of all values"),
      marks: gaps.map { gap in
        let heights = [points[0], points[gap.curve]].map { 100 * share(upTo: gap.place, of: $0) }
        return .rule("gap", from: Point(x: gap.place, y: heights[0]), to: Point(x: gap.place, y: heights[1]))
      }
        + zip(curves, points).map { curve, points in
          .line("curve " + curve.style, points.map { Point(x: $0.x, y: $0.y * 100) })
        })
  }

  /// Returns the cumulative shares at the upper bounds of a histogram's bins.
  static func shares(of histogram: RunHistogram) -> [Point] {
    let bins = histogram.bins.filter { $0.value.count > 0 }.sorted { $0.key < $1.key }
    guard let first = bins.first else { return [] }
    let total = Double(histogram.total)
    var below: Int64 = 0
    return [Point(x: first.key, y: 0)]
      + bins.flatMap { from, bin -> [Point] in
        let start = Double(below) / total
        below += bin.count
        // The curve is flat between two bins that are not adjacent.
        return [Point(x: from, y: start), Point(x: bin.to, y: Double(below) / total)]
      }
  }

  /// Returns the cumulative share at a value.
  static func share(upTo value: Double, of points: [Point]) -> Double {
    guard let next = points.firstIndex(where: { $0.x >= value }) else { return points.isEmpty ? 0 : 1 }
    let (left, right) = (points[max(next - 1, 0)], points[next])
    guard right.x > left.x else { return points.last { $0.x == value }?.y ?? right.y }
    return left.y + (right.y - left.y) * max(value - left.x, 0) / (right.x - left.x)
  }

  // MARK: Load duration

  /// Returns the load duration curve on a logarithmic scale of time, with the highest and rarest loads on the left.
  ///
  /// - Parameter ascending: the request rates in ascending order.
  static func duration(_ ascending: [Double]) -> Chart {
    let ascending = ascending.isEmpty ? [0] : ascending
    // The number of points per decade of time, and the factor between neighbouring points, which is the 32nd root of
    // 0.1.
    let (perDecade, factor) = (32, 0.930_572_040_929_699)
    // The time axis covers the decades from the whole period down to a single window.
    let decades = (1...9).first { power($0) >= Double(ascending.count) } ?? 9
    let shares = (1...decades * perDecade).reversed().map { count in
      (0..<count).reduce(1.0) { share, _ in share * factor }
    }
    // The height of each point is the highest load in its slice, which preserves the peak at the left edge.
    let heights = shares.enumerated().map { index, share in
      ascending[max(ascending.count - 1 - (index == 0 ? 0 : Int(share * Double(ascending.count))), 0)]
    }
    let axis = Axis(
      0...Double(shares.count), title: "share of the time with at least this load",
      ticks: (0...decades).map { decade in
        let share = NumberText.trimmed(NumberText.fixed(100 / power(decades - decade), decimals: 7))
        return Axis.Tick(value: Double(decade * perDecade), text: share + "%")
      })
    let places = (0...shares.count).map(Double.init)
    return Chart(
      across: axis, up: .reaching(ascending.last ?? 0, title: "requests/s"),
      marks: [
        .steps("band", places, from: heights.map { _ in 0 }, to: heights), .steps("mean", places, heights),
      ],
      readings: Readings(
        axis, columns: ["share of the time", "requests/s or more"],
        rows: zip(places, zip(shares, heights)).map { place, step in
          (place + 0.5, [.text(NumberText.percent(step.0) + " of the time"), .number(step.1)])
        }))
  }

  private static func power(_ exponent: Int) -> Double { (0..<exponent).reduce(1) { value, _ in value * 10 } }

  // MARK: Hours

  /// Returns a chart with one stepped line per kind, which has a step for each hour of the local day.
  ///
  /// - Parameter lines: the values by hour. A value of `nil` means unknown and leaves a gap.
  static func hours(_ lines: [(name: String, style: String, values: [Double?])], unit: String) -> Chart {
    let axis = Axis(
      0...24, title: "local hour of the day",
      ticks: stride(from: 0, through: 24, by: 3).map {
        Axis.Tick(value: Double($0), text: TimeText.two($0) + ":00")
      })
    return Chart(
      across: axis, up: Axis(over: lines.flatMap { $0.values.compactMap { $0 } }, hasZero: true, title: unit),
      marks: lines.map { .steps("curve " + $0.style, (0...24).map(Double.init), $0.values) },
      readings: Readings(
        axis, columns: ["hour"] + lines.map { lines.count > 1 ? $0.name + ", " + unit : unit },
        rows: (0..<24).map { hour in
          let cells = lines.map { line -> Readings.Cell in line.values[hour].map { .number($0) } ?? .text("unknown") }
          return (Double(hour) + 0.5, [.text(TimeText.two(hour) + ":00")] + cells)
        }), fit: { $0.high(250) })
  }
}
