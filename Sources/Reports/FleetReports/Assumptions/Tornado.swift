/// A row of a tornado: a name above a bar from the lowest to the highest value, both with their texts.
struct TornadoRow {
  var name: String
  /// Empty texts are not drawn.
  var low: (value: Double, text: String)
  var high: (value: Double, text: String)
}

extension Chart {
  private static let tornadoRow = 46.0
  private static let tornadoTop = 24.0

  /// Returns horizontal bars around a line at the figure's own value.
  static func tornado(_ rows: [TornadoRow], own: (value: Double, text: String)) -> Chart {
    let values = rows.flatMap { [$0.low.value, $0.high.value] } + [own.value]
    let (low, high) = (values.min() ?? 0, values.max() ?? 0)
    let height = tornadoTop + tornadoRow * Double(rows.count) + 6
    return Chart(
      across: Axis(low...max(high, low.nextUp), title: "", lines: .none),
      marks: rows.indices.map { tornado(rows[$0], at: $0) } + [ownMark(own)],
      readings: Readings(
        direction: .down, columns: ["name", ""],
        rows: rows.enumerated().map { index, row in
          let ends = [row.low.text, row.high.text].filter { !$0.isEmpty }.joined(separator: ", ")
          return ((tornadoTop + tornadoRow * Double(index) + 28) / height, [.text(row.name), .text(ends)])
        }),
      fit: { canvas in
        var canvas = canvas.high(height)
        let margin = canvas.ticksAcross > 4 ? 170.0 : 118
        (canvas.left, canvas.right, canvas.top, canvas.bottom) = (margin, margin, tornadoTop, 6)
        return canvas
      })
  }

  private static func ownMark(_ own: (value: Double, text: String)) -> Mark {
    Mark { plot in
      let half = 4.4 * Double(own.text.displayWidth) + 2
      let x = plot.x(own.value)
      return [
        .line("mark", from: (x, plot.canvas.top - 4), to: (x, plot.canvas.baseline)),
        .label("middle", min(max(x, half), plot.canvas.width - half), 14, own.text),
      ]
    }
  }

  private static func tornado(_ row: TornadoRow, at index: Int) -> Mark {
    Mark { plot in
      let top = plot.canvas.top + tornadoRow * Double(index)
      let y = top + 30
      let (left, right) = (plot.x(row.low.value), plot.x(row.high.value))
      let name = shortened(row.name, to: Int((plot.canvas.width - 8) / 9))
      let ends = [
        row.low.text.isEmpty ? nil : Markup.label("label plain end", left - 6, y + 5, row.low.text),
        row.high.text.isEmpty ? nil : Markup.label("label plain", right + 6, y + 5, row.high.text),
      ].compactMap { $0 }
      return [
        .label("label", 4, top + 14, name),
        .rectangle("bar", x: left, y: y - 6, width: max(right - left, 1), height: 12),
      ] + ends
    }
  }
}
