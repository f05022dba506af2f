/// The drawing area of a figure. Every figure is drawn in a wide and a narrow version. The page shows the version that
/// fits.
struct Canvas {
  /// The CSS class that shows or hides the drawing, which is also the suffix of the drawing's IDs.
  var name: String
  var width: Double
  var height: Double
  var left: Double
  var right: Double
  var top: Double
  var bottom: Double
  /// The maximum number of ticks on a horizontal axis.
  var ticksAcross: Int

  static let wide = Canvas(
    name: "wide", width: 960, height: 320, left: 66, right: 18, top: 30, bottom: 48, ticksAcross: 9)
  static let narrow = Canvas(
    name: "narrow", width: 400, height: 280, left: 60, right: 12, top: 30, bottom: 48, ticksAcross: 4)

  var plotWidth: Double { width - left - right }
  var plotHeight: Double { height - top - bottom }
  /// The vertical position of the lower edge of the plot.
  var baseline: Double { height - bottom }

  /// Returns the horizontal coordinate for a fraction of the plot's width, from 0 (left edge) to 1 (right edge).
  func x(_ fraction: Double) -> Double { left + fraction * plotWidth }

  /// Returns the vertical coordinate for a fraction of the plot's height, from 0 (baseline) to 1 (top).
  func y(_ fraction: Double) -> Double { top + (1 - fraction) * plotHeight }

  /// Returns this canvas with a different height.
  func high(_ height: Double) -> Canvas {
    var canvas = self
    canvas.height = height
    return canvas
  }
}

/// Returns a coordinate as text with at most one decimal.
func place(_ value: Double) -> String { place(tenths: tenths(value)) }

/// Returns a coordinate as a whole number of tenths, as used on pages. Values far outside the canvas are clamped.
func tenths(_ value: Double) -> Int { value.isNaN ? 0 : Int((min(max(value, -1e6), 1e6) * 10).rounded()) }

/// Returns the text of a coordinate that is given in whole tenths.
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

/// The shapes that make up figures, in the units of their canvas, each with its colour class.
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

  static func label(_ style: String, _ x: Double, _ y: Double, _ text: String) -> Markup {
    .tag("text", ["class": style, "x": place(x), "y": place(y)], text)
  }

  /// Returns a text element with an additional attribute and the format of its text. Other markup is returned
  /// unchanged.
  func with(_ name: String, _ value: String, _ form: String) -> Markup {
    guard case .element("text", let attributes, let children) = self else { return self }
    return .element(
      name: "text",
      attributes: attributes + [Attribute(name: name, value: value), Attribute(name: "data-form", value: form)],
      children: children)
  }
}

/// Outlines made of horizontal steps. Each value extends from its position to the next position.
enum StepPath {
  /// Returns the upper edge of the steps, from left to right; `places` has one more element than `heights`.
  static func line(_ places: [Double], _ heights: [Double]) -> String {
    guard let first = places.first, let height = heights.first else { return "" }
    return "M\(place(first)) \(place(height))" + steps(places, heights)
  }

  /// Returns the area between an upper edge and a lower edge.
  static func area(_ places: [Double], upper: [Double], lower: [Double]) -> String {
    guard !upper.isEmpty, let last = lower.last else { return "" }
    return line(places, upper) + "V\(place(last))" + steps(places.reversed(), lower.reversed()) + "Z"
  }

  /// Returns the steps after the first point as relative distances. Adjacent steps of equal height are merged.
  private static func steps(_ places: [Double], _ heights: [Double]) -> String {
    let (places, heights) = (places.map(tenths), heights.map(tenths))
    var begin = 0
    var path = ""
    for (index, height) in heights.enumerated() {
      if index > 0, height != heights[index - 1] {
        path += "v"
        path += distance(height - heights[index - 1])
      }
      let isLastOfRun = index + 1 == heights.count || heights[index + 1] != height
      if isLastOfRun {
        path += "h"
        path += distance(places[index + 1] - places[begin])
        begin = index + 1
      }
    }
    return path
  }

  /// Returns a number of tenths as decimal text, without a zero before the decimal point.
  private static func distance(_ tenths: Int) -> String {
    let text = place(tenths: tenths)
    return abs(tenths) < 10 && tenths != 0 ? text.replacing("0.", with: ".", maxReplacements: 1) : text
  }
}
