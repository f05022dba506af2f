import Numerics
import Testing

@testable import Studies

/// The points within the ranges of a sweep.
struct SweepDesignTests {
  @Test func sobolPointsMatchGSL() throws {
    #expect(SweepDesign.points(50, axes: 7) == (try SobolSequence.points(50, dimensions: 7)))
    #expect(SweepDesign.points(5, axes: 41) == nil)
  }
}
