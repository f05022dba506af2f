import Numerics

/// Derivatives of statistics by the places of keys: a row for each statistic.
struct FitMatrix {
  let rows: [[Double]]

  var width: Int { rows.first?.count ?? 0 }

  /// sym(A' W B): of two matrices from draws of their own its mean is free of their noise, where A' W A counts the noise
  /// for information.
  static func information(_ one: Self, _ other: Self, weights: [Double]) -> [[Double]] {
    let size = one.width
    return (0..<size).map { row in
      (0..<size).map { column in
        let sum = zip(zip(one.rows, other.rows), weights).reduce(0.0) { sum, pair in
          let ((first, second), weight) = pair
          return sum + weight * (first[row] * second[column] + second[row] * first[column]) / 2
        }
        return sum
      }
    }
  }

  /// J' W r.
  func gradient(_ residuals: [Double], weights: [Double]) -> [Double] {
    (0..<width).map { column in
      zip(rows, zip(residuals, weights)).reduce(0) { $0 + $1.0[column] * $1.1.0 * $1.1.1 }
    }
  }

  static func mean(_ one: Self, _ other: Self) -> Self {
    Self(rows: zip(one.rows, other.rows).map { zip($0, $1).map { ($0 + $1) / 2 } })
  }
}

/// What the log adds to what was known of the keys.
struct Posterior {
  /// The covariance of the places.
  let covariance: [[Double]]

  /// - Parameter information: of the log; a direction of which it says nothing may come out below nothing by noise, and
  ///   is then taken for nothing, key by key, until the matrix has an inverse with positive variances.
  init?(_ information: [[Double]]) {
    var kept = information
    for index in kept.indices { kept[index][index] = max(kept[index][index], 0) }
    // Correlations are shrunk as little as is needed.
    for shrink in stride(from: 1.0, through: 0, by: -0.05) {
      let matrix = kept.indices.map { row in
        kept.indices.map { column in
          row == column
            ? kept[row][row] + FitProblem.priorPrecision : kept[row][column] * shrink
        }
      }
      guard let inverse = SymmetricInverse.of(matrix), Self.isPositive(matrix) else { continue }
      covariance = inverse
      return
    }
    return nil
  }

  /// By Cholesky's decomposition.
  private static func isPositive(_ matrix: [[Double]]) -> Bool {
    var lower = matrix.map { $0.map { _ in 0.0 } }
    for row in matrix.indices {
      for column in 0...row {
        let sum = (0..<column).reduce(matrix[row][column]) { $0 - lower[row][$1] * lower[column][$1] }
        if row == column {
          guard sum > 0 else { return false }
          lower[row][row] = sum.squareRoot()
        } else {
          lower[row][column] = sum / lower[column][column]
        }
      }
    }
    return true
  }

  func deviation(_ key: Int) -> Double { covariance[key][key].squareRoot() }

  func correlation(_ one: Int, _ other: Int) -> Double {
    covariance[one][other] / (deviation(one) * deviation(other))
  }

  func times(_ vector: [Double]) -> [Double] {
    covariance.map { row in zip(row, vector).reduce(0) { $0 + $1.0 * $1.1 } }
  }
}
