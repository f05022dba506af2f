import Numerics

/// Keys found by simulation: indirect inference (Gourieroux, Monfort, Renault 1993). The statistics of simulated requests
/// are brought as near to those of the log as they come, by Gauss and Newton's steps over common random numbers.
package struct SimulatedFit<Simulator: FitSimulator> {
  private let problem: FitProblem
  private var simulator: Simulator
  private var simulations = 0
  private var isCutShort = false
  /// The statistics that log and simulations have in common, and what the log has of them.
  private var identities: [[String]] = []
  private var measured: [LogStatistic] = []
  private var weights: [Double] = []

  /// Seeds whose simulations tell chance, and of which derivatives are taken twice.
  private static var chanceSeeds: Int { 12 }
  /// Points of the box at which the search may begin, beside the file's own.
  private static var starts: Int { 16 }
  private static var mostSteps: Int { 6 }
  /// Half the distance over which a derivative is taken, as a part of the range.
  private static var width: Double { 0.06 }
  /// Statistics count no better than this, whatever the number of phones: no model is as good as that.
  private static var discrepancy: Double { 0.02 }
  private static var mostWorst: Int { 12 }
  /// A step of less than this part of a standard error is none.
  private static var least: Double { 0.1 }

  package init(_ problem: FitProblem, _ simulator: Simulator) {
    (self.problem, self.simulator) = (problem, simulator)
  }

  /// - Returns: nil: no statistic is common to the log and the simulations, or there was no time for a step.
  package mutating func result() throws(Simulator.Problem) -> FitResult? {
    guard let start = try best() else { return nil }
    guard let chance = try chance(at: start) else { return nil }
    var places = start
    var residuals: [Double] = []
    var last: Step?
    for _ in 0..<Self.mostSteps {
      guard let step = try step(from: places) else { break }
      last = step
      residuals = step.residuals
      guard let next = try improved(step) else { break }
      let moved = zip(next.places, places).enumerated().map { key, pair in
        abs(pair.0 - pair.1) / step.posterior.deviation(key)
      }
      (places, residuals) = next
      if (moved.max() ?? 0) < Self.least { break }
    }
    guard let last else { return nil }
    return summary(last, at: places, residuals, chance)
  }

  // MARK: Simulations

  private mutating func values(at places: [Double], seed: UInt64) throws(Simulator.Problem) -> [Double]? {
    guard let rows = try simulated(at: places, seed: seed) else { return nil }
    return identities.map { rows[$0] ?? .nan }
  }

  private mutating func simulated(
    at places: [Double], seed: UInt64
  ) throws(Simulator.Problem) -> [[String]: Double]? {
    guard let rows = try simulator.statistics(at: places, seed: seed) else {
      isCutShort = true
      return nil
    }
    simulations += 1
    return Dictionary(rows.map { ($0.identity, $0.value) }) { first, _ in first }
  }

  /// The best of the file's own values and of some points spread over the box.
  private mutating func best() throws(Simulator.Problem) -> [Double]? {
    let own = problem.keys.map(\.start)
    let spread = (try? SobolSequence.points(Self.starts, dimensions: own.count)) ?? nil
    var best: (places: [Double], distance: Double)?
    for places in [own] + (spread ?? []) {
      guard let rows = try simulated(at: places, seed: 0) else { break }
      // Chance is not known yet: the log's own errors are taken, and a discrepancy.
      let distance = problem.measured.reduce(0.0) { sum, row in
        guard let value = rows[row.identity], let error = row.error, error > 0 else { return sum }
        let deviate = (row.value - value) / (error + Self.discrepancy * abs(row.value))
        // What one place has and another lacks must not decide.
        return sum + min(deviate * deviate, 100)
      }
      if distance < best?.distance ?? .infinity { best = (places, distance) }
    }
    return best?.places
  }

  /// Simulations that differ by chance alone, and the weights that follow; nil: nothing is in common.
  private mutating func chance(at places: [Double]) throws(Simulator.Problem) -> [[Double]]? {
    var runs: [[[String]: Double]] = []
    for seed in 0..<Self.chanceSeeds {
      guard let rows = try simulated(at: places, seed: 100 + UInt64(seed)) else { return nil }
      runs.append(rows)
    }
    measured = problem.measured.filter { row in
      row.value.isFinite && runs.allSatisfy { $0[row.identity]?.isFinite ?? false }
    }
    identities = measured.map(\.identity)
    guard identities.count > problem.keys.count else { return nil }
    let values = runs.map { run in identities.map { run[$0] ?? .nan } }
    let means = identities.indices.map { place in values.reduce(0) { $0 + $1[place] } / Double(values.count) }
    weights = identities.indices.map { place in
      let squares = values.reduce(0) { $0 + square($1[place] - means[place]) }
      let variance = squares / Double(values.count - 1) * spread
      // Twelve runs tell a deviation to a fifth; one that looks small by chance must not count for everything.
      let floor = square(Self.discrepancy * means[place])
      return variance + floor > 0 ? 1 / (variance + floor) : 0
    }
    return values.map { run in zip(run, means).map { $0 - $1 } }
  }

  /// By how much the variance of measured less simulated statistics is more than that of one simulation: the log has
  /// more phones, or fewer, and two seeds are averaged.
  private var spread: Double { 1 / problem.phones + 0.5 }

  // MARK: Steps

  /// A place with what its derivatives say.
  private struct Step {
    let places: [Double]
    let residuals: [Double]
    let jacobian: FitMatrix
    let posterior: Posterior
    let criterion: Double
  }

  private mutating func step(from places: [Double]) throws(Simulator.Problem) -> Step? {
    guard let residuals = try residuals(at: places), let one = try derivatives(at: places, seed: 1),
      let other = try derivatives(at: places, seed: 2)
    else { return nil }
    guard let posterior = Posterior(FitMatrix.information(one, other, weights: weights)) else { return nil }
    return Step(
      places: places, residuals: residuals, jacobian: .mean(one, other), posterior: posterior,
      criterion: criterion(residuals, places))
  }

  /// Measured less simulated, in the mean of two seeds.
  private mutating func residuals(at places: [Double]) throws(Simulator.Problem) -> [Double]? {
    guard let one = try values(at: places, seed: 1), let other = try values(at: places, seed: 2) else { return nil }
    return measured.indices.map { place in
      let residual = measured[place].value - (one[place] + other[place]) / 2
      return residual.isFinite ? residual : 0
    }
  }

  private func criterion(_ residuals: [Double], _ places: [Double]) -> Double {
    let prior = places.reduce(0) { $0 + square($1 - FitProblem.priorMean) * FitProblem.priorPrecision }
    return zip(residuals, weights).reduce(prior) { $0 + $1.0 * $1.0 * $1.1 }
  }

  private mutating func derivatives(at places: [Double], seed: UInt64) throws(Simulator.Problem) -> FitMatrix? {
    var columns: [[Double]] = []
    for key in places.indices {
      var (low, high) = (places, places)
      low[key] = max(places[key] - Self.width, 0)
      high[key] = min(places[key] + Self.width, 1)
      guard let below = try values(at: low, seed: seed), let above = try values(at: high, seed: seed) else {
        return nil
      }
      columns.append(
        zip(above, below).map { above, below in
          let slope = (above - below) / (high[key] - low[key])
          return slope.isFinite ? slope : 0
        })
    }
    return FitMatrix(rows: measured.indices.map { row in columns.map { $0[row] } })
  }

  /// Where a step of Gauss and Newton leads, halved until the criterion falls, and what is left unexplained there; nil:
  /// it falls nowhere.
  private mutating func improved(
    _ step: Step
  ) throws(Simulator.Problem) -> (places: [Double], residuals: [Double])? {
    let slope = step.jacobian.gradient(step.residuals, weights: weights)
    let pull = zip(slope, step.places).map { $0 + FitProblem.priorPrecision * (FitProblem.priorMean - $1) }
    let direction = step.posterior.times(pull)
    var length = 1.0
    for _ in 0..<4 {
      let next = zip(step.places, direction).map { min(max($0 + length * $1, 0), 1) }
      guard let residuals = try residuals(at: next) else { return nil }
      if criterion(residuals, next) < step.criterion { return (next, residuals) }
      length /= 2
    }
    return nil
  }

  // MARK: What it comes to

  private func summary(
    _ step: Step, at places: [Double], _ residuals: [Double], _ chance: [[Double]]
  ) -> FitResult {
    let chiSquare = zip(residuals, weights).reduce(0) { $0 + $1.0 * $1.0 * $1.1 }
    let freedom = measured.count - problem.keys.count
    let scale = freedom > 0 ? max(1, chiSquare / Double(freedom)) : 1
    // What the chance of the statistics makes of the keys: they are correlated, which the weights leave out.
    let moved = chance.map { run in step.posterior.times(step.jacobian.gradient(run, weights: weights)) }
    let factor = StudentTable.upper(freedom: Double(max(chance.count - 1, 1)))
    let keys = problem.keys.indices.map { key -> FitResult.FittedKey in
      let ofChance = moved.reduce(0) { $0 + square($1[key]) } / Double(max(chance.count - 1, 1)) * spread
      // The part that the range itself adds where the log says little.
      let ofRange = step.posterior.times(step.posterior.covariance[key])[key] * FitProblem.priorPrecision
      // With the discrepancy that every statistic is granted, and as much more as the model leaves unexplained.
      let deviation = (max(ofChance + ofRange, square(step.posterior.deviation(key))) * scale).squareRoot()
      return FitResult.FittedKey(
        path: problem.keys[key].path, place: places[key],
        statistical: factor * (ofChance + ofRange).squareRoot(), withModelError: factor * deviation,
        contraction: max(0, 1 - deviation / FitProblem.priorDeviation),
        confounded: problem.keys.indices.filter { other in
          other != key && abs(step.posterior.correlation(key, other)) > 0.95
        }.map { problem.keys[$0].path })
    }
    return FitResult(
      keys: keys, chiSquare: chiSquare, freedom: freedom, worst: worst(residuals), simulations: simulations,
      isCutShort: isCutShort)
  }

  private func worst(_ residuals: [Double]) -> [FitResult.Residual] {
    let all = measured.indices.map { place in
      FitResult.Residual(
        statistic: measured[place], simulated: measured[place].value - residuals[place],
        deviate: residuals[place] * weights[place].squareRoot())
    }
    // Of equals the first, so that the order is one.
    return Array(
      all.enumerated().sorted { (-abs($0.element.deviate), $0.offset) < (-abs($1.element.deviate), $1.offset) }
        .map(\.element).prefix(Self.mostWorst))
  }
}
