/// Coefficients of a linear model that minimize the sum of squared residuals.
///
/// Uses the singular value decomposition (GSL 2.7 manual, "Linear Least-Squares Fitting"), which reveals linearly
/// dependent columns.
package enum LeastSquares {
  /// Fits the columns to each right-hand side.
  ///
  /// - Parameter rows: the values of all columns, for each observation.
  /// - Parameter sides: the right-hand sides, each with one value per row.
  /// - Returns: one coefficient per column for each side; `nil` if the columns are linearly dependent or outnumber the
  ///   rows.
  package static func coefficients(_ rows: [[Double]], to sides: [[Double]]) throws(NumericsError) -> [[Double]]? {
    let width = rows.first?.count ?? 0
    guard width > 0, rows.count >= width, !sides.isEmpty else { return nil }
    return try GSL.fit(rows, to: sides)
  }
}

/// The inverse of a small symmetric matrix.
package enum SymmetricInverse {
  /// Computes the inverse column by column using Householder transformations; returns `nil` if the matrix is singular
  /// or not finite.
  package static func of(_ matrix: [[Double]]) -> [[Double]]? {
    var columns: [[Double]] = []
    for column in matrix.indices {
      let unit = matrix.indices.map { $0 == column ? 1.0 : 0 }
      guard let solved = try? GSL.solution(of: matrix, unit) else { return nil }
      columns.append(solved)
    }
    return columns
  }
}

/// The Nelder-Mead simplex, for functions without derivatives.
///
/// Source: GSL 2.7 manual, "Multidimensional Minimization", gsl_multimin_fminimizer_nmsimplex2.
package enum SimplexMinimum {
  /// Finds the lowest point, starting at `start`.
  ///
  /// - Parameter step: the edge length of the initial simplex along each coordinate.
  /// - Parameter iterations: the maximum number of steps.
  /// - Parameter size: the simplex size at which the search ends.
  /// - Throws: if the start or the function's value at the start is not finite.
  package static func place(
    from start: [Double], step: Double, iterations: Int = 200, size: Double = 1e-6,
    of function: ([Double]) -> Double
  ) throws(NumericsError) -> [Double] {
    try GSL.simplexMinimum(from: start, step: step, iterations: iterations, size: size, of: function)
  }
}

/// The variance of a series at each frequency.
///
/// The spectrum is the periodogram of the discrete Fourier transform (GSL 2.7 manual, "Mixed-radix FFT routines for
/// real data"). By Parseval's theorem, the powers add up to the variance of the series about its mean.
package struct Spectrum: Sendable {
  /// The variance at k cycles per series length, at index k - 1, for k from 1 to half the length.
  package let powers: [Double]

  /// Computes the spectrum.
  ///
  /// - Throws: if a value is not finite.
  package init(of values: [Double]) throws(NumericsError) {
    guard values.count > 1 else {
      powers = []
      return
    }
    let count = Double(values.count)
    let mean = values.reduce(0, +) / count
    let parts = try GSL.realTransform(of: values.map { $0 - mean })
    powers = (1...values.count / 2).map { cycles in
      let real = parts[2 * cycles - 1]
      guard 2 * cycles < parts.count else { return real * real / (count * count) }
      let imaginary = parts[2 * cycles]
      return 2 * (real * real + imaginary * imaginary) / (count * count)
    }
  }

  /// The variance of the series, which is the sum of squared deviations divided by the length.
  package var variance: Double { powers.reduce(0, +) }

  /// Returns the variance at `cycles` cycles per series length and at its multiples.
  package func variance(repeating cycles: Int) -> Double {
    guard cycles > 0 else { return 0 }
    return stride(from: cycles, through: powers.count, by: cycles).reduce(0) { $0 + powers[$1 - 1] }
  }
}

/// Sobol's quasi-random sequence, in which any number of leading points fills a cube evenly.
///
/// GSL computes the sequence (Antonov and Saleev 1979; GSL 2.7 manual, "Quasi-Random Sequences"); the origin is
/// excluded.
package enum SobolSequence {
  /// Returns the first points of the sequence, with each coordinate between 0 and 1. Returns `nil` if there are 0
  /// dimensions or more than the 40 that GSL supports.
  package static func points(_ count: Int, dimensions: Int) throws(NumericsError) -> [[Double]]? {
    try GSL.sobol(points: count, dimensions: dimensions)
  }
}
