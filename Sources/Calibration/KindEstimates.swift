package import RequestStatistics

/// What a log says about one kind of widget.
package struct KindEstimates: Sendable {
  /// The interval of `after` in seconds, without the time that a run takes.
  package let interval: Estimate
  /// The interval and the time that a run takes, in seconds: what the gaps show.
  package let cycle: Estimate
  /// All intervals that its phones follow, the most common first; empty: none was found.
  package let versions: [IntervalVersion]
  /// nil: no interval was found from which delays could be counted.
  package let startDelay: StartDelayEvidence?
  package let wallMarks: WallMarkEvidence
  package let rhythm: RhythmEvidence?
  package let system: SystemEvidence?
  package let errors: ErrorEvidence
  package let hazard: HazardCurve
  package let pairs: PairCorrelation
  /// Widgets of the kind on a phone, from how often it wakes between two runs of one; never better than weakly known.
  package let widgets: Estimate

  /// - Parameters:
  ///   - history: the wakes of this kind alone.
  ///   - phones: the clocks of its phones, from `FleetEstimates`.
  package init(_ history: WakeHistory, known: KnownPolicy, phones: PhoneZones, resolution: StampResolution) {
    let zones = phones.zones(of: history)
    let gaps = Gaps(of: history)
    hazard = HazardCurve(gaps)
    errors = ErrorEvidence(history, gaps: gaps, known: known)
    wallMarks = WallPhases(history: history, clocks: phones.clocks, zones: zones).evidence(known: known)
    let ages = max(Int(known.minSpacing * Self.earliest), 5)..<HazardCurve.seconds
    guard let edge = EdgeSearch(gaps: gaps, curve: hazard, ages: ages).edge() else {
      (interval, cycle) = (.unknown(.noEdge, count: gaps.all.count), .unknown(.noEdge, count: gaps.all.count))
      (versions, startDelay, rhythm, system) = ([], nil, nil, nil)
      pairs = PairCorrelation(history, longest: Self.dayOfLags)
      widgets = .unknown(.noEdge)
      return
    }
    let found = IntervalVersions(history, gaps: gaps, ages: ages).versions(from: edge)
    let main = found.versions.first?.edge ?? edge
    versions = found.versions
    let cycles = CycleEstimates(history, gaps: found.own, edge: main, known: known, resolution: resolution)
    let isMarked = wallMarks.period != nil
    cycle = isMarked ? .unknown(.wallMarks, count: gaps.all.count) : cycles.cycle
    interval = isMarked ? cycle : versions.count > 1 ? cycles.interval.noting(.severalIntervals) : cycles.interval
    startDelay = isMarked ? nil : cycles.startDelay
    pairs = PairCorrelation(history, longest: min(Int(main.place * 3), HazardCurve.seconds))
    widgets = Self.widgets(pairs.level(before: main.place), count: gaps.all.count)
    let window = startDelay?.window.value
    let rhythm = RhythmReading(
      history: history, gaps: found.own, clocks: phones.clocks, zones: zones, cycle: main, delay: cycles.law
    ).evidence(window: window)
    self.rhythm = isMarked ? nil : rhythm
    system =
      isMarked
      ? nil
      : SystemReading(
        history: history, gaps: found.own, cycle: main, freeRunsPerDay: rhythm.freeRuns.value ?? 0
      ).evidence(window: window)
  }

  /// Scheduled runs keep the least spacing; what is known of it may be a little too long.
  private static let earliest = 0.8
  private static let dayOfLags = 26 * 3_600
  /// Free runs alone give one widget less than this before its interval; two widgets give half besides.
  private static let mostOfOne = 0.4

  private static func widgets(_ level: Double, count: Int) -> Estimate {
    guard level >= mostOfOne, level < 1 else {
      return level < mostOfOne
        ? Estimate(1, verdict: .weakly, count: count) : .unknown(.wideInterval, count: count)
    }
    let most = 1 / (1 - level)
    return Estimate(most.rounded(), low: 1, high: most, verdict: .weakly, count: count, reason: .wideInterval)
  }
}

/// Interval and delays from an edge, with or without jitter.
struct CycleEstimates {
  let cycle: Estimate
  let interval: Estimate
  let startDelay: StartDelayEvidence?
  let law: ExcessLaw

  init(_ history: WakeHistory, gaps: Gaps, edge: HazardEdge, known: KnownPolicy, resolution: StampResolution) {
    let freeRate = HazardCurve(gaps).rate(Int(edge.place / 2)..<Int(edge.place) - 2)
    law = ExcessLaw(gaps: gaps, history: history, edge: edge, freeRate: freeRate, known: known)
    guard known.jitter > 0 else {
      let reading = CycleReading(edge: edge, known: known, resolution: resolution)
      (cycle, interval, startDelay) = (reading.cycle, reading.interval, law.evidence())
      return
    }
    let reading = JitteredReading(gaps: gaps, history: history, edge: edge, freeRate: freeRate, known: known)
    (cycle, startDelay) = reading.estimates(law)
    interval = CycleReading(cycle, known: known, resolution: resolution).interval
  }
}
