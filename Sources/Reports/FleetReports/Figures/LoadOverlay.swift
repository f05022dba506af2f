import SimulationKernel
import Studies

/// A chart of the loads of several runs over the same period. Each band covers every window of every replication.
struct OverlayPlot {
  struct Run {
    /// The index of the run's colour.
    var colour: Int
    var load: LoadPlot
  }

  /// The runs, starting with the base run.
  var runs: [Run]

  /// Whether the runs have different capacities. If so, each capacity is drawn in the colour of its run.
  var limitsDiffer: Bool {
    let rooms = runs.map(\.load).filter(\.showsCapacity).map(\.room)
    return rooms.contains { $0 != rooms[0] }
  }

  /// The number of colours available.
  static let colours = 8

  /// The event marks of all runs, without duplicates.
  var marks: [EventMark] { runs.flatMap(\.load.marks).withoutRepetitions }

  /// - Precondition: there is at least one run.
  var chart: Chart {
    let layers = runs.flatMap { run -> [Mark] in
      let (load, colour) = (run.load, run.colour % Self.colours)
      let limit = limitsDiffer ? "limit series-\(colour)" : "capacity"
      return [load.course(band: "overlay tint-\(colour)", mean: "outline series-\(colour)", limit: limit, pixels: 1)]
    }
    let peaks = Mark { plot in
      runs.compactMap { run in
        guard let peak = run.load.peak, peak.rate > 0 else { return nil }
        let style = "spot tint-\(run.colour % Self.colours)"
        return .circle(style, plot.x(peak.start.across), plot.y(peak.rate), radius: 4.5)
      }
    }
    return Chart(
      across: .time(runs[0].load.clock), up: .reaching(runs.map(\.load.height).max() ?? 0, title: "requests/s"),
      marks: [EventMark.spells(marks)] + layers + [peaks, EventMark.names(marks)])
  }
}

/// The difference between a run's load and the base run's load over time. The drawn range covers every window of every
/// pair of replications.
struct LoadDifference {
  private let base: LoadPlot
  private let new: LoadPlot
  /// The differences in requests per second, by pair of replications and then by window.
  private let differences: [[Double]]

  /// Creates the difference; `nil` if the runs use different windows or have equal loads.
  init?(_ base: LoadPlot, _ new: LoadPlot) {
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

  /// A vertical slice of the drawing.
  struct Column: Hashable {
    var start: Instant
    var low: Double
    var mean: Double
    var high: Double
  }

  /// Returns at most `count` slices, which together cover every window.
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

  /// The window with the largest difference in either direction, averaged over the pairs of replications.
  var largest: (start: Instant, rate: Double) {
    let means = differences[0].indices.map { window in
      differences.reduce(0) { $0 + $1[window] } / Double(differences.count)
    }
    let index = means.indices.max { (means[$0].magnitude, $1) < (means[$1].magnitude, $0) } ?? 0
    return (base.loads[0].start(ofWindow: index), means[index])
  }

  var chart: Chart {
    let marks = (base.marks + new.marks).withoutRepetitions
    let areas = Mark { plot in
      let columns = columns(atMost: Int(plot.canvas.plotWidth))
      let places = columns.map(\.start.across) + [base.end.across]
      let zeros = columns.map { _ in 0.0 }
      return [
        Mark.steps("spread", places, from: columns.map(\.low), to: columns.map(\.high)),
        .steps("more", places, from: zeros, to: columns.map { max($0.mean, 0) }),
        .steps("fewer", places, from: zeros, to: columns.map { min($0.mean, 0) }),
      ].flatMap { $0.draw(plot) }
    }
    return Chart(
      across: .time(base.clock),
      up: Axis(over: differences.flatMap { $0 }, hasZero: true, title: "requests/s above the base") {
        ($0 > 0 ? "+" : "") + Axis.label($0, more: $1)
      },
      marks: [EventMark.spells(marks), areas, .rule("zero", y: 0), EventMark.names(marks)],
      readings: Readings(
        base.clock, columns: ["mean difference in requests/s", "min", "max"],
        rows: columns(atMost: 200).map { ($0.start, [$0.mean, $0.low, $0.high].map { .number($0) }) }))
  }
}
