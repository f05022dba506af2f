/// Level bars from a whole down to what is left of it, each where the one before it ends.
struct WaterfallFigure: Drawing {
  struct Bar {
    var name: String
    /// From where to where it reaches, in the unit of all.
    var from: Double
    var to: Double
    var text: String
    var style: String
  }

  var bars: [Bar]

  var height: Double? { Double(bars.count) * 38 + 10 }

  var readings: Readings? {
    Readings(
      direction: .down, columns: ["name", ""],
      rows: bars.enumerated().map { index, bar in
        ((Double(index) * 38 + 27) / (height ?? 1), [.text(bar.name), .text(bar.text)])
      })
  }

  func draw(_ canvas: Canvas) -> [Markup] {
    let most = bars.flatMap { [$0.from, $0.to] }.max() ?? 0
    let scale = most > 0 ? (canvas.width - 8) / most : 0
    return bars.enumerated().flatMap { index, bar -> [Markup] in
      let top = Double(index) * 38 + 6
      let (low, high) = (max(min(bar.from, bar.to), 0), max(bar.from, bar.to))
      return [
        .label("label", 2, top + 11, bar.name),
        .label("end", canvas.width - 4, top + 11, bar.text),
        .rectangle("track", x: 2, y: top + 17, width: canvas.width - 6, height: 9),
        .rectangle(bar.style, x: 2 + low * scale, y: top + 17, width: max((high - low) * scale, 1), height: 9),
      ]
    }
  }
}
