import SimulationKernel
import Testing

@testable import Numerics

struct LeastSquaresTests {
  /// 3 - 2x + 5y + 7xy at the corners and the middle of a square.
  @Test func exactValuesGiveTheirCoefficients() throws {
    let points: [(Double, Double)] = [(-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)]
    let rows = points.map { [1, $0.0, $0.1, $0.0 * $0.1] }
    let sides = [points.map { 3 - 2 * $0.0 + 5 * $0.1 + 7 * $0.0 * $0.1 }, points.map { $0.0 }]
    let fit = try #require(try LeastSquares(rows, to: sides))
    let all: [Double] = [3, -2, 5, 7, 0, 1, 0, 0]
    for (found, wanted) in zip(fit.coefficients.joined(), all) {
      #expect(abs(found - wanted) < 1e-12)
    }
    // Columns that are orthogonal: n b^2, here four corners.
    #expect(abs(try fit.squares(of: 1..<2, side: 0) - 16) < 1e-11)
    #expect(abs(try fit.squares(of: 1..<4, side: 0) - (16 + 100 + 196)) < 1e-10)
  }

  /// Leaving columns out costs what a fit without them misses more.
  @Test(arguments: [1, 2, 3] as [UInt64]) func squaresAreWhatTheSmallerFitMisses(_ seed: UInt64) throws {
    let numbers = (0..<200).map { index in
      Double(Philox.block(counter: Philox.Block(UInt32(index), 0, 0, 0), key: seed).first >> 11) * 0x1p-53
    }
    let rows = (0..<30).map { row in [1.0] + (0..<4).map { numbers[row * 4 + $0] } }
    let side = (0..<30).map { numbers[150 + $0] }
    func missed(_ rows: [[Double]]) throws -> Double {
      let fit = try #require(try LeastSquares(rows, to: [side]))
      return zip(rows, side).reduce(0) { sum, pair in
        let fitted = zip(pair.0, fit.coefficients[0]).reduce(0) { $0 + $1.0 * $1.1 }
        return sum + (pair.1 - fitted) * (pair.1 - fitted)
      }
    }
    let fit = try #require(try LeastSquares(rows, to: [side]))
    for columns in [1..<2, 2..<3, 2..<4, 1..<5] {
      let fewer = rows.map { row in row.indices.filter { !columns.contains($0) }.map { row[$0] } }
      let lost = try missed(fewer) - missed(rows)
      #expect(abs(try fit.squares(of: columns, side: 0) - lost) < 1e-10, "seed \(seed), \(columns)")
    }
  }

  @Test func columnsThatDependOnEachOtherAreFound() throws {
    let rows: [[Double]] = [[1, -1, -2], [1, 0, 0], [1, 1, 2], [1, 2, 4]]
    #expect(try LeastSquares(rows, to: [[1, 2, 3, 4]]) == nil)
    #expect(try LeastSquares([[1, 0, 0], [1, 1, 0]], to: [[1, 2]]) == nil)
    #expect(try LeastSquares([], to: []) == nil)
    #expect(throws: NumericsError.self) { try LeastSquares([[1], [.nan]], to: [[1, 2]]) }
  }
}
