import Scenario

/// A step for every hour of a local day, one line for each of several kinds.
struct HoursFigure: Drawing {
  struct Line {
    var name: String
    /// The class that colours it.
    var style: String
    /// By hour; nil: unknown, a gap.
    var values: [Double?]
  }

  var lines: [Line]
  var unit: String

  var height: Double? { 250 }

  var readings: Readings? {
    Readings(
      columns: ["hour"] + lines.map { lines.count > 1 ? $0.name + ", " + unit : unit },
      rows: (0..<24).map { hour in
        let cells = lines.map { line -> Readings.Cell in line.values[hour].map { .number($0) } ?? .text("unknown") }
        return ((Double(hour) + 0.5) / 24, [.text(TimeText.two(hour) + ":00")] + cells)
      })
  }

  func draw(_ canvas: Canvas) -> [Markup] {
    let values = lines.flatMap { $0.values.compactMap { $0 } }
    let (least, most) = (min(values.min() ?? 0, 0), max(values.max() ?? 0, 0))
    let axis = Axis(reaching: max(most, -least))
    // Balances may be below 0: as many steps as they need, on either side.
    let (below, above) = ((-least / axis.step).rounded(.up), max((most / axis.step).rounded(.up), 1))
    let fraction = { (value: Double) in (value / axis.step + below) / (below + above) }
    let rows = (0...Int(below + above)).map { tick in
      let value = (Double(tick) - below) * axis.step
      return (fraction(value), Self.label(value))
    }
    let every = canvas.ticksAcross > 5 ? 3 : 6
    let hours = stride(from: 0, through: 24, by: every).flatMap { hour in
      canvas.columnTick(canvas.x(Double(hour) / 24), TimeText.two(hour) + ":00", room: 18)
    }
    return canvas.rows(rows, unit: unit) + hours + [axisTitle(canvas, "hour on the owner's clock")]
      + lines.map { line in
        .path("curve " + line.style, path(line.values.map { $0.map(fraction) }, canvas))
      }
  }

  private static func label(_ value: Double) -> String {
    value < 0 ? "−" + NumberText.trimmed(NumberText.fixed(-value, decimals: 2)) : Axis.label(value)
  }

  private func path(_ fractions: [Double?], _ canvas: Canvas) -> String {
    var path = ""
    var isPen = false
    for (hour, fraction) in fractions.enumerated() {
      guard let fraction else {
        isPen = false
        continue
      }
      let y = place(canvas.y(fraction))
      path += (isPen ? "L" : "M") + place(canvas.x(Double(hour) / 24)) + " " + y
      path += "L" + place(canvas.x(Double(hour + 1) / 24)) + " " + y
      isPen = true
    }
    return path
  }
}
