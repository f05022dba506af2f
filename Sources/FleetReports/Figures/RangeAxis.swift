/// A scale between two round numbers that enclose all values, with round ticks; 0 lies on it where it is not far.
struct RangeAxis {
  let low: Double
  let high: Double
  let step: Double

  /// - Parameter hasZero: whether 0 lies on it however far it is.
  /// - Parameter empty: the most of it that is empty for 0 to lie on it, as a share.
  init(over values: [Double], ticks: Int = 5, hasZero: Bool = false, empty: Double = 0.5) {
    let known = values.filter(\.isFinite)
    var (least, most) = (known.min() ?? 0, known.max() ?? 0)
    if hasZero || least > 0 && least < most * empty { least = min(least, 0) }
    if hasZero || most < 0 && most > least * empty { most = max(most, 0) }
    if least == most {
      let room = max(least.magnitude / 10, 1e-6)
      (least, most) = (least > 0 ? max(least - room, 0) : least - room, most + room)
    }
    // Of values that differ by less than their digits tell, no tick is counted from 0.
    let digits = max(least.magnitude, most.magnitude) * 1e-12
    step = Axis.roundStep(max((most - least) / Double(max(ticks, 1)), digits))
    low = (least / step).rounded(.down) * step
    high = (most / step).rounded(.up) * step
  }

  /// The fraction of the axis at which a value lies.
  func fraction(_ value: Double) -> Double { (value - low) / (high - low) }

  var ticks: [Double] {
    // From whole numbers of steps, so that 0 is 0.
    let first = Int((low / step).rounded())
    return (first...max(first, Int((high / step).rounded()))).map { Double($0) * step }
  }

  /// Horizontal lines with their labels, and what they measure above them.
  func rows(_ canvas: Canvas, unit: String, label: TickText.Label) -> [Markup] {
    canvas.rows(Array(zip(ticks.map(fraction), TickText.labels(ticks, label))), unit: unit)
  }

  /// Upright lines with labels below the plot, and what they measure.
  ///
  /// - Parameter every: how many lines share one label, where there is little room.
  func columns(_ canvas: Canvas, title: String, every: Int = 1, label: TickText.Label) -> [Markup] {
    let ticks = ticks
    let texts = TickText.labels(ticks, label).enumerated().map { $0.offset % every == 0 ? $0.element : "" }
    let lines = zip(ticks, texts).flatMap { tick, text -> [Markup] in
      let x = canvas.x(fraction(tick))
      return [
        .line(tick == low ? "base" : "grid", from: (x, canvas.top), to: (x, canvas.baseline)),
        canvas.columnLabel(x, text, room: max(16, 4 * Double(text.count))),
      ]
    }
    return lines + [axisTitle(canvas, title)]
  }
}
