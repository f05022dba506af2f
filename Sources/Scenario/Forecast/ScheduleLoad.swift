import SimulationKernel

/// What the kinds of a scenario send to one endpoint over a day (UTC), as their policies and the habits of people ask.
///
/// The load is that of widgets which nothing holds back: neither idle phones nor a lack of network.
struct ScheduleLoad {
  /// How herds are taken.
  enum Herds {
    /// As they come.
    case expected
    /// With as many widgets of a phone starting together as coalescing can bring together (MODEL.md 4.6).
    case atMost
    /// Spread over their whole period: the load without any herd.
    case spread
  }

  let survey: FleetSurvey
  let endpoint: Int
  let herds: Herds
  private(set) var load = DayLoad()
  /// Requests that come together at most: those of a run, of all widgets of a phone that start together.
  private(set) var clump = 1.0

  init(_ survey: FleetSurvey, endpoint: Int, herds: Herds) {
    self.survey = survey
    self.endpoint = endpoint
    self.herds = herds
    for index in survey.scenario.kinds.indices { add(index) }
  }

  /// Requests per second that a kind sends to an endpoint on average.
  static func mean(of index: Int, _ survey: FleetSurvey, endpoint: Int) -> Double {
    var scenario = survey.scenario
    for other in scenario.kinds.indices where other != index { scenario.kinds[other].requests = [] }
    let alone = FleetSurvey(of: scenario, offsets: survey.offsets)
    return ScheduleLoad(alone, endpoint: endpoint, herds: .spread).load.moments.map(\.rate).max() ?? 0
  }

  private mutating func add(_ index: Int) {
    let kind = survey.kind(index)
    let requests = kind.requests.reduce(0.0) { $0 + ($1.endpoint == endpoint ? Double($1.count) : 0) }
    guard requests > 0 else { return }
    clump = max(clump, requests)
    for use in survey.uses[index] {
      for zone in use.cohort.zones {
        let part = Part(
          use: use, kind: kind, widgets: use.instances * zone.weight, requests: requests,
          ahead: survey.offsets[zone.value]?.seconds ?? 0)
        addSchedule(index, part)
        addHabits(index, part)
      }
    }
  }

  /// The widgets of one kind and place in one zone.
  private struct Part {
    var use: WidgetUse
    var kind: Kind
    var widgets: Double
    /// Requests of one run.
    var requests: Double
    /// Local time less UTC, in seconds.
    var ahead: Double

    /// The share of runs some seconds apart that a cache on the phone lets through.
    func missShare(every seconds: Double) -> Double {
      guard let cache = kind.cache else { return 1 }
      guard let ttl = cache.ttl else { return 0 }
      return 1 / max((ttl.seconds / seconds).rounded(.down), 1)
    }
  }

  // MARK: Schedules

  private mutating func addSchedule(_ index: Int, _ part: Part) {
    let kind = part.kind
    let lasting = survey.lastingPhase(index).map { [kind.phases[$0]] } ?? kind.phases
    for phase in lasting { add(phase.reload, phase.entries, window: nil, share: 1 / Double(lasting.count), part) }
    for number in kind.windows.indices {
      add(kind.windows[number].reload, kind.phases[0].entries, window: number, share: 1, part)
    }
  }

  private mutating func add(
    _ policy: ReloadPolicy, _ entries: Entries, window: Int?, share: Double, _ part: Part
  ) {
    if let date = policy.clockDate {
      addHerds(date, window: window, share: share, part)
    } else if let cadence = Cadence(policy, entries, part.kind, under: part.use) {
      let asked = cadence.keptPerDay
      let runs = min(asked, part.use.granted.map { $0 * part.use.peakOfAccrual } ?? asked)
      let rate = part.widgets * share * runs * part.requests * part.missShare(every: cadence.kept) / DayLoad.length
      addSteady(rate, window: window, part)
    }
  }

  /// A rate while a policy is in force.
  private mutating func addSteady(_ rate: Double, window: Int?, _ part: Part) {
    guard !part.kind.windows.isEmpty else { return load.add(rate: rate) }
    let slot = 300.0
    for number in 0..<288 where part.kind.window(at: Double(number) * slot + 1) == window {
      let from = Double(number) * slot - part.ahead
      load.add(rate: rate, from: from, to: from + slot)
    }
  }

  private mutating func addHerds(_ date: ClockDate, window: Int?, share: Double, _ part: Part) {
    let use = part.use
    // A budget that does not pay for all dates pays for some of them.
    let paid = use.granted.map { min($0 * use.peakOfAccrual * date.period / DayLoad.length, 1) } ?? 1
    let count = part.widgets * share * paid * part.requests * part.missShare(every: date.period)
    let ahead = date.zone == .local ? part.ahead : 0
    let jitter = part.kind.jitter?.upTo.seconds ?? 0
    let together = herds == .atMost ? survey.togetherness(use, jitter: jitter) : 1
    clump = max(clump, part.requests * together)
    for local in date.times {
      guard date.isSingle || part.kind.window(at: local - 1) == window else { continue }
      addHerd(count, at: local - ahead, local: local, date.period, together, part)
    }
  }

  private mutating func addHerd(
    _ count: Double, at second: Double, local: Double, _ period: Double, _ together: Double, _ part: Part
  ) {
    let use = part.use
    let jitter = max(part.kind.jitter?.upTo.seconds ?? 0, DayLoad.window)
    let inUse = use.shareInUse(at: local)
    // A phone that nobody uses holds back until the system gives up (MODEL.md 4.5).
    let late = use.isNeverUnlocked ? use.system.idle?.giveUp.seconds ?? 0 : 0
    for (delay, share) in [(use.system.startDelay.policy, 1 - inUse), (use.system.startDelay.inUse, inUse)] {
      let width = max(delay.widthSeconds, DayLoad.window)
      if herds == .spread || max(width, jitter) >= period {
        load.add(rate: count * share / period, from: second, to: second + period)
      } else {
        load.add(herd: count * share * together, at: second + late, over: (width, jitter))
      }
    }
  }

  // MARK: Habits

  /// Taps, calls of the app and changes of place, by the hours of people.
  private mutating func addHabits(_ index: Int, _ part: Part) {
    let kind = part.kind
    let calls = survey.scenario.app.reloads.filter { $0.kinds.contains(index) }.reduce(0) {
      $0 + $1.callsPerDay(survey.scenario.app)
    }
    let taps = part.use.isNeverUnlocked ? 0 : kind.taps?.perDay ?? 0
    var runs = calls + taps + kind.locationChangesPerDay
    if let ttl = kind.cache?.ttl?.seconds { runs = min(runs, DayLoad.length / max(ttl, 1)) }
    let mean = part.widgets * runs * part.requests / DayLoad.length
    guard mean > 0 else { return }
    for line in part.use.cohort.person.hours.lines {
      let from = line.from.seconds - part.ahead
      load.add(rates: (mean * line.first, mean * line.last), from: from, to: from + line.length.seconds)
    }
  }
}

extension WidgetUse {
  /// How many times its mean a budget accrues while it does (MODEL.md 4.7).
  fileprivate var peakOfAccrual: Double { system.budget.accrual == .awake ? 1.5 : 1 }
}

extension Kind {
  /// The window that is in force at a second of the local day, on any day; nil: none.
  fileprivate func window(at second: Double) -> Int? {
    let time = TimeAmount.milliseconds(Int64(((second + DayLoad.length) * 1_000).rounded()) % 86_400_000)
    return windows.firstIndex { window in Weekday.allCases.contains { window.holds(on: $0, time) } }
  }
}

extension FleetSurvey {
  /// How many times as dense starts can be as those of single widgets: one that starts takes along those of its phone
  /// that are due and would start within the window (MODEL.md 4.6).
  fileprivate func togetherness(_ use: WidgetUse, jitter: Double) -> Double {
    let others = use.cohort.widgets.reduce(0.0) { sum, placement in
      let isDated = placement.members.contains { kind($0.kind).clockDate != nil }
      return sum + (isDated ? placement.share.fraction * Double(max(placement.members.count, 1)) : 0)
    }
    let width = use.system.startDelay.policy.widthSeconds
    let window = min(use.system.coalescingWindow.seconds, width)
    let caught = max(width, jitter) > 0 ? min(window / max(width, jitter), 1) : 1
    return 1 + max(others - 1, 0) * caught
  }
}
