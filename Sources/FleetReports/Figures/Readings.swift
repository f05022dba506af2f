import SimulationKernel
import Studies

/// What pointer, keys and touch read from a figure, and what it is as a table: values at places of the drawing.
struct Readings {
  enum Direction: String {
    /// The places are fractions of the plot from its left edge.
    case across
    /// The places are fractions of the drawing from its top.
    case down
  }

  enum Cell {
    case number(Double)
    case text(String)
    /// Milliseconds since 1970, shown as a clock.
    case time(Int64)
  }

  var direction = Direction.across
  /// What the cells are: that of the place first.
  var columns: [String]
  var rows: [(place: Double, cells: [Cell])]
  /// Whether a row holds cells of equal width from left to right instead of one place; the rows divide the plot.
  var isGrid = false

  /// The document that the script reads; nothing in it can end the element that holds it.
  var text: String {
    ZoomSeries.text(of: [
      ("direction", .string(isGrid ? "grid" : direction.rawValue)),
      ("columns", .array(columns.map { .string(ZoomSeries.harmless($0)) })),
      (
        "rows",
        .array(
          rows.map { row in
            .array([.number((row.place * 10_000).rounded() / 10_000)] + row.cells.map(\.value))
          })
      ),
    ])
  }
}

extension Readings.Cell {
  fileprivate var value: JSONValue {
    switch self {
    case .number(let value): .number(Self.fiveDigits(value))
    case .text(let text): .string(ZoomSeries.harmless(text))
    case .time(let milliseconds): .object([("t", .integer(Int128(milliseconds)))])
    }
  }

  /// Five significant digits: more than any readout shows.
  private static func fiveDigits(_ value: Double) -> Double {
    guard value.isFinite, value != 0 else { return value }
    var power = 1.0
    while value.magnitude * power < 10_000, power < 1e15 { power *= 10 }
    return (value * power).rounded() / power
  }
}

extension Readings {
  /// An instant of a clock.
  static func time(_ instant: Instant, startingAt start: Int64) -> Cell {
    .time(start + instant.millisecondsSinceStart)
  }
}
