/// The drawing area of a figure: every figure is drawn once wide and once narrow, and the page shows the one that fits.
struct Canvas {
  /// The class that shows or hides the drawing, and the suffix of its ids.
  var name: String
  var width: Double
  var height: Double
  var left: Double
  var right: Double
  var top: Double
  var bottom: Double
  /// How many ticks an axis may have.
  var ticksAcross: Int

  static let wide = Canvas(
    name: "wide", width: 960, height: 320, left: 66, right: 18, top: 30, bottom: 48, ticksAcross: 9)
  static let narrow = Canvas(
    name: "narrow", width: 400, height: 280, left: 60, right: 12, top: 30, bottom: 48, ticksAcross: 4)

  var plotWidth: Double { width - left - right }
  var plotHeight: Double { height - top - bottom }
  /// The lower edge of the plot.
  var baseline: Double { height - bottom }

  /// The horizontal place of a fraction 0...1 of the plot.
  func x(_ fraction: Double) -> Double { left + fraction * plotWidth }

  /// The vertical place of a fraction 0...1 of the plot, 0 at its baseline.
  func y(_ fraction: Double) -> Double { top + (1 - fraction) * plotHeight }
}

/// A coordinate with one decimal at most.
func place(_ value: Double) -> String { place(tenths: tenths(value)) }

/// A coordinate in whole tenths, as the page has it; nothing far off the canvas has a place.
func tenths(_ value: Double) -> Int { value.isNaN ? 0 : Int((min(max(value, -1e6), 1e6) * 10).rounded()) }

/// A coordinate given in whole tenths.
func place(tenths: Int) -> String {
  let (whole, rest) = abs(tenths).quotientAndRemainder(dividingBy: 10)
  var text = tenths < 0 ? "-" : ""
  text += String(whole)
  if rest > 0 {
    text += "."
    text += String(rest)
  }
  return text
}

/// What a figure shows, drawn once wide and once narrow.
protocol Drawing {
  /// The height of both drawings; nil for the usual one.
  var height: Double? { get }

  /// What can be read from it; nil for nothing.
  var readings: Readings? { get }

  func draw(_ canvas: Canvas) -> [Markup]
}

extension Drawing {
  var height: Double? { nil }
  var readings: Readings? { nil }

  /// The figure as the page holds it: both drawings under one caption.
  ///
  /// - Parameter description: what a reader who cannot see it should know.
  /// - Parameter legend: the class of each swatch and its text.
  /// - Parameter zoom: the document of what a script draws in place of the drawings; nil: they stay.
  func markup(
    id: String, title: String, description: String, legend: [(swatch: String, text: String)] = [], zoom: String? = nil
  ) -> Markup {
    var parts = [Canvas.wide, .narrow].map { canvas in drawing(canvas, id + "-" + canvas.name, title, description) }
    if !legend.isEmpty {
      let entries = legend.map { entry in
        Markup.tag("li", [:], [.tag("span", ["class": "swatch " + entry.swatch]), .text(entry.text)])
      }
      parts.append(.tag("ul", ["class": "legend"], entries))
    }
    let caption = Markup.tag("figcaption", [:], title)
    guard let zoom else {
      let data = readings.flatMap { $0.rows.isEmpty ? nil : $0.text }.map {
        Markup.script($0, attributes: "type=\"application/json\" class=\"readings\"")
      }
      return .tag("figure", ["id": "figure-" + id], [caption] + parts + (data.map { [$0] } ?? []))
    }
    let data = Markup.script(zoom, attributes: "type=\"application/json\" id=\"\(id)-data\"")
    return .tag("figure", ["id": "figure-" + id, "data-zoom": id + "-data"], [caption] + parts + [data])
  }

  private func drawing(_ canvas: Canvas, _ name: String, _ title: String, _ description: String) -> Markup {
    var canvas = canvas
    if let height { canvas.height = height }
    return .tag(
      "svg",
      [
        "class": canvas.name, "viewBox": "0 0 \(place(canvas.width)) \(place(canvas.height))", "role": "img",
        "aria-labelledby": "\(name)-title \(name)-text",
        "data-plot": [canvas.left, canvas.width - canvas.right, canvas.top, canvas.baseline].map(place)
          .joined(separator: " "),
      ],
      [.tag("title", ["id": name + "-title"], title), .tag("desc", ["id": name + "-text"], description)]
        + draw(canvas))
  }
}
