import Testing

@testable import Calibration

/// The fit by simulation, tested with models whose answer is known: statistics linear in the keys, with normal noise.
struct SimulatedFitTests {
  /// A model y = A x + noise, with the same deviation for each statistic.
  private struct Lines: FitSimulator {
    let slopes: [[Double]]
    let deviation: Double
    let key: UInt64
    /// The number of simulations before time runs out.
    var maximum = Int.max
    /// Whether only distances from the middle are visible, so that two points explain any log.
    var isFolded = false
    /// Noise shared by all statistics, which acts like the first key.
    var common = 0.0

    mutating func statistics(of trials: [FitTrial]) throws(Never) -> [[LogStatistic]?] {
      trials.map { trial in
        guard maximum > 0 else { return nil }
        maximum -= 1
        return statistics(of: trial)
      }
    }

    func statistics(of trial: FitTrial) -> [LogStatistic] {
      var draws = Draws(key: key, stream: Int(trial.seed))
      let shift = common * draws.normal()
      return slopes.enumerated().map { number, row in
        let value =
          10 + row[0] * shift + zip(row, trial.places).reduce(0) { $0 + $1.0 * (isFolded ? abs($1.1 - 0.5) : $1.1) }
        return LogStatistic(
          kind: "k", name: "line", part: "\(number)", value: value + deviation * draws.normal(), error: deviation)
      }
    }
  }

  /// Returns twenty statistics of three keys; the last key has no effect if `isDead`.
  private func slopes(isDead: Bool = false, isProduct: Bool = false) -> [[Double]] {
    (0..<20).map { number in
      var draws = Draws(key: 77, stream: number)
      let first = 4 * draws.uniform() - 2
      return [first, isProduct ? first : 4 * draws.uniform() - 2, isDead ? 0 : 4 * draws.uniform() - 2]
    }
  }

  private func result(
    _ truth: [Double], _ slopes: [[Double]], deviation: Double, key: UInt64, maximum: Int = .max, wrong: Double = 0
  ) throws -> FitResult? {
    let world = Lines(slopes: slopes, deviation: deviation, key: key)
    let log = world.statistics(of: FitTrial(places: truth, seed: 999))
    // Deviations that no setting of the keys can explain: every other statistic is off.
    let measured = log.enumerated().map { number, row in
      LogStatistic(
        kind: row.kind, name: row.name, part: row.part, value: row.value + (number % 2 == 0 ? wrong : -wrong),
        error: row.error)
    }
    let keys = (0..<truth.count).map { "key\($0)" }
    var fit = SimulatedFit(
      FitProblem(keys: keys, measured: measured, phones: 1),
      Lines(slopes: slopes, deviation: deviation, key: key, maximum: maximum))
    return fit.result()
  }

  private func width(_ range: ClosedRange<Double>) -> Double { range.upperBound - range.lowerBound }

  @Test func theTruthIsFound() throws {
    let found = try #require(try result([0.3, 0.6, 0.8], slopes(), deviation: 0.01, key: 1))
    for (key, truth) in zip(found.keys, [0.3, 0.6, 0.8]) {
      #expect(key.withModelError.contains(truth), "\(key)")
      #expect(key.verdict == .identified && key.confounded.isEmpty)
    }
    // What remains is noise at the fitted point, not at one along the way: linear models are fully explained.
    #expect(found.chiSquare < 2 * Double(found.freedom))
    for residual in found.worst { #expect(abs(residual.statistic.value - residual.simulated) < 0.1) }
  }

  /// How many of 100 intervals contain the truth, if each does with 95 % probability: at least this many in 99 % of
  /// studies (binomial). The tolerance of each statistic does not narrow intervals, so there may be more.
  private static let right = 89...100

  @Test func intervalsContainTheFittedTruth() throws {
    var covered = [0, 0, 0]
    for key in 0..<100 {
      let found = try #require(try result([0.4, 0.55, 0.62], slopes(), deviation: 0.4, key: UInt64(1_000 + key)))
      for (place, truth) in [0.4, 0.55, 0.62].enumerated() {
        let one = found.keys[place]
        if one.withModelError.contains(truth) { covered[place] += 1 }
      }
    }
    for count in covered { #expect(Self.right.contains(count), "\(covered)") }
  }

  /// Random variation between people moves all statistics of a log together: they carry as much information as one.
  @Test func sharedRandomnessIsNotInformation() throws {
    var covered = 0
    for number in 0..<100 {
      var draws = Draws(key: UInt64(7_000 + number), stream: 0)
      let truth = (0..<3).map { _ in draws.uniform() }
      let model = Lines(slopes: slopes(), deviation: 0.05, key: UInt64(8_000 + number), common: 0.1)
      let log = model.statistics(of: FitTrial(places: truth, seed: 1 << 20))
      var fit = SimulatedFit(FitProblem(keys: ["a", "b", "c"], measured: log, phones: 1), model)
      let outcome = fit.result()
      if try #require(outcome).keys[0].withModelError.contains(truth[0]) { covered += 1 }
    }
    #expect(Self.right.contains(covered), "\(covered)")
  }

  /// A key without an effect: derivatives from a single seed are noise, whose square looks like information.
  @Test func noiseIsNotInformation() throws {
    for key in 0..<20 {
      let found = try #require(
        try result([0.4, 0.5, 0.9], slopes(isDead: true), deviation: 0.3, key: UInt64(2_000 + key)))
      #expect(found.keys[2].verdict == .notFromThisLog, "\(found.keys[2])")
    }
  }

  /// Two keys of which only the sum is visible: neither is identified, and each names the other.
  @Test func productsAreNamed() throws {
    let found = try #require(try result([0.5, 0.5, 0.5], slopes(isProduct: true), deviation: 0.005, key: 3))
    #expect(found.keys[0].verdict != .identified && found.keys[1].verdict != .identified)
    #expect(found.keys[0].confounded == ["key1"] && found.keys[1].confounded == ["key0"])
    #expect(found.keys[2].contraction > 0.8)
    #expect(found.keys[0].correlations[1] < -0.95 && abs(found.keys[0].correlations[2]) < 0.5)
    for key in found.keys.indices { #expect(abs(found.keys[key].correlations[key] - 1) < 1e-9) }
  }

  /// The truth lies at the end of its range: values beyond it were not simulated, so the key is at most weakly known.
  @Test func fitAtEndOfRangeIsReported() throws {
    let found = try #require(try result([0.5, 0.5, 0.99], slopes(), deviation: 0.1, key: 6))
    #expect(found.keys[2].meetsEnd && found.keys[2].verdict != .identified, "\(found.keys[2])")
    #expect(!found.keys[0].meetsEnd)
  }

  /// Two points that explain the log equally well: the interval contains both, and neither is called identified.
  @Test func equallyGoodPointsStayInTheInterval() throws {
    let world = Lines(slopes: slopes().map { [$0[0]] }, deviation: 0.01, key: 8, isFolded: true)
    let log = world.statistics(of: FitTrial(places: [0.2], seed: 999))
    var fit = SimulatedFit(FitProblem(keys: ["key"], measured: log, phones: 1), world)
    let result = fit.result()
    let found = try #require(result).keys[0]
    #expect(found.verdict != .identified)
    for place in [0.2, 0.8] { #expect(found.withModelError.contains(place), "\(found)") }
  }

  /// A deviation that no setting explains widens the interval and is named.
  @Test func misfitWidensTheInterval() throws {
    let found = try #require(try result([0.5, 0.5, 0.5], slopes(), deviation: 0.01, key: 4, wrong: 3))
    #expect(found.chiSquare > 2 * Double(found.freedom))
    for key in found.keys { #expect(width(key.withModelError) > 1.4 * width(key.statistical)) }
    #expect(abs(found.worst[0].deviate) > 3)
  }

  /// Two of three keys are visible only as a bent product, for truths anywhere in the ranges: the interval of one holds
  /// wherever the others are.
  @Test func intervalCoversDespiteConfoundedKeys() throws {
    var covered = [0, 0, 0]
    for number in 0..<100 {
      var draws = Draws(key: UInt64(5_000 + number), stream: 0)
      let truth = (0..<3).map { _ in draws.uniform() }
      let model = Bent(slopes: slopes(), key: UInt64(6_000 + number))
      let log = model.statistics(of: FitTrial(places: truth, seed: 1 << 20))
      var fit = SimulatedFit(FitProblem(keys: ["a", "b", "c"], measured: log, phones: 1), model)
      let outcome = fit.result()
      let found = try #require(outcome)
      for (key, place) in zip(found.keys.indices, truth) where found.keys[key].withModelError.contains(place) {
        covered[key] += 1
      }
      #expect(found.keys[1].verdict != .identified || found.keys[2].verdict != .identified, "a product alone")
    }
    for count in covered { #expect(Self.right.contains(count), "\(covered)") }
  }

  /// Statistics of a, and of b times the square of 1 + c.
  private struct Bent: FitSimulator {
    let slopes: [[Double]]
    let key: UInt64

    mutating func statistics(of trials: [FitTrial]) throws(Never) -> [[LogStatistic]?] { trials.map(statistics) }

    func statistics(of trial: FitTrial) -> [LogStatistic] {
      var draws = Draws(key: key, stream: Int(trial.seed))
      let (a, product) = (trial.places[0], (0.2 + trial.places[1]) * square(1 + trial.places[2]) / 4)
      return slopes.enumerated().map { number, row in
        LogStatistic(
          kind: "k", name: "bent", part: "\(number)",
          value: 10 + row[0] * (a + product) + row[1] * product + 0.1 * draws.normal(), error: 0.1)
      }
    }
  }

  /// Without time for a wave there is no result; with some time there is a partial one.
  @Test func fitStopsWhenTimeRunsOut() throws {
    #expect(try result([0.5, 0.5, 0.5], slopes(), deviation: 0.01, key: 5, maximum: 10) == nil)
    let found = try #require(try result([0.3, 0.5, 0.5], slopes(), deviation: 0.01, key: 5, maximum: 46))
    #expect(found.isCutShort && found.simulations == 46)
  }

  /// A chi-square of 12 for eight degrees of freedom is 1.5 each and widens variances; 4 is less than chance and does
  /// not narrow them.
  @Test(arguments: [(12.0, 8, 1.5, 1.5), (4, 8, 0.5, 1), (4, 0, nil, 1)] as [(Double, Int, Double?, Double)])
  func chiSquareIsScaledByDegreesOfFreedom(_ chiSquare: Double, _ freedom: Int, _ ratio: Double?, _ scale: Double) {
    let result = FitResult(
      keys: [], chiSquare: chiSquare, freedom: freedom, worst: [], simulations: 1, isCutShort: false)
    #expect(result.ratio == ratio && result.scale == scale)
  }
}
