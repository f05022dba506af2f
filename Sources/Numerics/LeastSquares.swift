/// Coefficients that make the squares of what a linear model misses a minimum.
///
/// By singular values (GSL 2.7 manual, "Linear Least-Squares Fitting"): columns that depend on each other are found.
package struct LeastSquares: Sendable {
  /// For each right-hand side one for each column.
  package let coefficients: [[Double]]
  /// (X'X)^-1, row after row.
  private let inverse: [Double]
  private let width: Int

  /// - Parameter rows: for each observation the value of every column.
  /// - Parameter sides: what was observed, once or several times, a value for each row.
  /// - Returns: nil when the columns depend on each other, or when there are more of them than rows.
  package init?(_ rows: [[Double]], to sides: [[Double]]) throws(NumericsError) {
    width = rows.first?.count ?? 0
    guard width > 0, rows.count >= width, !sides.isEmpty else { return nil }
    let fit = try GSL.fit(rows, to: sides)
    guard fit.rank == width else { return nil }
    coefficients = fit.coefficients
    inverse = fit.inverse
  }

  /// By how much the sum of squares grows when some columns are left out of the fit to a side.
  ///
  /// b' C^-1 b, where b are their coefficients and C is their part of (X'X)^-1 (Seber and Lee, Linear Regression
  /// Analysis, 2003, section 4.3).
  package func squares(of columns: Range<Int>, side: Int) throws(NumericsError) -> Double {
    let own = columns.map { coefficients[side][$0] }
    let part = columns.map { row in columns.map { inverse[row * width + $0] } }
    guard let solved = try GSL.solution(of: part, own) else { return 0 }
    return zip(own, solved).reduce(0) { $0 + $1.0 * $1.1 }
  }
}

/// The inverse of a small symmetric matrix.
package enum SymmetricInverse {
  /// Column by column, by Householder transformations; nil: the matrix is singular or not finite.
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
