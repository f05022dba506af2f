import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel

@Suite struct SchedulerTraceTests {
  /// An event is read and written as a single word.
  @Test func eventFitsIntoAWord() { #expect(MemoryLayout<DeviceEvent>.size == MemoryLayout<UInt64>.size) }

  /// An earlier request takes over the ticket, with its own cause's delay at the ticket's U.
  @Test(arguments: 0..<20)
  func mergedTicketKeepsItsUniform(device: Int) {
    var world = World()
    world.duration = .hours(2)
    world.system.policyDelay = .uniform(from: .zero, to: .minutes(15))
    world.system.backgroundDelay = .uniform(from: .zero, to: .minutes(1))
    world.add(.after(minutes: 60))
    let alone = Trace(world, device: device)
    world.addRefresh(everyMinutes: 30, kinds: [0])
    let merged = Trace(world, device: device)
    #expect(merged.causes().prefix(2) == [.placement, .background])
    let (delay, merging) = (alone.starts()[1] - 3_600, merged.starts()[1] - 1_800)
    #expect(delay > 0 && abs(delay - 15 * merging) < 0.016, "device \(device)")
  }

  /// A later request changes neither the date nor the cause of a due or overdue ticket.
  @Test func laterRequestsChangeNothing() {
    var world = World()
    world.duration = .minutes(20)
    world.system.policyDelay = .constant(.minutes(5))
    world.add(.after(minutes: 10))
    world.addRefresh(everyMinutes: 10, kinds: [0])
    let trace = Trace(world)
    #expect(trace.starts() == [0, 900])
    #expect(trace.causes() == [.placement, .policy])
  }

  /// Of the requests during a run, the earliest is kept and merged with the ticket after the run.
  @Test(arguments: [PolicyPlan.never, .after(.constant(.zero)), .after(.constant(.hours(2)))])
  func requestsDuringARunAreKept(policy: PolicyPlan) {
    var world = World()
    world.duration = .minutes(40)
    var kind = KindSketch(policy)
    kind.cpu = .minutes(20)
    world.add(kind)
    world.addRefresh(everyMinutes: 7, kinds: [0])
    let trace = Trace(world)
    #expect(trace.starts() == [0, 1_500])
    #expect(trace.causes() == [.placement, .background])
    #expect(trace.lateness == [1_500 - 420])
  }

  @Test func refreshesReachTheirKindsOnly() {
    var world = World()
    world.duration = .hours(1)
    world.add(KindSketch(.never))
    world.add(KindSketch(.never))
    world.addRefresh(everyMinutes: 25, kinds: [1])
    let trace = Trace(world)
    #expect(trace.starts(of: 0) == [0])
    #expect(trace.starts(of: 1) == [0, 1_500, 3_000])
  }

  /// The second instance: e and planned start in minutes, the window, and whether it starts with the first at 70.
  @Test(
    arguments: [
      (64, .minutes(5), true), (64, .minutes(4), true), (64, .minutes(4) - .milliseconds(1), false),
      (70, .minutes(10), true), (71, .minutes(60), false), (64, .zero, false),
    ] as [(Int64, TimeAmount, Bool)])
  func coalescingWindow(eligible: Int64, window: TimeAmount, joins: Bool) {
    var world = World()
    world.duration = .minutes(85)
    world.system.policyDelay = .constant(.minutes(10))
    world.system.coalescingWindow = window
    world.add(.after(minutes: 60))
    world.add(.after(minutes: eligible))
    let trace = Trace(world, rowKind: 1)
    #expect(trace.starts(of: 0) == [0, 4_200])
    #expect(trace.starts(of: 1) == [0, joins ? 4_200 : Double(eligible + 10) * 60])
    #expect(trace.causes(of: 1) == [.placement, .policy])
    #expect(trace.row.charged == 1)
  }

  /// An instance whose own planned start is this exact instant starts separately, and once.
  @Test func coalescingLeavesEqualStartsAlone() {
    var world = World()
    world.duration = .minutes(70)
    world.system.coalescingWindow = .minutes(5)
    for _ in 0..<3 { world.add(.after(minutes: 60)) }
    #expect((0..<3).map { Trace(world).starts(of: $0) } == Array(repeating: [0, 3_600], count: 3))
  }

  /// At 70 min the first gives up; the second, due at 64, is still withheld and does not join.
  @Test func withheldTicketsDoNotJoin() {
    var world = World()
    world.duration = .minutes(90)
    world.system.policyDelay = .constant(.minutes(10))
    world.system.coalescingWindow = .minutes(5)
    world.system.idle = Idle(after: .hours(2), giveUp: .minutes(8))
    world.add(.after(minutes: 60))
    world.add(.after(minutes: 64))
    let trace = Trace(world)
    #expect(trace.starts(of: 0) == [0, 4_200])
    #expect(trace.starts(of: 1) == [0, 4_440])
    #expect(trace.waits.isEmpty)
  }

  /// Coalesced starts do not cascade: the third is within the window of the second, but not of the first.
  @Test func coalescedStartsDoNotCascade() {
    var world = World()
    world.duration = .minutes(85)
    world.system.policyDelay = .constant(.minutes(10))
    world.system.coalescingWindow = .minutes(5)
    for minutes in [60, 64, 68] as [Int64] { world.add(.after(minutes: minutes)) }
    let trace = Trace(world)
    #expect((0..<3).map { trace.starts(of: $0)[1] } == [4_200, 4_200, 4_680])
  }

  /// A run is withheld from its planned start until due + give_up + D, although D is over by then.
  @Test func idleWaits() {
    var world = World()
    world.duration = .hours(5)
    world.system.policyDelay = .constant(.minutes(3))
    world.system.idle = Idle(after: .hours(2), giveUp: .hours(4))
    world.add(.after(minutes: 15))
    let trace = Trace(world)
    #expect(trace.starts() == [0, 15_480])
    #expect(trace.waits == [Trace.Wait(slot: 0, reason: .idle, from: 1_080, to: 15_480)])
    #expect(trace.row.waits[Int(WaitReason.idle.rawValue)] == 1)
    #expect(trace.lateness == [14_580])
  }

  /// The order of MODEL.md 1.3: power, answers, session and app, app calls, placements, views and taps, then scheduled
  /// starts.
  @Test func eventsAtOneInstantFollowTheirRanks() {
    let events: [DeviceEvent] = [
      .plug, .answers(0), .sessionStart, .backgroundRefresh(0), .placement(0), .start(0),
    ]
    #expect(events.map(\.rank) == events.map(\.rank).sorted())
    #expect(Set(events.map(\.rank)).count == events.count)
    #expect(DeviceEvent.runEnd(3).rank == DeviceEvent.answers(3).rank)
    #expect(DeviceEvent.runEnd(0).rank < DeviceEvent.resend(.run(3), request: 0, attempt: 1).rank)
    #expect(DeviceEvent.coalescing(starter: 0).rank == DeviceEvent.start(0).rank)
  }

  /// The same key gives the same life; another seed, device or replication gives a different one.
  @Test func differentKeysGiveDifferentRuns() {
    var world = World()
    world.system.policyDelay = .uniform(from: .zero, to: .minutes(15))
    world.add(.after(minutes: 15))
    let lives = [
      Trace(world), Trace(world, device: 1), Trace(world, replication: 1), Trace(world, seed: 2), Trace(world),
    ]
    #expect(lives[0].runs == lives[4].runs)
    for other in 1...3 { #expect(lives[0].runs != lives[other].runs) }
  }
}
