import Testing

@testable import Numerics

/// The Sobol sequence compared with published values.
struct SobolTests {
  /// The first points in two dimensions, as in the gsl_qrng_sobol example of the GSL 2.7 manual, "Quasi-Random
  /// Sequences".
  @Test func theFirstPointsAreThePublishedOnes() throws {
    let points = try #require(try SobolSequence.points(7, dimensions: 2))
    #expect(
      points == [
        [0.5, 0.5], [0.75, 0.25], [0.25, 0.75], [0.375, 0.375], [0.875, 0.875], [0.625, 0.125], [0.125, 0.625],
      ])
  }

  /// The first 2^k points, including the point 0 that GSL leaves out, have one in each of 2^k equal parts of every
  /// axis.
  @Test(arguments: [1, 2, 17, 40]) func everyAxisIsFilledEvenly(_ dimensions: Int) throws {
    let points = try #require(try SobolSequence.points(255, dimensions: dimensions))
    for axis in 0..<dimensions {
      let parts = points.map { Int($0[axis] * 256) }
      #expect(Set(parts) == Set(1...255), "axis \(axis)")
    }
  }

  @Test func sobolSupports40Axes() throws {
    #expect(try SobolSequence.points(1, dimensions: 41) == nil)
    #expect(try SobolSequence.points(1, dimensions: 0) == nil)
    #expect(try SobolSequence.points(0, dimensions: 3) == [])
  }
}
