import Numerics

/// A model of the simulated statistics as smooth functions of the keys. It consists of one quadratic surface per
/// statistic, fitted within a box (Box and Wilson 1951).
struct ResponseSurface {
  let box: FitBox
  /// The degrees of freedom, which are the number of simulations minus the number of coefficients.
  let freedom: Int
  /// The variance of one simulation around each statistic's surface, due to randomness and to deviations from a
  /// quadratic.
  let variances: [Double]
  /// The residuals of each simulation, by statistic, scaled up to those expected of a simulation that was not used in
  /// the fit.
  let residuals: [[Double]]
  /// The coefficients of the surface's terms, by statistic.
  let coefficients: [[Double]]
  /// The covariance of the coefficients for a statistic with variance 1, which is the matrix (X'X)^-1.
  let inverse: [[Double]]
  /// The indices of the surface's terms that depend on only one key.
  let own: [Int]
  private let terms: [Term]

  /// A product of positions, each from -1 to 1 in the box; `nil` stands for a factor of 1.
  private struct Term {
    let first: Int?
    let second: Int?

    func value(_ place: [Double]) -> Double { (first.map { place[$0] } ?? 1) * (second.map { place[$0] } ?? 1) }
    var isOfOneKey: Bool { first != nil && (second == nil || second == first) }
  }

  /// Returns the number of coefficients of a quadratic surface over this many keys.
  static func terms(keys: Int) -> Int { 1 + keys + keys * (keys + 1) / 2 }

  /// Fits the surfaces, omitting terms that the statistics as a whole do not support.
  ///
  /// - Parameter points: the positions of the simulations, all within the box.
  /// - Parameter values: the statistics of each simulation.
  /// - Returns: `nil` if there are not at least two more simulations than terms, or if the terms are linearly
  ///   dependent.
  init?(_ points: [[Double]], _ values: [[Double]], in box: FitBox) {
    let all = Self.allTerms(box.keys)
    guard points.count - all.count > 1, let statistics = values.first?.count else { return nil }
    let places = points.map(box.local)
    let sides = (0..<statistics).map { statistic in values.map { $0[statistic] } }
    func regression(_ terms: [Term]) -> Regression? {
      Regression(places.map { place in terms.map { $0.value(place) } }, sides)
    }
    guard let whole = regression(all) else { return nil }
    let terms = all.indices.filter { $0 == 0 || whole.size(of: $0) > 0 }.map { all[$0] }
    guard let found = regression(terms) else { return nil }
    self.box = box
    self.terms = terms
    (freedom, variances, coefficients, inverse) = (found.freedom, found.variances, found.coefficients, found.inverse)
    own = terms.indices.filter { terms[$0].isOfOneKey }
    let unseen = (Double(points.count) / Double(found.freedom)).squareRoot()
    residuals = points.indices.map { point in found.residuals.map { $0[point] * unseen } }
  }

  private static func allTerms(_ keys: Int) -> [Term] {
    let squares = (0..<keys).flatMap { one in (one..<keys).map { Term(first: one, second: $0) } }
    return [Term(first: nil, second: nil)] + (0..<keys).map { Term(first: $0, second: nil) } + squares
  }

  /// Returns the values of the terms at a position.
  func row(at places: [Double]) -> [Double] {
    let local = box.local(places)
    return terms.map { $0.value(local) }
  }

  /// Returns the variance of a surface at given term values, for a statistic with variance 1.
  func variance(_ row: [Double]) -> Double { row.indices.reduce(0) { $0 + row[$1] * dot(inverse[$1], row) } }
}

/// A least-squares fit with several right-hand sides.
private struct Regression {
  /// The coefficient of each column, by right-hand side.
  let coefficients: [[Double]]
  /// The residual of each row, by right-hand side.
  let residuals: [[Double]]
  /// The residual variance of the fit for each right-hand side.
  let variances: [Double]
  let freedom: Int
  /// The matrix (X'X)^-1 of the columns.
  let inverse: [[Double]]

  /// - Returns: `nil` if the columns are linearly dependent.
  init?(_ rows: [[Double]], _ sides: [[Double]]) {
    let width = rows[0].count
    let products = (0..<width).map { one in
      (0..<width).map { other in rows.reduce(0) { $0 + $1[one] * $1[other] } }
    }
    guard let inverse = SymmetricInverse.of(products), inverse.joined().allSatisfy(\.isFinite) else { return nil }
    let coefficients = sides.map { side in
      var sums = Array(repeating: 0.0, count: width)
      for (row, value) in zip(rows, side) { for column in sums.indices { sums[column] += row[column] * value } }
      return inverse.map { dot($0, sums) }
    }
    let residuals = zip(sides, coefficients).map { side, own in zip(side, rows).map { $0 - dot(own, $1) } }
    let freedom = rows.count - width
    variances = residuals.map { dot($0, $0) / Double(freedom) }
    (self.inverse, self.coefficients, self.residuals, self.freedom) = (inverse, coefficients, residuals, freedom)
  }

  /// Returns the mean square of a column's coefficients, minus the contribution of random variation. Coefficients are
  /// in units of the standard deviations of their right-hand sides.
  func size(of column: Int) -> Double {
    let counted = variances.indices.filter { variances[$0] > 0 }
    guard !counted.isEmpty else { return coefficients.contains { $0[column] != 0 } ? 1 : 0 }
    let squares = counted.reduce(0) { $0 + square(coefficients[$1][column]) / variances[$1] }
    return squares / Double(counted.count) - inverse[column][column]
  }
}

/// The part of each key's range that is searched, as positions from 0 to 1.
struct FitBox {
  let low: [Double]
  let high: [Double]

  var keys: Int { low.count }

  static func whole(_ keys: Int) -> Self {
    Self(low: Array(repeating: 0, count: keys), high: Array(repeating: 1, count: keys))
  }

  func holds(_ places: [Double]) -> Bool { places.indices.allSatisfy { (low[$0]...high[$0]).contains(places[$0]) } }

  /// Returns positions scaled to -1...1 within the box.
  func local(_ places: [Double]) -> [Double] {
    places.indices.map { (2 * places[$0] - low[$0] - high[$0]) / (high[$0] - low[$0]) }
  }

  /// Returns the position in the box that is at given fractions, from 0 to 1, along its sides.
  func place(_ parts: [Double]) -> [Double] { parts.indices.map { low[$0] + parts[$0] * (high[$0] - low[$0]) } }
}

/// Returns the dot product of two vectors.
func dot(_ one: [Double], _ other: [Double]) -> Double {
  var sum = 0.0
  for index in one.indices { sum += one[index] * other[index] }
  return sum
}
