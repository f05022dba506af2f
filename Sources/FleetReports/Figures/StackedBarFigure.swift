/// Level bars of several parts, one below the other on a common scale, each with its name and value.
struct StackedBarFigure: Drawing {
  struct Bar {
    var name: String
    var text: String
    var parts: [(value: Double, style: String)]

    var length: Double { parts.reduce(0) { $0 + $1.value } }
  }

  var bars: [Bar]

  /// The height of a drawing that holds them.
  var height: Double? { Double(bars.count) * 48 + 12 }

  var readings: Readings? {
    Readings(
      direction: .down, columns: ["name", ""],
      rows: bars.enumerated().map { index, bar in
        ((Double(index) * 48 + 33) / (height ?? 1), [.text(bar.name), .text(bar.text)])
      })
  }

  func draw(_ canvas: Canvas) -> [Markup] {
    let longest = bars.map(\.length).max() ?? 0
    return bars.enumerated().flatMap { index, bar -> [Markup] in
      let top = Double(index) * 48 + 6
      return [
        .label("label", 2, top + 13, bar.name),
        .label("end", canvas.width - 4, top + 13, bar.text),
      ] + parts(of: bar, top: top + 20, scale: longest > 0 ? (canvas.width - 6) / longest : 0)
    }
  }

  private func parts(of bar: Bar, top: Double, scale: Double) -> [Markup] {
    var left = 2.0
    return bar.parts.map { part in
      let width = part.value * scale
      defer { left += width }
      return .rectangle(part.style, x: left, y: top, width: width, height: 14)
    }
  }
}
