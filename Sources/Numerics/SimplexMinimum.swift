/// The simplex of Nelder and Mead, for functions without derivatives.
///
/// Source: GSL 2.7 manual, "Multidimensional Minimization", gsl_multimin_fminimizer_nmsimplex2.
package enum SimplexMinimum {
  /// The lowest place found from `start` on.
  ///
  /// - Parameter step: the length of the first simplex along every coordinate.
  /// - Parameter iterations: at most so many.
  /// - Parameter size: of a simplex that is small enough.
  /// - Throws: for a start that is not finite, or a function that is not finite there.
  package static func place(
    from start: [Double], step: Double, iterations: Int = 200, size: Double = 1e-6,
    of function: ([Double]) -> Double
  ) throws(NumericsError) -> [Double] {
    try GSL.simplexMinimum(from: start, step: step, iterations: iterations, size: size, of: function)
  }
}
