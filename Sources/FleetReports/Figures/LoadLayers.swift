import SimulationKernel
import Studies

/// What the script draws behind and below a load, in few points: the base load, and what the phones send.
struct LoadLayers {
  private let figure: LoadFigure

  /// Points of each layer at most: a chart is hardly wider.
  static let most = 1_440
  /// Steps from 0 to the highest value.
  private static let steps = 4_096.0

  init(_ figure: LoadFigure) { self.figure = figure }

  /// Members of the script's document; none without layers.
  var members: JSONValue.Members {
    let highest = max(figure.base.max() ?? 0, figure.edge.max() ?? 0)
    guard highest > 0, let load = figure.loads.first else { return [] }
    let slice = (load.counts.count + Self.most - 1) / Self.most
    let mean = { (values: ArraySlice<Double>) in values.reduce(0, +) / Double(values.count) }
    let text = { (values: [Double], choose: (ArraySlice<Double>) -> Double) -> JSONValue in
      let points = stride(from: 0, to: values.count, by: slice).map { start in
        Int64((choose(values[start..<min(start + slice, values.count)]) / highest * Self.steps).rounded())
      }
      return .string(DeltaText.text(points))
    }
    return [
      (
        "layers",
        .object([
          ("step", .integer(Int128(load.window.length.milliseconds) * Int128(slice))),
          ("unit", .number(significant(highest / Self.steps))), ("base", text(figure.base, mean)),
          ("edge", text(figure.edge) { $0.max() ?? 0 }), ("shows_edge", .boolean(figure.showsEdge)),
        ])
      )
    ]
  }
}
