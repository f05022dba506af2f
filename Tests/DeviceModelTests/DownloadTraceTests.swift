import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel

/// Background sessions (MODEL.md 5.6): downloads of 20 s, runs of 2 s, an hour between refreshes, spacing 5 min.
@Suite struct DownloadTraceTests {
  private static func world(
    duration: TimeAmount = .hours(3), network: NetworkSketch? = nil, _ configure: (inout KindSketch) -> Void = { _ in }
  ) -> World {
    var world = World()
    world.duration = duration
    world.latency = .constant(.seconds(20))
    if let network { world.use(network) }
    var kind = KindSketch.after(minutes: 60)
    kind.requests = 1
    kind.cpu = .seconds(2)
    kind.isBackgroundSession = true
    configure(&kind)
    world.add(kind)
    return world
  }

  /// Each refresh has two runs: the first ends at once with the old data, the second is charged and takes the new data.
  @Test func eachRefreshHasTwoRuns() {
    let trace = Trace(Self.world())
    #expect(trace.starts() == [0, 302, 3_904, 4_206, 7_808, 8_110])
    #expect(trace.causes() == [.placement, .background, .policy, .background, .policy, .background])
    #expect(trace.ends().prefix(3) == [2, 304, 3_906])
    #expect(
      trace.data == [(304, 20), (4_208, 3_924), (8_112, 7_828)].map { Trace.Data(slot: 0, at: $0.0, time: $0.1) })
    #expect(trace.row.charged == 5)
    // The requests belong to the run that started the download.
    #expect(trace.requests == [.placement: 1, .policy: 2])
  }

  /// A tap during the download runs with the old data and starts no second download; the reload keeps its spacing.
  @Test func tapsDuringTheDownload() {
    let trace = Trace(
      Self.world(duration: .minutes(75)), script: [(3_910, .tap(0, left: 0)), (3_920, .tap(0, left: 0))])
    #expect(trace.starts() == [0, 302, 3_904, 3_910, 3_920, 4_222])
    #expect(trace.causes().last == .background)
    #expect(trace.dataTimes() == [20, 3_924])
    #expect(trace.row.requests == 2)
  }

  /// A tap after the download takes its data, and the tap's timeline replaces the requested reload.
  @Test func tapsAfterTheDownload() {
    let trace = Trace(Self.world(), script: [(4_000, .tap(0, left: 0))])
    #expect(trace.starts() == [0, 302, 3_904, 4_000, 7_602, 7_904])
    #expect(trace.data[1] == Trace.Data(slot: 0, at: 4_002, time: 3_924))
    #expect(trace.row.requests == 3)
  }

  /// A run in progress when the download ends keeps its data; the reload follows.
  @Test func runInProgressAtTheEnd() {
    let world = Self.world(duration: .minutes(30)) { $0.cpu = .seconds(30) }
    let trace = Trace(world)
    #expect(trace.starts() == [0, 330])
    #expect(trace.data == [Trace.Data(slot: 0, at: 360, time: 20)])
  }

  /// One download serves all instances of the kind, each of which is reloaded.
  @Test func severalInstances() {
    var world = Self.world(duration: .hours(2))
    world.instances = [0, 0, 0]
    let trace = Trace(world)
    for slot in 0..<3 {
      #expect(trace.starts(of: slot) == [0, 302, 3_904, 4_206])
      #expect(trace.dataTimes(of: slot) == [20, 3_924])
    }
    #expect(trace.row.requests == 2)
    #expect(trace.row.charged == 9)
  }

  /// Other kinds of the app have their own downloads and are not reloaded by these.
  @Test func otherKinds() {
    var world = Self.world(duration: .minutes(50))
    var other = KindSketch(.never)
    other.requests = 1
    other.isBackgroundSession = true
    world.add(other)
    world.add(KindSketch(.never))
    let trace = Trace(world)
    #expect(trace.starts(of: 0) == [0, 302])
    #expect(trace.starts(of: 1) == [0, 300])
    #expect(trace.starts(of: 2) == [0])
  }

  /// A download whose attempts all fail requests nothing: the policy's next run starts another.
  @Test(arguments: [1, 3])
  func failingDownloads(attempts: Int) {
    var world = Self.world(duration: .minutes(70)) { $0.attempts = attempts }
    world.latency = .constant(.hours(1))
    let trace = Trace(world)
    #expect(trace.starts() == [0, 3_602])
    #expect(trace.causes() == [.placement, .policy])
    #expect(trace.data.isEmpty)
    #expect(trace.times(of: .downloadEnd(kind: 0)) == (attempts == 1 ? [30, 3_632] : [96, 3_698]))
    #expect(trace.row.requests == Int64(2 * attempts) && trace.row.failures == trace.row.requests)
  }

  /// A single failed request fails the download.
  @Test func oneFailureFailsTheDownload() {
    for device in 0..<40 {
      var world = Self.world(duration: .minutes(20)) { $0.requests = 2 }
      world.latency = .choice(world.storage.choice(of: [(.seconds(5), 0.5), (.hours(1), 0.5)]))
      let trace = Trace(world, device: device, seed: 9)
      #expect(trace.runs.count == (trace.row.failures == 0 ? 2 : 1), "device \(device), seed 9")
      if trace.row.failures == 0 { #expect(trace.dataTimes() == [5]) }
    }
  }

  /// A run that needs to download fails at once without a network.
  @Test func offlineAtTheStart() {
    let trace = Trace(Self.world(duration: .minutes(85), network: .spells(online: 50, offline: 20)))
    // At 3904 s there is no network (3000 s to 4200 s); a retry 15 min after the failure finds one.
    #expect(trace.starts() == [0, 302, 3_904, 4_806])
    #expect(trace.causes().last == .retry)
    #expect((trace.requests[.policy], trace.offlineFailures) == (nil, 1))
    #expect(trace.requests[.retry] == 1)
  }

  /// A download in progress when the network goes ends normally, and its data is used without a network.
  @Test func downloadFinishesAfterTheNetworkGoes() {
    let network = NetworkSketch(online: .seconds(10), offline: .minutes(20))
    let trace = Trace(Self.world(duration: .minutes(18), network: network))
    #expect(trace.starts() == [0, 302])
    #expect(trace.data == [Trace.Data(slot: 0, at: 304, time: 20)])
    #expect(trace.row.failures == 0)
  }

  /// A download fails if its retry finds no network.
  @Test func retryOfADownloadWithoutANetwork() {
    let network = NetworkSketch(online: .seconds(10), offline: .minutes(20))
    var world = Self.world(duration: .minutes(18), network: network) { $0.attempts = 2 }
    world.latency = .constant(.hours(1))
    let trace = Trace(world)
    #expect(trace.times(of: .downloadEnd(kind: 0)) == [32])
    #expect((trace.row.requests, trace.row.failures, trace.offlineFailures) == (1, 2, 1))
    #expect(trace.starts() == [0])
  }

  /// A run with a fresh cache (5.2) downloads nothing.
  @Test(arguments: [(3_884, 2, 0), (3_885, 2, 1)] as [(Int64, Int64, Int64)])
  func freshCaches(ttl: Int64, requests: Int64, hits: Int64) {
    let world = Self.world(duration: .minutes(130)) {
      $0.cache = CachePlan(ttl: .seconds(ttl), scope: .kind, singleFlight: false)
    }
    let trace = Trace(world)
    // At 3904 s the 20 s download is 3884 s old.
    #expect(trace.row.requests == requests && trace.row.cacheHits == hits)
    #expect(trace.starts().prefix(4) == (hits == 0 ? [0, 302, 3_904, 4_206] : [0, 302, 3_904, 7_506]))
  }

  /// A kind without requests has nothing to download.
  @Test func nothingToDownload() {
    let trace = Trace(Self.world(duration: .minutes(70)) { $0.requests = 0 })
    #expect(trace.starts() == [0, 3_602])
    #expect(trace.dataTimes() == [2, 3_604])
  }
}
