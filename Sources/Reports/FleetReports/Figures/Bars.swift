import Scenario
import SimulationKernel
import Studies

/// A row of a chart, with a name and a value above a bar, or above a dot and its interval.
struct BarRow {
  /// A segment of a bar, with the CSS class that sets its colour.
  typealias Part = (from: Double, to: Double, style: String)

  var name: String
  /// The value as formatted text.
  var text: String
  /// A longer version of the text, used if there is enough space; may be empty.
  var longText = ""
  var parts: [Part] = []
  /// The value at which a dot is drawn; `nil` if there is no dot.
  var dot: Double?
  /// The interval around the dot; `nil` if unknown.
  var interval: Interval?
  /// Whether the dot is drawn in a pale colour because its interval contains 0 or the sample does not resolve it.
  var isPale = false

  /// Creates a bar that starts at 0.
  init(_ name: String, _ value: Double, _ text: String, style: String = "bar") {
    (self.name, self.text, parts) = (name, text, [(0, value, style)])
  }

  /// Creates a bar that consists of consecutive parts.
  init(_ name: String, _ text: String, parts: [(value: Double, style: String)]) {
    (self.name, self.text) = (name, text)
    var end = 0.0
    for part in parts {
      self.parts.append((end, end + part.value, part.style))
      end += part.value
    }
  }

  /// Creates a dot with the interval around it.
  init(_ name: String, dot: Double, interval: Interval?, text: String, longText: String, isPale: Bool) {
    (self.name, self.dot, self.interval) = (name, dot, interval)
    (self.text, self.longText, self.isPale) = (text, longText, isPale)
  }

  fileprivate var style: String { isPale ? "pale" : "strong" }
}

extension Chart {
  private static let rowHeight = 38.0

  /// Returns a chart of horizontal bars, each with a name and a value.
  ///
  /// - Parameter whole: the value of a bar that fills the full width; `nil` to use the value of the longest bar.
  static func bars(_ rows: [BarRow], whole: Double? = nil) -> Chart {
    let ends = rows.flatMap(\.parts).map { max($0.from, $0.to) }
    let maximum = whole ?? ends.max() ?? 0
    let height = rowHeight * Double(rows.count) + 10
    return Chart(
      across: Axis(0...max(maximum, .leastNonzeroMagnitude), title: "", lines: .none),
      marks: rows.indices.map { row(rows[$0], at: $0) },
      readings: Readings(
        direction: .down, columns: ["name", ""],
        rows: rows.enumerated().map { index, row in
          ((rowHeight * Double(index) + 28) / height, [.text(row.name), .text(row.text)])
        }), fit: { fitted($0, height: height, edge: 4, bottom: 6) })
  }

  /// Returns a chart of values with intervals around a vertical zero line, with increases on the right.
  ///
  /// - Parameter title: the title of the scale.
  /// - Parameter limit: the value beyond which dots become arrows at the edge of the scale.
  /// - Parameter hasBars: whether a bar is drawn from 0 to each value.
  static func forest(
    _ rows: [BarRow], title: String, limit: Double = .infinity, hasBars: Bool = false,
    label: @escaping TickText.Label
  ) -> Chart {
    let values = rows.compactMap(\.dot).map { min(max($0, -limit), limit) }
    // Intervals widen the scale unless they are much longer than the values themselves.
    let reach = min(2 * (values.map(\.magnitude).max() ?? 0), limit)
    let ends = rows.compactMap(\.interval).flatMap { [$0.low, $0.high] }.map { min(max($0, -reach), reach) }
    let axis = Axis(over: values + ends, ticks: 6, hasZero: true, title: title, label: label)
    return Chart(
      across: axis,
      marks: [.rule("zero", x: 0)]
        + rows.enumerated().map { index, row in
          var row = row
          if hasBars, let dot = row.dot { row.parts = [(0, dot, "effect " + row.style)] }
          return Self.row(row, at: index)
        },
      fit: { fitted($0, height: rowHeight * Double(rows.count) + 58, edge: 12, bottom: 54) })
  }

  private static func fitted(_ canvas: Canvas, height: Double, edge: Double, bottom: Double) -> Canvas {
    var canvas = canvas
    (canvas.left, canvas.right, canvas.top, canvas.bottom, canvas.height) = (edge, edge, 4, bottom, height)
    return canvas
  }

  private static func row(_ row: BarRow, at index: Int) -> Mark {
    Mark { plot in
      let top = plot.canvas.top + rowHeight * Double(index)
      let (y, isWide) = (top + 24, plot.canvas.ticksAcross > 4)
      let text = isWide && !row.longText.isEmpty ? row.longText : row.text
      let room = Int((plot.canvas.width - 24) / 9) - text.displayWidth
      let texts: [Markup] = [
        .label("label", 4, top + 12, shortened(row.name, to: room)),
        .label("label plain end", plot.canvas.width - 4, top + 12, text),
      ]
      let track =
        row.dot == nil
        ? [Markup.rectangle("track", x: plot.x(-.infinity), y: y - 5, width: plot.canvas.plotWidth, height: 10)] : []
      let bars = row.parts.map { part in
        let ends = [plot.x(part.from), plot.x(part.to)].sorted()
        return Markup.rectangle(part.style, x: ends[0], y: y - 5, width: ends[1] - ends[0], height: 10)
      }
      return texts + track + bars + whisker(row, y, plot) + dot(row, y, plot)
    }
  }

  private static func whisker(_ row: BarRow, _ y: Double, _ plot: Plot) -> [Markup] {
    guard let interval = row.interval else { return [] }
    let style = "whisker " + row.style
    // An interval that extends beyond the scale has no end cap on that side.
    let ends = [interval.low, interval.high].filter { (plot.across.low...plot.across.high).contains($0) }
    return [.line(style, from: (plot.x(interval.low), y), to: (plot.x(interval.high), y))]
      + ends.map { .line(style, from: (plot.x($0), y - 5), to: (plot.x($0), y + 5)) }
  }

  /// Returns a dot or, for a value beyond the scale, an arrow.
  private static func dot(_ row: BarRow, _ y: Double, _ plot: Plot) -> [Markup] {
    guard let value = row.dot else { return [] }
    let (x, style) = (plot.x(value), "dot " + row.style)
    guard value < plot.across.low || value > plot.across.high else { return [.circle(style, x, y, radius: 5)] }
    let back = value > plot.across.high ? -9.0 : 9.0
    return [.path(style, "M\(place(x)) \(place(y))L\(place(x + back)) \(place(y - 6))V\(place(y + 6))Z")]
  }
}

// MARK: - Vertical bars

extension Chart {
  /// Returns a chart of vertical bars over bins of equal width, with named lines at some values.
  ///
  /// - Parameter shares: the fraction of all values in each bin.
  /// - Parameter origin: the lower edge of the first bin.
  /// - Parameter width: the width of each bin, a whole number.
  static func histogram(
    _ shares: [Double], origin: Int = 0, width: Int = 1, marks: [(name: String, value: Double)] = [], title: String
  ) -> Chart {
    let first = Double(origin) - 0.5
    let edges = (0...max(shares.count, 1)).map { first + Double($0 * width) }
    // Labels are centred below bins that contain a single value. For wider bins, they are placed at round numbers.
    let range = edges[0]...edges[edges.count - 1]
    let round = Axis(over: [0, range.upperBound], ticks: 18).ticks.filter { range.contains($0.value) }
    let single = shares.indices.map { Axis.Tick(value: Double(origin + $0), text: Axis.label(Double(origin + $0))) }
    var axis = Axis(range, title: title, lines: .none, ticks: width > 1 ? round : single)
    axis.steps = [1, 2, 5, 10, 20, 25, 50, 100]
    let bars = shares.indices.filter { shares[$0] > 0 }.map { index in
      let gap = shares.count < 100 ? 0.05 * Double(width) : 0
      return Mark.bar(
        "bar", from: Point(x: edges[index] + gap, y: 0), to: Point(x: edges[index + 1] - gap, y: shares[index] * 100),
        minimum: 1)
    }
    let lines = marks.enumerated().flatMap { index, mark -> [Mark] in
      let below = Double(index) * 15 - 6
      return [.rule("mark", x: mark.value), .text("label", mark.name, besideX: mark.value, below: below)]
    }
    return Chart(
      across: axis, up: .reaching((shares.max() ?? 0) * 100, title: "% of all"), marks: bars + lines,
      readings: Readings(
        axis, columns: [title, "% of all"],
        rows: shares.indices.map { index in
          let from = Double(origin + index * width)
          let name = width > 1 ? Axis.label(from) + "–" + Axis.label(from + Double(width) - 1) : Axis.label(from)
          return ((edges[index] + edges[index + 1]) / 2, [.text(name), .number(shares[index] * 100)])
        }), fit: { $0.high(250) })
  }

  /// Returns a histogram of whole numbers with at most 80 bins.
  static func histogram(
    _ histogram: CountHistogram, title: String, marks: [(name: String, value: Double)]
  ) -> Chart {
    let counts = histogram.counts
    let first = counts.firstIndex { $0 > 0 } ?? 0
    let last = histogram.maximum ?? 0
    let width = max(1, (last - first + 80) / 80)
    let shares = stride(from: first, through: last, by: width).map { start in
      Double(counts[start..<min(start + width, counts.count)].reduce(0, +)) / Double(histogram.total)
    }
    return Self.histogram(shares, origin: first, width: width, marks: marks, title: title)
  }

  /// A value above or below 0.
  struct Deviation {
    var name: String
    var value: Double
    /// Half the width of the range in which 95 % of values are expected by chance.
    var chance: Double
  }

  /// Returns a chart of vertical bars above and below 0. Each bar is drawn in front of the range expected by chance.
  ///
  /// - Parameter title: the title of the horizontal scale.
  /// - Parameter unit: the unit of the vertical scale.
  static func deviations(
    _ bars: [Deviation], title: String, unit: String, label: @escaping TickText.Label
  ) -> Chart {
    let ticks = bars.enumerated().map { Axis.Tick(value: Double($0) + 0.5, text: $1.name) }
    return Chart(
      across: Axis(0...Double(max(bars.count, 1)), title: title, lines: .none, ticks: ticks),
      up: Axis(
        over: bars.flatMap { [$0.value, $0.chance, -$0.chance] }, hasZero: true, title: unit, label: label),
      marks: bars.enumerated().flatMap { index, bar -> [Mark] in
        let x = Double(index)
        return [
          .bar("effect pale", from: Point(x: x, y: -bar.chance), to: Point(x: x + 1, y: bar.chance)),
          .bar("bar", from: Point(x: x + 0.2, y: 0), to: Point(x: x + 0.8, y: bar.value), minimum: 1),
        ]
      } + [.rule("zero", y: 0)])
  }

  // MARK: Stacked bars over time

  /// Returns a chart of requests per second, stacked by layer. Each column represents its busiest minute.
  ///
  /// - Parameter minutes: the requests per second in each minute, by layer.
  /// - Parameter layers: the colour class and the name of each layer, from the baseline upwards.
  /// - Parameter zone: the time zone of the clock; `nil` for UTC.
  /// - Parameter headroom: the space for names above the highest column, as a fraction of that column's height.
  static func stack(
    _ minutes: [[Double]], layers: [(style: String, name: String)], clock: Clock, zone: FleetZone? = nil,
    headroom: Double = 0
  ) -> Chart {
    let sum = { (values: [Double]) in values.reduce(0, +) }
    return Chart(
      across: .time(clock, zone: zone),
      up: .reaching((minutes.map(sum).max() ?? 0) * (1 + headroom), title: "requests/s"),
      marks: [
        Mark { plot in
          let columns = busiest(minutes, atMost: Int(plot.canvas.plotWidth / 4))
          let end = Instant.start + min(.minutes(Int64(minutes.count)), clock.duration)
          let places = columns.map(\.start.across) + [end.across]
          var lower = columns.map { _ in 0.0 }
          let areas = layers.indices.flatMap { layer in
            let upper = zip(lower, columns).map { $0 + $1.values[layer] }
            defer { lower = upper }
            return Mark.steps(layers[layer].style, places, from: lower, to: upper).draw(plot)
          }
          return areas + seams(columns.map(\.values), places, plot)
        }
      ],
      readings: Readings(
        clock, columns: layers.map(\.name) + ["total requests/s"],
        rows: busiest(minutes, atMost: 219).map { start, values in
          (start, (values + [sum(values)]).map { .number($0) })
        }))
  }

  /// Returns slices of whole minutes, each with the values of its busiest minute.
  private static func busiest(_ minutes: [[Double]], atMost count: Int) -> [(start: Instant, values: [Double])] {
    let slices = min(count, minutes.count)
    return (0..<slices).map { slice -> (start: Instant, values: [Double]) in
      let range: Range<Int> = slice * minutes.count / slices..<(slice + 1) * minutes.count / slices
      let busiest: [Double]? = minutes[range].max { $0.reduce(0, +) < $1.reduce(0, +) }
      return (.start + .minutes(Int64(range.lowerBound)), busiest ?? [])
    }
  }

  /// Returns thin lines between adjacent layers. A line is drawn only if both layers are high enough.
  private static func seams(_ columns: [[Double]], _ places: [Double], _ plot: Plot) -> [Markup] {
    // The minimum height of both layers adjacent to a line, in the plot's units.
    let minimum = 4 / plot.canvas.plotHeight * (plot.up?.high ?? 0)
    var path = ""
    for (index, column) in columns.enumerated() {
      var below = 0.0
      var isHigh = false
      for value in column {
        if isHigh, value >= minimum {
          path += "M\(place(plot.x(places[index]))) \(place(plot.y(below)))H\(place(plot.x(places[index + 1])))"
        }
        below += value
        if value > 0 { isHigh = value >= minimum }
      }
    }
    return path.isEmpty ? [] : [.path("seam", path)]
  }

  // MARK: Days of phones

  /// Returns a chart of the refreshes of several phones over a day. Each row is a phone, and each stroke is a refresh
  /// in the colour of its cause.
  static func days(of phones: [TypicalPhone], _ clock: Clock, zone: FleetZone?) -> Chart {
    let all = phones.flatMap { phone in phone.refreshes.map { (phone: phone, refresh: $0) } }
    return Chart(
      across: .time(clock, zone: zone),
      marks: phones.enumerated().map { index, phone in
        Mark { plot in
          let (canvas, top) = (plot.canvas, 45 * Double(index) + 8)
          let line = top + 36
          return [
            .label("label", canvas.left, top + 8, phone.words),
            .line("base", from: (canvas.left, line), to: (canvas.width - canvas.right, line)),
          ]
            + phone.refreshes.map {
              .rectangle($0.cause.style, x: plot.x($0.at.across) - 1, y: line - 20, width: 2, height: 20)
            }
        }
      },
      readings: Readings(
        clock, columns: ["refresh"],
        rows: all.sorted { $0.refresh.at < $1.refresh.at }.map { phone, refresh in
          (refresh.at, [.text("\(phone.name): \(refresh.cause.name)")])
        }), fit: { $0.high(45 * Double(phones.count) + 58) })
  }
}

extension TypicalPhone {
  /// The phone's name, such as `median phone`.
  var name: String { place == .p50 ? "median phone" : place == .p95 ? "p95 phone" : "busiest phone" }

  /// The row's label, such as `median phone, number 812: 43 refreshes`.
  var words: String { "\(name), number \(device): \(refreshes.count) refreshes" }
}

/// Returns a bar from 0 to the value, a line at the limit, and a thin line that covers the bracket and the interval.
/// The full width is twice the limit. The result is empty unless the limit is above 0.
func chipBar(value: Double?, limit: Double?, reaching ends: [Double]) -> [Markup] {
  guard let limit, limit > 0, let value, value >= 0 else { return [] }
  let (width, height) = (240.0, 14.0)
  let x = { (value: Double) in min(max(value / limit, 0), 2) / 2 * width }
  let reach = ends + [value]
  let (minimum, maximum) = (x(reach.min() ?? value), x(reach.max() ?? value))
  return [
    .tag(
      "svg", ["class": "bar", "viewBox": "0 0 \(place(width)) \(place(height))", "aria-hidden": "true"],
      [
        .rectangle("track", x: 0, y: 3, width: width, height: 8),
        .rectangle("filled", x: 0, y: 3, width: max(x(value), 1), height: 8),
      ]
        + (maximum - minimum >= 1 ? [.line("reach", from: (minimum, 7), to: (maximum, 7))] : [])
        + [.line("limit", from: (width / 2, 0), to: (width / 2, height))])
  ]
}

/// A row of a tornado chart: a name above a bar with a label at each end.
struct TornadoRow {
  var name: String
  /// The low end of the bar. If its text is empty, no label is drawn.
  var low: (value: Double, text: String)
  var high: (value: Double, text: String)
}

extension Chart {
  private static let tornadoRow = 46.0
  private static let tornadoTop = 24.0

  /// Returns a chart of horizontal bars around a line that marks the figure's own value.
  static func tornado(_ rows: [TornadoRow], own: (value: Double, text: String)) -> Chart {
    let values = rows.flatMap { [$0.low.value, $0.high.value] } + [own.value]
    let (low, high) = (values.min() ?? 0, values.max() ?? 0)
    let height = tornadoTop + tornadoRow * Double(rows.count) + 6
    return Chart(
      across: Axis(low...max(high, low.nextUp), title: "", lines: .none),
      marks: rows.indices.map { tornado(rows[$0], at: $0) } + [ownMark(own)],
      readings: Readings(
        direction: .down, columns: ["name", ""],
        rows: rows.enumerated().map { index, row in
          let ends = [row.low.text, row.high.text].filter { !$0.isEmpty }.joined(separator: ", ")
          return ((tornadoTop + tornadoRow * Double(index) + 28) / height, [.text(row.name), .text(ends)])
        }),
      fit: { canvas in
        var canvas = canvas.high(height)
        let margin = canvas.ticksAcross > 4 ? 170.0 : 118
        (canvas.left, canvas.right, canvas.top, canvas.bottom) = (margin, margin, tornadoTop, 6)
        return canvas
      })
  }

  private static func ownMark(_ own: (value: Double, text: String)) -> Mark {
    Mark { plot in
      let half = 4.4 * Double(own.text.displayWidth) + 2
      let x = plot.x(own.value)
      return [
        .line("mark", from: (x, plot.canvas.top - 4), to: (x, plot.canvas.baseline)),
        .label("middle", min(max(x, half), plot.canvas.width - half), 14, own.text),
      ]
    }
  }

  private static func tornado(_ row: TornadoRow, at index: Int) -> Mark {
    Mark { plot in
      let top = plot.canvas.top + tornadoRow * Double(index)
      let y = top + 30
      let (left, right) = (plot.x(row.low.value), plot.x(row.high.value))
      let ends = [
        row.low.text.isEmpty ? nil : Markup.label("label plain end", left - 6, y + 5, row.low.text),
        row.high.text.isEmpty ? nil : Markup.label("label plain", right + 6, y + 5, row.high.text),
      ].compactMap { $0 }
      return [
        .label("label", 4, top + 14, shortened(row.name, to: Int((plot.canvas.width - 8) / 9))),
        .rectangle("bar", x: left, y: y - 6, width: max(right - left, 1), height: 12),
      ] + ends
    }
  }
}
