import SimulationKernel

/// The activity of a phone in one cohort on one day, as upper bounds on means that are computed from the scenario's
/// keys (MODEL.md 10).
///
/// The upper bounds assume that there are no cache hits and that every request uses all attempts.
struct PhoneDay {
  /// A cause of a kind's runs, with the key that determines the number of runs.
  struct Source {
    var path: [String]
    var kind: Int
    /// The number of runs per phone per day, summed over all instances of the kind.
    var runs: Double
  }

  let cohort: Cohort
  /// The number of simulated phones in the cohort, including phones that are added later.
  let simulated: Double
  let sources: [Source]
  /// The number of times per day that users look at the screen (sessions, visits, glances), with the key that
  /// determines this number.
  let looks: (path: [String], count: Double)
  /// The number of widget instances on a phone, by kind.
  let instances: [Double]
  private let kinds: [Kind]

  init(_ index: Int, of scenario: Scenario) {
    cohort = scenario.fleet.cohorts[index]
    kinds = scenario.kinds
    let growth = max(scenario.fleet.growth(over: scenario.clock.duration), 1)
    simulated = Double(scenario.devicesSimulated) * cohort.share.fraction * growth
    let habits = PhoneHabits(index, of: scenario)
    looks = habits.looks
    instances = habits.instances
    sources = habits.sources
  }

  // MARK: Sums

  /// The number of runs per phone per day.
  var runs: Double { sources.reduce(0) { $0 + $1.runs } }

  /// The number of attempts to send requests per phone per day.
  var requests: Double { sum { kinds[$0].maxRequests } }

  /// The number of bytes sent and received per phone per day, over all attempts.
  var bytes: Double { sum { kinds[$0].maxBytes } }

  /// The number of events per phone per day: looks at the screen and, for each run, its due date, start, end and
  /// requests.
  var events: Double { 100 + 2 * looks.count + sum { 4 + kinds[$0].maxRequests } }

  /// The daily energy that does not depend on airtime, in nanojoules; it includes the bytes and the overhead of each
  /// run.
  var energy: Double { sum { energy(ofARunOf: kinds[$0]) } }

  /// Returns the energy per run on the radio that uses the most energy, in nanojoules, excluding energy that depends on
  /// airtime.
  func energy(ofARunOf kind: Kind) -> Double {
    cohort.network.possibleRadios.map { $0.maxAround + kind.maxTransfer(on: $0) }.max() ?? 0
  }

  /// The number of requests that a phone sends when each of its widgets runs once.
  var requestsAtOnce: Double { instances.indices.reduce(0) { $0 + instances[$1] * kinds[$1].maxRequests } }

  private func sum(_ perRun: (Int) -> Double) -> Double { sources.reduce(0) { $0 + $1.runs * perRun($1.kind) } }

  // MARK: Main sources

  /// Returns the cause of runs that contributes the most to a sum over all runs.
  func decisive(_ perRun: (Kind) -> Double) -> Source? {
    sources.max { $0.runs * perRun(kinds[$0.kind]) < $1.runs * perRun(kinds[$1.kind]) }
  }
}

extension Kind {
  /// The maximum number of attempts to send requests in a run or a tap.
  var maxRequests: Double { most { $0.reduce(0) { $0 + Double($1.count) } } }

  /// Returns the larger of two sums: one over all attempts of a run's requests, and one over the requests of a tap.
  private func most(_ sum: ([Request]) -> Double) -> Double {
    max(sum(requests) * Double(attempts.count), sum(taps?.requests ?? []))
  }

  /// The maximum number of bytes sent and received in a run or a tap, over all attempts.
  var maxBytes: Double {
    most { $0.reduce(0) { $0 + Double($1.count) * Double($1.up.maximum + $1.down.maximum) } }
  }

  /// Returns the maximum energy for transferring the bytes of a run or a tap, in nanojoules.
  func maxTransfer(on radio: RadioProfile) -> Double {
    let picojoules = most { requests in
      requests.reduce(0.0) { sum, request in
        let (down, up) = (Double(request.down.maximum), Double(request.up.maximum))
        let bits = 8 * (down * Double(radio.down.picojoules) + up * Double(radio.up.picojoules))
        return sum + Double(request.count) * bits
      }
    }
    return picojoules / 1_000
  }
}

extension BytesByFamily {
  /// The largest size among all widget families, in bytes.
  fileprivate var maximum: Int64 { [small, medium, large, extraLarge].map(\.bytes).max() ?? 0 }
}

extension RadioProfile {
  /// The energy of one promotion and all tails, in nanojoules.
  fileprivate var maxAround: Double {
    Double(promotion.energy.nanojoules) + tails.reduce(0) { $0 + Double($1.energy.nanojoules) }
  }
}

extension NetworkHabits {
  /// The radios that a phone may use.
  fileprivate var possibleRadios: [RadioProfile] {
    switch self {
    case .fixed(let radio): [radio]
    case .roaming(let roaming): [.wifi, roaming.cellular]
    }
  }
}

/// Upper bounds on the daily activity of a phone, by cause of runs.
struct PhoneHabits {
  private static let day = 86_400.0

  private let cohort: Cohort
  /// The index of the cohort in `Fleet.cohorts`.
  private let index: Int
  private let path: [String]
  private let scenario: Scenario
  private let system: OperatingSystem
  /// The number of widget instances on a phone, by kind.
  let instances: [Double]

  init(_ index: Int, of scenario: Scenario) {
    cohort = scenario.fleet.cohorts[index]
    self.index = index
    path = ["fleet", "cohorts", "\(index)"]
    self.scenario = scenario
    system = cohort.os ?? scenario.os
    var instances = Array(repeating: 0.0, count: scenario.kinds.count)
    for placement in cohort.widgets where placement.share > .none {
      for member in placement.members { instances[member.kind] += 1 }
    }
    self.instances = instances
  }

  private var unlocks: Double { max(cohort.person.unlocksPerDay.expectation, 0) }

  /// The number of sessions per day. A session starts at least one second after the previous one (MODEL.md 2.3).
  private var sessions: Double { min(unlocks, Self.day) }

  /// The number of sessions, visits and glances per day, with the key that determines this number.
  var looks: (path: [String], count: Double) {
    let person = cohort.person
    let hasLockScreen = cohort.widgets.contains { $0.place == .lockScreen }
    let parts = [
      ("unlocks_per_day", unlocks), ("home_visits", sessions * person.homeVisits),
      ("glances_per_unlock", hasLockScreen ? unlocks * person.glancesPerUnlock : 0),
    ]
    let maximum = parts.max { $0.1 < $1.1 }?.0 ?? "unlocks_per_day"
    return (path + ["person", maximum], parts.reduce(0) { $0 + $1.1 })
  }

  /// The causes of widget runs.
  var sources: [PhoneDay.Source] {
    let used = scenario.kinds.indices.filter { instances[$0] > 0 }
    return used.flatMap(ownSources) + callSources + pushSources
  }

  // MARK: Runs of a kind

  private func ownSources(_ kind: Int) -> [PhoneDay.Source] {
    let plan = scenario.kinds[kind]
    let path = ["kinds", plan.name]
    let (key, gap) = shortestGap(plan)
    let budgeted = min(Self.day / gap, granted ?? .infinity)
    // Any view can cause an overdue ticket to run, but counted views are at least 5 s apart (MODEL.md 2.4, 4.2).
    let views = min(looks.count, Self.day / 5)
    let seen = min(views, Self.day / max(gap + system.staleViewGrace.seconds, 0.001))
    var sources = [
      PhoneDay.Source(path: path + [key], kind: kind, runs: instances[kind] * (budgeted + seen) + instances[kind])
    ]
    if let taps = plan.taps {
      let scope =
        switch taps.reloads {
        case .kind: instances[kind] * instances[kind]
        case .instance: instances[kind]
        case .nothing: 0.0
        }
      let reloaded = scope + (taps.requests.isEmpty ? 0 : instances[kind])
      sources.append(PhoneDay.Source(path: path + ["taps", "per_day"], kind: kind, runs: taps.perDay * reloaded))
    }
    if plan.locationChangesPerDay > 0 {
      let runs = min(plan.locationChangesPerDay, views) * instances[kind]
      sources.append(PhoneDay.Source(path: path + ["location_changes_per_day"], kind: kind, runs: runs))
    }
    return sources
  }

  /// Returns the key of the policy with the shortest interval, and that interval in seconds, as limited by the system.
  private func shortestGap(_ kind: Kind) -> (key: String, seconds: Double) {
    let entries = kind.phases.map(\.entries)
    func shortest(_ policies: [ReloadPolicy]) -> Double {
      policies.flatMap { policy in entries.map { shortest(policy, $0) } }.min() ?? Self.day
    }
    func shortest(_ policy: ReloadPolicy, _ entries: Entries) -> Double {
      if case .earliest(let date) = policy { return date.surelyApart }
      if case .provider = policy { return 0 }
      return policy.interval(entries, atEndGap: system.atEndGap) ?? Self.day
    }
    let errors =
      switch kind.onError {
      case .reload(let policy): shortest([policy])
      case .backoff(let backoff): backoff.first.seconds
      case .retryAfter: Self.day
      }
    let regular = shortest(kind.policies)
    let key = errors < regular ? "on_error" : kind.phases.count > 1 ? "phases" : "reload"
    let delay = min(system.startDelay.policy.meanSeconds, system.startDelay.inUse.meanSeconds)
    let crashes = kind.crash > .none ? system.crashRetry.seconds : Self.day
    let asked = min(errors, regular, crashes) + (kind.jitter?.mean ?? 0)
    return (key, max(max(asked, system.minSpacing.seconds) + delay + kind.cpu.seconds, 0.001))
  }

  /// The number of charged runs per day that the budget permits for an instance; `nil` if it is unlimited.
  private var granted: Double? {
    let capacity = BudgetEstimate.capacity(system.budget, views: looks.count)
    // The initial balance can be spent only once per simulation.
    return capacity.map { $0 * (1 + system.budget.carryOver / max(scenario.clock.duration.seconds / Self.day, 1)) + 1 }
  }

  // MARK: Runs by the app and events

  private var callSources: [PhoneDay.Source] {
    scenario.app.reloads.enumerated().flatMap { number, reload -> [PhoneDay.Source] in
      let (key, calls) = calls(reload.occasion)
      let path = ["app", "reloads", "\(number)"] + (key.map { [$0] } ?? [])
      let maximum = min(calls, Self.day / max(system.foregroundGap.seconds, 0.001))
      return reload.kinds.map { PhoneDay.Source(path: path, kind: $0, runs: maximum * instances[$0]) }
    }
  }

  /// Returns the number of reloads that the app requests per day, with the key that determines this number.
  private func calls(_ occasion: AppReload.Occasion) -> (key: String?, perDay: Double) {
    switch occasion {
    case .open, .launch, .close: (nil, min(scenario.app.opensPerDay, sessions))
    case .change(let perDay), .profileSwitch(let perDay), .backgroundRefresh(let perDay): ("per_day", perDay)
    case .audio(let every): ("every", Self.day / max(every.seconds, 0.001))
    }
  }

  private var pushSources: [PhoneDay.Source] {
    scenario.events.enumerated().flatMap { number, event -> [PhoneDay.Source] in
      guard let push = event.push, push.reaches(cohort: index) else { return [] }
      let (path, sent) = pushes(event.timing, path: ["events", "\(number)"])
      let delivered = push.kind == .silent ? min(sent, 24 * Double(system.silentPushesPerHour)) : sent
      let kinds = push.kind == .silent ? push.kinds : Array(scenario.kinds.indices)
      return kinds.map {
        PhoneDay.Source(path: path, kind: $0, runs: min(delivered, granted ?? delivered) * instances[$0])
      }
    }
  }

  private func pushes(_ timing: EventTiming, path: [String]) -> (path: [String], perDay: Double) {
    if case .perDevicePerDay(let rate) = timing { return (path + ["push", "per_device_per_day"], rate) }
    return (path + ["at"], 1)
  }
}
