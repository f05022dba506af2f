/// Values with their intervals around 0, one below the other: right of the line is more, left of it is less.
struct ForestFigure: Drawing {
  struct Row {
    var name: String
    var value: Double
    /// nil where nothing can be said of chance.
    var low: Double?
    var high: Double?
    /// The value in words, and with its interval where there is room.
    var text: String
    var longText: String
    /// Whether it is drawn pale: its interval holds 0, or the sample does not resolve it.
    var isPale = false
  }

  var rows: [Row]
  /// What the scale measures.
  var title: String
  var label: TickText.Label
  /// Values beyond it are drawn at its end, as an arrow.
  var limit = Double.infinity
  /// Whether a bar reaches from 0 to each value.
  var hasBars = false

  private static let rowHeight = 44.0
  private static let margin = 12.0

  /// The height of a drawing that holds them.
  var height: Double? { Double(rows.count) * Self.rowHeight + 62 }

  /// The scale: it holds all values within the limit, with their intervals as far as these are not much longer.
  var axis: RangeAxis {
    let values = rows.map { min(max($0.value, -limit), limit) }
    let reach = 2 * (values.map(\.magnitude).max() ?? 0)
    let ends = rows.flatMap { [$0.low, $0.high] }.compactMap { $0 }.map { min(max($0, -reach), reach) }
    return RangeAxis(over: values + ends.map { min(max($0, -limit), limit) }, ticks: 6, hasZero: true)
  }

  func draw(_ canvas: Canvas) -> [Markup] {
    let axis = axis
    let baseline = Double(rows.count) * Self.rowHeight + 8
    let x = { (value: Double) in
      Self.margin + min(max(axis.fraction(value), 0), 1) * (canvas.width - 2 * Self.margin)
    }
    let ticks = axis.ticks
    let texts = TickText.labels(ticks, label)
    let every = max(1, ticks.count / canvas.ticksAcross)
    let lines = ticks.enumerated().flatMap { index, tick -> [Markup] in
      let line = Markup.line(tick == 0 ? "zero" : "grid", from: (x(tick), 4), to: (x(tick), baseline))
      let isLabelled =
        tick == 0 || index % every == 0 && canvas.ticksAcross > 4 || tick == axis.low || tick == axis.high
      guard isLabelled else { return [line] }
      let side = tick == axis.low ? "start" : tick == axis.high ? "end" : "middle"
      let at = side == "start" ? 2 : side == "end" ? canvas.width - 2 : x(tick)
      return [line, .label(side, at, baseline + 19, texts[index])]
    }
    return lines + [
      .label("middle unit", canvas.width / 2, baseline + 44, shortened(title, to: Int(canvas.width / 7.4)))
    ]
      + rows.indices.flatMap { draw(rows[$0], top: Double($0) * Self.rowHeight + 6, x, axis, canvas) }
  }

  private func draw(
    _ row: Row, top: Double, _ x: (Double) -> Double, _ axis: RangeAxis, _ canvas: Canvas
  ) -> [Markup] {
    let y = top + 26
    let text = canvas.ticksAcross > 4 ? row.longText : row.text
    let room = Int((canvas.width - 24) / 9) - text.displayWidth
    var parts: [Markup] = [
      .label("label", 2, top + 13, shortened(row.name, to: room)),
      .label("label plain end", canvas.width - 4, top + 13, text),
    ]
    let style = row.isPale ? "pale" : "strong"
    if hasBars {
      let ends = [x(0), x(row.value)].sorted()
      parts.append(
        .rectangle("effect " + style, x: ends[0], y: y - 6, width: ends[1] - ends[0], height: 12))
    }
    if let low = row.low, let high = row.high {
      parts.append(
        .line("whisker " + style, from: (x(low), y), to: (x(high), y)))
      // No stop where the interval goes on beyond the scale.
      parts += [low, high].filter { (axis.low...axis.high).contains($0) }.map { end in
        .line("whisker " + style, from: (x(end), y - 5), to: (x(end), y + 5))
      }
    }
    return parts + [mark(row, style, x(row.value), y, axis)]
  }

  /// A dot, or an arrow where the value lies beyond the scale.
  private func mark(_ row: Row, _ style: String, _ x: Double, _ y: Double, _ axis: RangeAxis) -> Markup {
    guard row.value < axis.low || row.value > axis.high else {
      return .circle("dot " + style, x, y, radius: 5)
    }
    let back = row.value > axis.high ? -9.0 : 9.0
    let path = "M\(place(x)) \(place(y))L\(place(x + back)) \(place(y - 6))V\(place(y + 6))Z"
    return .path("dot " + style, path)
  }
}
