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
    name: "narrow", width: 400, height: 280, left: 52, right: 12, top: 30, bottom: 48, ticksAcross: 4)

  var plotWidth: Double { width - left - right }
  var plotHeight: Double { height - top - bottom }

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

/// A figure as the page holds it: both drawings under one caption.
struct Figure {
  var id: String
  var title: String
  /// What a reader who cannot see it should know.
  var description: String
  /// Entries of the legend: the class of the swatch and its text.
  var legend: [(swatch: String, text: String)] = []
  var draw: (Canvas) -> [Markup]
  /// The height of both drawings; nil for the usual one.
  var height: Double?
  /// The document of what a script draws in place of the drawings; nil: they stay.
  var zoom: String?

  var markup: Markup {
    var parts = [Canvas.wide, .narrow].map(drawing)
    if !legend.isEmpty { parts.append(legendMarkup) }
    let caption = Markup.tag("figcaption", [:], title)
    guard let zoom else { return .tag("figure", [:], [caption] + parts) }
    let data = Markup.script(zoom, attributes: "type=\"application/json\" id=\"\(id)-data\"")
    return .tag("figure", ["data-zoom": id + "-data"], [caption] + parts + [data])
  }

  private func drawing(_ canvas: Canvas) -> Markup {
    var canvas = canvas
    if let height { canvas.height = height }
    let name = id + "-" + canvas.name
    return .tag(
      "svg",
      [
        "class": canvas.name, "viewBox": "0 0 \(place(canvas.width)) \(place(canvas.height))", "role": "img",
        "aria-labelledby": "\(name)-title \(name)-text",
      ],
      [.tag("title", ["id": name + "-title"], title), .tag("desc", ["id": name + "-text"], description)]
        + draw(canvas))
  }

  private var legendMarkup: Markup {
    .tag(
      "ul", ["class": "legend"],
      legend.map { entry in .tag("li", [:], [.tag("span", ["class": "swatch " + entry.swatch]), .text(entry.text)]) })
  }
}
