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

  /// Simulations that tell chance.
  private static var chanceSeeds: Int { 12 }
  /// Draws of which derivatives are taken, each for itself: noise of one is none of the other's.
  private static var seeds: [UInt64] { [1, 2] }
  /// Parts of a step that are tried at a time.
  private static var lengths: [[Double]] { [[1, 0.5], [0.25, 0.1]] }
  /// Points of the box at which a search may begin, beside the file's own.
  private static var points: Int { 16 }
  /// Searches from the best of them, each in a part of the box of its own.
  private static var descents: Int { 3 }
  private static var apart: Double { 0.2 }
  /// By how much a criterion must be better for the other place to be ruled out: two standard errors.
  private static var mostBetter: Double { 4 }
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
    let starts = try self.starts()
    guard let first = starts.first, let chance = try chance(at: first) else { return nil }
    var stations: [Station] = []
    for start in starts {
      guard let station = try descent(from: start) else { break }
      stations.append(station)
    }
    guard let best = stations.min(by: { criterion($0) < criterion($1) }) else { return nil }
    let rivals = stations.filter { criterion($0) < criterion(best) + Self.mostBetter }.map(\.places)
    // Chance depends on the keys: what it is where the search came to weighs the statistics of the last steps.
    guard !isCutShort, let chanceThere = try self.chance(at: best.places), let last = try descent(from: best.places)
    else { return summary(best, chance, rivals) }
    return summary(last, chanceThere, rivals)
  }

  // MARK: Simulations

  /// Statistics by identity; nil for what there was no time for.
  private mutating func simulated(_ trials: [FitTrial]) throws(Simulator.Problem) -> [[[String]: Double]?] {
    let all = try simulator.statistics(of: trials)
    simulations += all.count { $0 != nil }
    isCutShort = isCutShort || all.contains { $0 == nil }
    return all.map { rows in
      rows.map { Dictionary($0.map { ($0.identity, $0.value) }) { first, _ in first } }
    }
  }

  /// The values of the statistics in common; nil: time is up.
  private mutating func values(_ trials: [FitTrial]) throws(Simulator.Problem) -> [[Double]]? {
    let rows = try simulated(trials).compactMap { $0 }
    guard rows.count == trials.count else { return nil }
    return rows.map { rows in identities.map { rows[$0] ?? .nan } }
  }

  /// The best of the file's own values and of some points spread over the box, the best first, none near another.
  private mutating func starts() throws(Simulator.Problem) -> [[Double]] {
    let own = problem.keys.map(\.start)
    let spread = (try? SobolSequence.points(Self.points, dimensions: own.count)) ?? nil
    let trials = ([own] + (spread ?? [])).map { FitTrial(places: $0, seed: 0) }
    let tried = zip(trials, try simulated(trials)).compactMap { trial, rows in
      rows.map { (places: trial.places, distance: distance($0)) }
    }
    var starts: [[Double]] = []
    // Of equals the first, so that the order is one.
    for (_, trial) in tried.enumerated().sorted(by: {
      ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset)
    }) {
      let isFar = starts.allSatisfy { start in
        zip(start, trial.places).contains { abs($0 - $1) >= Self.apart }
      }
      if isFar, starts.count < Self.descents { starts.append(trial.places) }
    }
    return starts
  }

  /// How far a simulation is from the log; chance is not known yet: the log's own errors are taken, and a discrepancy.
  private func distance(_ rows: [[String]: Double]) -> Double {
    problem.measured.reduce(0.0) { sum, row in
      guard let value = rows[row.identity], let error = row.error, error > 0 else { return sum }
      let deviate = (row.value - value) / (error + Self.discrepancy * abs(row.value))
      // What one place has and another lacks must not decide.
      return sum + min(deviate * deviate, 100)
    }
  }

  /// Simulations that differ by chance alone, and the weights that follow; nil: nothing is in common.
  private mutating func chance(at places: [Double]) throws(Simulator.Problem) -> [[Double]]? {
    let runs = try simulated((0..<Self.chanceSeeds).map { FitTrial(places: places, seed: 100 + UInt64($0)) })
      .compactMap { $0 }
    guard runs.count == Self.chanceSeeds else { return nil }
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
  private var spread: Double { 1 / problem.phones + 1 / Double(Self.seeds.count) }

  // MARK: Steps

  /// Derivatives at a place, and what they say.
  private struct Slopes {
    let places: [Double]
    let jacobian: FitMatrix
    let posterior: Posterior
  }

  /// Where a search came to.
  private struct Station {
    var places: [Double]
    var residuals: [Double]
    var slopes: Slopes
  }

  /// Steps until they lead nowhere; derivatives are taken anew where a step was long.
  ///
  /// - Returns: nil: there was no time for the first derivatives.
  private mutating func descent(from start: [Double]) throws(Simulator.Problem) -> Station? {
    guard let residuals = try residuals(at: [start])?.first, let slopes = try slopes(at: start) else { return nil }
    var station = Station(places: start, residuals: residuals, slopes: slopes)
    for _ in 0..<Self.mostSteps {
      guard let next = try improved(station) else { break }
      let moved = zip(next.places, station.places).enumerated().map { key, pair in
        abs(pair.0 - pair.1) / station.slopes.posterior.deviation(key)
      }
      (station.places, station.residuals) = next
      if (moved.max() ?? 0) < Self.least { break }
      let far = zip(station.places, station.slopes.places).map { abs($0 - $1) }.max() ?? 0
      guard far > Self.width else { continue }
      guard let slopes = try self.slopes(at: station.places) else { break }
      station.slopes = slopes
    }
    return station
  }

  /// Measured less simulated at some places, in the mean of two seeds.
  private mutating func residuals(at places: [[Double]]) throws(Simulator.Problem) -> [[Double]]? {
    let trials = places.flatMap { places in Self.seeds.map { FitTrial(places: places, seed: $0) } }
    guard let values = try values(trials) else { return nil }
    return places.indices.map { number in
      let runs = values[number * Self.seeds.count..<(number + 1) * Self.seeds.count]
      return measured.indices.map { place in
        let residual = measured[place].value - runs.reduce(0) { $0 + $1[place] } / Double(runs.count)
        return residual.isFinite ? residual : 0
      }
    }
  }

  private func criterion(_ station: Station) -> Double { criterion(station.residuals, station.places) }

  private func criterion(_ residuals: [Double], _ places: [Double]) -> Double {
    let prior = places.reduce(0) { $0 + square($1 - FitProblem.priorMean) * FitProblem.priorPrecision }
    return zip(residuals, weights).reduce(prior) { $0 + $1.0 * $1.0 * $1.1 }
  }

  /// Central differences, by each seed for itself; nil: time is up, or they say nothing.
  private mutating func slopes(at places: [Double]) throws(Simulator.Problem) -> Slopes? {
    let sides = places.indices.flatMap { key in
      [max(places[key] - Self.width, 0), min(places[key] + Self.width, 1)].map { side in
        var moved = places
        moved[key] = side
        return moved
      }
    }
    guard let values = try values(Self.seeds.flatMap { seed in sides.map { FitTrial(places: $0, seed: seed) } }) else {
      return nil
    }
    let matrices = Self.seeds.indices.map { seed in
      FitMatrix(
        rows: measured.indices.map { row in
          places.indices.map { key in
            let (low, high) = (2 * key, 2 * key + 1)
            let runs = values[seed * sides.count..<(seed + 1) * sides.count].map { $0[row] }
            let slope = (runs[high] - runs[low]) / (sides[high][key] - sides[low][key])
            return slope.isFinite ? slope : 0
          }
        })
    }
    guard let posterior = Posterior(FitMatrix.information(matrices[0], matrices[1], weights: weights)) else {
      return nil
    }
    return Slopes(places: places, jacobian: .mean(matrices[0], matrices[1]), posterior: posterior)
  }

  /// Where a step of Gauss and Newton leads, cut short until the criterion falls, and what is left unexplained there;
  /// nil: it falls nowhere.
  private mutating func improved(
    _ station: Station
  ) throws(Simulator.Problem) -> (places: [Double], residuals: [Double])? {
    let slope = station.slopes.jacobian.gradient(station.residuals, weights: weights)
    let pull = zip(slope, station.places).map { $0 + FitProblem.priorPrecision * (FitProblem.priorMean - $1) }
    let direction = station.slopes.posterior.times(pull)
    let own = criterion(station.residuals, station.places)
    for lengths in Self.lengths {
      let next = lengths.map { length in zip(station.places, direction).map { min(max($0 + length * $1, 0), 1) } }
      guard let residuals = try residuals(at: next) else { return nil }
      let best = next.indices.min { criterion(residuals[$0], next[$0]) < criterion(residuals[$1], next[$1]) } ?? 0
      if criterion(residuals[best], next[best]) < own { return (next[best], residuals[best]) }
    }
    return nil
  }

  // MARK: What it comes to

  /// What is left below a billionth is how numbers are rounded.
  private static func contraction(_ deviation: Double) -> Double {
    let part = 1 - deviation / FitProblem.priorDeviation
    return part > 1e-9 ? part : 0
  }

  /// - Parameter rivals: places that explain the log as well, with the best one.
  private func summary(_ station: Station, _ chance: [[Double]], _ rivals: [[Double]]) -> FitResult {
    let (places, residuals, step) = (station.places, station.residuals, station.slopes)
    let chiSquare = zip(residuals, weights).reduce(0) { $0 + $1.0 * $1.0 * $1.1 }
    let freedom = measured.count - problem.keys.count
    let scale = freedom > 0 ? max(1, chiSquare / Double(freedom)) : 1
    // What the chance of the statistics makes of the keys: they are correlated, which the weights leave out.
    let moved = chance.map { run in step.posterior.times(step.jacobian.gradient(run, weights: weights)) }
    let factor = StudentTable.upper(freedom: Double(max(chance.count - 1, 1)))
    var keys = problem.keys.indices.map { key -> FitResult.FittedKey in
      let ofChance = moved.reduce(0) { $0 + square($1[key]) } / Double(max(chance.count - 1, 1)) * spread
      // The part that the range itself adds where the log says little.
      let ofRange = step.posterior.times(step.posterior.covariance[key])[key] * FitProblem.priorPrecision
      // With the discrepancy that every statistic is granted, and as much more as the model leaves unexplained.
      let here = (max(ofChance + ofRange, square(step.posterior.deviation(key))) * scale).squareRoot()
      // Where another place explains the log as well, the interval reaches there: no derivative at this one tells.
      let deviation = here + (rivals.map { abs($0[key] - places[key]) }.max() ?? 0) / factor
      let correlations = problem.keys.indices.map { step.posterior.correlation(key, $0) }
      return FitResult.FittedKey(
        path: problem.keys[key].path, place: places[key],
        statistical: factor * (ofChance + ofRange).squareRoot(), withModelError: factor * deviation,
        contraction: Self.contraction(deviation), correlations: correlations,
        confounded: problem.keys.indices.filter { $0 != key && abs(correlations[$0]) > 0.95 }
          .map { problem.keys[$0].path },
        meetsEnd: min(places[key], 1 - places[key]) < 2 * deviation)
    }
    if !keys.allSatisfy(\.isTold) { for key in keys.indices { keys[key].restsOnUntold = keys[key].isTold } }
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
