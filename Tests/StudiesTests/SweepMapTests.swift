import Scenario
import Testing

@testable import Studies

/// A figure over two keys of a sweep.
struct SweepMapTests {
  /// Sixty amounts from 0 to 59 come in six groups of ten; twelve stay single.
  @Test func manyAmountsComeInEqualParts() {
    let axis = SweepSample.numeric("a", (0...60).map(Double.init))
    let bins = AxisBins(axis)
    #expect(bins.starts == [0, 10, 20, 30, 40, 50] && bins.indices == 0..<6)
    #expect([0, 9, 10, 59, 60].map { bins.place(of: axis.values[$0]) } == [0, 0, 1, 5, 5])
    let few = AxisBins(SweepSample.numeric("a", (1...12).map(Double.init)))
    #expect(few.starts.isEmpty && few.indices == 0..<12 && few.place(of: few.axis.values[11]) == 11)
    #expect(few.place(of: SweepValue("none")) == nil)
  }

  /// Settings with values 1 and 3 have mean 2; a cell with only unknown figures has none.
  @Test func cellsHaveTheMeanOfTheirSettings() {
    let axes = ["a", "b"].map { SweepSample.words($0, ["x", "y"]) }
    let runs = [("x", "x", 1.0), ("x", "x", 3), ("x", "y", 5), ("y", "y", nil)].map { row, column, value in
      SweepSample.run([SweepValue(row), SweepValue(column)], [SweepSample.figure: [value]])
    }
    let map = SweepMap(SweepStudy(axes: axes, goals: [], runs: runs), SweepSample.figure, row: 0, column: 1)
    #expect(map.cells.map { $0.map(\.mean) } == [[2, 5], [nil, nil]])
    #expect(map.cells.map { $0.map(\.settings) } == [[[0, 1], [2]], [[], [3]]])
  }
}
