import BackendModel
import Scenario
import SimulationKernel

@testable import DeviceModel

/// A handmade plan for one device, without randomness, waits or network time unless a test adds them.
struct World {
  let storage = SamplerStorage()
  var beginning = Instant.start
  var duration = TimeAmount.day
  var kinds: [KindPlan] = []
  /// The kinds of the instances, by slot; empty for one instance of each kind.
  var instances: [KindIndex] = []
  var capacity = CapacityPlan.fixed(RunMillionths(count: 40_000_000))
  var system = SystemPlan(
    minSpacing: .minutes(5), policyDelay: .constant(.zero), inUseDelay: .constant(.zero),
    delayDependsOnSession: false, backgroundDelay: .constant(.zero), widgetPushDelay: .constant(.zero),
    takesWidgetPushes: true, silentPushDelivered: Chance(.all), silentPushesPerHour: 3, coalescingWindow: .zero,
    atEndGap: .minutes(30),
    idle: nil, budget: BudgetPlan(model: .off, accrual: .awake, carryOverMillionths: 1_500_000),
    staleViewRare: Chance(.none), staleViewFrequent: Chance(.none), staleViewGrace: .minutes(15),
    foregroundLatency: .constant(.zero), foregroundGap: .seconds(30))
  var power = PowerPlan.overnight(Chance(.none), plug: .constant(.hours(23)), unplug: .constant(.hours(7)))
  var step = TimeAmount.minutes(1)
  var latency = SpanSampler.constant(.zero)
  var timeout = TimeAmount.seconds(30)
  var roundTrip = TimeAmount.zero
  /// The network; `nil` to use `roundTrip` and a radio that is always awake.
  var network: NetworkPlan?
  var rateLimit: RateLimitPlan?
  /// The constant conditions of the endpoint; `nil` to use the plan's.
  var conditions: Conditions?
  var reloads: [AppReloadPlan] = []
  var events: [EventPlan] = []
  /// The person; none unless a test adds one.
  var person = PersonSketch()
  /// Whether the phone has visits although it has no user.
  var isVisited = false
  /// The position of an instance on the phone, by slot; page 1 by default.
  var places: [Int: PlaceSketch] = [:]
  var zone = [ZoneTable.Segment(from: .longAgo, offset: .zero)]
  /// The day number of a Monday.
  static let startDay: Int64 = 20_836

  var wall: WallClock {
    WallClock(segments: storage.keep(zone), startUnixMilliseconds: Self.startDay * 86_400_000)
  }

  func plan(seed: UInt64 = 1) -> FleetPlan {
    FleetPlan(
      seed: seed, beginning: beginning, end: .start + duration, kinds: storage.keep(kinds),
      cohorts: storage.keep([cohort]), endpoints: storage.keep([endpoint]),
      reloads: storage.keep(reloads), events: storage.keep(events), clocks: storage.keep([wall]))
  }

  private var endpoint: EndpointPlan { EndpointPlan(latency: latency, timeout: timeout, rateLimit: rateLimit) }

  private var cohort: CohortPlan {
    let slots = instances.isEmpty ? kinds.indices.map { KindIndex($0) } : instances
    let members = slots.enumerated().map { slot, kind in (places[slot] ?? PlaceSketch()).member(slot, kind, capacity) }
    return CohortPlan(
      firstDevice: 0, devices: 1, zone: storage.choice(of: [(0, 1)]), zoneNumbers: storage.keep([0]),
      phone: storage.choice(of: [(0, 1)]), members: storage.keep(members), system: system,
      network: network ?? .always(roundTrip: roundTrip, storage),
      power: power, person: person.plan(storage),
      hasPeople: isVisited || person.isActive || kinds.contains { $0.locationChangesPerDay > 0 })
  }

  var shape: Tally.Shape {
    Tally.Shape(endpoints: 1, cohorts: 1, kinds: kinds.count, step: step, duration: duration, events: events.count)
  }
}

/// A kind that only requests the next run unless a test adds more; runs take no time.
struct KindSketch {
  var phases: [PhasePlan]
  var windows: [WindowPlan] = []
  var jitter = SpanSampler.constant(.zero)
  var jitterScope = Jitter.Scope.run
  var requests = 0
  /// How often each is sent.
  var count = 1
  var cache: CachePlan?
  var onError = ErrorPlan.reload(.after(.constant(.minutes(15))))
  var attempts = 1
  var backoff = TimeAmount.seconds(2)
  var crash = Share.none
  var cpu = TimeAmount.zero
  var isProtected = false
  var takesPushes = true
  var isBackgroundSession = false
  var staleAfter: TimeAmount?
  var taps = TapPlan(burst: 1, gap: .seconds(3), reloads: .kind)
  var locationChangesPerDay = 0.0
  /// The requests that a tap sends.
  var tapRequests = 0

  init(_ reload: PolicyPlan, entries: EntriesPlan = .single) {
    phases = [PhasePlan(entries: entries, reload: reload)]
  }

  static func after(minutes: Int64) -> KindSketch { KindSketch(.after(.constant(.minutes(minutes)))) }
}

extension TapPlan {
  private static let nothing: PreparedList<RequestPlan> = SamplerStorage().keepForever([])

  init(burst: Int, gap: TimeAmount, reloads: Taps.Scope) {
    self.init(burst: burst, gap: gap, reloads: reloads, requests: Self.nothing)
  }
}

extension World {
  mutating func add(_ sketch: KindSketch) {
    let request = RequestPlan(
      endpoint: 0, count: sketch.count, up: BytesByFamily(all: ByteCount(bytes: 10)),
      down: BytesByFamily(all: ByteCount(bytes: 100)))
    var taps = sketch.taps
    taps.requests = storage.keep(Array(repeating: request, count: sketch.tapRequests))
    kinds.append(
      KindPlan(
        phases: storage.keep(sketch.phases), windows: storage.keep(sketch.windows), jitter: sketch.jitter,
        jitterScope: sketch.jitterScope, requests: storage.keep(Array(repeating: request, count: sketch.requests)),
        cache: sketch.cache, onError: sketch.onError, attempts: sketch.attempts, backoff: sketch.backoff,
        crash: Chance(sketch.crash), cpu: sketch.cpu, isProtected: sketch.isProtected, takesPushes: sketch.takesPushes,
        isBackgroundSession: sketch.isBackgroundSession,
        staleAfter: sketch.staleAfter, taps: taps, locationChangesPerDay: sketch.locationChangesPerDay,
        drawsPerRun: true))
  }

  /// Adds a background refresh every `minutes`, from the start.
  mutating func addRefresh(
    everyMinutes minutes: Int64, kinds: [KindIndex], clears: Bool = false, fills: Bool = false, restarts: Bool = false
  ) {
    add(
      .backgroundRefresh(gap: .constant(.minutes(minutes))), kinds: kinds, clears: clears, fills: fills,
      restarts: restarts)
  }

  mutating func add(
    _ occasion: AppReloadPlan.Occasion, kinds: [KindIndex], clears: Bool = false, fills: Bool = false,
    restarts: Bool = false
  ) {
    reloads.append(
      AppReloadPlan(
        occasion: occasion,
        effect: ReloadEffect(
          kinds: storage.keep(kinds), clearsCache: clears, fillsCache: fills, restarts: restarts)))
  }
}

extension World {
  /// Adds a push at a time set by a test, or at equal intervals.
  mutating func addPush(
    _ action: EventPlan.Action, every gap: TimeAmount? = nil, audience: Share? = nil, group: Int? = nil,
    timing: EventPlan.Timing = .once(.start)
  ) {
    let timing = gap.map { EventPlan.Timing.perDevice(gap: .constant($0)) } ?? timing
    events.append(
      EventPlan(
        timing: timing, action: action, audience: Chance(audience ?? (gap == nil ? .none : .all)), group: group,
        over: .zero, number: events.count))
  }

  /// Adds a silent push that requests reloads of some kinds.
  mutating func addSilentPush(
    _ kinds: [KindIndex] = [0], every gap: TimeAmount? = nil, clears: Bool = false, fills: Bool = false,
    restarts: Bool = false, timing: EventPlan.Timing = .once(.start)
  ) {
    let effect = ReloadEffect(
      kinds: storage.keep(kinds), clearsCache: clears, fillsCache: fills, restarts: restarts)
    addPush(.silentPush(effect), every: gap, timing: timing)
  }
}
