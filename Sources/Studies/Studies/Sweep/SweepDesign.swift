import Numerics

/// The sample points of a sweep, given as fractions of the ranges.
package enum SweepDesign {
  /// Returns points of a Sobol sequence, with one coordinate in 0..<1 per axis; `nil` if there are more than 40 axes.
  package static func points(_ count: Int, axes: Int) -> [[Double]]? {
    (try? SobolSequence.points(count, dimensions: axes)) ?? nil
  }
}
