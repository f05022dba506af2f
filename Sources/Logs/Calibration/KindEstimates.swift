package import RequestStatistics
package import Scenario

/// The estimates that a log provides for one kind of widget.
package struct KindEstimates: Sendable {
  /// The interval of the `after` policy in seconds, excluding the run time.
  package let interval: Estimate
  /// The interval plus the run time in seconds, as observed in the gaps between wakes.
  package let cycle: Estimate
  /// All intervals that phones with this kind follow, most common first; empty if none was found.
  package let versions: [IntervalVersion]
  /// The delay from a run's due date to its start; `nil` if no interval was found from which to measure it.
  package let startDelay: StartDelayEvidence?
  package let wallMarks: WallMarkEvidence
  package let rhythm: RhythmEvidence?
  package let system: SystemEvidence?
  package let errors: ErrorEvidence
  package let hazard: HazardCurve
  package let pairs: PairCorrelation
  /// The number of widgets of this kind per phone, estimated from the number of the phone's wakes between two runs of
  /// one widget. It is at best weakly known.
  package let widgets: Estimate

  /// - Parameters:
  ///   - history: the wakes caused by this kind only.
  ///   - phones: the clocks of its phones, from `FleetEstimates`.
  package init(_ history: WakeHistory, known: KnownPolicy, phones: PhoneZones, resolution: StampResolution) {
    let zones = phones.zones(of: history)
    let all = Gaps(of: history)
    hazard = HazardCurve(all)
    errors = ErrorEvidence(history, gaps: all, known: known)
    let gaps = all.withoutFailures(history)
    var marks = WallPhases(history: history, clocks: phones.clocks, zones: zones).evidence(known: known)
    // The time between a run's start and the arrival of its request at the server varies.
    marks.window = marks.window.widened(by: resolution.step + known.runTime.upperBound - known.runTime.lowerBound)
    wallMarks = marks
    let pairs = PairCorrelation(history, longest: Self.longestLag)
    self.pairs = pairs
    let lags = PairLags(history, longest: Self.longestLag)
    let apart = lags.edge(known.ages)
    let isMarked = wallMarks.period != nil
    let several = isMarked ? nil : apart.flatMap { lags.outlivesOthers($0) ? $0 : nil }
    widgets = Self.widgets(several.map { pairs.level(before: $0.place) }, count: gaps.all.count)
    if let apart = several {
      let reading = WidgetsReading(edge: apart, lags: lags, known: known, resolution: resolution)
      (cycle, interval, startDelay) = (reading.cycle, reading.interval, reading.startDelay)
      (versions, rhythm, system) = ([], nil, nil)
      return
    }
    guard !isMarked, let edge = EdgeSearch(gaps: gaps, curve: HazardCurve(gaps), ages: known.ages).edge() else {
      let unknown = Estimate.unknown(isMarked ? .wallMarks : .noEdge, count: gaps.all.count)
      (interval, cycle, versions, startDelay, rhythm, system) = (unknown, unknown, [], nil, nil, nil)
      return
    }
    let found = IntervalVersions(history, gaps: gaps, edge: edge, known: known).versions()
    let main = found.versions.first?.edge ?? edge
    versions = found.versions
    let cycles = CycleEstimates(history, gaps: found.own, edge: main, known: known, resolution: resolution)
    cycle = cycles.cycle
    startDelay = cycles.startDelay
    let rhythm = RhythmReading(
      history: history, gaps: found.own, clocks: phones.clocks, zones: zones, cycle: main, delay: cycles.law
    ).evidence(window: startDelay?.window.value)
    self.rhythm = rhythm
    let system = SystemReading(
      history: history, gaps: found.own, cycle: main, freeRunsPerDay: rhythm.freeRuns.value ?? 0
    ).evidence(window: startDelay?.window.value)
    self.system = system
    let reasons = GapReasons(
      gaps: found.own, edge: main, known: known, resolution: resolution, inUseShare: startDelay?.inUseShare)
    if versions.count > 1 {
      // A bound on one of the intervals would contradict a file that uses another.
      var own = cycles.interval.limited(to: .weakly, .severalIntervals)
      own.verdict = .weakly
      interval = own
    } else {
      interval =
        system.isBudgetBinding ? cycles.interval.atMost(.budgetHidesInterval) : reasons.limited(cycles.interval)
    }
  }

  /// The longest lag between wakes, in seconds, at which runs of the same widget are searched for.
  fileprivate static let longestLag = 7 * 3_600
  private static func widgets(_ level: Double?, count: Int) -> Estimate {
    guard let level else { return Estimate(1, verdict: .weakly, count: count) }
    guard level < mostOfMany else { return .unknown(.wideInterval, count: count) }
    let maximum = 1 / (1 - level)
    return Estimate(
      max(maximum.rounded(), 2), low: 1, high: max(maximum, 2), verdict: .weakly, count: count, reason: .severalWidgets)
  }

  /// The largest level of the pair correlation that can be distinguished from random wakes. With ten or more widgets,
  /// wakes look random.
  private static let mostOfMany = 0.9
}

/// The interval and delays for phones that have several widgets each.
struct WidgetsReading {
  let cycle: Estimate
  let interval: Estimate
  let startDelay: StartDelayEvidence

  init(edge: HazardEdge, lags: PairLags, known: KnownPolicy, resolution: StampResolution) {
    let reading = CycleReading(edge: edge, known: known, resolution: resolution)
    cycle = reading.cycle.noting(.severalWidgets)
    interval = known.jitter > 0 ? reading.interval.limited(to: .weakly, .severalWidgets) : reading.interval
    let delays = lags.delays(after: edge.place, within: min(edge.place, Self.longestWindow))
    let step = DensityDrop.step(
      delays, longest: Int(min(edge.place, Self.longestWindow) * 0.66), head: known.inUseWindow)
    let unknown = Estimate.unknown(.severalWidgets, count: delays.count)
    // A run may be combined with other due runs, so only the shortest of several delays is meaningful.
    let window = step.map {
      Estimate.judged($0.place, $0.low...$0.high, count: $0.count).limited(to: .weakly, .severalWidgets)
    }
    startDelay = StartDelayEvidence(
      window: window ?? unknown, inUseShare: unknown, laterShare: unknown, unevenness: 0, law: [])
  }

  /// The longest window of start delays, in seconds.
  private static let longestWindow = 7_200.0
}

/// The interval and delays derived from an edge, with or without jitter.
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
      var delays = law.evidence()
      delays.window = delays.window.widened(by: resolution.step)
      (cycle, interval, startDelay) = (reading.cycle, reading.interval, delays)
      return
    }
    let reading = JitteredReading(gaps: gaps, history: history, edge: edge, freeRate: freeRate, known: known)
    (cycle, startDelay) = reading.estimates(law)
    interval = CycleReading(cycle, known: known, resolution: resolution).interval
  }
}

/// The estimates that a log provides for a fleet, over all kinds.
package struct FleetEstimates: Sendable {
  package let devices: DeviceEvidence
  package let zones: ZoneEvidence
  package let phoneZones: PhoneZones
  private let classes: WakeClasses
  private let hours: [Double]?

  /// - Parameters:
  ///   - history: the wakes of all kinds.
  ///   - known: the properties of the kind with the most requests; its hours represent all users of the fleet.
  ///   - clocks: the clocks of time zones that phones may be in; an empty list means UTC only.
  package init(_ history: WakeHistory, known: KnownPolicy, clocks: [ZoneClock]) {
    let local = LocalClocks(clocks, over: history.span)
    devices = DeviceEvidence(history)
    let gaps = Gaps(of: history)
    let edge = EdgeSearch(gaps: gaps, curve: HazardCurve(gaps), ages: known.ages).edge()
    // A gap between runs of different widgets on a phone is not a cycle.
    let lags = PairLags(history, longest: KindEstimates.longestLag)
    let isSeveral = lags.edge(known.ages).map(lags.outlivesOthers) ?? false
    classes = WakeClasses(cycle: isSeveral ? nil : edge?.place, inUseWindow: known.inUseWindow)
    hours = known.hours?.halfHours
    zones = ZoneMix(history, clocks: local, hours: hours, classes: classes).evidence(history)
    phoneZones = PhoneZones(senders: history.phones.map(\.sender), zones: zones.zones, clocks: local)
  }

  /// The number of phones from which the rough shares of many zones are estimated.
  private static let maxRoughMembers = 1_000

  /// Returns the shares of phones in zones about which nothing is known yet, without testing whether the zones fit.
  package func roughShares(_ history: WakeHistory, of clocks: [ZoneClock]) -> [(name: String, share: Double)] {
    let local = LocalClocks(clocks, over: history.span)
    return ZoneMix(history, clocks: local, hours: hours, classes: classes, maximum: Self.maxRoughMembers).roughShares()
  }
}

/// The time zone of each phone.
package struct PhoneZones: Sendable {
  /// The senders' hashes in ascending order.
  fileprivate let senders: [UInt64]
  fileprivate let zones: [Int]
  let clocks: LocalClocks

  /// Returns the zones of the phones in a history, in the same order; unknown phones get the first zone.
  func zones(of history: WakeHistory) -> [Int] {
    var place = 0
    return history.phones.map { phone in
      while place < senders.count, senders[place] < phone.sender { place += 1 }
      return place < senders.count && senders[place] == phone.sender ? zones[place] : 0
    }
  }
}

/// The properties of a kind that are known from the team's code and the scenario, with spans in seconds.
package struct KnownPolicy: Hashable, Sendable {
  /// The upper bound of the jitter, which is added to a due date and uniformly distributed between 0 and this bound.
  package var jitter = 0.0
  /// The time for which the cache serves a response; 0 if there is no cache.
  package var cacheTTL = 0.0
  /// The minimum time between two scheduled runs of a widget.
  package var minSpacing = 300.0
  /// The longest start delay while the phone is in use.
  package var inUseWindow = 60.0
  /// The time from the arrival of a run's first request to its end.
  package var runTime = 0.1...1.2
  /// The delay after the due date at which a run starts on an idle phone; `nil` if idle phones do not withhold runs.
  package var idleGiveUp: Double? = 14_400
  /// The number of requests in a run without errors.
  package var requestsPerRun = 1.0
  /// The weights of unlocks by local hour; `nil` if unknown.
  package var hours: HourWeights?

  /// The range of ages, in whole seconds, at which an interval may end. Scheduled runs respect the minimum spacing, but
  /// the assumed spacing may be slightly too long.
  var ages: Range<Int> { max(Int(minSpacing * 0.8), 5)..<HazardCurve.seconds }
}

/// The timestamp resolution of a log.
package enum StampResolution: Hashable, Sendable {
  case millisecond
  /// Whole seconds; fractions of a second are truncated.
  case second

  /// The resolution of the timestamps in seconds.
  var step: Double {
    switch self {
    case .millisecond: 0.001
    case .second: 1
    }
  }
}
