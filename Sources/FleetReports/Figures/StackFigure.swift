import Scenario
import SimulationKernel

/// Requests per second by cause, one on top of the other; each column shows the busiest minute that falls into it.
struct StackFigure: Drawing {
  /// Requests per second by minute, then by layer.
  var minutes: [[Double]]
  /// The class that colours each layer, from the baseline up.
  var classes: [String]
  var clock: Clock
  /// What each layer is.
  var names: [String] = []

  var readings: Readings? {
    let time = TimeAxis(clock: clock)
    return Readings(
      columns: ["time"] + names + ["requests/s in all"],
      rows: columns(atMost: 219).map { column in
        (
          time.fraction(column.start),
          [Readings.time(column.start, startingAt: clock.startUnixMilliseconds)]
            + column.values.prefix(names.count).map { .number($0) } + [.number(column.values.reduce(0, +))]
        )
      })
  }

  func draw(_ canvas: Canvas) -> [Markup] {
    let columns = columns(atMost: Int(canvas.plotWidth / 4))
    let axis = Axis(reaching: columns.map { $0.values.reduce(0, +) }.max() ?? 0)
    let time = TimeAxis(clock: clock)
    let end = Instant.start + min(.minutes(Int64(minutes.count)), clock.duration)
    let places = columns.map { canvas.x(time.fraction($0.start)) } + [canvas.x(time.fraction(end))]
    var lower = columns.map { _ in canvas.y(0) }
    var sums = columns.map { _ in 0.0 }
    var layers: [Markup] = []
    for layer in classes.indices {
      for index in columns.indices { sums[index] += columns[index].values[layer] }
      let upper = sums.map { canvas.y(axis.fraction($0)) }
      layers.append(
        .path(classes[layer], StepPath.area(places, upper: upper, lower: lower)))
      lower = upper
    }
    return axis.rows(canvas, unit: "requests/s") + layers + time.columns(canvas)
  }

  /// Slices of whole minutes, each with the values of its busiest one.
  private func columns(atMost count: Int) -> [(start: Instant, values: [Double])] {
    let slices = min(count, minutes.count)
    return (0..<slices).map { slice -> (start: Instant, values: [Double]) in
      let range: Range<Int> = slice * minutes.count / slices..<(slice + 1) * minutes.count / slices
      let busiest: [Double]? = minutes[range].max { $0.reduce(0, +) < $1.reduce(0, +) }
      return (.start + .minutes(Int64(range.lowerBound)), busiest ?? [])
    }
  }
}
