import Scenario
import SimulationKernel
import Studies

/// Upright bars over bins of equal width, with named lines at some values.
struct HistogramFigure: Drawing {
  typealias Mark = (name: String, value: Double)

  /// The share of all values in each bin.
  var shares: [Double]
  /// The first value and the width of a bin.
  var origin: Double
  var width: Double
  var marks: [Mark]
  var title: String
  /// Numbers of bins from one label to the next that look round.
  var labelSteps = [1, 2, 5, 10, 20, 25, 50, 100]

  var readings: Readings? {
    Readings(
      columns: [title, "% of all"],
      rows: shares.indices.map { index in
        let from = origin + Double(index) * width
        let name = width > 1 ? Axis.label(from) + "–" + Axis.label(from + width - 1) : Axis.label(from)
        return ((Double(index) + 0.5) / Double(shares.count), [.text(name), .number(shares[index] * 100)])
      })
  }

  func draw(_ canvas: Canvas) -> [Markup] {
    let axis = Axis(reaching: (shares.max() ?? 0) * 100)
    let bars = shares.indices.filter { shares[$0] > 0 }.map { index in
      let from = canvas.x(Double(index) / Double(shares.count))
      let to = canvas.x(Double(index + 1) / Double(shares.count))
      let gap = to - from > 4 ? 1.0 : 0
      let top = min(canvas.y(axis.fraction(shares[index] * 100)), canvas.y(0) - 1)
      return Markup.rectangle("bar", x: from + gap / 2, y: top, width: to - from - gap, height: canvas.y(0) - top)
    }
    return axis.rows(canvas, unit: "% of all") + bars + marks.enumerated().flatMap { mark($1, at: $0, canvas) }
      + labels(canvas)
  }

  /// Labels under the middle of bins, as many as fit; round numbers where a bin holds several values.
  private func labels(_ canvas: Canvas) -> [Markup] {
    guard width <= 1 else { return roundLabels(canvas) + [axisTitle(canvas, title)] }
    let every = labelSteps.first { shares.count <= $0 * canvas.ticksAcross * 2 } ?? shares.count
    let texts = stride(from: 0, to: shares.count, by: every).map { index in
      canvas.columnLabel(canvas.x((Double(index) + 0.5) / Double(shares.count)), label(index))
    }
    return texts + [axisTitle(canvas, title)]
  }

  private func label(_ index: Int) -> String { Axis.label(origin + Double(index) * width) }

  private func roundLabels(_ canvas: Canvas) -> [Markup] {
    let range = width * Double(max(shares.count, 1))
    let axis = Axis(reaching: origin + range, ticks: 2 * canvas.ticksAcross)
    return axis.ticks.filter { $0 >= origin && $0 <= origin + range }.map { tick in
      canvas.columnLabel(canvas.x((tick - origin) / range), Axis.label(tick))
    }
  }

  private func mark(_ mark: Mark, at index: Int, _ canvas: Canvas) -> [Markup] {
    let fraction = (mark.value - origin + 0.5) / width / Double(max(shares.count, 1))
    let x = canvas.x(min(max(fraction, 0), 1))
    let y = canvas.top - 14 + Double(index) * 15
    let isRight = x > canvas.x(0.7)
    return [
      .line("mark", from: (x, y + 3), to: (x, canvas.y(0))),
      .label(isRight ? "label end" : "label", isRight ? x - 5 : x + 5, y + 8, mark.name),
    ]
  }
}

extension HistogramFigure {
  /// Shares of whole numbers in at most 80 bins.
  init(_ histogram: CountHistogram, title: String, marks: [Mark] = []) {
    let counts = histogram.counts
    let first = counts.firstIndex { $0 > 0 } ?? 0
    let last = histogram.maximum ?? 0
    let width = max(1, (last - first + 80) / 80)
    self.init(
      shares: stride(from: first, through: last, by: width).map { start in
        Double(counts[start..<min(start + width, counts.count)].reduce(0, +)) / Double(histogram.total)
      }, origin: Double(first), width: Double(width), marks: marks, title: title)
  }
}
