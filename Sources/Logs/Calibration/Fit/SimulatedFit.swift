import Numerics

/// A fit of a scenario's keys by simulation (indirect inference; Gourieroux, Monfort and Renault 1993).
///
/// It runs waves of simulations (history matching; Vernon, Goldstein and Bower 2010). Each wave covers a box of
/// positions with simulations and fits a response surface to each statistic. The positions that could explain the log
/// define the smaller box for the next wave.
package struct SimulatedFit<Simulator: FitSimulator> {
  private let problem: FitProblem
  private var simulator: Simulator
  private var simulations = 0
  private var isCutShort = false
  /// The positions and statistics of all simulations that have been run.
  private var runs: [Run] = []
  /// The number of points of the Sobol sequence that earlier waves have used.
  private var used = 0

  private struct Run {
    let places: [Double]
    let rows: [[String]: Double]
  }

  /// The maximum ratio of a side of the next box to that of the current one for which another wave is worthwhile.
  private static var settled: Double { 0.7 }
  /// The posterior quantiles that bound the next box, and the relative margin added to its sides.
  private static var kept: [Double] { [0.005, 0.995] }
  private static var margin: Double { 0.25 }
  private static var maxWorst: Int { 12 }
  private static var normal: Double { 1.96 }

  package init(_ problem: FitProblem, _ simulator: Simulator) {
    (self.problem, self.simulator) = (problem, simulator)
  }

  /// - Returns: `nil` if the log and the simulations share no statistic, or if there was not enough time for a wave.
  package mutating func result() throws(Simulator.Problem) -> FitResult? {
    var box = FitBox.whole(problem.keys.count)
    var last: FitView?
    for wave in 0..<FitProblem.maxWaves {
      try live(in: box)
      guard let view = view(of: box) else { break }
      last = view
      let next = Self.box(around: posterior(view, isLast: false))
      let isSettled = box.low.indices.allSatisfy { key in
        next.high[key] - next.low[key] > Self.settled * (box.high[key] - box.low[key])
      }
      if isCutShort || isSettled || wave == FitProblem.maxWaves - 1 { break }
      box = next
    }
    guard let last else { return nil }
    let first = posterior(last, isLast: true)
    let tried = try tried(at: first.mean, last)
    let freedom = last.measured.count - problem.keys.count
    let chiSquare = tried.reduce(0) { $0 + square($1.deviate) }
    // All intervals are widened to account for deviations that no values of the keys can explain.
    let scale = max(1, chiSquare / Double(max(freedom, 1)))
    let posterior = scale > 1 ? posterior(last, isLast: true, scale: scale) : first
    return FitResult(
      keys: keys(last, posterior, at: first.mean), chiSquare: chiSquare, freedom: freedom, worst: Self.worst(tried),
      simulations: simulations, isCutShort: isCutShort)
  }

  // MARK: Waves

  private mutating func live(in box: FitBox) throws(Simulator.Problem) {
    let keys = problem.keys.count
    let points = Self.points(used + FitProblem.wave(keys: keys), keys: keys).dropFirst(used)
    used += points.count
    _ = try simulated(points.map(box.place))
  }

  /// Returns the first points of the Sobol sequence; empty if there are more keys than the sequence supports.
  private static func points(_ count: Int, keys: Int) -> [[Double]] {
    ((try? SobolSequence.points(count, dimensions: keys)) ?? nil) ?? []
  }

  /// Runs one simulation per position, each with different random draws.
  ///
  /// - Returns: the results of the simulations that finished in time.
  private mutating func simulated(_ places: [[Double]]) throws(Simulator.Problem) -> [Run] {
    let first = UInt64(runs.count)
    let trials = places.enumerated().map { FitTrial(places: $0.element, seed: first + UInt64($0.offset)) }
    let rows = try simulator.statistics(of: trials)
    isCutShort = isCutShort || rows.contains { $0 == nil }
    let lived = zip(places, rows).compactMap { places, rows in
      rows.map { rows in
        Run(places: places, rows: Dictionary(rows.map { ($0.identity, $0.value) }) { first, _ in first })
      }
    }
    simulations += lived.count
    runs += lived
    return lived
  }

  /// Returns the simulations within a box, with the statistics that occur in all of them and in the log; `nil` if there
  /// are too few.
  private func view(of box: FitBox) -> FitView? {
    let within = runs.filter { box.holds($0.places) }
    let measured = problem.measured.filter { row in
      row.value.isFinite && within.allSatisfy { $0.rows[row.identity]?.isFinite ?? false }
    }
    guard measured.count > problem.keys.count else { return nil }
    let identities = measured.map(\.identity)
    let values = within.map { run in identities.map { run.rows[$0] ?? .nan } }
    return ResponseSurface(within.map(\.places), values, in: box).map { FitView(measured, $0, problem) }
  }

  /// - Parameter isLast: whether the posterior is that of the last wave. Earlier waves allow for additional variance,
  ///   so that deviations from the surface do not exclude any position.
  /// - Parameter scale: the factor applied to all variances.
  private func posterior(_ view: FitView, isLast: Bool, scale: Double = 1) -> FitPosterior {
    let points = Self.points(FitPosterior.starts(problem.keys.count), keys: problem.keys.count)
    return FitPosterior(in: view.score.surface.box, from: points, lengths: isLast ? 5 : 1) {
      view.score.logarithm(at: $0, caution: isLast ? 0 : 1, scale: scale)
    }
  }

  private static func box(around posterior: FitPosterior) -> FitBox {
    let ends = posterior.mean.indices.map { key -> ClosedRange<Double> in
      let kept = posterior.quantiles(Self.kept, of: key)
      let more = margin * (kept[1] - kept[0])
      return max(kept[0] - more, 0)...min(kept[1] + more, 1)
    }
    return FitBox(low: ends.map(\.lowerBound), high: ends.map(\.upperBound))
  }

  // MARK: Results

  /// Simulates the fitted position and returns the deviations from the log.
  private mutating func tried(
    at places: [Double], _ view: FitView
  ) throws(Simulator.Problem) -> [FitResult.Residual] {
    let lived = try simulated(Array(repeating: places, count: FitProblem.trials))
    let row = view.score.surface.row(at: places)
    return view.measured.indices.map { index in
      let statistic = view.measured[index]
      let values = lived.compactMap { $0.rows[statistic.identity] }.filter(\.isFinite)
      // If there was no time for trials, the response surface predicts the statistics instead.
      let mean =
        values.isEmpty
        ? dot(view.score.surface.coefficients[index], row) : values.reduce(0, +) / Double(values.count)
      let chance =
        1 / problem.phones + (values.isEmpty ? view.score.surface.variance(row) : 1 / Double(values.count))
      let variance = view.score.surface.variances[index] * chance + view.floors[index]
      return FitResult.Residual(
        statistic: statistic, simulated: mean,
        deviate: variance > 0 ? (statistic.value - mean) / variance.squareRoot() : 0)
    }
  }

  /// - Parameter places: the positions of the trials within the keys' ranges.
  private func keys(_ view: FitView, _ posterior: FitPosterior, at places: [Double]) -> [FitResult.FittedKey] {
    let covariance = posterior.covariance
    let chance = view.score.deviations(at: places, covariance)
    return places.indices.map { key in
      let deviation = covariance[key][key].squareRoot()
      let half = Self.normal * min(chance[key], deviation)
      let ends = posterior.quantiles([0.025, 0.975], of: key)
      // The interval with model error includes random variation, so the statistical interval must not extend beyond it.
      let (low, high) = (max(places[key] - half, ends[0]), min(places[key] + half, ends[1]))
      let correlations = places.indices.map { other in
        other == key ? 1 : covariance[key][other] / (deviation * covariance[other][other].squareRoot())
      }
      return FitResult.FittedKey(
        path: problem.keys[key], place: places[key],
        statistical: min(low, high)...max(low, high), withModelError: ends[0]...ends[1],
        contraction: max(1 - deviation / FitProblem.priorDeviation, 0), correlations: correlations,
        confounded: correlations.indices.filter { $0 != key && abs(correlations[$0]) > 0.95 }
          .map { problem.keys[$0] },
        meetsEnd: min(places[key], 1 - places[key]) < 2 * deviation)
    }
  }

  private static func worst(_ residuals: [FitResult.Residual]) -> [FitResult.Residual] {
    // Residuals of equal size keep their original order, so that the result is deterministic.
    Array(
      residuals.enumerated().sorted { (-abs($0.element.deviate), $0.offset) < (-abs($1.element.deviate), $1.offset) }
        .map(\.element).prefix(maxWorst))
  }
}

/// The statistics that occur in the log and in all simulations within a box, with their surfaces.
private struct FitView {
  let measured: [LogStatistic]
  /// The tolerated variance of each statistic, regardless of the number of phones.
  let floors: [Double]
  let score: FitScore

  /// The smallest relative error that is assumed for a statistic, regardless of the number of phones; no model is more
  /// accurate.
  private static let discrepancy = 0.02

  init(_ measured: [LogStatistic], _ surface: ResponseSurface, _ problem: FitProblem) {
    self.measured = measured
    floors = measured.map { square(Self.discrepancy * $0.value) }
    score = FitScore(measured.map(\.value), surface, floors: floors, chance: 1 / problem.phones)
  }
}

/// A problem for a fit by simulation: keys with their ranges, and the log's statistics to explain.
package struct FitProblem: Sendable {
  /// The paths of the keys to fit.
  package let keys: [String]
  package let measured: [LogStatistic]
  /// The ratio of the number of phones in the log to that in a simulation. The random variance in the log is smaller by
  /// this factor.
  package let phones: Double

  package init(keys: [String], measured: [LogStatistic], phones: Double) {
    (self.keys, self.measured, self.phones) = (keys, measured, phones)
  }

  static let maxWaves = 4
  /// The number of simulations at the fitted position.
  static let trials = 8

  /// Returns the number of simulations in a wave. It is twice the number of surface coefficients, plus a few
  /// simulations to measure random variation.
  static func wave(keys: Int) -> Int { 12 + 2 * ResponseSurface.terms(keys: keys) }

  /// Returns the maximum number of simulations in a fit of this many keys.
  package static func maxSimulations(keys: Int) -> Int { keys == 0 ? 0 : maxWaves * wave(keys: keys) + trials }

  /// The prior standard deviation of a key's position, which is uniformly distributed within its range.
  static let priorDeviation = 0.288_675_134_594_812_9
}

/// One simulation of the log's period, with the positions of the keys and a seed.
package struct FitTrial: Hashable, Sendable {
  /// The relative position of each key within its range.
  package let places: [Double]
  /// The seed of the simulation's random numbers.
  package let seed: UInt64
}

/// A simulator of the log's period that returns the same statistics as the log.
package protocol FitSimulator {
  associatedtype Problem: Error

  /// Runs trials in any order, possibly concurrently.
  ///
  /// - Returns: the statistics in the order of the trials; `nil` for trials that ran out of time.
  mutating func statistics(of trials: [FitTrial]) throws(Problem) -> [[LogStatistic]?]
}

/// The result of a fit.
package struct FitResult: Sendable {
  /// The fitted position of each key within its range. Each has one interval that covers only random variation, and one
  /// that also covers model error.
  package let keys: [FittedKey]
  /// The chi-square of the unexplained deviations, and its degrees of freedom.
  package let chiSquare: Double
  package let freedom: Int
  /// The statistics that the fit explains worst, in descending order of their standardized residuals.
  package let worst: [Residual]
  package let simulations: Int
  /// Whether the fit stopped early because time ran out.
  package let isCutShort: Bool

  package struct FittedKey: Sendable {
    package let path: String
    /// The posterior mean of the key's position within its range.
    package let place: Double
    /// The 95 % interval of the position that covers only random variation.
    package let statistical: ClosedRange<Double>
    /// The 95 % interval of the position that also covers deviations that the model does not explain.
    package let withModelError: ClosedRange<Double>
    /// The contraction of the posterior relative to the prior, which is 1 - posterior deviation / prior deviation.
    package let contraction: Double
    /// The correlations between this key's estimate and the estimates of all keys, from -1 to 1.
    package let correlations: [Double]
    /// The keys whose estimates have an absolute correlation above 0.95 with this one.
    package let confounded: [String]
    /// Whether a bound of the range lies within two standard errors of the estimate; values beyond that bound were not
    /// simulated.
    package let meetsEnd: Bool

    /// The verdict (Docs/CALIBRATION.md). It is `identified` if the contraction is above 80 % and the range does not
    /// cut off the interval. Otherwise, it is `weakly` if the contraction is above 30 %.
    package var verdict: Estimate.Verdict {
      guard contraction > 0.3 else { return .notFromThisLog }
      return contraction > 0.8 && !meetsEnd ? .identified : .weakly
    }
  }

  package struct Residual: Sendable {
    package let statistic: LogStatistic
    package let simulated: Double
    /// The deviation of the statistic from the fit, in standard errors.
    package let deviate: Double
  }

  /// The chi-square per degree of freedom; `nil` if no degrees of freedom are left to test the fit.
  package var ratio: Double? { freedom > 0 ? chiSquare / Double(freedom) : nil }

  /// The factor applied to variances, which is 1 if random variation can explain all deviations from the model.
  package var scale: Double { max(1, ratio ?? 1) }
}
