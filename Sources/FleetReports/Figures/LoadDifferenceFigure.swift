import SimulationKernel
import Studies

/// What a run's load has more or less than a base's over time, window by window within each pair of replications; every
/// window of every pair lies inside the drawn range.
struct LoadDifferenceFigure: Drawing {
  private let base: LoadFigure
  private let new: LoadFigure
  /// By pair of replications, then window: requests per second.
  private let differences: [[Double]]

  /// nil where the two do not have the same windows, and where nothing differs.
  init?(_ base: LoadFigure, _ new: LoadFigure) {
    guard let first = base.loads.first, let other = new.loads.first, first.window == other.window,
      let before = RateFactor(first.window, base.scale), let after = RateFactor(other.window, new.scale)
    else { return nil }
    let pairs = zip(base.loads, new.loads)
    guard pairs.allSatisfy({ $0.counts.count == $1.counts.count && !$0.counts.isEmpty }) else { return nil }
    differences = pairs.map { base, new in
      zip(base.counts, new.counts).map { after.rate(of: Double($1)) - before.rate(of: Double($0)) }
    }
    guard differences.contains(where: { $0.contains { $0 != 0 } }) else { return nil }
    (self.base, self.new) = (base, new)
  }

  /// One upright slice of the drawing.
  struct Column: Hashable {
    var start: Instant
    var low: Double
    var mean: Double
    var high: Double
  }

  /// At most `count` slices that together hold every window.
  func columns(atMost count: Int) -> [Column] {
    let windows = differences[0].count
    let slices = min(count, windows)
    return (0..<slices).map { slice in
      let range = slice * windows / slices..<(slice + 1) * windows / slices
      let parts = differences.map { $0[range] }
      let sum = parts.reduce(0) { $0 + $1.reduce(0, +) }
      return Column(
        start: base.loads[0].start(ofWindow: range.lowerBound), low: parts.compactMap { $0.min() }.min() ?? 0,
        mean: sum / Double(range.count * parts.count), high: parts.compactMap { $0.max() }.max() ?? 0)
    }
  }

  /// The window with the largest difference to either side, averaged over the pairs.
  var largest: (start: Instant, rate: Double) {
    let means = differences[0].indices.map { window in
      differences.reduce(0) { $0 + $1[window] } / Double(differences.count)
    }
    let index = means.indices.max { (means[$0].magnitude, $1) < (means[$1].magnitude, $0) } ?? 0
    return (base.loads[0].start(ofWindow: index), means[index])
  }

  var readings: Readings? {
    let time = TimeAxis(clock: base.clock)
    return Readings(
      columns: ["time", "requests/s more on average", "at the least", "at the most"],
      rows: columns(atMost: 200).map { column in
        (
          time.fraction(column.start),
          [Readings.time(column.start, startingAt: base.clock.startUnixMilliseconds)]
            + [column.mean, column.low, column.high].map { .number($0) }
        )
      })
  }

  func draw(_ canvas: Canvas) -> [Markup] {
    let columns = columns(atMost: Int(canvas.plotWidth))
    let axis = RangeAxis(over: columns.flatMap { [$0.low, $0.high] }, hasZero: true)
    let time = TimeAxis(clock: base.clock)
    let end = base.loads[0].start(ofWindow: differences[0].count)
    let places = (columns.map(\.start) + [end]).map { canvas.x(time.fraction($0)) }
    let y = { (value: Double) in canvas.y(axis.fraction(value)) }
    let zeros = columns.map { _ in y(0) }
    let area = { (style: String, edge: (Column) -> Double) in
      Markup.path(style, StepPath.area(places, upper: columns.map { y(edge($0)) }, lower: zeros))
    }
    let marks = (base.marks + new.marks).withoutRepetitions
    return axis.rows(canvas, unit: "requests/s more than the base", label: Self.label)
      + EventMark.spells(marks, canvas, time) + [
        .path("spread", StepPath.area(places, upper: columns.map { y($0.high) }, lower: columns.map { y($0.low) })),
        area("more") { max($0.mean, 0) }, area("fewer") { min($0.mean, 0) },
        .line("zero", from: (canvas.x(0), y(0)), to: (canvas.x(1), y(0))),
      ] + EventMark.names(marks, canvas, time) + time.columns(canvas)
  }

  /// A difference on the scale.
  private static func label(_ value: Double, _ more: Int) -> String {
    (value < 0 ? "−" : value > 0 ? "+" : "") + Axis.label(value.magnitude, more: more)
  }
}
