import Numerics

/// What simulations say of statistics as smooth functions of the keys: a quadratic surface for each statistic (Box and
/// Wilson 1951), within a box.
///
/// A term counts as much as all statistics together show that it is there (Efron and Morris 1973): coefficients of noise
/// would be taken for what the log says of a key.
struct ResponseSurface {
  let box: FitBox
  /// By statistic: the variance of one simulation about the surface, chance and what no quadratic follows.
  let variances: [Double]
  /// By simulation: what the surface misses of each statistic, as far off as one that it had not seen would be.
  let residuals: [[Double]]
  /// The terms that are there.
  private let terms: [Term]
  /// Statistic after statistic: the coefficient of each term.
  private let coefficients: [Double]
  /// The variance of coefficients for statistics of variance 1, row after row.
  private let covariance: [Double]

  /// A product of places, each from -1 to 1 in the box; nil counts as 1.
  private struct Term {
    let first: Int?
    let second: Int?

    func value(_ place: [Double]) -> Double { (first.map { place[$0] } ?? 1) * (second.map { place[$0] } ?? 1) }
  }

  /// How many coefficients a surface over some keys has.
  static func terms(keys: Int) -> Int { 1 + keys + keys * (keys + 1) / 2 }

  /// - Parameter points: where simulations were, all within the box.
  /// - Parameter values: by simulation, the statistics.
  /// - Returns: nil: there are hardly more simulations than terms, or they do not tell these apart.
  init?(_ points: [[Double]], _ values: [[Double]], in box: FitBox) {
    let all = Self.allTerms(box.keys)
    let freedom = points.count - all.count
    guard freedom > 1, let statistics = values.first?.count else { return nil }
    let places = points.map(box.local)
    let rows = places.map { place in all.map { $0.value(place) } }
    let sides = (0..<statistics).map { statistic in values.map { $0[statistic] } }
    guard let plain = Regression(rows, sides, penalties: all.map { _ in 0 }) else { return nil }
    let missed = plain.residuals(rows, sides)
    let variances = missed.map { side in side.reduce(0) { $0 + $1 * $1 } / Double(freedom) }
    let sizes = Self.sizes(plain, variances)
    let kept = all.indices.filter { sizes[$0] > 0 }
    let shrunk = Regression(
      rows.map { row in kept.map { row[$0] } }, sides, penalties: kept.map { 1 / sizes[$0] })
    guard let shrunk else { return nil }
    self.box = box
    self.variances = variances
    terms = kept.map { all[$0] }
    coefficients = shrunk.coefficients.flatMap(\.self)
    covariance = shrunk.inverse.flatMap(\.self)
    let unseen = (Double(points.count) / Double(freedom)).squareRoot()
    residuals = points.indices.map { point in missed.map { $0[point] * unseen } }
  }

  private static func allTerms(_ keys: Int) -> [Term] {
    let squares = (0..<keys).flatMap { one in (one..<keys).map { Term(first: one, second: $0) } }
    return [Term(first: nil, second: nil)] + (0..<keys).map { Term(first: $0, second: nil) } + squares
  }

  /// By term: the mean square of its coefficients in standard deviations of their statistics, less what chance alone
  /// makes of it; without bound for the constant.
  private static func sizes(_ plain: Regression, _ variances: [Double]) -> [Double] {
    plain.inverse.indices.map { term in
      guard term > 0 else { return .infinity }
      let counted = variances.indices.filter { variances[$0] > 0 }
      guard !counted.isEmpty else { return 1 }
      let squares = counted.reduce(0) { $0 + square(plain.coefficients[$1][term]) / variances[$1] }
      return max(0, squares / Double(counted.count) - plain.inverse[term][term])
    }
  }

  /// The statistics at some places, and the variance that their coefficients have, for statistics of variance 1.
  func values(at places: [Double]) -> (values: [Double], variance: Double) {
    let local = box.local(places)
    let row = terms.map { $0.value(local) }
    let spread = Self.products(covariance, row)
    return (Self.products(coefficients, row), dot(row, spread))
  }

  /// The sum of products of each row of a matrix, row after row, with a vector.
  private static func products(_ matrix: [Double], _ vector: [Double]) -> [Double] {
    let width = vector.count
    return Array(unsafeUninitializedCapacity: matrix.count / width) { sums, count in
      matrix.withUnsafeBufferPointer { matrix in
        vector.withUnsafeBufferPointer { vector in
          for row in 0..<matrix.count / width {
            var sum = 0.0
            for column in 0..<width { sum += matrix[row * width + column] * vector[column] }
            sums[row] = sum
          }
        }
      }
      count = matrix.count / width
    }
  }

  /// By statistic and key: how the statistic changes with the key's place there.
  func slopes(at places: [Double]) -> [[Double]] {
    let least = 1e-4
    let sides = places.indices.map { key in
      [-least, least].map { step in
        var moved = places
        moved[key] += step
        return values(at: moved).values
      }
    }
    return variances.indices.map { statistic in
      sides.map { ($0[1][statistic] - $0[0][statistic]) / (2 * least) }
    }
  }
}

/// Least squares for many right-hand sides, with a penalty for the square of each coefficient.
private struct Regression {
  /// By side: the coefficient of each column.
  let coefficients: [[Double]]
  /// (X'X + D)^-1.
  let inverse: [[Double]]

  /// - Returns: nil: the columns depend on each other.
  init?(_ rows: [[Double]], _ sides: [[Double]], penalties: [Double]) {
    let products = penalties.indices.map { one in
      penalties.indices.map { other in
        rows.reduce(one == other ? penalties[one] : 0) { $0 + $1[one] * $1[other] }
      }
    }
    guard let inverse = SymmetricInverse.of(products), inverse.joined().allSatisfy(\.isFinite) else { return nil }
    self.inverse = inverse
    coefficients = sides.map { side in
      var sums = penalties.map { _ in 0.0 }
      for (row, value) in zip(rows, side) { for column in sums.indices { sums[column] += row[column] * value } }
      return inverse.map { dot($0, sums) }
    }
  }

  func residuals(_ rows: [[Double]], _ sides: [[Double]]) -> [[Double]] {
    zip(sides, coefficients).map { side, own in zip(side, rows).map { $0 - dot(own, $1) } }
  }
}

/// The part of the ranges of all keys that is looked at: places from 0 to 1.
struct FitBox {
  let low: [Double]
  let high: [Double]

  var keys: Int { low.count }

  static func whole(_ keys: Int) -> Self {
    Self(low: Array(repeating: 0, count: keys), high: Array(repeating: 1, count: keys))
  }

  func holds(_ places: [Double]) -> Bool { places.indices.allSatisfy { (low[$0]...high[$0]).contains(places[$0]) } }

  /// From -1 to 1 within the box.
  func local(_ places: [Double]) -> [Double] {
    places.indices.map { (2 * places[$0] - low[$0] - high[$0]) / (high[$0] - low[$0]) }
  }

  /// The place at some parts, from 0 to 1, of the box's sides.
  func place(_ parts: [Double]) -> [Double] { parts.indices.map { low[$0] + parts[$0] * (high[$0] - low[$0]) } }
}

/// The sum of products.
func dot(_ one: [Double], _ other: [Double]) -> Double {
  var sum = 0.0
  for index in one.indices { sum += one[index] * other[index] }
  return sum
}
