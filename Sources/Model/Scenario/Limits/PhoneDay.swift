import SimulationKernel

/// What a phone of a cohort does in a day, in the mean and from above, as the keys of the scenario tell (MODEL.md 10).
///
/// No run is taken for a cache hit, and every request for one that needs all its attempts.
struct PhoneDay {
  /// What makes the widgets of a kind run, and the key that says how often.
  struct Source {
    var path: [String]
    var kind: Int
    /// A day, of all instances of the kind on a phone.
    var runs: Double
  }

  let cohort: Cohort
  /// Phones of the cohort that are simulated, those that come later too.
  let simulated: Double
  let sources: [Source]
  /// Looks of people at the screen: sessions, visits and glances, and the key that says how many.
  let looks: (path: [String], count: Double)
  /// Instances on a phone, by kind.
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

  /// Runs a day.
  var runs: Double { sources.reduce(0) { $0 + $1.runs } }

  /// Tries of requests a day.
  var requests: Double { sum { kinds[$0].mostRequests } }

  /// Bytes of all tries a day, both ways.
  var bytes: Double { sum { kinds[$0].mostBytes } }

  /// What is handled a day: looks at the screen, and of each run its due date, start and end and its requests.
  var events: Double { 100 + 2 * looks.count + sum { 4 + kinds[$0].mostRequests } }

  /// Nanojoules a day that do not follow from the time on the air: bytes, and what each run would pay around it alone.
  var energy: Double { sum { energy(ofARunOf: kinds[$0]) } }

  /// Nanojoules of one run that do not follow from its time on the air, on the dearest radio.
  func energy(ofARunOf kind: Kind) -> Double {
    cohort.network.possibleRadios.map { $0.mostAround + kind.mostTransfer(on: $0) }.max() ?? 0
  }

  /// Requests of a phone whose widgets all run once.
  var requestsAtOnce: Double { instances.indices.reduce(0) { $0 + instances[$1] * kinds[$1].mostRequests } }

  private func sum(_ perRun: (Int) -> Double) -> Double { sources.reduce(0) { $0 + $1.runs * perRun($1.kind) } }

  // MARK: What decides

  /// The source with the greatest part in a sum over runs.
  func decisive(_ perRun: (Kind) -> Double) -> Source? {
    sources.max { $0.runs * perRun(kinds[$0.kind]) < $1.runs * perRun(kinds[$1.kind]) }
  }
}

extension Kind {
  /// Tries of requests that a run may need.
  var mostRequests: Double { Double(requests.reduce(0) { $0 + $1.count }) * Double(attempts.count) }

  /// Their bytes both ways.
  var mostBytes: Double {
    requests.reduce(0) { $0 + Double($1.count) * Double($1.up.most + $1.down.most) } * Double(attempts.count)
  }

  /// Nanojoules for the bytes of a run.
  func mostTransfer(on radio: RadioProfile) -> Double {
    let picojoules = requests.reduce(0.0) { sum, request in
      let (down, up) = (Double(request.down.most), Double(request.up.most))
      let bits = 8 * (down * Double(radio.down.picojoules) + up * Double(radio.up.picojoules))
      return sum + Double(request.count) * bits
    }
    return picojoules * Double(attempts.count) / 1_000
  }
}

extension BytesByFamily {
  /// The most bytes of any family.
  fileprivate var most: Int64 { [small, medium, large, extraLarge].map(\.bytes).max() ?? 0 }
}

extension RadioProfile {
  /// Nanojoules of a promotion and all tails.
  fileprivate var mostAround: Double {
    Double(promotion.energy.nanojoules) + tails.reduce(0) { $0 + Double($1.energy.nanojoules) }
  }
}

extension NetworkHabits {
  /// Those that a phone can be on.
  fileprivate var possibleRadios: [RadioProfile] {
    switch self {
    case .fixed(let radio): [radio]
    case .roaming(let roaming): [.wifi, roaming.cellular]
    }
  }
}

/// The rates of a phone's day, source by source, from above.
struct PhoneHabits {
  private static let day = 86_400.0

  private let cohort: Cohort
  /// Index into `Fleet.cohorts`.
  private let index: Int
  private let path: [String]
  private let scenario: Scenario
  private let system: OperatingSystem
  /// Instances on a phone, by kind.
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

  /// A session begins a second after the last one at the earliest (MODEL.md 2.3).
  private var sessions: Double { min(unlocks, Self.day) }

  /// Sessions, visits and glances with the key that says how many.
  var looks: (path: [String], count: Double) {
    let person = cohort.person
    let hasLockScreen = cohort.widgets.contains { $0.place == .lockScreen }
    let parts = [
      ("unlocks_per_day", unlocks), ("home_visits", sessions * person.homeVisits),
      ("glances_per_unlock", hasLockScreen ? unlocks * person.glancesPerUnlock : 0),
    ]
    let most = parts.max { $0.1 < $1.1 }?.0 ?? "unlocks_per_day"
    return (path + ["person", most], parts.reduce(0) { $0 + $1.1 })
  }

  /// Everything that makes widgets run.
  var sources: [PhoneDay.Source] {
    let used = scenario.kinds.indices.filter { instances[$0] > 0 }
    return used.flatMap(ownSources) + callSources + pushSources
  }

  // MARK: Of a kind alone

  private func ownSources(_ kind: Int) -> [PhoneDay.Source] {
    let plan = scenario.kinds[kind]
    let path = ["kinds", plan.name]
    let (key, gap) = shortestGap(plan)
    let budgeted = min(Self.day / gap, granted ?? .infinity)
    // A ticket that is overdue may be taken up by any view of which there is one in 5 s at most (MODEL.md 2.4, 4.2).
    let views = min(looks.count, Self.day / 5)
    let seen = min(views, Self.day / max(gap + system.staleViewGrace.seconds, 0.001))
    var sources = [
      PhoneDay.Source(path: path + [key], kind: kind, runs: instances[kind] * (budgeted + seen) + instances[kind])
    ]
    if let taps = plan.taps {
      let reloaded = taps.reloads == .kind ? instances[kind] * instances[kind] : instances[kind]
      sources.append(PhoneDay.Source(path: path + ["taps", "per_day"], kind: kind, runs: taps.perDay * reloaded))
    }
    if plan.locationChangesPerDay > 0 {
      let runs = min(plan.locationChangesPerDay, views) * instances[kind]
      sources.append(PhoneDay.Source(path: path + ["location_changes_per_day"], kind: kind, runs: runs))
    }
    return sources
  }

  /// The key of the policy with the shortest interval, and seconds from run to run as it asks for them and the system
  /// lets it.
  private func shortestGap(_ kind: Kind) -> (key: String, seconds: Double) {
    let entries = kind.phases.map(\.entries)
    func shortest(_ policies: [ReloadPolicy]) -> Double {
      policies.flatMap { policy in entries.map { policy.interval($0, atEndGap: system.atEndGap) ?? Self.day } }.min()
        ?? Self.day
    }
    var errors = Self.day
    if case .reload(let policy) = kind.onError { errors = shortest([policy]) }
    let regular = shortest(kind.policies)
    let key = errors < regular ? "on_error" : kind.phases.count > 1 ? "phases" : "reload"
    let delay = min(system.startDelay.policy.meanSeconds, system.startDelay.inUse.meanSeconds)
    let asked = min(errors, regular) + (kind.jitter?.upTo.seconds ?? 0) / 2
    return (key, max(max(asked, system.minSpacing.seconds) + delay + kind.cpu.seconds, 0.001))
  }

  /// Charged runs a day that the budget grants an instance; nil: no limit.
  private var granted: Double? {
    let capacity = BudgetEstimate.capacity(system.budget, views: looks.count)
    // What was saved up is spent once.
    return capacity.map { $0 * (1 + system.budget.carryOver / max(scenario.clock.duration.seconds / Self.day, 1)) + 1 }
  }

  // MARK: Of the app and from outside

  private var callSources: [PhoneDay.Source] {
    scenario.app.reloads.enumerated().flatMap { number, reload -> [PhoneDay.Source] in
      let (key, calls) = calls(reload.occasion)
      let path = ["app", "reloads", "\(number)"] + (key.map { [$0] } ?? [])
      let most = min(calls, Self.day / max(system.foregroundGap.seconds, 0.001))
      return reload.kinds.map { PhoneDay.Source(path: path, kind: $0, runs: most * instances[$0]) }
    }
  }

  /// How often a day the app asks, and the key that says so.
  private func calls(_ occasion: AppReload.Occasion) -> (key: String?, perDay: Double) {
    switch occasion {
    case .open, .close: (nil, min(scenario.app.opensPerDay, sessions))
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
