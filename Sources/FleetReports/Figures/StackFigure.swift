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
  /// By whose clock; `nil` for UTC.
  var zone: FleetZone?
  /// Room above the highest column for names, as a share of it.
  var headroom = 0.0

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
    let axis = Axis(reaching: (columns.map { $0.values.reduce(0, +) }.max() ?? 0) * (1 + headroom))
    let time = TimeAxis(clock: clock, zone: zone)
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
    return axis.rows(canvas, unit: "requests/s") + layers + seams(columns, places, axis, canvas)
      + time.columns(canvas)
  }

  /// A layer's least height beside a thin line that sets it apart, in units of the drawing.
  private static let leastHeight = 4.0

  /// Thin lines between layers that lie on each other, where both have room for one.
  private func seams(
    _ columns: [(start: Instant, values: [Double])], _ places: [Double], _ axis: Axis, _ canvas: Canvas
  ) -> [Markup] {
    let least = Self.leastHeight / canvas.plotHeight * axis.upper
    var path = ""
    for (index, column) in columns.enumerated() {
      var below = 0.0
      var isHigh = false
      for value in column.values {
        if isHigh, value >= least {
          let y = canvas.y(axis.fraction(below))
          path += "M\(place(places[index])) \(place(y))H\(place(places[index + 1]))"
        }
        below += value
        if value > 0 { isHigh = value >= least }
      }
    }
    return path.isEmpty ? [] : [.path("seam", path)]
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
