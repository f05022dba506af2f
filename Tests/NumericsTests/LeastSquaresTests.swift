import SimulationKernel
import Testing

@testable import Numerics

struct LeastSquaresTests {
  /// The values of 3 - 2x + 5y + 7xy at the corners and centre of a square give its coefficients.
  @Test func exactValuesRecoverTheirCoefficients() throws {
    let points: [(Double, Double)] = [(-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)]
    let rows = points.map { [1, $0.0, $0.1, $0.0 * $0.1] }
    let sides = [points.map { 3 - 2 * $0.0 + 5 * $0.1 + 7 * $0.0 * $0.1 }, points.map { $0.0 }]
    let found = try #require(try LeastSquares.coefficients(rows, to: sides))
    let all: [Double] = [3, -2, 5, 7, 0, 1, 0, 0]
    for (found, wanted) in zip(found.joined(), all) { #expect(abs(found - wanted) < 1e-12) }
  }

  /// The residuals of a fit are orthogonal to every column.
  @Test(arguments: [1, 2, 3] as [UInt64]) func residualsAreOrthogonalToTheColumns(_ seed: UInt64) throws {
    let numbers = (0..<200).map { index in
      Double(Philox.block(counter: Philox.Block(UInt32(index), 0, 0, 0), key: seed).first >> 11) * 0x1p-53
    }
    let rows = (0..<30).map { row in [1.0] + (0..<4).map { numbers[row * 4 + $0] } }
    let side = (0..<30).map { numbers[150 + $0] }
    let found = try #require(try LeastSquares.coefficients(rows, to: [side]))
    let rests = zip(rows, side).map { row, value in zip(row, found[0]).reduce(value) { $0 - $1.0 * $1.1 } }
    #expect(rests.contains { abs($0) > 0.01 }, "seed \(seed)")
    for column in 0..<5 {
      #expect(abs(zip(rows, rests).reduce(0) { $0 + $1.0[column] * $1.1 }) < 1e-12, "seed \(seed), \(column)")
    }
  }

  @Test func dependentColumnsAreDetected() throws {
    let rows: [[Double]] = [[1, -1, -2], [1, 0, 0], [1, 1, 2], [1, 2, 4]]
    #expect(try LeastSquares.coefficients(rows, to: [[1, 2, 3, 4]]) == nil)
    #expect(try LeastSquares.coefficients([[1, 0, 0], [1, 1, 0]], to: [[1, 2]]) == nil)
    #expect(try LeastSquares.coefficients([], to: []) == nil)
    #expect(throws: NumericsError.self) { try LeastSquares.coefficients([[1], [.nan]], to: [[1, 2]]) }
  }
}
