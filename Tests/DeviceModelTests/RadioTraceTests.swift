import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel

/// How requests wait for the radio (MODEL.md 5.1, 7.1), with a 500 ms promotion, a 10 s tail and a 100 ms round trip.
///
/// The placement's request wakes it at 0 s, so its tail ends 10.6 s later.
@Suite struct RadioTraceTests {
  private static func world(kinds: Int = 1, _ network: NetworkSketch = .sleepy()) -> World {
    var world = World()
    world.step = .milliseconds(10)
    world.duration = .minutes(12)
    world.use(network)
    for _ in 0..<kinds {
      var kind = KindSketch(.never)
      kind.requests = 1
      world.add(kind)
    }
    return world
  }

  /// Returns the arrival times in hundredths of a second.
  private static func arrivals(_ world: World, taps: [Double], slots: [Slot] = []) -> [Int] {
    Trace(
      world, script: taps.enumerated().map { ($1, .tap(slots.isEmpty ? 0 : slots[$0], left: 0)) }
    ).arrivalSteps
  }

  /// Requests while the radio is idle, in its tail, at the tail's exact end (which joins it), and just after.
  @Test(
    arguments: [
      ([], [55]), ([20], [55, 2_055]), ([0.6], [55, 65]), ([5], [55, 505]), ([10.6], [55, 1_065]),
      ([10.601], [55, 1_115]),
      // Each use restarts the tail: from 10.1 s to 20.1 s.
      ([10, 20.1], [55, 1_005, 2_015]), ([10, 20.11], [55, 1_005, 2_066]),
    ] as [([Double], [Int])])
  func tails(taps: [Double], arrivals: [Int]) {
    #expect(Self.arrivals(Self.world(), taps: taps) == arrivals)
  }

  /// A request during another's promotion waits for the rest of it; one after it does not wait.
  @Test(
    arguments: [(20, [2_055]), (20.2, [2_055]), (20.499, [2_055]), (20.5, [2_055]), (20.52, [2_055, 2_057])]
      as [(Double, [Int])])
  func promotionsAreShared(second: Double, arrivals: [Int]) {
    #expect(Self.arrivals(Self.world(kinds: 2), taps: [20, second], slots: [0, 1]) == [55] + arrivals)
  }

  /// A run's requests are sent together, after one promotion; processor time follows.
  @Test(arguments: [1, 2, 20])
  func lengthOfARun(requests: Int) {
    var world = Self.world(kinds: 0)
    world.latency = .constant(.seconds(2))
    var kind = KindSketch(.never)
    kind.requests = requests
    kind.cpu = .seconds(3)
    world.add(kind)
    let trace = Trace(world, script: [(300, .tap(0, left: 0)), (309, .tap(0, left: 0))])
    // Promotion, round trip, server, processor; the third run finds the radio awake.
    #expect(trace.ends() == [5.6, 305.6, 314.1])
    #expect(trace.dataTimes() == [2.6, 302.6, 311.1])
    #expect(trace.arrivalSteps == [55, 30_055, 30_905])
    #expect(trace.arrivals[55] == UInt32(requests))
  }

  /// The radio stays active as long as an answer is pending; its tail follows.
  @Test(arguments: [(20, 2_565), (25.6, 2_565), (35.6, 3_565), (35.7, 3_625)] as [(Double, Int)])
  func radioStaysActiveWhileAnAnswerIsPending(second: Double, arrival: Int) {
    var world = Self.world()
    world.latency = .constant(.seconds(25))
    // The placement's answer arrives at 25.6 s; a tap before that runs then.
    #expect(Self.arrivals(world, taps: [second]) == [55, arrival])
  }

  /// The user's sessions, 10 min at every full hour, use the radio; its tail follows.
  @Test(
    arguments: [
      (3_599, 359_955), (3_600, 360_005), (3_700, 370_005), (4_199, 419_905), (4_200, 420_005), (4_205, 420_505),
      (4_209.99, 421_004), (4_210.01, 421_056),
    ] as [(Double, Int)])
  func sessions(tap: Double, arrival: Int) {
    var world = Self.world()
    world.duration = .minutes(80)
    world.person.unlocksPerDay = 24
    let found = Self.arrivals(world, taps: [tap])
    #expect(found.count == 2 && abs(found[1] - arrival) <= (tap == 4_209.99 ? 1 : 0), "\(found)")
  }

  // MARK: Other interfaces

  /// Returns a cellular network that is Wi-Fi from 1:00 to 2:00, with draws at every full hour.
  private static func changing(every gap: TimeAmount = .hours(1), hours: Set<Int> = [1]) -> World {
    var network = NetworkSketch.sleepy()
    network.gap = gap
    network.wifiHours = hours
    network.wifi = InterfaceSketch(
      roundTrip: .milliseconds(40), promotion: .milliseconds(200), tail: .seconds(20))
    var world = Self.world(kinds: 2, network)
    world.duration = .minutes(190)
    return world
  }

  /// Another interface has its own radio, without the old one's tail; drawing the same interface changes nothing.
  @Test(
    arguments: [
      ([], 3_602, 360_205), ([1], 3_602, 360_222), ([1], 3_599.9, 359_995), ([1], 3_600, 360_022),
      ([0, 23], 3_602, 360_255),
    ] as [([Int], Double, Int)])
  func changesOfTheInterface(wifi: [Int], tap: Double, arrival: Int) {
    let found = Self.arrivals(Self.changing(hours: Set(wifi)), taps: [3_599, tap])
    #expect(found.suffix(1) == [arrival], "\(found)")
  }

  /// Requests in the air end as they began, and do not keep the new interface's radio awake.
  @Test func requestsInFlightEndOnTheOldInterface() {
    var world = Self.changing()
    world.latency = .constant(.seconds(5))
    let trace = Trace(world, script: [(3_598, .tap(0, left: 0)), (3_601, .tap(1, left: 0))])
    #expect(trace.ends(of: 0).last == 3_603.6)
    #expect(trace.arrivalSteps.suffix(2) == [359_855, 360_122])
    #expect(trace.ends(of: 1).last == 3_606.24)
  }

  /// A session that spans the change is on the new interface; one that ended before it leaves no tail there.
  @Test(
    arguments: [(2_395, 6_002, 600_222), (2_500, 6_105, 610_502), (2_500, 6_121, 612_122)] as [(Int64, Double, Int)])
  func sessionsAndChanges(length: Int64, tap: Double, arrival: Int) {
    var world = Self.changing(every: .minutes(50))
    world.person.unlocksPerDay = 24
    world.person.session = .constant(.seconds(length))
    // The session ends at 5995 s or at 6100 s; the interface changes at 6000 s.
    #expect(Self.arrivals(world, taps: [tap]).last == arrival)
  }

  /// Going offline does not change the interface: after three seconds offline the tail is still there.
  @Test func offlineSpellDoesNotEndTheTail() {
    var network = NetworkSketch.sleepy()
    network.online = .seconds(600)
    network.offline = .seconds(3)
    #expect(Self.arrivals(Self.world(network), taps: [598, 601, 604]) == [55, 59_855, 60_405])
  }

  /// Requests in the air when the network goes end normally.
  @Test func requestsInFlightFinishAfterTheNetworkGoes() {
    var network = NetworkSketch.sleepy()
    network.online = .seconds(600)
    network.offline = .seconds(60)
    var world = Self.world(network)
    world.latency = .constant(.seconds(20))
    let trace = Trace(world, script: [(590, .tap(0, left: 0))])
    #expect(trace.ends() == [20.6, 610.6])
    #expect(trace.dataTimes() == [20.6, 610.6])
    #expect(trace.row.failures == 0 && trace.row.requests == 2)
  }

  /// During a backoff the radio is in its tail: a retry joins it, or wakes the radio again.
  @Test(arguments: [(10_000, 3_265), (2_000, 3_265), (1_999, 3_315), (0, 3_315)] as [(Int64, Int)])
  func retriesAndTails(tail: Int64, arrival: Int) {
    var world = Self.world(kinds: 0, .sleepy(tail: tail))
    world.latency = .constant(.hours(1))
    var kind = KindSketch(.never)
    kind.requests = 1
    kind.attempts = 2
    kind.onError = .reload(.never)
    world.add(kind)
    let trace = Trace(world)
    // The first attempt times out at 0.6 + 30 s and is retried 2 s later.
    #expect(trace.arrivalSteps == [55, arrival])
    #expect(trace.ends() == [arrival == 3_265 ? 62.7 : 63.2])
  }

  /// A retry is sent on the interface current at that time.
  @Test func retriesAfterAChange() {
    var world = Self.changing()
    world.latency = .constant(.hours(1))
    world.kinds = []
    var kind = KindSketch(.never)
    kind.requests = 1
    kind.attempts = 2
    kind.onError = .reload(.never)
    world.add(kind)
    let trace = Trace(world, script: [(3_590, .tap(0, left: 0))])
    // The first attempt times out at 3620.6 s; 3622.6 s is followed by a 200 ms promotion and half of 40 ms.
    #expect(trace.arrivalSteps.suffix(2) == [359_055, 362_282])
    #expect(trace.ends().last == 3_652.84)
  }
}
