import Numerics
import Scenario
import Testing

@testable import Studies

/// The points at which ranges are looked into.
struct SweepDesignTests {
  /// Of every axis each of as many equal parts as points holds exactly one.
  @Test(arguments: [(1, 1, 1), (2, 3, 7), (10, 4, 42), (1_000, 5, 1 << 63)] as [(Int, Int, UInt64)])
  func everyPartOfALatinHypercubeHoldsOnePoint(_ count: Int, _ axes: Int, _ seed: UInt64) throws {
    let points = try #require(SweepDesign.points(.latinHypercube, count, axes: axes, seed: seed))
    #expect(points.count == count)
    for axis in 0..<axes {
      let parts = points.map { Int($0[axis] * Double(count)) }
      #expect(parts.sorted() == Array(0..<count), "seed \(seed), axis \(axis)")
      #expect(points.allSatisfy { $0[axis] >= 0 && $0[axis] < 1 })
    }
  }

  /// The correlation of two axes has the standard deviation 1/sqrt(n - 1): 0.0316 for 1 000 points.
  @Test func axesAreIndependent() throws {
    let seed: UInt64 = 11
    let points = try #require(SweepDesign.points(.latinHypercube, 1_000, axes: 6, seed: seed))
    for first in 0..<6 {
      for second in 0..<first {
        let products = points.map { ($0[first] - 0.5) * ($0[second] - 0.5) }
        let correlation = products.reduce(0, +) / 1_000 * 12
        #expect(correlation.magnitude < 5 * 0.0316, "seed \(seed)")
      }
    }
    // Where in its part a point lies is uniform: mean 1/2, standard error 1/sqrt(12 000).
    let places = points.map { $0[0] * 1_000 - ($0[0] * 1_000).rounded(.down) }
    #expect(abs(places.reduce(0, +) / 1_000 - 0.5) < 5 * 0.0092, "seed \(seed)")
  }

  @Test func theSeedDecides() {
    let points = [1, 1, 2].map { SweepDesign.points(.latinHypercube, 20, axes: 2, seed: $0) }
    #expect(points[0] == points[1] && points[0] != points[2])
  }

  @Test func sobolIsThatOfGSL() throws {
    #expect(
      SweepDesign.points(.sobol, 50, axes: 7, seed: 1) == (try SobolSequence.points(50, dimensions: 7)))
    #expect(SweepDesign.points(.sobol, 5, axes: 41, seed: 1) == nil)
    #expect(SweepDesign.points(.grid, 5, axes: 1, seed: 1) == nil)
  }
}
