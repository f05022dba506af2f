import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel

/// Runs without a network (MODEL.md 5.3, 5.4), alternating 10 min online and 10 min offline, starting online.
@Suite struct OfflineTraceTests {
  private static func world(
    minutes: Int64 = 15, duration: TimeAmount = .minutes(30), _ configure: (inout KindSketch) -> Void = { _ in }
  ) -> World {
    var world = World()
    world.duration = duration
    world.use(.spells(online: 10, offline: 10))
    var kind = KindSketch.after(minutes: minutes)
    kind.requests = 1
    configure(&kind)
    world.add(kind)
    return world
  }

  /// An offline run fails at once, sends nothing and keeps the old data; on_error sets the next date, not the network.
  @Test(arguments: [(5, [0, 902, 1_204]), (8, [0, 902, 1_384]), (3, [0, 902, 1_204])] as [(Int64, [Double])])
  func offlineAtTheStart(onError: Int64, starts: [Double]) {
    let world = Self.world {
      $0.cpu = .seconds(2)
      $0.onError = .reload(.after(.constant(.minutes(onError))))
    }
    let trace = Trace(world)
    // Three minutes are less than the spacing of five.
    #expect(trace.starts().prefix(3) == starts.prefix(3))
    #expect(trace.causes().prefix(3) == [.placement, .policy, .retry])
    #expect(trace.ends()[1] == 904)
    #expect(trace.dataTimes().prefix(2) == [0, starts[2]])
    #expect((trace.requests[.policy] ?? 0, trace.failures[.policy]) == (0, 1))
    #expect(trace.offlineFailures == trace.row.failures)
  }

  /// A run at the instant when the network goes fails; one at the instant when it comes back does not.
  @Test(
    arguments: [
      (599.999, true), (600, false), (900, false), (1_199.999, false), (1_200, true), (1_799.999, true), (1_800, false),
    ] as [(Double, Bool)])
  func edges(tap: Double, succeeds: Bool) {
    let world = Self.world(duration: .minutes(40)) {
      $0.phases = [PhasePlan(entries: .single, reload: .never)]
      $0.onError = .reload(.never)
    }
    let trace = Trace(world, script: [(tap, .tap(0, left: 0))])
    #expect(trace.dataTimes() == (succeeds ? [0, tap] : [0]))
    #expect(trace.row.failures == (succeeds ? 0 : 1))
    #expect(trace.requests[.tap] == (succeeds ? 1 : nil))
  }

  /// However many attempts are allowed, at an offline start each request fails once, unsent, with a diary entry.
  @Test(arguments: [1, 2]) func offlineStartFailsEachRequestOnce(count: Int) {
    let world = Self.world(duration: .minutes(18)) {
      $0.requests = 3
      $0.count = count
      $0.attempts = 5
    }
    let trace = Trace(world)
    let each = 3 * count
    #expect(trace.starts() == [0, 900])
    #expect((Int(trace.row.requests), Int(trace.row.failures), Int(trace.offlineFailures)) == (each, each, each))
    #expect(trace.toldOffline == each)
    #expect(Int(trace.row.bytesUp) == 10 * each)
    #expect(trace.ends() == [0, 900])
  }

  /// With a fresh cache, a run succeeds without a network, using the cached data; with a stale one it does not.
  @Test(arguments: [(901, true), (900, false)] as [(Int64, Bool)])
  func cachesWithoutANetwork(ttl: Int64, hits: Bool) {
    let world = Self.world(duration: .minutes(20)) {
      $0.cache = CachePlan(ttl: .seconds(ttl), scope: .kind, singleFlight: false)
    }
    let trace = Trace(world, script: [(950, .tap(0, left: 0))])
    #expect(trace.row.cacheHits == (hits ? 1 : 0))
    #expect(trace.row.failures == (hits ? 1 : 2))
    #expect(trace.row.requests == 1)
    #expect(trace.dataTimes() == [0])
  }

  /// A kind without requests cannot fail.
  @Test func nothingToSend() {
    let world = Self.world(minutes: 10, duration: .minutes(60)) { $0.requests = 0 }
    let trace = Trace(world)
    #expect(trace.causes() == [.placement] + Array(repeating: .policy, count: 5))
    #expect(trace.dataTimes() == [0, 600, 1_200, 1_800, 2_400, 3_000])
    #expect(trace.row.failures == 0)
  }

  /// Jitter also applies to dates from on_error: drawn per run, or once per device.
  @Test(arguments: [Jitter.Scope.run, .device])
  func jitterOfErrors(scope: Jitter.Scope) {
    for device in 0..<10 {
      var world = Self.world(minutes: 0, duration: .minutes(120)) {
        $0.phases = [PhasePlan(entries: .single, reload: .after(.constant(.minutes(30))))]
        $0.onError = .reload(.after(.constant(.minutes(20))))
        $0.jitter = .uniform(from: .zero, to: .minutes(6))
        $0.jitterScope = scope
      }
      world.use(.spells(online: 5, offline: 500))
      let trace = Trace(world, device: device)
      let starts = trace.starts()
      let jitters = zip(starts.dropFirst(), starts).enumerated().map { index, pair in
        ((pair.0 - pair.1 - (index == 0 ? 1_800 : 1_200)) * 1_000).rounded()
      }
      #expect(jitters.count > 3 && jitters.allSatisfy { $0 >= 0 && $0 < 360_000 })
      #expect(Set(jitters).count == (scope == .device ? 1 : jitters.count))
      #expect(trace.causes().dropFirst(2).allSatisfy { $0 == .retry })
    }
  }

  /// `never` after an error leaves no ticket; retry-after without a server means 15 min.
  @Test func otherPoliciesOnErrors() {
    let never = Self.world(duration: .hours(3)) { $0.onError = .reload(.never) }
    #expect(Trace(never).starts() == [0, 900])
    let server = Self.world(duration: .minutes(40)) { $0.onError = .retryAfter }
    #expect(Trace(server).starts() == [0, 900, 1_800])
  }

  /// After a failure, the phase stays the same.
  @Test func failureDoesNotAdvanceThePhase() {
    let world = Self.world(duration: .minutes(60)) {
      $0.phases.append(PhasePlan(entries: .single, reload: .after(.constant(.minutes(20)))))
    }
    // The runs at 900 and 1800 s fail; the one at 2700 s takes the second phase.
    #expect(Trace(world).starts() == [0, 900, 1_800, 2_700])
    #expect(Trace(world).dataTimes() == [0, 2_700])
  }

  // MARK: Attempts

  /// A retry without a network makes the run fail and is not a request; the next run comes as after any error.
  @Test(arguments: [1, 2])
  func retriesWithoutANetwork(requests: Int) {
    var world = Self.world(duration: .minutes(26)) {
      $0.phases = [PhasePlan(entries: .single, reload: .never)]
      $0.requests = requests
      $0.attempts = 3
      $0.onError = .reload(.after(.constant(.minutes(15))))
    }
    world.latency = .constant(.hours(1))
    let trace = Trace(world, script: [(590, .tap(0, left: 0))])
    let count = Int64(requests)
    // The placement's attempts end at 30, 62 and 96 s, the tap's first at 620 s; its second has no network at 622 s.
    #expect(trace.ends() == [96, 622])
    #expect((trace.requests[.placement], trace.requests[.tap]) == (3 * count, count))
    #expect((trace.failures[.placement], trace.failures[.tap]) == (3 * count, 2 * count))
    #expect(trace.offlineFailures == count)
    #expect(trace.starts() == [0, 590, 1_522])
  }

  /// The network may come and go in between: only the instant of the retry matters.
  @Test func offlineSpellBetweenTriesHasNoEffect() {
    var world = Self.world(duration: .minutes(5)) {
      $0.attempts = 2
      $0.backoff = .minutes(1)
      $0.onError = .reload(.never)
    }
    world.use(NetworkSketch(online: .seconds(40), offline: .seconds(30)))
    world.latency = .constant(.hours(1))
    let trace = Trace(world)
    // The first attempt times out at 30 s, the second starts at 90 s: the phone has been online since 70 s.
    #expect((trace.row.requests, trace.row.failures, trace.offlineFailures) == (2, 2, 0))
    #expect(trace.ends() == [120])
  }

  /// A run ends with its last request: answered in 5 s at the first or second attempt, or timed out twice.
  @Test func aRunEndsWithItsLastRequest() {
    var counts: [Double: Int] = [:]
    for device in 0..<400 {
      var world = World()
      world.duration = .minutes(3)
      world.latency = .choice(world.storage.choice(of: [(.seconds(5), 0.5), (.hours(1), 0.5)]))
      var kind = KindSketch(.never)
      kind.requests = 2
      kind.attempts = 2
      kind.onError = .reload(.never)
      world.add(kind)
      let trace = Trace(world, device: device, seed: 4)
      let end = trace.ends()[0]
      counts[end, default: 0] += 1
      #expect(trace.data.isEmpty == (end == 62), "device \(device), seed 4")
      #expect(trace.row.requests - trace.row.failures <= 2)
      #expect(trace.row.requests == (end == 5 ? 2 : trace.row.requests))
      if end == 37 { #expect(trace.dataTimes() == [37]) }
    }
    #expect(Set(counts.keys) == [5, 37, 62])
    // 1/4, 5/16 and 7/16 of 400: the standard errors are 8.7, 9.3 and 9.9.
    #expect(abs((counts[5] ?? 0) - 100) <= 39, "\(counts), seed 4")
    #expect(abs((counts[37] ?? 0) - 125) <= 42, "\(counts), seed 4")
    #expect(abs((counts[62] ?? 0) - 175) <= 45, "\(counts), seed 4")
  }
}
