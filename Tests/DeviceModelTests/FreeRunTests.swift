import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel

/// Calls of the active app, taps, and the conditions for free requests (MODEL.md 4.2-4.4).
@Suite struct FreeRunTests {
  /// Returns a phone used for 10 min at every full hour; the app is open from 3660 s to 3960 s if the script opens it.
  private static func world(_ kinds: KindSketch...) -> World {
    var world = World()
    world.duration = .minutes(100)
    world.person.unlocksPerDay = 24
    world.person.foreground = .constant(.minutes(5))
    world.system.foregroundLatency = .constant(.seconds(2))
    for kind in kinds { world.add(kind) }
    return world
  }

  private static let opened: (Double, DeviceEvent) = (3_660, .appOpen)

  /// Calls of the open app: runs start 2 s after each call that is let through, and after the app closes for the rest.
  @Test(
    arguments: [
      ([], []),
      ([3_700], [3_702]),
      ([3_700, 3_730], [3_702, 3_732]),
      ([3_700, 3_729.999], [3_702, 3_962]),
      ([3_700, 3_710, 3_720], [3_702, 3_962]),
      // The gap is counted from the last call let through.
      ([3_700, 3_720, 3_730, 3_740], [3_702, 3_732, 3_962]),
      ([3_959], [3_961]),
      ([3_958, 3_959], [3_960, 3_962]),
    ] as [([Double], [Double])])
  func foregroundGap(calls: [Double], runs: [Double]) {
    var world = Self.world(KindSketch(.never))
    world.add(.change(world.storage.choice(of: [(0, 1)])), kinds: [0])
    let trace = Trace(world, script: [Self.opened] + calls.map { ($0, .appCall(0)) })
    #expect(trace.starts(for: .foreground) == runs)
    #expect(trace.row.charged == 0)
  }

  /// A call at the end and the surplus calls become one run; a kind with neither has none.
  @Test func surplusCallsRunAtAppClose() {
    var world = Self.world(KindSketch(.never), KindSketch(.never), KindSketch(.never))
    world.add(.change(world.storage.choice(of: [(0, 1)])), kinds: [0, 1])
    world.add(.close, kinds: [0])
    let trace = Trace(world, script: [Self.opened, (3_700, .appCall(0)), (3_710, .appCall(0))])
    #expect(trace.starts(of: 0, for: .foreground) == [3_702, 3_962])
    #expect(trace.starts(of: 1, for: .foreground) == [3_702, 3_962])
    #expect(trace.starts(of: 2) == [0])
  }

  /// A spell of zero length still has its calls.
  @Test(arguments: [1, 2])
  func emptyAppSpellStillCallsTheApp(entries: Int) {
    var world = Self.world(KindSketch(.never))
    world.person.foreground = .constant(.zero)
    for _ in 0..<entries { world.add(.open, kinds: [0]) }
    let starts = Trace(world, script: [Self.opened]).starts(for: .foreground)
    #expect(starts.count == entries)
    #expect(starts.allSatisfy { $0 >= 3_662 && $0 < 3_662.01 })
  }

  /// A latency is drawn per call and kind; instances of a kind start together.
  @Test(arguments: 0..<10)
  func latencyPerCallAndKind(device: Int) {
    var world = Self.world(KindSketch(.never), KindSketch(.never))
    world.instances = [0, 0, 1]
    world.system.foregroundLatency = .uniform(from: .seconds(1), to: .seconds(30))
    world.add(.change(world.storage.choice(of: [(0, 1)])), kinds: [0, 1])
    let trace = Trace(world, device: device, script: [Self.opened, (3_700, .appCall(0)), (3_760, .appCall(0))])
    let starts = (0..<3).map { trace.starts(of: $0, for: .foreground) }
    #expect(starts[0] == starts[1] && starts[0].count == 2 && starts[2].count == 2)
    #expect(starts[0] != starts[2] && starts[0][1] - starts[0][0] != 60)
    #expect(starts.joined().allSatisfy { (3_701..<3_730).contains($0) || (3_761..<3_790).contains($0) })
  }

  /// A refresh is charged in the background, and free while the app is open or playing.
  @Test(
    arguments: [
      (3_000, .background, 3_000), (3_659, .background, 3_659), (3_660, .foreground, 3_662),
      (3_959, .foreground, 3_961), (3_960, .background, 3_960), (4_500, .foreground, 4_502),
    ] as [(Double, Cause, Double)])
  func refreshOfAnActiveApp(at second: Double, cause: Cause, start: Double) {
    var world = Self.world(KindSketch(.never))
    world.add(.backgroundRefresh(gap: .constant(.days(10))), kinds: [0])
    world.person.audioLength = .constant(.minutes(5))
    let trace = Trace(
      world, script: [Self.opened, (4_440, .audioStart), (second, .backgroundRefresh(0))])
    #expect(trace.runs.dropFirst() == [Trace.Run(slot: 0, at: start, cause: cause)])
    #expect(trace.row.charged == (cause == .background ? 1 : 0))
  }

  /// The app calls at the start of an audio spell and then at intervals strictly before its end, in or out of a
  /// session.
  @Test(arguments: [(100, [700, 800, 900]), (150, [700, 850]), (300, [700]), (0, [700])] as [(Int64, [Double])])
  func audioCalls(every: Int64, runs: [Double]) {
    var world = Self.world(KindSketch(.never))
    world.system.foregroundLatency = .constant(.zero)
    world.add(.audio(every: .seconds(every)), kinds: [0])
    world.person.audioLength = .constant(.minutes(5))
    #expect(Trace(world, script: [(700, .audioStart)]).starts(for: .foreground) == runs)
    // A spell that starts during another one is dropped.
    #expect(Trace(world, script: [(700, .audioStart), (999, .audioStart)]).starts(for: .foreground) == runs)
  }

  /// The surplus calls of an audio spell become one run at its end.
  @Test func surplusCallsRunAtTheEndOfAudio() {
    var world = Self.world(KindSketch(.never))
    world.add(.audio(every: .seconds(20)), kinds: [0])
    let starts = Trace(world, script: [(700, .audioStart)]).starts(for: .foreground)
    #expect(starts == [702, 742, 762])
  }

  @Test(arguments: [(1, [1_803]), (3, [1_803, 1_806, 1_809])] as [(Int, [Double])])
  func tapsOfABurst(burst: Int, runs: [Double]) {
    var kind = KindSketch(.never)
    kind.taps.burst = burst
    #expect(Trace(Self.world(kind), script: [(1_800, .burst(0))]).starts(for: .tap) == runs)
  }

  @Test(arguments: [Taps.Scope.kind, .instance])
  func tapsReloadTheGivenScope(scope: Taps.Scope) {
    var kind = KindSketch(.never)
    kind.taps.reloads = scope
    var world = Self.world(kind, KindSketch(.never))
    world.instances = [0, 0, 1]
    let trace = Trace(world, script: [(1_800, .burst(1))])
    #expect((0..<3).map { trace.starts(of: $0, for: .tap).count } == (scope == .kind ? [1, 1, 0] : [0, 1, 0]))
  }

  /// A tap runs at once even if the widget is locked, idle, out of budget or within its spacing; its wait ends there.
  @Test func tapsAreNeverWithheld() {
    var kind = KindSketch.after(minutes: 10)
    kind.isProtected = true
    var world = Self.world(kind)
    world.person = PersonSketch()
    world.system.idle = Idle(after: .hours(1), giveUp: .hours(9))
    world.system.budget.model = .bucket
    world.capacity = .fixed(RunMillionths(count: 500_000))
    let trace = Trace(world, script: [(60, .tap(0, left: 0)), (70, .tap(0, left: 0)), (1_800, .tap(0, left: 0))])
    #expect(trace.starts() == [0, 60, 70, 1_800])
    #expect(trace.waits == [Trace.Wait(slot: 0, reason: .locked, from: 670, to: 1_800)])
    #expect(trace.row.charged == 0)
  }

  /// Each tap brings a new timeline: `after(6 h)` starts again.
  @Test func tapsRestartTheTimeline() {
    var world = Self.world(.after(minutes: 360))
    world.duration = .hours(24)
    let trace = Trace(world, script: [(18_000, .tap(0, left: 0)), (30_000, .tap(0, left: 0))])
    #expect(trace.starts() == [0, 18_000, 30_000, 51_600, 73_200])
    #expect(trace.causes() == [.placement, .tap, .tap, .policy, .policy])
  }

  /// Any number of requests during a run lead to one more run when it ends, with the last cause.
  @Test(
    arguments: [
      ([(10, .tap(0, left: 0))], [.tap]),
      ([(10, .tap(0, left: 3))], [.tap]),
      ([(10, .foregroundRun(kind: 0)), (15, .tap(0, left: 0))], [.tap]),
      ([(10, .tap(0, left: 0)), (15, .foregroundRun(kind: 0))], [.foreground]),
      ([(19.999, .tap(0, left: 0))], [.tap]),
      ([], []),
    ] as [([(Double, DeviceEvent)], [Cause])])
  func requestsDuringARun(script: [(Double, DeviceEvent)], causes: [Cause]) {
    var kind = KindSketch(.never)
    kind.cpu = .seconds(20)
    let trace = Trace(Self.world(kind), script: script)
    #expect(trace.causes() == [.placement] + causes)
    #expect(trace.starts().dropFirst().allSatisfy { $0 == 20 })
  }

  /// At 20 s the run in progress has just ended, so a tap at that instant gets its own run.
  @Test func requestAtTheEndOfARun() {
    var kind = KindSketch(.never)
    kind.cpu = .seconds(20)
    let trace = Trace(Self.world(kind), script: [(10, .tap(0, left: 0)), (20, .tap(0, left: 0))])
    #expect(trace.starts() == [0, 20, 40])
  }

  /// A scheduled request during the run is kept; the free run that follows still replaces the ticket.
  @Test(arguments: [false, true])
  func keptRequestIsReplacedByFreeRun(tapsToo: Bool) {
    var kind = KindSketch(.never)
    kind.cpu = .seconds(20)
    var world = Self.world(kind)
    world.add(.backgroundRefresh(gap: .constant(.days(10))), kinds: [0])
    var script: [(Double, DeviceEvent)] = [(5, .backgroundRefresh(0))]
    if tapsToo { script.append((10, .tap(0, left: 0))) }
    let trace = Trace(world, script: script)
    #expect(trace.causes() == (tapsToo ? [.placement, .tap] : [.placement, .background]))
    #expect(trace.starts() == (tapsToo ? [0, 20] : [0, 320]))
  }

  /// A tap that reloads a kind with two instances is two free runs, and does not coalesce with the second one's ticket.
  @Test func tapsOfAKindDoNotCoalesceIt() {
    var world = Self.world(KindSketch.after(minutes: 20), .after(minutes: 20))
    world.instances = [0, 0, 1]
    world.system.policyDelay = .constant(.minutes(10))
    world.system.coalescingWindow = .minutes(15)
    let trace = Trace(world, script: [(1_300, .tap(0, left: 0))])
    #expect((0..<3).map { trace.causes(of: $0)[1] } == [.tap, .tap, .policy])
    #expect((0..<3).map { trace.starts(of: $0)[1] } == [1_300, 1_300, 1_300])
    #expect((0..<2).allSatisfy { trace.starts(of: $0)[2] > 2_400 })
  }

  /// If a tap's run crashes, a retry is requested for an hour later, as with any other run.
  @Test func crashedTapIsRetriedAfterAnHour() {
    var kind = KindSketch.after(minutes: 10)
    kind.crash = .all
    var world = Self.world(kind)
    world.duration = .hours(2)
    #expect(Trace(world, script: [(1_800, .tap(0, left: 0))]).starts() == [0, 1_800, 5_400])
  }
}
