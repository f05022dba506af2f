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
