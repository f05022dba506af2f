import Testing

@testable import Numerics

/// GSL's simplex minimizer on functions with a known minimum.
@Suite struct SimplexMinimumTests {
  @Test func simplexFindsTheMinimumOfABowl() throws {
    let place = try SimplexMinimum.place(from: [3, -2], step: 1) { point in
      (point[0] - 1) * (point[0] - 1) + 10 * (point[1] - 0.5) * (point[1] - 0.5)
    }
    #expect(abs(place[0] - 1) < 1e-4 && abs(place[1] - 0.5) < 1e-4)
  }

  /// A function that is not differentiable at its minimum.
  @Test func simplexFindsTheMinimumAtAKink() throws {
    let place = try SimplexMinimum.place(from: [4], step: 0.3) { abs($0[0] - 2) }
    #expect(abs(place[0] - 2) < 1e-4)
  }

  @Test func invalidSimplexStartsAreRefused() {
    #expect(throws: NumericsError.self) { try SimplexMinimum.place(from: [.nan], step: 1) { $0[0] } }
    #expect(throws: NumericsError.self) { try SimplexMinimum.place(from: [0, 0], step: 1) { _ in .nan } }
  }
}
