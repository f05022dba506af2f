import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel

/// Runs that wait for another run's answers (MODEL.md 5.2), including failures and loss of the network.
@Suite struct FlightTraceTests {
  /// Returns three instances of a kind with a one-minute cache, alternating 10 min online and 10 min offline.
  private static func world(latency: TimeAmount = .seconds(20), attempts: Int = 1, ttl: TimeAmount = .minute) -> World {
    var world = World()
    world.duration = .minutes(20)
    world.use(.spells(online: 10, offline: 10))
    world.latency = .constant(latency)
    var kind = KindSketch(.never)
    kind.requests = 1
    kind.cpu = .seconds(3)
    kind.attempts = attempts
    kind.cache = CachePlan(ttl: ttl, scope: .kind, singleFlight: true)
    kind.taps.reloads = .instance
    kind.onError = .reload(.after(.constant(.minutes(5))))
    world.add(kind)
    world.instances = [0, 0, 0]
    return world
  }

  private static func taps(_ seconds: Double...) -> [(Double, DeviceEvent)] {
    seconds.enumerated().map { ($1, .tap(Slot($0), left: 0)) }
  }

  /// Joiners share the flight's outcome when it ends, with or without a network.
  @Test func joinersShareTheOutcomeWhenOffline() {
    let trace = Trace(Self.world(), script: Self.taps(590, 595))
    for slot in 0..<2 {
      #expect(trace.ends(of: slot) == [23, 613])
      #expect(trace.dataTimes(of: slot) == [20, 610])
    }
    #expect((trace.row.requests, trace.row.failures, trace.row.cacheHits) == (2, 0, 0))
  }

  /// A run that starts offline joins no flight: it fails at once, without affecting the flight.
  @Test func offlineRunJoinsNoFlight() {
    let trace = Trace(Self.world(), script: Self.taps(590, 595, 605))
    #expect((0..<3).map { trace.ends(of: $0)[1] } == [613, 613, 608])
    #expect((0..<3).map { trace.dataTimes(of: $0) } == [[20, 610], [20, 610], [20]])
    // Its retry at 908 s finds no network either.
    #expect((trace.row.requests, trace.row.failures, trace.offlineFailures) == (2, 2, 2))
    #expect(trace.causes(of: 2) == [.placement, .tap, .retry])
  }

  /// A flight after a run that failed offline is shared again.
  @Test func flightsAfterAnOfflineRun() {
    var world = Self.world()
    world.duration = .minutes(22)
    let trace = Trace(world, script: [(700, .tap(0, left: 0))] + Self.taps(1_210, 1_211, 1_212))
    #expect(trace.row.requests == 2)
    #expect((0..<3).allSatisfy { trace.ends(of: $0).last == 1_233 })
  }

  /// Joiners of a flight that is retried wait for its last attempt.
  @Test(arguments: [1, 2, 3])
  func joinersWaitForRetries(attempts: Int) {
    var world = Self.world(latency: .hours(1), attempts: attempts)
    world.duration = .minutes(5)
    let trace = Trace(world)
    let end = [30, 62, 96][attempts - 1]
    for slot in 0..<3 { #expect(trace.ends(of: slot).first == Double(end + 3)) }
    #expect(trace.requests == [.placement: Int64(attempts)])
    #expect(trace.row.failures == Int64(attempts))
    #expect(trace.data.isEmpty)
  }

  /// A retry without a network makes the flight fail, and its joiners with it.
  @Test func joinersFailWithAnOfflineRetry() {
    let trace = Trace(Self.world(latency: .hours(1), attempts: 2), script: Self.taps(590, 595))
    for slot in 0..<2 {
      #expect(trace.ends(of: slot).contains(625))
      #expect(trace.dataTimes(of: slot).isEmpty)
    }
    #expect(trace.requests[.tap] == 1)
    #expect(trace.failures[.tap] == 2)
  }

  /// If a cache is emptied during a flight, that flight fills it again.
  @Test func clearedInFlight() {
    var world = Self.world(ttl: .hours(5))
    world.use(.spells(online: 500, offline: 1))
    world.duration = .minutes(10)
    world.addSilentPush(clears: true)
    let trace = Trace(world, script: [(10, .push(event: 0)), (30, .tap(1, left: 0))])
    #expect(trace.row.requests == 1)
    // The tap at 30 s, and the reloads of the other two that the push requested.
    #expect(trace.row.cacheHits == 3)
    #expect((0..<3).allSatisfy { trace.dataTimes(of: $0) == [20] })
  }
}
