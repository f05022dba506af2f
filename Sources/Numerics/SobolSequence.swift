/// Sobol's quasi-random sequence: points that fill a cube evenly from the first one on.
///
/// As GSL computes it (Antonov and Saleev 1979; GSL 2.7 manual, "Quasi-Random Sequences"), without the point 0.
package enum SobolSequence {
  /// The first points, each coordinate above 0 and below 1; nil for no dimensions, and for more than GSL has (40).
  package static func points(_ count: Int, dimensions: Int) throws(NumericsError) -> [[Double]]? {
    try GSL.sobol(points: count, dimensions: dimensions)
  }
}
