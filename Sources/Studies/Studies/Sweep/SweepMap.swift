package import Scenario

/// The rows or columns that represent a key: one per value or, if there are many numbers, one per equal part of the
/// range.
package struct AxisBins: Sendable {
  /// The maximum number of rows or columns with one value each.
  private static let maximum = 12
  private static let parts = 6

  package let axis: SweepAxis
  /// The lower bounds of the parts; empty if each bin contains one value.
  package let starts: [Double]
  /// The bin of each value, with the value's text as the key.
  private let places: [String: Int]

  package init(_ axis: SweepAxis) {
    self.axis = axis
    guard axis.values.count > Self.maximum, case .numeric(let low, let high) = axis.scale, high > low else {
      starts = []
      places = Dictionary(axis.values.enumerated().map { ($1.text, $0) }, uniquingKeysWith: { first, _ in first })
      return
    }
    let width = (high - low) / Double(Self.parts)
    starts = (0..<Self.parts).map { low + Double($0) * width }
    places = Dictionary(
      axis.values.map { value in
        (value.text, min(max(Int(((value.amount ?? low) - low) / width), 0), Self.parts - 1))
      }, uniquingKeysWith: { first, _ in first })
  }

  package var indices: Range<Int> { 0..<(starts.isEmpty ? axis.values.count : starts.count) }

  package func place(of value: SweepValue) -> Int? { places[value.text] }
}

/// A two-dimensional map of a figure over two keys of a sweep.
package struct SweepMap: Sendable {
  package struct Cell: Hashable, Sendable {
    /// The settings in this cell, as indices into the study's runs.
    package fileprivate(set) var settings: [Int] = []
    /// The mean of the figure over the settings in which it is known; `nil` if there are none.
    package fileprivate(set) var mean: Double?
  }

  package let rows: AxisBins
  package let columns: AxisBins
  package private(set) var cells: [[Cell]]

  package init(_ study: SweepStudy, _ figure: FigureName, row: Int, column: Int) {
    (rows, columns) = (AxisBins(study.axes[row]), AxisBins(study.axes[column]))
    cells = Array(repeating: Array(repeating: Cell(), count: columns.indices.count), count: rows.indices.count)
    for (index, run) in study.runs.enumerated() {
      let place = (rows.place(of: run.values[row]), columns.place(of: run.values[column]))
      guard let top = place.0, let left = place.1 else { continue }
      cells[top][left].settings.append(index)
    }
    let values = study.runs.map { $0.summary.figure(figure)?.value?.approximate }
    for (top, left) in cells.indices.flatMap({ top in columns.indices.map { (top, $0) } }) {
      let own = cells[top][left].settings.compactMap { values[$0] }
      if !own.isEmpty { cells[top][left].mean = own.reduce(0, +) / Double(own.count) }
    }
  }
}
