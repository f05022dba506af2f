import Numerics

/// The points of a sweep within its ranges, as parts of them.
package enum SweepDesign {
  /// Returns points of Sobol's sequence with one coordinate per axis, in 0..<1; `nil` for more than 40 axes.
  package static func points(_ count: Int, axes: Int) -> [[Double]]? {
    (try? SobolSequence.points(count, dimensions: axes)) ?? nil
  }
}
