import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel

/// Worlds drawn from a key: whatever the rules, the invariants hold after every event (asserted in debug builds).
@Suite struct RandomWorldTests {
  /// The draws for a world, made one after the other.
  private struct Dice {
    let key: UInt32
    var index: UInt32 = 0

    mutating func below(_ bound: UInt32) -> Int64 {
      index += 1
      return Int64(Philox.block(counter: Philox.Block(key, index, 0, 0), key: 51).word0 % bound)
    }

    mutating func oneIn(_ count: UInt32) -> Bool { below(count) == 0 }
    mutating func minutes(_ bound: UInt32) -> TimeAmount { oneIn(4) ? .zero : .minutes(below(bound)) }
    mutating func span(_ bound: UInt32) -> SpanSampler {
      let from = minutes(bound)
      return .uniform(from: from, to: from + minutes(bound))
    }
  }

  private static func world(_ dice: inout Dice) -> World {
    var world = World()
    world.beginning = .start - dice.minutes(600)
    world.duration = .hours(30)
    world.zone = Zone.allCases[Int(dice.below(5))].segments
    world.capacity = .range(
      RunMillionths(count: dice.below(3_000_000)), RunMillionths(count: 3_000_000 + dice.below(60_000_000)))
    world.system.minSpacing = .minutes(1) + dice.minutes(20)
    world.system.policyDelay = dice.span(30)
    world.system.inUseDelay = world.system.policyDelay
    world.system.backgroundDelay = dice.span(3)
    world.system.coalescingWindow = dice.minutes(20)
    world.system.atEndGap = .minutes(10 + dice.below(60))
    world.system.idle = dice.oneIn(2) ? Idle(after: dice.minutes(100), giveUp: dice.minutes(100)) : nil
    world.system.budget = BudgetPlan(
      model: Budget.Model.allCases[Int(dice.below(3))], accrual: dice.oneIn(2) ? .even : .awake,
      carryOverMillionths: dice.below(2_000_000))
    if dice.oneIn(3) { world.power = .mains }
    if dice.oneIn(2) {
      world.power = .overnight(Chance(Share(fraction: 0.7)), plug: dice.span(1_400), unplug: .constant(.hours(7)))
    }
    world.latency = dice.span(2)
    world.timeout = .seconds(60)
    world.roundTrip = .milliseconds(dice.below(100))
    for _ in 0...dice.below(3) { world.add(kind(&dice, world.storage)) }
    let kinds = UInt32(world.kinds.count)
    world.instances = (0...dice.below(4)).map { _ in KindIndex(Int(dice.below(kinds))) }
    for _ in 0..<dice.below(3) {
      world.addRefresh(
        everyMinutes: 7 + dice.below(300), kinds: [KindIndex(Int(dice.below(kinds)))], clears: dice.oneIn(2),
        fills: dice.oneIn(3), restarts: dice.oneIn(3))
    }
    if dice.oneIn(2) { world.use(network(&dice)) }
    for _ in 0..<dice.below(3) {
      world.addSilentPush(
        [KindIndex(Int(dice.below(kinds)))], every: .minutes(5 + dice.below(200)), clears: dice.oneIn(2),
        fills: dice.oneIn(3),
        restarts: dice.oneIn(3))
    }
    if dice.oneIn(3) { world.addPush(.widgetPush(restarts: dice.oneIn(2)), every: .minutes(5 + dice.below(200))) }
    if dice.oneIn(3) { world.addPush(.gallery(network: Chance(.all)), every: nil, audience: .all) }
    world.system.silentPushesPerHour = Int(dice.below(4))
    return world
  }

  private static func network(_ dice: inout Dice) -> NetworkSketch {
    var network = NetworkSketch.sleepy(promotion: dice.below(900), tail: dice.below(20_000), roundTrip: dice.below(300))
    network.wifi.promotion = .milliseconds(dice.below(200))
    network.gap = dice.oneIn(2) ? nil : .seconds(1 + dice.below(20_000))
    network.wifiHours = Set((0..<24).filter { _ in dice.oneIn(2) })
    network.online = dice.oneIn(3) ? nil : .seconds(1 + dice.below(10_000))
    network.offline = .seconds(1 + dice.below(5_000))
    return network
  }

  private static func policy(_ dice: inout Dice) -> PolicyPlan {
    switch dice.below(6) {
    case 0: .never
    case 1: .atEnd
    default: .after(dice.span(120))
    }
  }

  private static func kind(_ dice: inout Dice, _ storage: SamplerStorage) -> KindSketch {
    var kind = KindSketch(policy(&dice))
    for _ in 0..<dice.below(3) {
      kind.phases.append(PhasePlan(entries: .spread(dice.minutes(200)), reload: policy(&dice)))
    }
    kind.jitter = .uniform(from: .zero, to: dice.minutes(20))
    kind.jitterScope = dice.oneIn(2) ? .device : .run
    kind.requests = Int(dice.below(4))
    if dice.oneIn(2) {
      kind.cache = CachePlan(
        ttl: dice.minutes(200), scope: dice.oneIn(2) ? .instance : .kind, singleFlight: dice.oneIn(2))
    }
    kind.onError = dice.oneIn(3) ? .retryAfter : .reload(policy(&dice))
    if dice.oneIn(3) {
      let dates = EarliestPlan(
        spans: storage.keep([dice.span(120)]),
        calendar: CalendarPlan(dates: storage.keep([storage.keep([Instant.start + dice.minutes(600)])])),
        hints: storage.keep([HintPlan(endpoint: 0, span: dice.span(60))]), isFromData: dice.oneIn(2),
        atLeast: dice.minutes(10))
      kind.phases[0].reload = .earliest(storage.keep([dates]))
      kind.onError = .backoff(storage.keep([.minutes(1), .minutes(5)]))
    }
    kind.attempts = Int(1 + dice.below(3))
    kind.crash = Share(fraction: Double(dice.below(3)) / 10)
    kind.cpu = .seconds(dice.below(400))
    kind.isBackgroundSession = dice.oneIn(4)
    kind.backoff = .seconds(dice.below(60))
    return kind
  }

  @Test(arguments: 0..<150 as Range<UInt32>)
  func schedulingRulesHoldInRandomWorlds(key: UInt32) {
    var dice = Dice(key: key)
    let world = Self.world(&dice)
    let trace = Trace(world, device: Int(key))
    #expect(trace.lateness.allSatisfy { $0 >= 0 }, "key \(key)")
    #expect(trace.waits.allSatisfy { $0.to > $0.from }, "key \(key)")
    let spacing = world.system.minSpacing.seconds
    for slot in world.instances.indices {
      let starts = trace.starts(of: slot)
      #expect(trace.causes(of: slot).first == .placement, "key \(key)")
      for (start, next) in zip(starts, starts.dropFirst()) {
        #expect(next - start >= spacing - 1e-6, "key \(key), instance \(slot)")
      }
    }
    #expect(Trace(world, device: Int(key)).runs == trace.runs, "key \(key)")
  }

  /// Returns a world in which many runs have a single request.
  private static func plainWorld(_ dice: inout Dice) -> World {
    var world = world(&dice)
    let kinds = max(world.kinds.count, 3)
    world.kinds = []
    for _ in 0..<kinds {
      var kind = kind(&dice, world.storage)
      kind.requests = 1
      kind.cache = nil
      kind.crash = .none
      kind.isBackgroundSession = false
      if dice.oneIn(2) { kind.phases = [PhasePlan(entries: .single, reload: .after(dice.span(60)))] }
      kind.cpu = dice.oneIn(2) ? .zero : kind.cpu
      world.add(kind)
    }
    world.instances = [0, 1, 2]
    return world
  }

  /// Returns a world with a person who views widgets, taps and opens the app, and with many cache hits.
  private static func peopledWorld(_ dice: inout Dice) -> World {
    var world = world(&dice)
    // Days have 24 hours, which are all that a sketched person supports.
    world.zone = World().zone
    // There are as many kinds as pushes and reloads refer to.
    let kinds = world.kinds.count
    world.kinds = []
    for _ in 0..<kinds {
      var kind = kind(&dice, world.storage)
      kind.requests = Int(1 + dice.below(2))
      kind.cache = CachePlan(
        ttl: .minutes(1 + dice.below(600)), scope: dice.oneIn(2) ? .instance : .kind, singleFlight: dice.oneIn(2))
      kind.crash = dice.oneIn(4) ? Share(fraction: 0.1) : .none
      kind.isBackgroundSession = dice.oneIn(6)
      kind.cpu = .milliseconds(dice.below(6_000))
      kind.staleAfter = dice.oneIn(2) ? .minutes(dice.below(200)) : nil
      kind.taps = TapPlan(
        burst: Int(1 + dice.below(5)), gap: .seconds(1 + dice.below(5)), reloads: dice.oneIn(2) ? .kind : .instance)
      kind.tapRequests = dice.oneIn(3) ? Int(1 + dice.below(2)) : 0
      kind.locationChangesPerDay = dice.oneIn(3) ? 10 : 0
      world.add(kind)
    }
    world.instances = (0...dice.below(5)).map { _ in KindIndex(Int(dice.below(UInt32(kinds)))) }
    for slot in world.instances.indices {
      world.places[slot] = PlaceSketch(
        page: Int(dice.below(4)), stack: nil,
        bursts: dice.oneIn(2) ? world.storage.choice(of: [(0, 4), (1, 1), (2, 1)]) : nil)
    }
    world.person = person(&dice)
    world.power = .overnight(
      Chance(Share(fraction: 0.7)), plug: dice.span(1_400), unplug: .constant(.hours(7)),
      topUp: Chance(Share(fraction: 0.5)), lowPowerMode: Chance(Share(fraction: 0.5)))
    if dice.oneIn(5) { world.power = .mains }
    world.system.inUseDelay = dice.span(5)
    world.system.delayDependsOnSession = dice.oneIn(2)
    world.system.staleViewFrequent = Chance(Share(fraction: 0.5))
    world.system.staleViewRare = Chance(Share(fraction: 0.8))
    world.system.staleViewGrace = dice.minutes(30)
    world.system.foregroundLatency = .uniform(from: .zero, to: .seconds(1))
    return world
  }

  private static func person(_ dice: inout Dice) -> PersonSketch {
    var person = PersonSketch()
    person.unlocksPerDay = Double(5 + dice.below(80))
    person.unitGap = .uniform(from: 0, width: 2)
    person.session = .uniform(from: .zero, to: .seconds(1 + dice.below(1_200)))
    person.glancesPerUnlock = dice.oneIn(2) ? 0.8 : 0
    person.furtherVisits = [0, 1, 2, Int(3 + dice.below(6))]
    person.depth = Int(1 + dice.below(3))
    person.opensApp = Share(fraction: Double(dice.below(3)) / 10)
    person.audioPerDay = dice.oneIn(3) ? 3 : 0
    return person
  }

  /// Undisturbed sessions and runs answered by a cache take a fast path too.
  @Test(arguments: 0..<150 as Range<UInt32>)
  func fastPathForSessionsCountsTheSame(key: UInt32) throws {
    var dice = Dice(key: 1_000 + key)
    Self.compare(Self.peopledWorld(&dice), key)
  }

  /// Undisturbed runs take a fast path (`UnperturbedPlan`), with the same counts as the slow one.
  @Test(arguments: 0..<150 as Range<UInt32>)
  func fastPathForRunsCountsTheSame(key: UInt32) throws {
    var dice = Dice(key: key)
    Self.compare(Self.plainWorld(&dice), key)
  }

  /// Returns a world whose times are multiples of five minutes, so that runs end when others start.
  private static func tiedWorld(_ dice: inout Dice) -> World {
    var world = plainWorld(&dice)
    let fives = { (count: Int64) in TimeAmount.minutes(5 * count) }
    world.system.minSpacing = fives(1)
    world.system.policyDelay = .constant(.zero)
    world.system.inUseDelay = .constant(.zero)
    world.system.coalescingWindow = fives(dice.below(2))
    (world.latency, world.roundTrip) = (.constant(.zero), .zero)
    let kinds = world.kinds.count
    world.kinds = []
    for _ in 0..<kinds {
      var kind = KindSketch(.after(.constant(fives(1 + dice.below(6)))))
      kind.requests = 1
      kind.cpu = fives(dice.below(3))
      world.add(kind)
    }
    return world
  }

  /// An event exactly at the end of a run disturbs it.
  @Test(arguments: 0..<60 as Range<UInt32>)
  func tiesAtTheEndOfARunCountTheSame(key: UInt32) throws {
    var dice = Dice(key: 2_000 + key)
    Self.compare(Self.tiedWorld(&dice), key)
  }

  private static func compare(_ world: World, _ key: UInt32) {
    let (short, long) = (Counted(world, device: Int(key)), Counted(world, device: Int(key), isWatched: true))
    #expect(short.figures.count == long.figures.count)
    for (one, other) in zip(short.figures, long.figures) where one != other {
      Issue.record("key \(key): \(one.name) is \(one.value) on the fast path, \(other.value) on the slow one")
    }
    #expect(short.steps <= long.steps, "key \(key)")
  }

  /// Ten sessions without actions, with three visits each, take only one event each.
  @Test func sessionsAreUnperturbed() {
    var world = World()
    world.add(KindSketch(.never))
    world.person.unlocksPerDay = 11
    world.person.furtherVisits = [2]
    let (short, long) = (Counted(world), Counted(world, isWatched: true))
    #expect(short.figures == long.figures)
    #expect(short.steps == long.steps - 10 * 4)
  }

  /// A tap every three seconds, five per burst, on a kind with a filled cache: no run needs an event of its own.
  @Test func hitsAreUnperturbed() {
    var world = World()
    var kind = KindSketch(.never)
    kind.requests = 1
    kind.cache = CachePlan(ttl: .day, scope: .kind, singleFlight: false)
    kind.cpu = .milliseconds(400)
    kind.taps = TapPlan(burst: 5, gap: .seconds(3), reloads: .kind)
    world.add(kind)
    world.person.unlocksPerDay = 2
    world.places[0] = PlaceSketch(bursts: world.storage.choice(of: [(1, 1)]))
    let (short, long) = (Counted(world), Counted(world, isWatched: true))
    #expect(short.figures == long.figures)
    #expect(short.steps == long.steps - 5 * 2)
  }

  /// A day of hourly runs and nothing else: every run except the first is unperturbed.
  @Test func runsAreUnperturbed() {
    var world = World()
    var kind = KindSketch.after(minutes: 60)
    kind.requests = 1
    world.add(kind)
    world.use(.sleepy(promotion: 80, tail: 500, roundTrip: 30))
    let (short, long) = (Counted(world), Counted(world, isWatched: true))
    #expect(short.figures == long.figures)
    #expect(short.steps == long.steps - 23)
  }
}
