internal import Scenario
internal import SimulationKernel

/// Estimates in closed form that are computed from recorded runs, with times in seconds.
struct TelemetryLaws {
  let runs: [TelemetryRuns.Run]
  let known: KnownPolicy

  /// The minimum number of observations for an estimate.
  private static let fewest = 20

  // MARK: Spans in the code

  /// Returns the interval requested by runs that had one of the given outcomes.
  ///
  /// An app may compute the next date from the start or from the end of a run, so the interval lies between these two
  /// spans. Jitter can only lengthen a span, so the minimum is used if there is jitter.
  func asked(after outcomes: Set<TelemetryOutcome>) -> Estimate {
    let spans = runs.compactMap { run -> (afterEnd: Double, afterStart: Double)? in
      guard outcomes.contains(run.record.outcome), let next = run.record.next, let end = run.record.end else {
        return nil
      }
      return (Double(next - end) / 1_000, Double(next - run.record.at) / 1_000)
    }
    guard spans.count >= Self.fewest else { return .unknown(.tooFewObservations, count: spans.count) }
    let place = known.jitter > 0 ? 0.0 : 0.5
    let (low, high) = (Self.quantile(spans.map(\.afterEnd), place), Self.quantile(spans.map(\.afterStart), place))
    let slack = known.jitter > 0 ? Self.edge(ofWindow: known.jitter, observations: spans.count) : 0
    let near = spans.filter { $0.afterStart >= low - Self.near && $0.afterEnd <= high + known.jitter + Self.near }
    let estimate = Estimate.judged(
      (low + high) / 2, max(0, low - slack - Self.clock)...high + Self.clock, count: spans.count)
    let isOne = Double(near.count) >= Self.maximum * Double(spans.count)
    return isOne ? estimate : estimate.limited(to: .weakly, .severalIntervals)
  }

  /// The maximum difference, in seconds, between spans that are treated as equal, because a date may be rounded to the
  /// second.
  private static let near = 1.0
  /// The fraction of spans that must agree on one interval; other spans are assumed to be special cases in the app's
  /// code.
  private static let maximum = 0.9
  /// The resolution of the records' clocks in seconds.
  private static let clock = 0.001

  /// Returns how far a window may extend beyond uniformly distributed observations, which is W ln(1 / 0.05) / n.
  ///
  /// The distance of the outermost of n observations from the end is exponentially distributed with mean W / n. The
  /// result is the one-sided 95 % bound of this distance.
  private static func edge(ofWindow window: Double, observations: Int) -> Double {
    window * -SteadyMath.log(0.05) / Double(observations)
  }

  // MARK: Start delays

  /// Returns the delays on phones that are in use, on phones that are not in use, or on all phones if `isInUse` is
  /// `nil`.
  private func delays(_ isInUse: Bool?) -> [Double] {
    runs.compactMap { run in
      guard isInUse == nil || run.isInUse == isInUse else { return nil }
      return run.delay(spacing: Int64(known.minSpacing * 1_000)).flatMap { $0 >= 0 ? Double($0) / 1_000 : nil }
    }
  }

  /// Returns the delay window of phones that are not in use or, if it is unknown which phones were in use, of all
  /// phones.
  func window() -> Estimate {
    let own = delays(false)
    return own.count >= Self.fewest ? window(own, head: 0) : window(delays(nil), head: known.inUseWindow)
  }

  func inUseWindow() -> Estimate { window(delays(true), head: 0) }

  private func window(_ delays: [Double], head: Double) -> Estimate {
    guard delays.count >= Self.fewest, let step = DensityDrop.step(delays, longest: Self.longest, head: head) else {
      return .unknown(delays.count < Self.fewest ? .tooFewObservations : .noEdge, count: delays.count)
    }
    let estimate = Estimate.judged(step.place, step.low...step.high, count: step.count)
    let inside = delays.filter { $0 >= head && $0 < step.place }.sorted()
    let distance = Self.distance(inside, from: head, to: step.place)
    let isEven = distance < max(Self.evenDistance, Self.kolmogorov / Double(max(inside.count, 1)).squareRoot())
    return isEven ? estimate : estimate.limited(to: .weakly, .notUniform)
  }

  /// The longest start delay, in seconds.
  private static let longest = 7_200
  /// The maximum distance from a uniform distribution that has no effect on the load.
  private static let evenDistance = 0.03
  /// The scaled Kolmogorov–Smirnov distance that is exceeded by chance with a probability of 1 %.
  private static let kolmogorov = 1.63

  /// Returns the largest distance between the distribution of sorted values and a uniform one.
  private static func distance(_ sorted: [Double], from low: Double, to high: Double) -> Double {
    let count = Double(sorted.count)
    return sorted.enumerated().reduce(0) { maximum, value in
      let even = (value.element - low) / (high - low)
      return max(maximum, even - Double(value.offset) / count, Double(value.offset + 1) / count - even)
    }
  }

  // MARK: The minimum spacing

  /// Returns the minimum time from the end of a run to the start of the next one, based on runs that were due sooner.
  func spacing() -> Estimate {
    let gaps = runs.compactMap { run -> Double? in
      guard run.record.cause == .scheduled, let due = run.record.due, let end = run.previous?.end,
        let gap = run.sinceEnd, Double(due - end) / 1_000 < Self.eager * known.minSpacing
      else { return nil }
      return Double(gap) / 1_000
    }.sorted()
    guard gaps.count >= Self.fewest, let minimum = gaps.first else {
      return .unknown(.tooFewObservations, count: gaps.count)
    }
    let near = gaps.prefix { $0 < minimum + known.inUseWindow }.count
    let slack = Self.edge(ofWindow: known.inUseWindow, observations: near)
    return .judged(minimum, max(0, minimum - slack)...minimum, count: near)
  }

  /// The fraction of the minimum spacing below which a requested date is assumed to be delayed by it.
  private static let eager = 0.8

  // MARK: The cache

  /// Returns the lifetime of cached responses. It is longer than the age of every cached response that served a run,
  /// and shorter than the ages of all other cached responses.
  func cacheTTL(_ scope: Cache.Scope) -> Estimate {
    var fetched: [UInt64: Int64] = [:]
    var (hits, misses): ([Double], [Double]) = ([], [])
    for run in runs {
      let owner = scope == .kind ? run.record.phone : run.record.widget
      let age = fetched[owner].map { Double(run.record.at - $0) / 1_000 }
      switch run.record.outcome {
      case .cache: if let age { hits.append(age) }
      case .network:
        // The app may have cleared the cache when it requested a reload of the widget.
        if let age, run.record.cause == .scheduled || run.record.cause == .other { misses.append(age) }
        fetched[owner] = run.record.end ?? run.record.at
      case .error, .unfinished: break
      }
    }
    guard hits.count >= Self.fewest, let low = hits.max() else {
      return .unknown(.tooFewObservations, count: hits.count)
    }
    guard let high = misses.filter({ $0 >= low }).min() else {
      return Estimate(nil, low: low, verdict: .oneSided, count: hits.count, reason: .neverReached)
    }
    return .judged((low + high) / 2, low...high, count: hits.count)
  }

  /// Returns a quantile of some values; a position of 0 is the minimum, and 1/2 is the median.
  private static func quantile(_ values: [Double], _ place: Double) -> Double {
    let sorted = values.sorted()
    return sorted[Int(place * Double(sorted.count - 1))]
  }
}

/// A proportion estimated from clustered observations, such as several runs from each phone.
struct ClusteredShare {
  private(set) var counts: [UInt64: (hits: Double, all: Double)] = [:]

  mutating func add(_ isHit: Bool, of cluster: UInt64) {
    let own = counts[cluster, default: (0, 0)]
    counts[cluster] = (own.hits + (isHit ? 1 : 0), own.all + 1)
  }

  var observations: Int { Int(counts.values.reduce(0) { $0 + $1.all }) }

  /// The proportion and its standard error; the standard error is `nil` if there are fewer than two clusters.
  ///
  /// It is a ratio of sums over clusters, with variance k / (k - 1) sum (a - p n)^2 / (sum n)^2 (Cochran, Sampling
  /// Techniques, 1977, 10.4).
  var value: (share: Double, error: Double?)? {
    let clusters = counts.sorted { $0.key < $1.key }.map(\.value)
    let (hits, all) = (clusters.reduce(0) { $0 + $1.hits }, clusters.reduce(0) { $0 + $1.all })
    guard all > 0 else { return nil }
    let share = hits / all
    let count = Double(clusters.count)
    guard clusters.count > 1 else { return (share, nil) }
    let squares = clusters.reduce(0) { $0 + square($1.hits - share * $1.all) }
    return (share, (squares * count / (count - 1)).squareRoot() / all)
  }

  /// The estimate of the proportion, judged by its absolute precision like other shares.
  var estimate: Estimate {
    guard let value else { return .unknown(.tooFewObservations) }
    guard value.share > 0, value.share < 1 else {
      // If an event is not seen in n observations, its frequency is below 3 / n with 95 % confidence.
      let maximum = min(1, 3 / Double(observations))
      return value.share == 0
        ? Estimate(nil, high: maximum, verdict: .oneSided, count: observations, reason: .neverReached)
        : Estimate(nil, low: 1 - maximum, verdict: .oneSided, count: observations, reason: .neverReached)
    }
    let half = value.error.map { $0 * StudentTable.upper(freedom: Double(counts.count - 1)) }
    return .judged(
      value.share, half.map { max(0, value.share - $0)...min(1, value.share + $0) }, scale: 0.5, count: observations)
  }
}
