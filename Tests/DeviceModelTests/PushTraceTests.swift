import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel

/// Pushes up to their runs (MODEL.md 4.2), without spacing or delay, so that each push shows up as a run.
@Suite struct PushTraceTests {
  private static func world(perHour: Int = 100, _ kinds: KindSketch...) -> World {
    var world = World()
    world.duration = .hours(3)
    world.system.minSpacing = .zero
    world.system.silentPushesPerHour = perHour
    for kind in kinds.isEmpty ? [KindSketch(.never)] : kinds { world.add(kind) }
    return world
  }

  private static func pushes(_ seconds: Double..., event: EventIndex = 0) -> [(Double, DeviceEvent)] {
    seconds.map { ($0, .push(event: event)) }
  }

  /// A max number is delivered in any 60 min; a push exactly 60 min after the first of them starts a new window.
  @Test(
    arguments: [
      (0, [100, 5_000], []), (1, [100, 101, 3_699.999], [100]), (1, [100, 3_700, 7_299, 7_300], [100, 3_700, 7_300]),
      (3, [100, 200, 300, 400, 3_699.999], [100, 200, 300]),
      (3, [100, 200, 300, 400, 3_700, 3_799, 3_800, 3_900, 3_901], [100, 200, 300, 3_700, 3_800, 3_900]),
      // Lost pushes do not count.
      (2, [100, 110, 120, 3_600, 3_700, 3_705, 3_710], [100, 110, 3_700, 3_710]),
      (10_000, [1, 2, 3, 4, 5], [1, 2, 3, 4, 5]),
    ] as [(Int, [Double], [Double])])
  func perHour(limit: Int, pushes: [Double], delivered: [Double]) {
    var world = Self.world(perHour: limit)
    world.addSilentPush()
    let trace = Trace(world, script: pushes.map { ($0, .push(event: 0)) })
    #expect(trace.starts(for: .background) == delivered)
    #expect(trace.row.charged == Int64(delivered.count))
  }

  /// The limit is shared by all of the device's events; widget pushes are exempt.
  @Test func limitOfAllEvents() {
    var world = Self.world(perHour: 1)
    world.addSilentPush()
    world.addSilentPush()
    world.addPush(.widgetPush(restarts: false))
    let script = Self.pushes(100, 3_800) + Self.pushes(200, event: 1) + Self.pushes(300, 400, event: 2)
    let trace = Trace(world, script: script)
    #expect(trace.starts(for: .background) == [100, 3_800])
    #expect(trace.starts(for: .widgetPush) == [300, 400])
  }

  /// A proportion of pushes is delivered, drawn separately for each.
  @Test func deliveredShare() {
    var world = Self.world()
    world.duration = .days(30)
    world.system.silentPushDelivered = Chance(Share(fraction: 0.4))
    world.addSilentPush(every: .minutes(10))
    let starts = Trace(world, seed: 11).starts(for: .background)
    // 4319 pushes: mean 1727.6, standard deviation 32.2; two in a row with probability 0.16.
    #expect(abs(Double(starts.count) - 1_727.6) < 145, "seed 11")
    let pairs = zip(starts.dropFirst(), starts).count { $0 - $1 == 600 }
    #expect(abs(Double(pairs) - 691) < 150, "seed 11")
    #expect(starts.allSatisfy { $0.truncatingRemainder(dividingBy: 600) == 0 })
  }

  /// A push reaches only the kinds it names, but all their placed instances.
  @Test func kindsOfAPush() {
    var world = Self.world(KindSketch(.never), KindSketch(.never), KindSketch(.never))
    world.instances = [0, 1, 1, 2]
    world.addSilentPush([1, 2])
    world.addPush(.widgetPush(restarts: false))
    let trace = Trace(world, script: Self.pushes(100) + Self.pushes(200, event: 1))
    #expect((0..<4).map { trace.starts(of: $0, for: .background) } == [[], [100], [100], [100]])
    #expect((0..<4).allSatisfy { trace.starts(of: $0, for: .widgetPush) == [200] })
    #expect(trace.row.charged == 1)
  }

  /// Systems before iOS 26 ignore widget pushes.
  @Test func widgetPushesIgnored() {
    var world = Self.world()
    world.system.takesWidgetPushes = false
    world.addPush(.widgetPush(restarts: false))
    #expect(Trace(world, script: Self.pushes(100, 200)).starts() == [0])
  }

  /// Each type has its own delay and respects the spacing; a later request does not move the earlier ticket.
  @Test func delays() {
    var world = Self.world()
    world.system.minSpacing = .minutes(5)
    world.system.backgroundDelay = .constant(.seconds(40))
    world.system.widgetPushDelay = .constant(.seconds(70))
    world.addSilentPush()
    world.addPush(.widgetPush(restarts: false))
    let trace = Trace(world, script: Self.pushes(100, 2_000) + Self.pushes(1_000, 2_010, event: 1))
    #expect(trace.starts() == [0, 340, 1_070, 2_040])
    #expect(trace.causes() == [.placement, .background, .widgetPush, .background])
    #expect(trace.lateness.suffix(3) == [240, 70, 40])
  }

  /// An active app is called in the foreground: free, after its latency; such a push also counts towards the limit.
  @Test func activeApps() {
    var world = Self.world(perHour: 1)
    world.person.unlocksPerDay = 24
    world.person.foreground = .constant(.minutes(5))
    world.system.foregroundLatency = .constant(.seconds(2))
    world.addSilentPush()
    world.addPush(.widgetPush(restarts: false))
    let script = [(3_660, .appOpen)] + Self.pushes(3_700, 4_500, 7_301) + Self.pushes(3_710, event: 1)
    let trace = Trace(world, script: script as [(Double, DeviceEvent)])
    #expect(trace.starts(for: .foreground) == [3_702])
    // A widget push does not need the app.
    #expect(trace.starts(for: .widgetPush) == [3_710])
    #expect(trace.starts(for: .background) == [7_301])
    #expect(trace.row.charged == 2)
  }

  // MARK: Offline

  /// 10 min online, 10 min offline: pushes wait, and each event's last one is delivered when the network is back.
  @Test(
    arguments: [
      ([599.999], [599.999]), ([600], [1_200]), ([700, 800, 1_199.999], [1_200]), ([1_200], [1_200]),
      ([500, 700, 1_300], [500, 1_200, 1_300]), ([700, 1_900], [1_200, 2_400]),
      // The phone is not online again before the clock ends.
      ([10_300], []),
    ] as [([Double], [Double])])
  func pushesWaitForTheNetwork(pushes: [Double], delivered: [Double]) {
    var world = Self.world()
    world.use(.spells(online: 10, offline: 10))
    world.addSilentPush()
    let trace = Trace(world, script: pushes.map { ($0, .push(event: 0)) })
    #expect(trace.starts(for: .background) == delivered)
    let waited = trace.times(of: .pushDelivery(event: 0))
    #expect(waited == delivered.filter { !pushes.contains($0) })
    var widget = world
    widget.events = []
    widget.addPush(.widgetPush(restarts: false))
    let other = Trace(widget, script: pushes.map { ($0, .push(event: 0)) })
    #expect(other.starts(for: .widgetPush) == delivered)
  }

  /// Several waiting pushes count as one delivery, in the hour when it is made.
  @Test func limitWhenDelivered() {
    var world = Self.world(perHour: 1)
    world.use(.spells(online: 10, offline: 10))
    world.addSilentPush()
    let trace = Trace(world, script: Self.pushes(700, 800, 4_799, 4_800))
    // The phone is offline from 4200 s to 4800 s: both wait until 4800 s, and the first was delivered at 1200 s.
    #expect(trace.starts(for: .background) == [1_200, 4_800])
    let lost = Trace(world, script: Self.pushes(700, 3_800))
    #expect(lost.starts(for: .background) == [1_200])
    world.system.silentPushesPerHour = 2
    let two = Trace(world, script: Self.pushes(700, 800, 1_300, 1_400))
    #expect(two.starts(for: .background) == [1_200, 1_300])
  }

  /// Pushes of two events wait separately: the last one of each event is delivered.
  @Test func pushesOfTwoEventsWaitSeparately() {
    var world = Self.world(KindSketch(.never), KindSketch(.never))
    world.use(.spells(online: 10, offline: 10))
    world.addSilentPush([0])
    world.addSilentPush([1])
    let trace = Trace(world, script: Self.pushes(700, 900) + Self.pushes(800, event: 1))
    #expect(trace.starts(of: 0) == [0, 1_200] && trace.starts(of: 1) == [0, 1_200])
  }

  // MARK: Effects

  /// Caches are emptied and phases restart when the push is delivered.
  @Test(arguments: [false, true])
  func pushClearsCachesAtDelivery(clears: Bool) {
    var kind = KindSketch(.never)
    kind.requests = 1
    kind.cache = CachePlan(ttl: .days(1), scope: .kind, singleFlight: false)
    var world = Self.world(kind)
    world.duration = .minutes(30)
    world.use(.spells(online: 10, offline: 10))
    world.addSilentPush(clears: clears)
    let trace = Trace(world, script: [(700, .push(event: 0)), (800, .tap(0, left: 0))])
    #expect(trace.row.failures == 0)
    #expect(trace.row.cacheHits == (clears ? 1 : 2))
    #expect(trace.dataTimes() == (clears ? [0, 1_200] : [0]))
  }

  /// The first phase is 10 min; after that, never.
  @Test(arguments: [false, true])
  func restarts(restarts: Bool) {
    var kind = KindSketch.after(minutes: 10)
    kind.phases.append(PhasePlan(entries: .single, reload: .never))
    var world = Self.world(kind)
    world.addSilentPush(restarts: restarts)
    let starts = Trace(world, script: Self.pushes(3_000)).starts()
    #expect(starts == (restarts ? [0, 600, 3_000, 3_600] : [0, 600, 3_000]))
  }

  /// The app itself fetches the data if it is online: after a push always, after a refresh only with a network.
  @Test(arguments: [false, true])
  func fillsOnlyOnline(fills: Bool) {
    var kind = KindSketch(.never)
    kind.requests = 1
    kind.onError = .reload(.never)
    kind.cache = CachePlan(ttl: .minute, scope: .kind, singleFlight: false)
    var world = Self.world(kind)
    world.duration = .minutes(40)
    world.use(.spells(online: 10, offline: 10))
    world.addSilentPush(fills: fills)
    let push = Trace(world, script: Self.pushes(700))
    #expect(push.dataTimes() == [0, 1_200])
    #expect(push.row.requests == (fills ? 1 : 2) && push.row.cacheHits == (fills ? 1 : 0))
    world.events = []
    world.addRefresh(everyMinutes: 15, kinds: [0], fills: fills)
    let refresh = Trace(world)
    // Both refreshes, at 900 s and 1800 s, are offline.
    #expect(refresh.starts() == [0, 900, 1_800])
    #expect(refresh.dataTimes() == [0] && refresh.row.failures == 2)
  }
}
