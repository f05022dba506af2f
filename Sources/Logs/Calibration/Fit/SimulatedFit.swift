import Numerics

/// Keys found by simulation: indirect inference (Gourieroux, Monfort, Renault 1993) by waves of simulations (history
/// matching; Vernon, Goldstein, Bower 2010). Each wave fills a box of places, makes a response surface of every statistic
/// and leaves the smaller box of those places that may explain the log.
package struct SimulatedFit<Simulator: FitSimulator> {
  private let problem: FitProblem
  private var simulator: Simulator
  private var simulations = 0
  private var isCutShort = false
  /// Everything that was simulated.
  private var runs: [Run] = []
  /// Points of Sobol's sequence that former waves took.
  private var used = 0

  private struct Run {
    let places: [Double]
    let rows: [[String]: Double]
  }

  /// A wave that leaves more than this of every side of the box is the last one.
  private static var settled: Double { 0.7 }
  /// Shares of the posterior between which the next box lies, and by what part of that its sides are longer.
  private static var kept: [Double] { [0.005, 0.995] }
  private static var margin: Double { 0.25 }
  private static var mostWorst: Int { 12 }
  private static var normal: Double { 1.96 }

  package init(_ problem: FitProblem, _ simulator: Simulator) {
    (self.problem, self.simulator) = (problem, simulator)
  }

  /// - Returns: nil: no statistic is common to the log and the simulations, or there was no time for a wave.
  package mutating func result() throws(Simulator.Problem) -> FitResult? {
    var box = FitBox.whole(problem.keys.count)
    var last: FitView?
    for wave in 0..<FitProblem.mostWaves {
      try live(in: box)
      guard let view = view(of: box) else { break }
      last = view
      let next = Self.box(around: posterior(view, isLast: false))
      let isSettled = box.low.indices.allSatisfy { key in
        next.high[key] - next.low[key] > Self.settled * (box.high[key] - box.low[key])
      }
      if isCutShort || isSettled || wave == FitProblem.mostWaves - 1 { break }
      box = next
    }
    guard let last else { return nil }
    let first = posterior(last, isLast: true)
    let tried = try tried(at: first.mean, last)
    let freedom = last.measured.count - problem.keys.count
    let chiSquare = tried.reduce(0) { $0 + square($1.deviate) }
    // What keys cannot explain widens all intervals.
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

  /// None for more keys than the sequence has dimensions.
  private static func points(_ count: Int, keys: Int) -> [[Double]] {
    ((try? SobolSequence.points(count, dimensions: keys)) ?? nil) ?? []
  }

  /// Lives some places, each with draws of its own.
  ///
  /// - Returns: what there was time for.
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

  /// What the simulations within a box say of the statistics that all of them and the log have; nil: too little.
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

  /// - Parameter isLast: whether what no surface follows may be taken for chance; else it counts once more, so that no
  ///   place is left out for it.
  /// - Parameter scale: by how much all variances are larger.
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

  // MARK: What it comes to

  /// What simulations at the place that was found leave unexplained.
  private mutating func tried(
    at places: [Double], _ view: FitView
  ) throws(Simulator.Problem) -> [FitResult.Residual] {
    let lived = try simulated(Array(repeating: places, count: FitProblem.trials))
    let row = view.score.surface.row(at: places)
    return view.measured.indices.map { index in
      let statistic = view.measured[index]
      let values = lived.compactMap { $0.rows[statistic.identity] }.filter(\.isFinite)
      // Without time for a trial the surface has to do.
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

  /// - Parameter places: where they were tried.
  private func keys(_ view: FitView, _ posterior: FitPosterior, at places: [Double]) -> [FitResult.FittedKey] {
    let covariance = posterior.covariance
    let chance = view.score.deviations(at: places, covariance)
    return places.indices.map { key in
      let deviation = covariance[key][key].squareRoot()
      let half = Self.normal * min(chance[key], deviation)
      let ends = posterior.quantiles([0.025, 0.975], of: key)
      // Chance is part of what is quoted.
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
    // Of equals the first, so that the order is one.
    Array(
      residuals.enumerated().sorted { (-abs($0.element.deviate), $0.offset) < (-abs($1.element.deviate), $1.offset) }
        .map(\.element).prefix(mostWorst))
  }
}

/// The log's statistics that all simulations within a box have, and what these say of them.
private struct FitView {
  let measured: [LogStatistic]
  /// By statistic: the variance that is granted whatever the number of phones.
  let floors: [Double]
  let score: FitScore

  /// Statistics count no better than this, whatever the number of phones: no model is as good as that.
  private static let discrepancy = 0.02

  init(_ measured: [LogStatistic], _ surface: ResponseSurface, _ problem: FitProblem) {
    self.measured = measured
    floors = measured.map { square(Self.discrepancy * $0.value) }
    score = FitScore(measured.map(\.value), surface, floors: floors, chance: 1 / problem.phones)
  }
}

/// What a fit by simulation is about: keys with what they may be, and what the log says that they must explain.
package struct FitProblem: Sendable {
  /// The paths of the keys that are looked for.
  package let keys: [String]
  package let measured: [LogStatistic]
  /// The phones of the log over those of a simulation: what the log has by chance is as much less.
  package let phones: Double

  package init(keys: [String], measured: [LogStatistic], phones: Double) {
    (self.keys, self.measured, self.phones) = (keys, measured, phones)
  }

  static let mostWaves = 4
  /// Simulations at the place that was found.
  static let trials = 8

  /// Simulations of a wave: twice as many as a surface has coefficients, and some that tell chance.
  static func wave(keys: Int) -> Int { 12 + 2 * ResponseSurface.terms(keys: keys) }

  /// How many simulations a fit of some keys takes at most.
  package static func mostSimulations(keys: Int) -> Int { keys == 0 ? 0 : mostWaves * wave(keys: keys) + trials }

  /// The standard deviation of a place that is uniform over its range, as it is taken for before the log is seen.
  static let priorDeviation = 0.288_675_134_594_812_9
}

/// One simulation of the log's time that a fit asks for.
package struct FitTrial: Hashable, Sendable {
  /// Where each key lies between the ends of its range.
  package let places: [Double]
  /// Names the draws.
  package let seed: UInt64
}

/// Simulates the log's time, as the fit sees it: the same statistics as of the log.
package protocol FitSimulator {
  associatedtype Problem: Error

  /// Some simulations, in any order or at the same time.
  ///
  /// - Returns: in the order of the trials; nil for those that there was no time for.
  mutating func statistics(of trials: [FitTrial]) throws(Problem) -> [[LogStatistic]?]
}

/// What the fit found.
package struct FitResult: Sendable {
  /// By key: the place between the ends of its range, with both intervals.
  package let keys: [FittedKey]
  /// The chi-square of what is not explained, and how many statistics there are beyond keys.
  package let chiSquare: Double
  package let freedom: Int
  /// What is explained worst, the worst first: standardised residuals.
  package let worst: [Residual]
  package let simulations: Int
  /// Whether it ended for want of time.
  package let isCutShort: Bool

  package struct FittedKey: Sendable {
    package let path: String
    /// The mean of what the log leaves of the range.
    package let place: Double
    /// Places of the 95 % interval that chance alone makes.
    package let statistical: ClosedRange<Double>
    /// With what the model does not explain.
    package let withModelError: ClosedRange<Double>
    /// How much narrower than before the log was seen: 1 - deviation after / deviation before.
    package let contraction: Double
    /// By key: how its estimate moves with that one, -1 to 1.
    package let correlations: [Double]
    /// Keys whose estimates move with it, beyond a correlation of 0.95.
    package let confounded: [String]
    /// Whether an end of its range lies within two standard errors: what lies beyond was not looked at.
    package let meetsEnd: Bool

    /// Above 80 % identified, above 30 % weakly (Docs/CALIBRATION.md); where its range cuts the interval, weakly at most.
    package var verdict: Estimate.Verdict {
      guard contraction > 0.3 else { return .notFromThisLog }
      return contraction > 0.8 && !meetsEnd ? .identified : .weakly
    }
  }

  package struct Residual: Sendable {
    package let statistic: LogStatistic
    package let simulated: Double
    /// In standard errors.
    package let deviate: Double
  }

  /// Whether the model explains what it was fitted to, as far as chance goes.
  package var scale: Double { freedom > 0 ? max(1, chiSquare / Double(freedom)) : 1 }
}
