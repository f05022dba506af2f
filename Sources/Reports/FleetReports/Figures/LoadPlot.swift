import Scenario
import SimulationKernel
import Studies

/// A chart of the requests per second over time. The drawn range covers every window of every replication.
struct LoadPlot {
  var loads: [WindowedLoad]
  var scale: Scale
  var clock: Clock
  /// The capacity in each window, in requests per second. It is infinite if unlimited, and the array is empty if no
  /// line is drawn.
  var room: [Double] = []
  /// The events to mark on the load.
  var marks: [EventMark] = []
  /// The base load in each window, in requests per second, drawn below the fleet's load; empty if there is none.
  var base: [Double] = []
  /// The phones' requests per second in each window, if the main load is that of the servers. Empty if they are not
  /// drawn.
  var edge: [Double] = []
  /// The estimated peak of the whole fleet, if a sample is drawn. The sample's own peak is biased upwards by chance.
  var estimate: FleetPeak?
  /// The ranges of windows without data, for which no line is drawn.
  var unknown: [Range<Int>] = []
  /// The time zone of the clock; `nil` for UTC.
  var zone: FleetZone?
  /// The noise that sampling adds; `nil` to draw the unchanged counts of the windows.
  var noise: SampleNoise?
  /// The width of a slice in pixels. The script that replaces the drawing receives the data of every window.
  var pixelsOfColumn = 2.0

  /// An estimate of the peak in the headline window, in requests per second, with its 95 % interval.
  struct FleetPeak {
    var window: LoadWindow
    var rate: Double
    var interval: Interval
    /// The periods in which the peak may occur, most likely first; empty if they are unknown.
    var spans: [Range<Instant>] = []
  }

  /// A vertical slice of the drawing.
  struct Column: Hashable {
    var start: Instant
    var low: Double
    var mean: Double
    var high: Double
    /// The minimum capacity in the slice; infinite if unlimited.
    var room = Double.infinity
    /// Whether all windows in the slice have data.
    var isKnown = true
    /// The mean base load in the slice.
    var base = 0.0
    /// The highest rate of the phones' requests in the slice.
    var edge = 0.0
  }

  /// Returns at most `count` slices that together cover every window, so that no peak is lost.
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
      let (minimum, highest) = (parts.compactMap { $0.min() }.min() ?? 0, parts.compactMap { $0.max() }.max() ?? 0)
      let share = noise?.share(ofRates: parts.joined().lazy.map { rate(Double($0)) }, mean: mean, base: below)
      let drawn = { (count: Int64) in
        share.map { mean + $0 * (rate(Double(count)) - mean) } ?? rate(Double(count))
      }
      let maximum = share.flatMap { _ in estimate?.interval.high } ?? .infinity
      return Column(
        start: first.start(ofWindow: range.lowerBound), low: drawn(minimum), mean: mean,
        high: max(min(drawn(highest), maximum), mean),
        room: room.isEmpty ? .infinity : room[range].min() ?? .infinity,
        isKnown: !unknown.contains { $0.overlaps(range) },
        base: below, edge: edge.isEmpty ? 0 : edge[range].max() ?? 0)
    }
  }

  /// The rows of the table. There are at most 48 slices of equal length, which start at round times of day if possible.
  var rows: [Column] {
    let spans: [TimeAmount] = [
      .second, .seconds(10), .minute, .minutes(5), .minutes(15), .minutes(30), .hour, .hours(6), .day,
    ]
    let duration = clock.duration.milliseconds
    let fitting = spans.map(\.milliseconds).first { duration % $0 == 0 && duration / $0 <= 48 }
    return columns(atMost: fitting.map { Int(duration / $0) } ?? 48)
  }

  /// The busiest window across all replications (the first one if several tie).
  var peak: (start: Instant, rate: Double)? {
    let peaks = loads.compactMap { load in load.busiest.map { (load.start(ofWindow: $0), load.counts[$0]) } }
    return peaks.max { ($0.1, $1.0) < ($1.1, $0.0) }.map { ($0.0, rate(Double($0.1))) }
  }

  /// The peak rate, which is estimated if a sample is drawn and counted otherwise.
  var peakRate: Double { estimate?.rate ?? peak?.rate ?? 0 }

  /// The upper end of the vertical scale. It includes all windows, and also the capacity if that is at most three times
  /// as high.
  var height: Double {
    let maximum = showsCapacity ? 3 * (peak?.rate ?? 0) : 0
    // The scale must include all windows, both for the script and for the columns of the widest drawing.
    let highest = columns(atMost: Int(Canvas.wide.plotWidth / pixelsOfColumn)).map { column in
      max(column.high, column.room <= maximum ? column.room : 0, showsEdge ? column.edge : 0)
    }
    return max(highest.max() ?? 0, estimate?.interval.high ?? 0)
  }

  var chart: Chart {
    Chart(
      across: .time(clock, zone: zone), up: .reaching(height, title: "requests/s"),
      marks: [
        Mark(draw: layers), EventMark.spells(marks),
        course(band: "band", mean: "mean", limit: "capacity", pixels: pixelsOfColumn),
        Mark(draw: mark), EventMark.names(marks, beside: label),
      ],
      readings: Readings(
        clock, columns: ["mean requests/s", "min", "max"],
        rows: columns(atMost: 200).map { ($0.start, [$0.mean, $0.low, $0.high].map { .number($0) }) }))
  }

  /// Returns marks for the range from the quietest to the busiest window, the mean, and the capacity if it is close to
  /// the load. The marks have gaps where the load is unknown.
  ///
  /// - Parameter band: the CSS class for the range.
  /// - Parameter pixels: the width of a slice in pixels.
  func course(band: String, mean: String, limit: String, pixels: Double) -> Mark {
    Mark { plot in
      let columns = columns(atMost: Int(plot.canvas.plotWidth / pixels))
      let places = columns.map(\.start.across) + [end.across]
      let known = { (value: (Column) -> Double) in columns.map { $0.isKnown ? value($0) : nil } }
      let marks: [Mark] =
        [
          .steps(band, places, from: columns.map(\.low), to: known(\.high)), .steps(mean, places, known(\.mean)),
        ] + (showsCapacity ? [.steps(limit, places, columns.map(\.room))] : [])
      return marks.flatMap { $0.draw(plot) }
    }
  }

  /// Returns the layers behind and below the load. These are the phones' requests and the base load, on which the
  /// fleet's load is stacked.
  private func layers(_ plot: Plot) -> [Markup] {
    let columns = columns(atMost: Int(plot.canvas.plotWidth / pixelsOfColumn))
    let places = columns.map(\.start.across) + [end.across]
    let area = { (style: String, lower: (Column) -> Double, upper: (Column) -> Double) -> [Markup] in
      guard columns.contains(where: { upper($0) > lower($0) }) else { return [] }
      return Mark.steps(style, places, from: columns.map(lower), to: columns.map(upper)).draw(plot)
    }
    return area("edge-load", { _ in 0 }, \.edge) + area("fleet-load", \.base, \.mean)
      + area("base-load", { _ in 0 }, \.base)
  }

  /// Whether the phones' requests are close enough to the load to be drawn in full. Otherwise, they are cut off at the
  /// top.
  var showsEdge: Bool { (edge.max() ?? 0) <= 1.5 * (peak?.rate ?? 0) }

  /// Whether the capacity is close enough to the load to be drawn.
  var showsCapacity: Bool {
    guard let minimum = room.min(), minimum.isFinite, let peak else { return false }
    return minimum <= 3 * max(peak.rate, 1e-9)
  }

  /// The time at which the last complete window ends.
  var end: Instant { loads.first.map { $0.start(ofWindow: $0.counts.count) } ?? .start }

  private func mark(_ plot: Plot) -> [Markup] {
    guard let at = peakPlace, let label = label(plot) else { return [] }
    let x = plot.x(at.across)
    let isRight = label.right < x
    let dot = [
      Markup.circle("peak", x, plot.y(peakRate), radius: 4),
      .label(isRight ? "label end" : "label", isRight ? label.right : label.left, label.y, peakText(plot.canvas)),
    ]
    guard let estimate else { return dot }
    let (top, foot) = (plot.y(estimate.interval.high), plot.y(estimate.interval.low))
    let spans = peakTimes(plot).flatMap { times -> [Markup] in
      let (left, right, y) = (times.lowerBound, times.upperBound, plot.y(estimate.rate))
      return [
        .rectangle("peak-times", x: left, y: top, width: right - left, height: foot - top),
        .line("peak-line", from: (left, y), to: (right, y)),
      ]
    }
    return spans + [.line("peak-interval", from: (x, foot), to: (x, top))] + dot
  }

  /// Returns the periods in which the fleet's peak may occur, if they are wide enough to be visible.
  private func peakTimes(_ plot: Plot) -> [Range<Double>] {
    (estimate?.spans ?? []).compactMap { span in
      let (left, right) = (plot.x(span.lowerBound.across), plot.x(span.upperBound.across))
      return right - left > 8 ? left..<right : nil
    }
  }

  /// The position of the mark for the peak. It is the sample's peak if the fleet's peak may occur at that time, and the
  /// middle of the most likely period otherwise.
  private var peakPlace: Instant? {
    guard let peak, peak.rate > 0 else { return nil }
    guard let first = estimate?.spans.first, estimate?.spans.contains(where: { $0.contains(peak.start) }) == false
    else { return peak.start }
    let middle = first.lowerBound.millisecondsSinceStart + (first.upperBound - first.lowerBound).milliseconds / 2
    return Instant(millisecondsSinceStart: middle)
  }

  /// Returns the label of the peak, which is shortened for narrow drawings.
  func peakText(_ canvas: Canvas = .wide) -> String {
    // The busiest window of the sample, which is drawn, may not coincide with the fleet's peak.
    guard let peak, estimate == nil else { return peakName(canvas) }
    return peakName() + " at " + (zone?.time(peak.start, of: clock) ?? UTCTime(peak.start, of: clock)).time
  }

  /// Returns the label of the peak without its time.
  func peakName(_ canvas: Canvas = .wide) -> String {
    guard let estimate else { return NumberText.text(peakRate) + "/s" }
    let owner = canvas.width < Canvas.wide.width ? "" : "fleet over "
    return owner + estimate.window.name + ": " + NumberText.text(estimate.rate) + "/s"
  }

  /// Returns the position of the peak's label. Near the right edge of the drawing, the label is placed to the left of
  /// the mark.
  private func label(_ plot: Plot) -> EventMark.Label? {
    guard let at = peakPlace else { return nil }
    let x = plot.x(at.across)
    let top = peakTimes(plot).isEmpty ? peakRate : estimate?.interval.high ?? peakRate
    let y = max(plot.y(top) - 6, 14)
    let width = 8 * Double(peakText(plot.canvas).count)
    return x > plot.canvas.x(0.6)
      ? EventMark.Label(left: x - 9 - width, right: x - 9, y: y)
      : EventMark.Label(left: x + 9, right: x + 9 + width, y: y)
  }

  /// Converts a count of requests in a window to the fleet's requests per second.
  func rate(_ count: Double) -> Double {
    loads.first?.rate(ofFraction: count, scale: scale)?.approximate ?? 0
  }
}

/// The random variation between the windows of a sample in excess of the fleet's own variation (MODEL.md 8.1.13).
struct SampleNoise: Hashable {
  /// The number of the fleet's requests per second that one simulated request in a window represents.
  private let request: Double
  /// The fraction of devices that are simulated.
  private let part: Double

  /// Creates the noise of a sample; `nil` if every device is simulated.
  init?(_ window: LoadWindow, _ scale: Scale) {
    guard scale.isSample, let factor = RateFactor(window, scale) else { return nil }
    request = factor.rate(of: 1)
    part = Double(scale.simulated) / Double(scale.fleet)
  }

  /// Returns the fleet's deviations from the mean, as a fraction of the sample's deviations.
  ///
  /// - Parameter base: the part of the mean that is not due to the phones.
  func share(ofRates rates: some Sequence<Double>, mean: Double, base: Double) -> Double {
    var (sum, count) = (0.0, 0.0)
    for rate in rates {
      sum += (rate - mean) * (rate - mean)
      count += 1
    }
    guard sum > 0 else { return 1 }
    let (variance, noise) = (sum / count, request * max(mean - base, 0))
    return min(((max(variance - noise, 0) + noise * part) / variance).squareRoot(), 1)
  }
}
