/// Upright bars above and below 0, each before the range in which chance alone leaves it in 95 of 100 cases.
struct DeviationFigure: Drawing {
  struct Bar {
    var name: String
    var value: Double
    /// Half of the range.
    var chance: Double
  }

  var bars: [Bar]
  /// What is across, and what is up.
  var title: String
  var unit: String
  var label: TickText.Label

  func draw(_ canvas: Canvas) -> [Markup] {
    let axis = RangeAxis(over: bars.flatMap { [$0.value, $0.chance, -$0.chance] }, ticks: 5, hasZero: true)
    let width = canvas.plotWidth / Double(max(bars.count, 1))
    let y = { (value: Double) in canvas.y(axis.fraction(value)) }
    let drawn = bars.enumerated().flatMap { index, bar -> [Markup] in
      let x = canvas.left + Double(index) * width
      let (top, foot) = (min(y(bar.value), y(0)), max(y(bar.value), y(0)))
      return [
        .rectangle("effect pale", x: x, y: y(bar.chance), width: width, height: y(-bar.chance) - y(bar.chance)),
        .rectangle("bar", x: x + width * 0.2, y: top, width: width * 0.6, height: max(foot - top, 1)),
      ]
    }
    let every = [1, 2, 3, 4, 6, 8, 12].first { bars.count <= $0 * canvas.ticksAcross } ?? max(bars.count, 1)
    let names = stride(from: 0, to: bars.count, by: every).map { index in
      canvas.columnLabel(canvas.left + (Double(index) + 0.5) * width, bars[index].name)
    }
    let zero = Markup.line("zero", from: (canvas.left, y(0)), to: (canvas.width - canvas.right, y(0)))
    return axis.rows(canvas, unit: unit, label: label) + drawn + [zero] + names + [axisTitle(canvas, title)]
  }
}
