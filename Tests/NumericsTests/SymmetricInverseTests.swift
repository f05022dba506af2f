import SimulationKernel
import Testing

@testable import Numerics

@Suite struct SymmetricInverseTests {
  /// The inverse of ((2, 1), (1, 3)) is ((3, -1), (-1, 2)) / 5.
  @Test func inverseMatchesHandCalculation() throws {
    let inverse = try #require(SymmetricInverse.of([[2, 1], [1, 3]]))
    for (row, values) in [[0.6, -0.2], [-0.2, 0.4]].enumerated() {
      for (column, value) in values.enumerated() { #expect(abs(inverse[row][column] - value) < 1e-12) }
    }
  }

  @Test func nonFiniteMatrixHasNoInverse() { #expect(SymmetricInverse.of([[.nan]]) == nil) }
}
