/// Coefficients that make the squares of what a linear model misses a minimum.
///
/// By singular values (GSL 2.7 manual, "Linear Least-Squares Fitting"): columns that depend on each other are found.
package enum LeastSquares {
  /// Fits every side to the columns.
  ///
  /// - Parameter rows: for each observation the value of every column.
  /// - Parameter sides: what was observed, once or several times, a value for each row.
  /// - Returns: for each side one for each column; nil when the columns depend on each other, or when there are more of
  ///   them than rows.
  package static func coefficients(_ rows: [[Double]], to sides: [[Double]]) throws(NumericsError) -> [[Double]]? {
    let width = rows.first?.count ?? 0
    guard width > 0, rows.count >= width, !sides.isEmpty else { return nil }
    return try GSL.fit(rows, to: sides)
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
