import Scenario

@testable import Studies

/// A tuning problem whose figures are formulas, with noise that is the same for every setting with a given seed.
struct TuneSample {
  var problem: TuneProblem
  /// Returns the figure and the goals' values, from the point in the unit cube and the noise.
  var figures: ([Double], Double) -> [Double]
  /// What a preset adds to the figures, the first of which is minimized.
  var ends: [Preset: [Double]] = [:]
  /// The standard deviation of the noise.
  var noise = 0.0

  /// - Parameter limits: the upper limit of each figure except the first.
  init(
    axes: [TuneAxis], limits: [Double], seed: UInt64 = 1, replications: Int = 1, maxRuns: Int = 60,
    noise: Double = 0, figures: @escaping ([Double], Double) -> [Double]
  ) {
    let names: [Metric] = [.staleViews, .peakRPS, .meanRPS, .lateness]
    let goals = limits.enumerated().map { index, limit in
      Goal(
        id: "g\(index)", text: "", figure: FigureName(names[index + 1], names[index + 1].statistics[0]),
        comparison: .atMost, limit: .value(limit), severity: .error)
    }
    problem = TuneProblem(
      objective: .figure(FigureName(.staleViews, .share)), goals: goals, axes: axes, seed: seed,
      replications: replications,
      maxRuns: maxRuns)
    self.figures = figures
    self.noise = noise
  }

  /// Returns the study after a complete tuning.
  func study() throws -> TuneStudy {
    var tuner = try Tuner(problem)
    while let request = try tuner.next() {
      let summary = summary(request)
      tuner.add(summary, tuner.needsBracket(summary) ? bracket(request) : nil)
    }
    return tuner.study
  }

  /// Returns one replication with the draws of the first.
  private func bracket(_ request: TuneRequest) -> Bracket {
    var single = request
    single.replications = 1
    return Bracket(summaries: ends.mapValues { summary(single, adding: $0) })
  }

  /// Returns a setting's point in the unit cube; for words, the number.
  func place(_ levels: [Int]) -> [Double] {
    zip(problem.axes, levels).map { axis, level in
      axis.isOrdered ? Double(level) / Double(axis.levels - 1) : Double(level)
    }
  }

  private func summary(_ request: TuneRequest, adding extra: [Double] = []) -> Summary {
    let draws = (0..<request.replications).map { replication in
      noise * Self.normal(request.seed &* 1_000 &+ UInt64(replication))
    }
    let values = draws.map { draw in
      let own = figures(place(request.levels), draw)
      return extra.isEmpty ? own : zip(own, extra).map { $0 + $1 }
    }
    let names = problem.figures
    // If a key is minimized, the first formula has no figure.
    let first = problem.objective.figure == nil ? 1 : 0
    return Summary(
      rows: names.indices.map { index in
        SummaryRow(
          names[index].metric, names[index].labels, names[index].statistic,
          replications: values.map { $0[index + first].isFinite ? .real($0[index + first]) : nil })
      })
  }

  /// Returns a nearly normal value, the sum of twelve uniforms minus six.
  static func normal(_ key: UInt64) -> Double {
    var state = key
    return (0..<12).reduce(-6.0) { sum, _ in
      // splitmix64 (Steele, Lea and Flood 2014).
      state = state &+ 0x9E37_79B9_7F4A_7C15
      var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
      return sum + Double((mixed ^ mixed >> 31) >> 11) / 9_007_199_254_740_992
    }
  }
}
