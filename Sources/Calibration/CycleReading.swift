internal import RequestStatistics

/// From what the gaps show to the interval of the policy.
struct CycleReading {
  /// Interval and run time, in seconds.
  let cycle: Estimate
  let known: KnownPolicy

  init(_ cycle: Estimate, known: KnownPolicy, resolution: StampResolution) {
    self.cycle = cycle
    self.known = known
  }

  /// - Parameter resolution: differences of stamps that are cut off are wrong by up to one step.
  init(edge: HazardEdge, known: KnownPolicy, resolution: StampResolution) {
    let blur = resolution.step
    cycle = .judged(edge.place, edge.low - blur...edge.high + blur, count: edge.count)
    self.known = known
  }

  var interval: Estimate {
    guard let place = cycle.value, let low = cycle.low, let high = cycle.high else { return cycle }
    let run = known.runTime
    let plain = Estimate.judged(
      place - (run.lowerBound + run.upperBound) / 2, low - run.upperBound...high - run.lowerBound, count: cycle.count,
      reason: cycle.reason)
    if low - run.upperBound <= known.minSpacing * Self.near {
      return Estimate(
        nil, high: plain.high, verdict: .oneSided, count: cycle.count, reason: .minimumSpacingHidesInterval)
    }
    // Whole runs within the ttl leave no line: an interval of half the edge with a longer ttl looks like this one.
    guard known.cacheTTL * Self.near > place / 2 else { return plain }
    return known.cacheTTL * Self.near > place
      ? Estimate(nil, high: plain.high, verdict: .oneSided, count: cycle.count, reason: .cacheHidesInterval)
      : plain.limited(to: .weakly, .cacheHidesInterval)
  }

  /// Spans closer than a fiftieth count as equal.
  private static let near = 1.02
}

/// What the gaps of a policy with jitter show.
struct JitteredReading {
  let gaps: Gaps
  let history: WakeHistory
  let edge: HazardEdge
  let freeRate: Double
  let known: KnownPolicy

  /// The cycle and the delays, by the fit of both laws at once.
  func estimates(_ law: ExcessLaw) -> (Estimate, StartDelayEvidence?) {
    let spread = law.windowEnd()?.place ?? known.jitter
    let cycle = JitteredCycle(gaps, history, around: edge.place, window: spread, known: known)
    let start = JitteredCycle.Law(
      cycle: edge.place - known.jitter / 8, window: max(spread - known.jitter / 2, 30), inUse: 0.1, later: 0.05,
      freeRate: freeRate)
    guard let fit = cycle.fit(from: start) else { return (.unknown(.tooFewObservations, count: edge.count), nil) }
    let count = gaps.all.count
    let delays = StartDelayEvidence(
      window: .judged(fit.law.window, fit.window, count: count),
      inUseShare: .judged(fit.law.inUse, fit.inUse, scale: 0.5, count: count),
      laterShare: Estimate(fit.law.later, verdict: .weakly, count: count), unevenness: 0, law: [])
    return (.judged(fit.law.cycle, fit.cycle, count: count), delays)
  }
}
