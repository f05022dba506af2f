/// Level bars, one below the other, each with its name and value.
struct BarFigure: Drawing {
  var bars: [(name: String, value: Double, text: String, style: String)]
  /// What fills the whole width; nil for the longest bar.
  var whole: Double?

  /// The height of a drawing that holds them.
  var height: Double? { Double(bars.count) * 44 + 12 }

  var readings: Readings? {
    Readings(
      direction: .down, columns: ["name", ""],
      rows: bars.enumerated().map { index, bar in
        ((Double(index) * 44 + 31) / (height ?? 1), [.text(bar.name), .text(bar.text)])
      })
  }

  func draw(_ canvas: Canvas) -> [Markup] {
    let longest = whole ?? bars.map(\.value).max() ?? 0
    return bars.enumerated().flatMap { index, bar -> [Markup] in
      let top = Double(index) * 44 + 6
      let length = longest > 0 ? bar.value / longest * (canvas.width - 8) : 0
      return [
        .label("label", 2, top + 13, bar.name),
        .label("end", canvas.width - 4, top + 13, bar.text),
        .rectangle("track", x: 2, y: top + 20, width: canvas.width - 6, height: 10),
        .rectangle(bar.style, x: 2, y: top + 20, width: length, height: 10),
      ]
    }
  }
}
