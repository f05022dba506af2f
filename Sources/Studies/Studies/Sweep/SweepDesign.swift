import Numerics

/// The points at which a sweep looks into its ranges, as parts of them.
package enum SweepDesign {
  /// Points of Sobol's sequence with as many coordinates as axes, each from 0 up to below 1; nil: more than 40 axes.
  package static func points(_ count: Int, axes: Int) -> [[Double]]? {
    (try? SobolSequence.points(count, dimensions: axes)) ?? nil
  }
}
