/// Outlines made of level steps: each value holds from its own place to the next.
enum StepPath {
  /// The upper edge from left to right; `places` has one more element than `heights`.
  static func line(_ places: [Double], _ heights: [Double]) -> String {
    guard let first = places.first, let height = heights.first else { return "" }
    return "M\(place(first)) \(place(height))" + steps(places, heights)
  }

  /// The area between an upper and a lower edge.
  static func area(_ places: [Double], upper: [Double], lower: [Double]) -> String {
    guard !upper.isEmpty, let last = lower.last else { return "" }
    return line(places, upper) + "V\(place(last))" + steps(places.reversed(), lower.reversed()) + "Z"
  }

  /// The steps after the first point, each by how far it goes; runs of equal heights become one.
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

  /// Whole tenths without the nought before a point.
  private static func distance(_ tenths: Int) -> String {
    let text = place(tenths: tenths)
    return abs(tenths) < 10 && tenths != 0 ? text.replacing("0.", with: ".", maxReplacements: 1) : text
  }
}
