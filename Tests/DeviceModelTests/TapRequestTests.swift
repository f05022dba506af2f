import BackendModel
import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel

/// The requests of taps (MODEL.md 2.6).
@Suite struct TapRequestTests {
  /// A world with one widget that runs once, whose taps send a request before their reload.
  private static func world(
    latency: TimeAmount = .zero, reloads: Taps.Scope = .instance, _ configure: (inout KindSketch) -> Void = { _ in }
  ) -> World {
    var world = World()
    world.duration = .hours(1)
    world.step = .second
    world.latency = .constant(latency)
    var kind = KindSketch(.never)
    kind.taps.reloads = reloads
    kind.tapRequests = 1
    configure(&kind)
    world.add(kind)
    return world
  }

  private static func taps(_ seconds: Double...) -> [(Double, DeviceEvent)] { seconds.map { ($0, .tap(0, left: 0)) } }

  /// n taps with one request each, m of whose reloads miss the cache: n + m requests.
  @Test func requestsOfTapsComeBesideThoseOfMisses() {
    let world = Self.world {
      $0.requests = 1
      $0.cache = CachePlan(ttl: .minutes(10), scope: .kind, singleFlight: false)
    }
    let trace = Trace(world, script: Self.taps(60, 120, 700, 1_400, 1_500))
    // Data of 0, 700 and 1 400 s: two of the five reloads miss, as does the placement.
    #expect(trace.requests == [.placement: 1, .action: 5, .tap: 2])
    #expect(trace.starts(for: .tap) == [60, 120, 700, 1_400, 1_500])
    #expect(trace.row.cacheHits == 3)
  }

  /// The reload starts when the requests have been answered; the run then has its own.
  @Test func reloadsFollowTheAnswer() {
    let trace = Trace(Self.world(latency: .seconds(7)) { $0.requests = 1 }, script: Self.taps(60))
    #expect(trace.starts(for: .tap) == [67])
    #expect(trace.ends() == [7, 74])
    #expect(trace.arrivalSteps == [0, 60, 67])
  }

  /// Requests of taps fail after 30 s, or after a shorter timeout, and are tried once.
  @Test(arguments: [(60, 30), (30, 30), (10, 10)] as [(Int64, Double)])
  func requestsFailAfterHalfAMinute(timeout: Int64, wait: Double) {
    var world = Self.world(latency: .minutes(5)) { $0.attempts = 3 }
    world.timeout = .seconds(timeout)
    let trace = Trace(world, script: Self.taps(60))
    #expect(trace.starts(for: .tap) == [60 + wait])
    #expect(trace.requests == [.action: 1] && trace.failures == [.action: 1])
  }

  /// Taps meanwhile wait their turn.
  @Test func tapsOfAnInstanceFollowOneAnother() {
    let trace = Trace(Self.world(latency: .seconds(5)), script: Self.taps(60, 62, 63, 90))
    #expect(trace.starts(for: .tap) == [65, 70, 75, 95])
    #expect(trace.arrivalSteps == [60, 65, 70, 90])
  }

  @Test(arguments: [(.kind, [1, 1]), (.instance, [1, 0]), (.nothing, [0, 0])] as [(Taps.Scope, [Int])])
  func tapsReload(scope: Taps.Scope, runs: [Int]) {
    for requests in [0, 2] {
      var world = Self.world(reloads: scope) { $0.tapRequests = requests }
      world.instances = [0, 0]
      let trace = Trace(world, script: Self.taps(60))
      #expect((0..<2).map { trace.starts(of: $0, for: .tap).count } == runs)
      #expect(trace.requests == (requests == 0 ? [:] : [.action: 2]))
    }
  }

  /// Without a network the requests fail at once; the reload follows at once.
  @Test func offlineRequestsFailAtOnce() {
    var world = Self.world()
    world.use(.spells(online: 1, offline: 500))
    let trace = Trace(world, script: Self.taps(120))
    #expect(trace.starts(for: .tap) == [120])
    #expect(trace.failures == [.action: 1] && trace.requests == [:])
  }

  /// At a backend with feedback the same taps give the same runs.
  @Test func stepsChangeNothing() {
    var world = Self.world(latency: .seconds(5)) { $0.requests = 1 }
    let alone = Trace(world, script: Self.taps(60, 61, 300))
    world.conditions = Conditions()
    world.rateLimit = RateLimitPlan(rate: RequestRate(perSecond: 1_000), retryAfter: .minute)
    let stepped = Trace(world, script: Self.taps(60, 61, 300))
    #expect(stepped.starts() == alone.starts() && stepped.requests == alone.requests)
  }
}
