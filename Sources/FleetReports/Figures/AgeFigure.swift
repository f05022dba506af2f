import Numerics
import SimulationKernel
import Studies

/// Shares of views up to an age, over a logarithmic axis of time with ticks at human spans.
struct AgeFigure: Drawing {
  struct Curve {
    var name: String
    /// The class that colours it.
    var style: String
    var ages: SpanBins
    /// The part of all that these are.
    var part = 1.0
  }

  var curves: [Curve]
  /// Ages from which on data counts as stale.
  var limits: [TimeAmount]
  var unit = "% of views"
  var title = "age of the data at the view, or less"

  func draw(_ canvas: Canvas) -> [Markup] {
    let time = SpanAxis(from: youngest, to: oldest)
    let share = Axis(reaching: 100)
    return share.rows(canvas, unit: unit) + time.columns(canvas, title: title)
      + limits.map { limit(at: $0, time, canvas) }
      + curves.map { line(of: $0, time, share, canvas) }
      + curves.indices.flatMap { label(at: $0, time, share, canvas) }
  }

  var readings: Readings? {
    let time = SpanAxis(from: youngest, to: oldest)
    let fractions = (0...80).map { Double($0) / 80 }
    let shares = curves.map { $0.ages.shares(upTo: fractions.map(time.seconds)) }
    return Readings(
      columns: ["age"] + curves.map { "% of the views of " + $0.name },
      rows: fractions.enumerated().map { index, fraction in
        let age = TimeText.seconds(time.seconds(fraction)) + " or younger"
        return (fraction, [.text(age)] + shares.map { .number($0[index] * 100) })
      })
  }

  /// The age that all but one in a hundred views of every kind exceed.
  private var youngest: Double { curves.compactMap { $0.ages.quantileSeconds(0.01) }.min() ?? 1 }
  private var oldest: Double { curves.compactMap { $0.ages.quantileSeconds(1) }.max() ?? 1 }

  private func line(of curve: Curve, _ time: SpanAxis, _ share: Axis, _ canvas: Canvas) -> Markup {
    let columns = Int(canvas.plotWidth / 2)
    let fractions = (0...columns).map { Double($0) / Double(columns) }
    let shares = curve.ages.shares(upTo: fractions.map(time.seconds)).map { $0 * curve.part }
    var path = ""
    var last = ""
    for (index, fraction) in fractions.enumerated() {
      let height = place(canvas.y(share.fraction(shares[index] * 100)))
      let isBend = height != last || index == columns || place(canvas.y(shares[index + 1])) != height
      if isBend { path += (path.isEmpty ? "M" : "L") + place(canvas.x(fraction)) + " " + height }
      last = height
    }
    return .path("curve " + curve.style, path)
  }

  /// The name beside its curve, at a height of its own; to the left, where curves of fresher data are above it.
  private func label(at index: Int, _ time: SpanAxis, _ share: Axis, _ canvas: Canvas) -> [Markup] {
    guard curves.count > 1, curves.count <= 6 else { return [] }
    let height = 0.75 - 0.5 * Double(index) / Double(curves.count - 1)
    guard let age = curves[index].ages.quantileSeconds(height) else { return [] }
    let x = canvas.x(time.fraction(age))
    let isRight = x > canvas.x(0.2)
    return [
      .label(
        isRight ? "label end" : "label", isRight ? x - 8 : x + 8,
        canvas.y(share.fraction(height * curves[index].part * 100)) + 4,
        curves[index].name)
    ]
  }

  private func limit(at limit: TimeAmount, _ time: SpanAxis, _ canvas: Canvas) -> Markup {
    let x = canvas.x(time.fraction(limit.seconds))
    return .line("mark", from: (x, canvas.top), to: (x, canvas.y(0)))
  }
}

/// A horizontal logarithmic axis of spans of time between two human ones.
struct SpanAxis {
  /// In seconds, ascending.
  let ticks: [Double]
  private let low: Double
  private let range: Double

  private static let spans: [Double] = [
    1, 10, 60, 600, 3_600, 21_600, 86_400, 604_800, 2_592_000, 31_536_000,
  ]

  init(from youngest: Double, to oldest: Double) {
    let first = min(Self.spans.lastIndex { $0 <= youngest } ?? 0, Self.spans.count - 2)
    let last = Self.spans.firstIndex { $0 >= oldest } ?? Self.spans.count - 1
    ticks = Array(Self.spans[first...max(last, first + 1)])
    low = SteadyMath.log(ticks[0])
    range = SteadyMath.log(ticks[ticks.count - 1]) - low
  }

  /// The fraction of the axis at which a span lies, within 0...1.
  func fraction(_ seconds: Double) -> Double {
    guard seconds > 0, range > 0 else { return 0 }
    return min(max((SteadyMath.log(seconds) - low) / range, 0), 1)
  }

  /// The span at a fraction of the axis.
  func seconds(_ fraction: Double) -> Double { SteadyMath.exp(low + fraction * range) }

  func columns(_ canvas: Canvas, title: String) -> [Markup] {
    let labels = ticks.flatMap { tick -> [Markup] in
      let x = canvas.x(fraction(tick))
      return [
        .line("grid", from: (x, canvas.top), to: (x, canvas.baseline)),
        canvas.columnLabel(x, TimeText.span(.milliseconds(Int64(tick * 1_000))), room: 18),
      ]
    }
    return labels + [axisTitle(canvas, title)]
  }
}
