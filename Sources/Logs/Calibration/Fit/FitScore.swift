import SimulationKernel

/// The log's statistics, condensed into a few sums that depend on the keys.
///
/// Each statistic is weighted by its response to a key (the scores of Gallant and Tauchen 1996). The random errors of
/// statistics are correlated. Because there are only a few sums, this correlation can be estimated from simulations.
struct FitScore {
  let surface: ResponseSurface
  /// The weighted sums of the log's statistics.
  private let measured: [Double]
  /// The contribution of each term of the response surfaces to each sum.
  private let terms: [[Double]]
  /// The covariance of the sums computed from a single simulation.
  private let noise: [[Double]]
  /// The tolerated variance of each statistic, propagated to the sums.
  private let floor: [[Double]]
  /// The ratio of the random variance in the log to that in one simulation.
  private let chance: Double

  /// - Parameter floors: the tolerated variance of each statistic, regardless of the number of phones.
  init(_ measured: [Double], _ surface: ResponseSurface, floors: [Double], chance: Double) {
    let slopes = surface.own.map { term in surface.coefficients.map { $0[term] } }
    let own = Double(surface.inverse.count) / Double(surface.residuals.count)
    let weights = measured.indices.map { index in
      let variance = surface.variances[index] * (chance + own) + floors[index]
      return variance > 0 ? 1 / variance : 0
    }
    let weighted = slopes.map { zip($0, weights).map { $0 * $1 } }
    // The squared noise of a coefficient carries no information about the log and is therefore subtracted.
    let noise = dot(weights, surface.variances)
    terms = zip(surface.own, weighted).map { term, weighted in
      surface.inverse.indices.map { other in
        zip(weighted, surface.coefficients).reduce(0) { $0 + $1.0 * $1.1[other] } - noise * surface.inverse[term][other]
      }
    }
    self.measured = weighted.map { dot($0, measured) }
    let runs = surface.residuals.map { run in weighted.map { dot($0, run) } }
    self.noise = weighted.indices.map { one in
      weighted.indices.map { other in runs.reduce(0) { $0 + $1[one] * $1[other] } / Double(runs.count) }
    }
    floor = weighted.map { one in
      weighted.map { other in floors.indices.reduce(0) { $0 + one[$1] * other[$1] * floors[$1] } }
    }
    self.surface = surface
    self.chance = chance
  }

  /// Returns the differences between the measured and the expected sums at a position.
  private func deviates(_ row: [Double]) -> [Double] { zip(measured, terms).map { $0 - dot($1, row) } }

  private func covariance(_ row: [Double], caution: Double, scale: Double) -> Cholesky? {
    let runs = chance + surface.variance(row) + caution
    return Cholesky(noise.indices.map { one in noise.indices.map { (noise[one][$0] * runs + floor[one][$0]) * scale } })
  }

  /// Returns the log density of the measured sums at a position, up to a constant. It is a Student density, because the
  /// covariance is estimated from few simulations (Sellentin and Heavens 2016).
  ///
  /// - Parameter caution: the additional variance of the surfaces, relative to that of one simulation.
  /// - Parameter scale: the factor applied to all variances.
  func logarithm(at places: [Double], caution: Double, scale: Double) -> Double {
    let row = surface.row(at: places)
    // All positions are equally likely if there are no sums, or if the sums are linearly dependent.
    guard let covariance = covariance(row, caution: caution, scale: scale) else { return 0 }
    let freedom = Double(surface.freedom)
    let part = covariance.square(of: deviates(row)) / freedom
    return -covariance.logarithmOfDeterminant / 2 - (freedom + 1) / 2 * SteadyMath.log(1 + part)
  }

  /// Returns the standard error of each key due to randomness in the log and the simulations.
  ///
  /// - Parameter posterior: the posterior covariance of the positions. Near the given position, the estimate is linear
  ///   in the sums.
  func deviations(at places: [Double], _ posterior: [[Double]]) -> [Double] {
    let row = surface.row(at: places)
    guard let covariance = covariance(row, caution: 0, scale: 1) else { return places.map { _ in 0 } }
    let minimum = 1e-4
    let slopes = places.indices.map { key -> [Double] in
      let sides = [-minimum, minimum].map { step in
        var moved = places
        moved[key] += step
        return deviates(surface.row(at: moved))
      }
      return zip(sides[0], sides[1]).map { ($0 - $1) / (2 * minimum) }
    }
    let solved = slopes.map(covariance.solution)
    let runs = chance + surface.variance(row)
    return posterior.map { own in
      let pull = measured.indices.map { sum in places.indices.reduce(0) { $0 + own[$1] * solved[$1][sum] } }
      return (pull.indices.reduce(0) { $0 + pull[$1] * dot(noise[$1], pull) } * runs).squareRoot()
    }
  }
}

/// A positive-definite matrix, factored into a triangular matrix and its transpose.
struct Cholesky {
  private var lower: [[Double]]

  /// - Returns: `nil` if the matrix is empty or not positive definite.
  init?(_ matrix: [[Double]]) {
    guard !matrix.isEmpty else { return nil }
    lower = matrix
    for row in matrix.indices {
      for column in 0...row {
        var sum = matrix[row][column]
        for place in 0..<column { sum -= lower[row][place] * lower[column][place] }
        if row > column {
          lower[row][column] = sum / lower[column][column]
        } else {
          guard sum > 0 else { return nil }
          lower[row][row] = sum.squareRoot()
        }
      }
    }
  }

  var logarithmOfDeterminant: Double { 2 * lower.indices.reduce(0) { $0 + SteadyMath.log(lower[$1][$1]) } }

  /// Returns v' M^-1 v.
  func square(of vector: [Double]) -> Double {
    let part = forward(vector)
    return dot(part, part)
  }

  /// Returns M^-1 v.
  func solution(_ vector: [Double]) -> [Double] {
    var part = forward(vector)
    for row in lower.indices.reversed() {
      for below in row + 1..<lower.count { part[row] -= lower[below][row] * part[below] }
      part[row] /= lower[row][row]
    }
    return part
  }

  private func forward(_ vector: [Double]) -> [Double] {
    var part = vector
    for row in lower.indices {
      for column in 0..<row { part[row] -= lower[row][column] * part[column] }
      part[row] /= lower[row][row]
    }
    return part
  }
}

/// Samples from the posterior of the keys' positions in a box, with a uniform prior.
///
/// The sampler is an ensemble of walkers with stretch moves (Goodman and Weare 2010). It does not need a step size,
/// follows narrow ridges, and preserves separate modes.
struct FitPosterior {
  let samples: [[Double]]

  /// The number of initial moves that are discarded for each walker.
  private static let burnIn = 200
  private static let thinning = 5
  private static let minWalkers = 32
  /// The number of points in the box per walker; walkers start at the best of these points.
  private static let choices = 32
  /// The stretch parameter, which Goodman and Weare call a.
  private static let stretch = 2.0

  /// - Parameter lengths: the number of moves to keep, as a multiple of the number of discarded moves.
  /// - Parameter points: positions spread over the box, with coordinates from 0 to 1. There must be more points than
  ///   walkers.
  /// - Parameter logarithm: a function that returns the log density, up to a constant.
  init(in box: FitBox, from points: [[Double]], lengths: Int, logarithm: ([Double]) -> Double) {
    let scored = points.map(box.place).map { (places: $0, height: logarithm($0)) }
    let best = scored.enumerated().sorted { ($1.element.height, $0.offset) < ($0.element.height, $1.offset) }
    var walkers = best.prefix(Self.walkers(box.keys)).map(\.element)
    var samples: [[Double]] = []
    for sweep in 0..<Self.burnIn * (1 + lengths) {
      for number in walkers.indices {
        Self.step(number, of: &walkers, sweep: sweep, in: box, logarithm)
      }
      if sweep >= Self.burnIn, sweep % Self.thinning == 0 { samples += walkers.map(\.places) }
    }
    self.samples = samples
  }

  static func walkers(_ keys: Int) -> Int { max(minWalkers, 4 * (keys + 1)) }

  static func starts(_ keys: Int) -> Int { walkers(keys) * choices }

  /// Moves one walker along the line through its position and that of a walker in the other half of the ensemble.
  private static func step(
    _ number: Int, of walkers: inout [(places: [Double], height: Double)], sweep: Int, in box: FitBox,
    _ logarithm: ([Double]) -> Double
  ) {
    let block = Philox.block(counter: Philox.Block(UInt32(number), UInt32(sweep), 0, 0), key: 0)
    let choice = Philox.block(counter: Philox.Block(UInt32(number), UInt32(sweep), 1, 0), key: 0)
    let half = walkers.count / 2
    let other = (number < half ? half : 0) + Int(choice.first % UInt64(half))
    // The factor z is drawn from a density proportional to 1 / sqrt(z) between 1/a and a.
    let root = ((stretch - 1) * uniform(block.first) + 1)
    let factor = root * root / stretch
    let (own, center) = (walkers[number], walkers[other].places)
    let next = zip(own.places, center).map { $1 + factor * ($0 - $1) }
    guard box.holds(next) else { return }
    let height = logarithm(next)
    let gain = Double(box.keys - 1) * SteadyMath.log(factor) + height - own.height
    if SteadyMath.log(uniform(block.second)) < gain { walkers[number] = (next, height) }
  }

  /// Returns a number strictly between 0 and 1.
  private static func uniform(_ bits: UInt64) -> Double { (Double(bits >> 11) + 0.5) * 0x1p-53 }

  // MARK: Results

  var mean: [Double] {
    let keys = samples.first?.count ?? 0
    return (0..<keys).map { key in samples.reduce(0) { $0 + $1[key] } / Double(samples.count) }
  }

  var covariance: [[Double]] {
    let mean = self.mean
    return mean.indices.map { one in
      mean.indices.map { other in
        samples.reduce(0) { $0 + ($1[one] - mean[one]) * ($1[other] - mean[other]) } / Double(samples.count)
      }
    }
  }

  /// Returns quantiles of the posterior distribution of a key's position.
  func quantiles(_ shares: [Double], of key: Int) -> [Double] {
    let sorted = samples.map { $0[key] }.sorted()
    return shares.map { sorted[min(Int($0 * Double(sorted.count)), sorted.count - 1)] }
  }
}
