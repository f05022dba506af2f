import SimulationKernel
import Studies

/// The loads of several runs of one period over each other; every window of every replication lies inside its run's band.
struct OverlayFigure: Drawing {
  struct Run {
    /// Its place among the colours.
    var colour: Int
    var load: LoadFigure
  }

  /// The base first.
  var runs: [Run]

  /// Whether the runs that have a capacity have different ones: then each is drawn in its run's colour.
  var limitsDiffer: Bool {
    let rooms = runs.map(\.load).filter(\.showsRoom).map(\.room)
    return rooms.contains { $0 != rooms[0] }
  }

  /// How many colours there are.
  static let colours = 8

  func draw(_ canvas: Canvas) -> [Markup] {
    guard let first = runs.first else { return [] }
    let time = TimeAxis(clock: first.load.clock)
    let drawn = runs.map { ($0.load, $0.load.columns(atMost: Int(canvas.plotWidth))) }
    let axis = Axis(reaching: drawn.map { height(of: $1, $0) }.max() ?? 0)
    let layers = drawn.indices.flatMap { layer($0, drawn[$0].1, axis, time, canvas) }
    let limits = drawn.indices.filter { drawn[$0].0.showsRoom }.map { limit($0, drawn[$0].1, axis, time, canvas) }
    return axis.rows(canvas, unit: "requests/s") + EventMark.spells(marks, canvas, time) + layers + limits
      + runs.indices.compactMap { peak($0, axis, time, canvas) } + EventMark.names(marks, canvas, time)
      + time.columns(canvas)
  }

  /// Marks of all runs, each once.
  var marks: [EventMark] { runs.flatMap(\.load.marks).withoutRepetitions }

  /// What the drawing of one load must reach: its peak, and its room where that is near.
  private func height(of columns: [LoadFigure.Column], _ load: LoadFigure) -> Double {
    let most = load.showsRoom ? 3 * (load.peak?.rate ?? 0) : 0
    return columns.map { max($0.high, $0.room <= most ? $0.room : 0) }.max() ?? 0
  }

  private func layer(
    _ index: Int, _ columns: [LoadFigure.Column], _ axis: Axis, _ time: TimeAxis, _ canvas: Canvas
  ) -> [Markup] {
    let places = places(columns, runs[index].load, time, canvas)
    let heights = { (value: (LoadFigure.Column) -> Double) in columns.map { canvas.y(axis.fraction(value($0))) } }
    let (high, mean, low) = (heights(\.high), heights(\.mean), heights(\.low))
    let colour = runs[index].colour % Self.colours
    let stretches = Self.stretches(columns)
    let areas = stretches.map { own in
      StepPath.area(Array(places[own.lowerBound...own.upperBound]), upper: Array(high[own]), lower: Array(low[own]))
    }
    let lines = stretches.map { StepPath.line(Array(places[$0.lowerBound...$0.upperBound]), Array(mean[$0])) }
    return [
      .path("overlay tint-\(colour)", areas.joined()), .path("outline series-\(colour)", lines.joined()),
    ]
  }

  /// Runs of columns that are known.
  private static func stretches(_ columns: [LoadFigure.Column]) -> [Range<Int>] {
    columns.indices.filter { columns[$0].isKnown }.reduce(into: []) { stretches, index in
      if let last = stretches.last, last.upperBound == index {
        stretches[stretches.count - 1] = last.lowerBound..<index + 1
      } else {
        stretches.append(index..<index + 1)
      }
    }
  }

  private func limit(
    _ index: Int, _ columns: [LoadFigure.Column], _ axis: Axis, _ time: TimeAxis, _ canvas: Canvas
  ) -> Markup {
    let heights = columns.map { canvas.y(axis.fraction(min($0.room, axis.upper))) }
    let style = limitsDiffer ? "limit series-\(runs[index].colour % Self.colours)" : "capacity"
    return .path(style, StepPath.line(places(columns, runs[index].load, time, canvas), heights))
  }

  /// The starts of the columns, and the end of the last one.
  private func places(
    _ columns: [LoadFigure.Column], _ load: LoadFigure, _ time: TimeAxis, _ canvas: Canvas
  ) -> [Double] {
    let end = load.loads.first.map { $0.start(ofWindow: $0.counts.count) } ?? .start
    return (columns.map(\.start) + [end]).map { canvas.x(time.fraction($0)) }
  }

  private func peak(_ index: Int, _ axis: Axis, _ time: TimeAxis, _ canvas: Canvas) -> Markup? {
    guard let peak = runs[index].load.peak, peak.rate > 0 else { return nil }
    return .circle(
      "spot tint-\(runs[index].colour % Self.colours)", canvas.x(time.fraction(peak.start)),
      canvas.y(axis.fraction(peak.rate)), radius: 4.5)
  }
}
