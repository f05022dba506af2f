import BackendModel
import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel

@Suite struct CacheTraceTests {
  private static let forGood = Instant.never - Instant.start

  private func world(
    ttl: TimeAmount, scope: Cache.Scope = .kind, singleFlight: Bool = false, minutes: Int64 = 15,
    configure: (inout KindSketch) -> Void = { _ in }
  ) -> World {
    var world = World()
    var kind = KindSketch.after(minutes: minutes)
    kind.requests = 1
    kind.cache = CachePlan(ttl: ttl, scope: scope, singleFlight: singleFlight)
    configure(&kind)
    world.add(kind)
    return world
  }

  /// A run at an age of exactly the ttl misses, because fresh means younger than the ttl.
  @Test(
    arguments: [(900_000, 96, 0), (900_001, 48, 48), (899_999, 96, 0), (1, 96, 0), (0, 96, 0), (1_800_000, 48, 48)]
      as [(Int64, Int64, Int64)])
  func timeToLive(ttl: Int64, requests: Int64, hits: Int64) {
    let row = Trace(world(ttl: .milliseconds(ttl))).row
    #expect(row.requests == requests)
    #expect(row.cacheHits == hits)
    #expect(row.failures == 0)
    #expect((row.bytesUp, row.bytesDown) == (10 * requests, 100 * requests))
  }

  /// There is one miss for all of the device's instances, or one each; if placed hours apart, they find a warm cache.
  @Test func neverExpiresMissesOncePerScope() {
    for (scope, misses) in [(.kind, 1), (.instance, 3)] as [(Cache.Scope, Int64)] {
      var world = world(ttl: Self.forGood, scope: scope)
      world.instances = [0, 0, 0]
      // Without latency, the answers for one placement arrive before the next placement.
      #expect(Trace(world).row.requests == misses)
      world.beginning = .start - .hours(1)
      #expect(Trace(world).row.requests == 0)
    }
  }

  /// Simultaneous runs that find a cold cache each miss; with single_flight, one sends for all.
  @Test(arguments: [false, true])
  func flights(singleFlight: Bool) {
    var world = world(ttl: Self.forGood, singleFlight: singleFlight) { $0.cpu = .seconds(3) }
    world.duration = .minutes(16)
    world.latency = .constant(.seconds(20))
    world.instances = [0, 0, 0]
    let trace = Trace(world)
    #expect(trace.row.requests == (singleFlight ? 1 : 3))
    #expect(trace.row.cacheHits == 3)
    for slot in 0..<3 { #expect(trace.starts(of: slot) == [0, 923]) }
  }

  /// Joiners of a failed flight fail when it ends; nothing is cached, and the next run starts a new flight.
  @Test func failedFlights() {
    var world = world(ttl: Self.forGood, singleFlight: true) { $0.cpu = .seconds(3) }
    world.duration = .minutes(16)
    world.latency = .constant(.seconds(31))
    world.instances = [0, 0]
    let trace = Trace(world)
    #expect(trace.row.requests == 2)
    #expect(trace.row.failures == 2)
    #expect(trace.row.cacheHits == 0)
    for slot in 0..<2 {
      #expect(trace.starts(of: slot) == [0, 933])
      #expect(trace.causes(of: slot) == [.placement, .retry])
    }
  }

  /// Joiners of a limited flight wait for the server's Retry-After, just like its leader.
  @Test func joinersRespectRetryAfter() {
    var world = world(ttl: Self.forGood, singleFlight: true) { $0.onError = .retryAfter }
    world.duration = .minutes(39)
    world.roundTrip = .seconds(1)
    world.rateLimit = RateLimitPlan(rate: RequestRate(perSecond: 0), retryAfter: .minutes(20))
    world.conditions = Conditions(limited: .all)
    world.instances = [0, 0]
    let trace = Trace(world)
    #expect(trace.row.requests == 2)
    #expect(trace.row.failures == 2)
    for slot in 0..<2 { #expect(trace.starts(of: slot) == [0, 1_201]) }
  }

  /// A run that starts exactly when a failed flight ends sends its own requests.
  @Test func endedFlightAcceptsNoJoiners() {
    var world = world(ttl: Self.forGood, singleFlight: true) { $0.onError = .reload(.after(.constant(.zero))) }
    world.system.minSpacing = .zero
    world.duration = .minutes(2)
    world.latency = .constant(.seconds(31))
    let trace = Trace(world)
    #expect(trace.starts() == [0, 30, 60, 90])
    #expect(trace.row.requests == 4)
  }

  /// At the same instant, answers come before calls: an answer at 10 min is cleared at 10 min.
  @Test func clearingFollowsAnswersAtTheSameInstant() {
    var world = world(ttl: Self.forGood, minutes: 60)
    world.duration = .minutes(19)
    world.latency = .constant(.minutes(10))
    world.timeout = .hours(1)
    world.addRefresh(everyMinutes: 10, kinds: [0], clears: true)
    let trace = Trace(world)
    #expect(trace.starts() == [0, 900])
    #expect(trace.row.requests == 2)
    #expect(trace.row.cacheHits == 0)
  }

  @Test(arguments: [(false, false, 1, 1), (true, false, 2, 0), (false, true, 1, 1), (true, true, 1, 1)])
  func refreshesClearAndFill(clears: Bool, fills: Bool, requests: Int64, hits: Int64) {
    for scope in [Cache.Scope.kind, .instance] {
      var world = world(ttl: .hours(1), scope: scope, minutes: 60)
      world.duration = .minutes(59)
      world.addRefresh(everyMinutes: 50, kinds: [0], clears: clears, fills: fills)
      let row = Trace(world).row
      #expect(row.requests == requests)
      #expect(row.cacheHits == hits)
    }
  }

  /// A 20 min cache filled at 50 min is fresh at 60 min and stale at 70 min.
  @Test func filledCacheAgesFromTheCall() {
    var world = world(ttl: .minutes(20), minutes: 10)
    world.duration = .minutes(81)
    world.addRefresh(everyMinutes: 50, kinds: [0], fills: true)
    // Misses at 0, 20, 40; filled at 50: hits at 50 (with the call) and 60; misses at 70.
    let trace = Trace(world)
    #expect(trace.starts() == (0...8).map { Double($0) * 600 })
    #expect(trace.row.requests == 4)
    #expect(trace.row.cacheHits == 5)
  }

  /// A kind without requests has nothing to cache, and no hits.
  @Test func nothingRequestedNothingCached() {
    let row = Trace(world(ttl: Self.forGood) { $0.requests = 0 }).row
    #expect(row.cacheHits == 0)
    #expect(row.requests == 0)
  }
}

@Suite struct RequestTraceTests {
  private func arrivals(_ trace: Trace) -> [Int] { trace.arrivals.indices.filter { trace.arrivals[$0] > 0 } }

  /// Four attempts time out after 30 s each, with 2, 4 and 8 s between them; the run ends with the last.
  @Test func backoffDoubles() {
    var world = World()
    world.step = .second
    world.duration = .minutes(20)
    world.latency = .constant(.minutes(1))
    var kind = KindSketch.after(minutes: 1)
    kind.requests = 2
    kind.attempts = 4
    kind.cpu = .seconds(1)
    world.add(kind)
    let trace = Trace(world)
    #expect(Array(arrivals(trace).prefix(5)) == [0, 32, 66, 104, 1_035])
    #expect(trace.arrivals[0] == 2)
    #expect(trace.starts() == [0, 1_035])
    #expect(trace.causes() == [.placement, .retry])
    #expect(trace.row.requests == trace.row.failures)
    #expect(trace.row.bytesDown == 0)
  }

  /// One slow request makes the run fail even though the others are answered.
  @Test func oneFailureFailsTheRun() {
    var world = World()
    world.latency = .choice(world.storage.choice(of: [(TimeAmount.zero, 0.9), (.hours(1), 0.1)]))
    var kind = KindSketch.after(minutes: 60)
    kind.requests = 20
    world.add(kind)
    let trace = Trace(world)
    let retries = trace.runs.count { $0.cause == .retry }
    #expect(retries > 0)
    #expect(trace.row.requests == Int64(trace.runs.count) * 20)
    #expect(trace.row.bytesDown == (trace.row.requests - trace.row.failures) * 100)
  }

  /// Requests arrive half a round trip after they are sent; an answer takes a whole one.
  @Test func roundTrips() {
    var world = World()
    world.step = .milliseconds(10)
    world.duration = .minutes(6)
    world.roundTrip = .milliseconds(75)
    var kind = KindSketch.after(minutes: 5)
    kind.requests = 1
    world.add(kind)
    let trace = Trace(world)
    #expect(trace.starts() == [0, 300.075])
    #expect(arrivals(trace) == [3, 30_011])
  }

  @Test func missingRetryAfterUsesTheDefault() {
    var world = World()
    world.duration = .minutes(30)
    world.latency = .constant(.minutes(1))
    var kind = KindSketch(.never)
    kind.requests = 1
    kind.onError = .retryAfter
    world.add(kind)
    #expect(Trace(world).starts() == [0, 930])
  }

  /// Every request and every attempt has its own latency.
  @Test func latencyDrawsAreDistinct() {
    let stream = DeviceStream(seed: 1, device: 2, replication: 3)
    var uniforms: Set<UInt64> = []
    for member in [0, 1, 63] {
      for run in 0..<3 {
        for request in [0, 1, 2, 999] {
          let source = FlightSource(
            kind: 0, family: .small, cause: .policy, purpose: .latency, part: member, ordinal: UInt32(run),
            firstUniform: stream.block(.provider, part: member, index: run).first)
          for attempt in 0..<16 {
            uniforms.insert(source.uniform(FlightSource.Attempt(request: request, attempt: attempt), stream: stream))
          }
        }
      }
    }
    #expect(uniforms.count == 3 * 3 * 4 * 16)
  }
}
