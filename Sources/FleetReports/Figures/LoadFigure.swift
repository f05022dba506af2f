import Scenario
import SimulationKernel
import Studies

/// Requests per second over time, every window of every replication inside the drawn range.
struct LoadFigure: Drawing {
  var loads: [WindowedLoad]
  var scale: Scale
  var clock: Clock
  /// By window: what there is room for, requests per second; infinite without a limit; empty for no line.
  var room: [Double] = []
  /// What happened meanwhile.
  var marks: [EventMark] = []
  /// By window: the base load below that of the fleet, requests per second; empty without one.
  var base: [Double] = []
  /// By window: what the phones send to where this load comes from, requests per second; empty: not drawn.
  var edge: [Double] = []
  /// The peak of the fleet, where a sample is drawn, whose own peak is higher by chance.
  var estimate: FleetPeak?
  /// Windows of which nothing is known: no line is drawn there.
  var unknown: [Range<Int>] = []
  /// By whose clock it is drawn; `nil` for UTC.
  var zone: FleetZone?
  /// What a sample adds to the fleet's windows; `nil`: the windows are drawn as they were counted.
  var noise: SampleNoise?
  /// How wide a slice of the drawing is: a script that draws in its place has every window.
  var pixelsOfColumn = 2.0

  /// An estimated peak in the headline's window, in requests per second, with its 95 % interval.
  struct FleetPeak {
    var window: LoadWindow
    var rate: Double
    var interval: Interval
    /// The spans in which it may come, the surest first; empty: unknown.
    var spans: [Range<Instant>] = []
  }

  /// One upright slice of the drawing.
  struct Column: Hashable {
    var start: Instant
    var low: Double
    var mean: Double
    var high: Double
    /// The least room; infinite without a limit.
    var room = Double.infinity
    /// Whether all its windows are known.
    var isKnown = true
    /// The mean of the base load.
    var base = 0.0
    /// The highest of what the phones send.
    var edge = 0.0
  }

  /// At most `count` slices that together hold every window: none is dropped, so no peak is lost.
  func columns(atMost count: Int) -> [Column] {
    guard let first = loads.first, !first.counts.isEmpty else { return [] }
    let windows = first.counts.count
    let slices = min(count, windows)
    let factor = RateFactor(first.window, scale)
    let rate = { (count: Double) in factor?.rate(of: count) ?? 0 }
    return (0..<slices).map { slice in
      let range = slice * windows / slices..<(slice + 1) * windows / slices
      let parts = loads.map { $0.counts[range] }
      let sum = parts.reduce(0) { $0 + $1.reduce(0, +) }
      let mean = rate(Double(sum) / Double(range.count * loads.count))
      let below = base.isEmpty ? 0 : base[range].reduce(0, +) / Double(range.count)
      let (least, highest) = (parts.compactMap { $0.min() }.min() ?? 0, parts.compactMap { $0.max() }.max() ?? 0)
      let share = noise?.share(ofRates: parts.joined().lazy.map { rate(Double($0)) }, mean: mean, base: below)
      let drawn = { (count: Int64) in
        share.map { mean + $0 * (rate(Double(count)) - mean) } ?? rate(Double(count))
      }
      let most = share.flatMap { _ in estimate?.interval.high } ?? .infinity
      return Column(
        start: first.start(ofWindow: range.lowerBound), low: drawn(least), mean: mean,
        high: max(min(drawn(highest), most), mean),
        room: room.isEmpty ? .infinity : room[range].min() ?? .infinity,
        isKnown: !unknown.contains { $0.overlaps(range) },
        base: below, edge: edge.isEmpty ? 0 : edge[range].max() ?? 0)
    }
  }

  /// The highest window of all replications, the first of equal ones.
  var peak: (start: Instant, rate: Double)? {
    let peaks = loads.compactMap { load in load.busiest.map { (load.start(ofWindow: $0), load.counts[$0]) } }
    return peaks.max { ($0.1, $1.0) < ($1.1, $0.0) }.map { ($0.0, rate(Double($0.1))) }
  }

  /// The peak as a figure: estimated where a sample is drawn, else counted.
  var peakRate: Double { estimate?.rate ?? peak?.rate ?? 0 }

  func draw(_ canvas: Canvas) -> [Markup] {
    let columns = columns(atMost: Int(canvas.plotWidth / pixelsOfColumn))
    // The room may raise the figure up to three times the load.
    let most = showsRoom ? 3 * (peak?.rate ?? 0) : 0
    let highest = columns.map { max($0.high, $0.room <= most ? $0.room : 0, showsEdge ? $0.edge : 0) }.max() ?? 0
    let axis = Axis(reaching: max(highest, estimate?.interval.high ?? 0))
    let time = TimeAxis(clock: clock, zone: zone)
    let places = columns.map { canvas.x(time.fraction($0.start)) } + [canvas.x(time.fraction(drawnEnd))]
    let heights = { (value: (Column) -> Double) in columns.map { canvas.y(axis.fraction(value($0))) } }
    let band = StepPath.area(places, upper: heights(\.high), lower: heights(\.low))
    let drawing: [Markup] = [
      .path("band", band),
      .path("mean", StepPath.line(places, heights(\.mean))),
    ]
    let limits = columns.map { canvas.y(axis.fraction(min($0.room, axis.upper))) }
    let limit: [Markup] = showsRoom ? [.path("capacity", StepPath.line(places, limits))] : []
    let height = { canvas.y(axis.fraction(min($0, axis.upper))) }
    return layers(columns, places, height, of: \.edge, "edge-load")
      + axis.rows(canvas, unit: "requests/s")
      + layers(columns, places, height, of: \.mean, above: \.base, "fleet-load")
      + layers(columns, places, height, of: \.base, "base-load") + EventMark.spells(marks, canvas, time)
      + drawing + limit
      + mark(canvas, axis, time) + EventMark.names(marks, canvas, time, beside: label(canvas, axis, time))
      + time.columns(canvas)
  }

  /// An area up to a value from a lower one, nothing beyond the figure; none where there is nothing of it.
  private func layers(
    _ columns: [Column], _ places: [Double], _ height: (Double) -> Double, of value: (Column) -> Double,
    above lower: (Column) -> Double = { _ in 0 }, _ style: String
  ) -> [Markup] {
    guard columns.contains(where: { value($0) > lower($0) }) else { return [] }
    let (upper, lower) = (columns.map { height(value($0)) }, columns.map { height(lower($0)) })
    return [.path(style, StepPath.area(places, upper: upper, lower: lower))]
  }

  /// Whether what the phones send is near enough to the load to be drawn whole; else it leaves the figure at its top.
  var showsEdge: Bool { (edge.max() ?? 0) <= 1.5 * (peak?.rate ?? 0) }

  var readings: Readings? {
    let time = TimeAxis(clock: clock)
    return Readings(
      columns: ["time", "requests/s on average", "at the least", "at the most"],
      rows: columns(atMost: 200).map { column in
        (
          time.fraction(column.start),
          [Readings.time(column.start, startingAt: clock.startUnixMilliseconds)]
            + [column.mean, column.low, column.high].map { .number($0) }
        )
      })
  }

  /// Whether the room is near enough to the load to be drawn with it.
  var showsRoom: Bool {
    guard let least = room.min(), least.isFinite, let peak else { return false }
    return least <= 3 * max(peak.rate, 1e-9)
  }

  /// The end of the last complete window.
  private var drawnEnd: Instant { loads.first.map { $0.start(ofWindow: $0.counts.count) } ?? .start }

  private func mark(_ canvas: Canvas, _ axis: Axis, _ time: TimeAxis) -> [Markup] {
    guard let at = peakPlace, let label = label(canvas, axis, time) else { return [] }
    let x = canvas.x(time.fraction(at))
    let isRight = label.right < x
    let y = { (rate: Double) in canvas.y(axis.fraction(rate)) }
    let name = Markup.label(
      isRight ? "label end" : "label", isRight ? label.right : label.left, label.y, peakText(canvas))
    guard let estimate else { return [.circle("peak", x, y(peakRate), radius: 4), name] }
    let spans = peakTimes(canvas, time).flatMap { times -> [Markup] in
      let (left, right) = (times.lowerBound, times.upperBound)
      return [
        .rectangle(
          "peak-times", x: left, y: y(estimate.interval.high), width: right - left,
          height: y(estimate.interval.low) - y(estimate.interval.high)),
        .line("peak-line", from: (left, y(estimate.rate)), to: (right, y(estimate.rate))),
      ]
    }
    let spread = Markup.line(
      "peak-interval", from: (x, y(estimate.interval.low)), to: (x, y(estimate.interval.high)))
    return spans + [spread, .circle("peak", x, y(peakRate), radius: 4), name]
  }

  /// Where the fleet's peak may come, as far as the drawing shows more of it than a point.
  private func peakTimes(_ canvas: Canvas, _ time: TimeAxis) -> [Range<Double>] {
    (estimate?.spans ?? []).compactMap { span in
      let ends = [span.lowerBound, span.upperBound].map { canvas.x(min(max(time.fraction($0), 0), 1)) }
      return ends[1] - ends[0] > 8 ? ends[0]..<ends[1] : nil
    }
  }

  /// Where the peak is marked: at the sample's own where the fleet's may come then, else in the middle of the surest span.
  private var peakPlace: Instant? {
    guard let peak, peak.rate > 0 else { return nil }
    guard let first = estimate?.spans.first, estimate?.spans.contains(where: { $0.contains(peak.start) }) == false
    else { return peak.start }
    let middle = first.lowerBound.millisecondsSinceStart + (first.upperBound - first.lowerBound).milliseconds / 2
    return Instant(millisecondsSinceStart: middle)
  }

  /// The peak's label, shorter where the drawing is narrow.
  func peakText(_ canvas: Canvas = .wide) -> String {
    // Drawn is the sample's own busiest window: its time is not that of the fleet's peak.
    guard let peak, estimate == nil else { return peakName(canvas) }
    return peakName() + " at " + (zone?.time(peak.start, of: clock) ?? UTCTime(peak.start, of: clock)).time
  }

  /// The peak's label without its time.
  func peakName(_ canvas: Canvas = .wide) -> String {
    guard let estimate else { return NumberText.text(peakRate) + "/s" }
    let owner = canvas.width < Canvas.wide.width ? "" : "fleet in "
    return owner + estimate.window.name + ": " + NumberText.text(estimate.rate) + "/s"
  }

  /// Where the peak's text stands: on its left in the right part of the drawing.
  private func label(_ canvas: Canvas, _ axis: Axis, _ time: TimeAxis) -> EventMark.Label? {
    guard let at = peakPlace else { return nil }
    let x = canvas.x(time.fraction(at))
    let top = peakTimes(canvas, time).isEmpty ? peakRate : estimate?.interval.high ?? peakRate
    let y = max(canvas.y(axis.fraction(top)) - 6, 14)
    let width = 8 * Double(peakText(canvas).count)
    return x > canvas.x(0.6)
      ? EventMark.Label(left: x - 9 - width, right: x - 9, y: y)
      : EventMark.Label(left: x + 9, right: x + 9 + width, y: y)
  }

  /// Requests per second of the fleet.
  func rate(_ count: Double) -> Double {
    loads.first?.rate(ofFraction: count, scale: scale)?.approximate ?? 0
  }
}
