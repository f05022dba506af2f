import SimulationKernel

/// The share of all that is at most a whole number, as a staircase over an axis from 0.
struct CumulativeFigure: Drawing {
  var histogram: CountHistogram
  /// What the horizontal axis measures.
  var title: String

  var readings: Readings? {
    let most = Int(Axis(reaching: Double(max(histogram.maximum ?? 1, 1)), wholeNumbers: true).upper)
    let step = max(1, (most + 199) / 200)
    let total = Double(max(histogram.total, 1))
    return Readings(
      columns: [title, "% of all"],
      rows: stride(from: 0, through: most, by: step).map { value in
        let below = histogram.counts.prefix(value + 1).reduce(0, +)
        return (
          min((Double(value) + 0.5) / Double(most), 1),
          [.text("\(value) or fewer"), .number(Double(below) / total * 100)]
        )
      })
  }

  func draw(_ canvas: Canvas) -> [Markup] {
    let share = Axis(reaching: 100)
    let values = Axis(
      reaching: Double(max(histogram.maximum ?? 1, 1)), ticks: canvas.ticksAcross, wholeNumbers: true)
    let total = Double(max(histogram.total, 1))
    var below: Int64 = 0
    let heights = (0...Int(values.upper)).map { value -> Double in
      below += value < histogram.counts.count ? histogram.counts[value] : 0
      return canvas.y(share.fraction(Double(below) / total * 100))
    }
    let places = (0...Int(values.upper) + 1).map { canvas.x(min(values.fraction(Double($0)), 1)) }
    return share.rows(canvas, unit: "% of all, at most so often") + values.columns(canvas, title: title)
      + [.path("curve series-0", StepPath.line(places, heights))]
  }
}
