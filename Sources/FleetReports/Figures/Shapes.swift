/// The shapes of figures, in the units of their canvas: each with the class that colours it.
extension Markup {
  static func line(_ style: String, from start: (Double, Double), to end: (Double, Double)) -> Markup {
    .tag(
      "line",
      ["class": style, "x1": place(start.0), "x2": place(end.0), "y1": place(start.1), "y2": place(end.1)])
  }

  static func rectangle(_ style: String, x: Double, y: Double, width: Double, height: Double) -> Markup {
    .tag(
      "rect", ["class": style, "x": place(x), "y": place(y), "width": place(width), "height": place(height)])
  }

  static func circle(_ style: String, _ x: Double, _ y: Double, radius: Double, _ parts: [Markup] = []) -> Markup {
    .tag("circle", ["class": style, "cx": place(x), "cy": place(y), "r": place(radius)], parts)
  }

  static func path(_ style: String, _ outline: String) -> Markup { .tag("path", ["class": style, "d": outline]) }

  /// A text with an attribute and what form of it the text is; anything else as it is.
  func with(_ name: String, _ value: String, _ form: String) -> Markup {
    guard case .element("text", let attributes, let children) = self else { return self }
    return .element(
      name: "text",
      attributes: attributes + [Attribute(name: name, value: value), Attribute(name: "data-form", value: form)],
      children: children)
  }

  static func label(_ style: String, _ x: Double, _ y: Double, _ text: String) -> Markup {
    .tag("text", ["class": style, "x": place(x), "y": place(y)], text)
  }
}

extension Canvas {
  /// Level lines across the plot from its baseline up, each with its label, and above them what they measure.
  ///
  /// - Parameter ticks: fractions of the plot with their labels.
  func rows(_ ticks: [(Double, String)], unit: String) -> [Markup] {
    let lines = ticks.enumerated().flatMap { index, tick -> [Markup] in
      let y = y(tick.0)
      return [
        .line(index == 0 ? "base" : "grid", from: (left, y), to: (width - right, y)),
        .label("end", left - 8, y + 4, tick.1),
      ]
    }
    return lines + [.label("unit", 2, 16, unit)]
  }

  /// A label below the plot, not beyond the right edge.
  ///
  /// - Parameter room: what half of the widest label takes.
  func columnLabel(_ x: Double, _ text: String, room: Double = 0) -> Markup {
    .label("middle", min(x, width - room), baseline + 19, text)
  }

  /// A short line at the baseline with its label.
  func columnTick(_ x: Double, _ text: String, room: Double) -> [Markup] {
    [.line("base", from: (x, baseline), to: (x, baseline + 5)), columnLabel(x, text, room: room)]
  }
}
