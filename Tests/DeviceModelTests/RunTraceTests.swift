import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel

@Suite struct RunTraceTests {
  @Test func afterPolicyCountsFromTheEndOfTheRun() {
    var world = World()
    var kind = KindSketch.after(minutes: 15)
    kind.cpu = .seconds(30)
    world.add(kind)
    let trace = Trace(world)
    #expect(trace.starts().prefix(4) == [0, 930, 1860, 2790])
    #expect(trace.causes().prefix(3) == [.placement, .policy, .policy])
    #expect(trace.row.charged == Int64(trace.runs.count) - 1)
  }

  /// There are at most 288 scheduled runs a day, however soon the next is requested (MODEL.md 9).
  @Test(arguments: [0, 1, 5])
  func spacingLimitsScheduledRuns(minutes: Int64) {
    var world = World()
    world.add(.after(minutes: minutes))
    let trace = Trace(world)
    #expect(trace.starts() == (0..<288).map { Double($0) * 300 })
    #expect(trace.lateness.dropFirst().allSatisfy { $0 == Double(300 - minutes * 60) } || minutes == 0)
  }

  @Test func neverPolicyRunsOnlyAtPlacement() {
    var world = World()
    world.add(KindSketch(.never))
    #expect(Trace(world).starts() == [0])
  }

  @Test func atEndOfOneEntryWaitsForTheGap() {
    var world = World()
    world.add(KindSketch(.atEnd))
    #expect(Trace(world).starts().prefix(3) == [0, 1_800, 3_600])
  }

  /// The last of four hourly entries comes three hours after the first.
  @Test func atEndWaitsForTheLastEntry() {
    var world = World()
    world.add(KindSketch(.atEnd, entries: .spread(.hours(3))))
    #expect(Trace(world).starts().prefix(3) == [0, 10_800, 21_600])
  }

  /// A crash takes no time, is charged, and is followed by a retry an hour later, even with `never`.
  @Test func crashedRunIsRetriedAfterAnHour() {
    var world = World()
    var kind = KindSketch(.never)
    kind.crash = .all
    kind.requests = 3
    world.add(kind)
    let trace = Trace(world)
    #expect(trace.starts() == (0..<24).map { Double($0) * 3_600 })
    #expect(trace.causes() == [.placement] + Array(repeating: .retry, count: 23))
    #expect(trace.row.charged == 23)
    #expect(trace.row.requests == 0)
  }

  @Test func crashedRunIsRetriedWhenTheSystemDoes() {
    var world = World()
    world.system.crashRetry = .minutes(90)
    var kind = KindSketch(.never)
    kind.crash = .all
    world.add(kind)
    #expect(Trace(world).starts() == (0..<16).map { Double($0) * 5_400 })
  }

  /// A crash stays in the phase, a success moves on to the next one; the last phase repeats.
  @Test func phasesFollowSuccesses() {
    var world = World()
    var kind = KindSketch(.after(.constant(.minutes(10))))
    kind.phases.append(PhasePlan(entries: .single, reload: .after(.constant(.minutes(20)))))
    kind.phases.append(PhasePlan(entries: .single, reload: .after(.constant(.minutes(40)))))
    world.add(kind)
    #expect(Trace(world).starts().prefix(5) == [0, 600, 1_800, 4_200, 6_600])
    world.kinds = []
    kind.requests = 1
    world.latency = .constant(.minutes(1))
    world.add(kind)
    // Every run times out after 30 s: the phase stays the same, and on_error sets the date.
    #expect(Trace(world).starts().prefix(3) == [0, 930, 1_860])
    #expect(Trace(world).causes().prefix(3) == [.placement, .retry, .retry])
  }

  /// A restart at 45 min: the run that it requests takes the first phase again.
  @Test func restartsTakeTheFirstPhase() {
    var world = World()
    var kind = KindSketch(.after(.constant(.minutes(10))))
    kind.phases.append(PhasePlan(entries: .single, reload: .never))
    world.add(kind)
    world.duration = .minutes(80)
    world.addRefresh(everyMinutes: 45, kinds: [0], restarts: true)
    let trace = Trace(world)
    #expect(trace.starts() == [0, 600, 2_700, 3_300])
    #expect(trace.causes() == [.placement, .policy, .background, .policy])
  }

  /// A window's policy applies if the run ends in [from, to); phases advance meanwhile.
  @Test func windowsReplaceThePolicyOnly() {
    var world = World()
    var kind = KindSketch(.after(.constant(.minutes(60))))
    kind.phases.append(PhasePlan(entries: .single, reload: .after(.constant(.minutes(90)))))
    let spell = WindowPlan.Spell(from: .start + .minutes(60), to: .start + .minutes(80))
    let spells = world.storage.keep([world.storage.keep([spell])])
    kind.windows = [
      WindowPlan(spells: spells, reload: .after(.constant(.minutes(10)))),
      WindowPlan(spells: spells, reload: .never),
    ]
    world.add(kind)
    #expect(Trace(world).starts().prefix(5) == [0, 3_600, 4_200, 4_800, 10_200])
  }

  /// Per-run jitter is redrawn; per-device jitter is the same for all instances of the kind, and differs between
  /// devices.
  @Test func jitterPerRunAndPerDevice() {
    func gaps(_ scope: Jitter.Scope, device: Int) -> [[Double]] {
      var world = World()
      var kind = KindSketch.after(minutes: 60)
      kind.jitter = .uniform(from: .zero, to: .minutes(10))
      kind.jitterScope = scope
      world.add(kind)
      world.instances = [0, 0]
      let trace = Trace(world, device: device)
      return (0..<2).map { slot in
        zip(trace.starts(of: slot).dropFirst(), trace.starts(of: slot)).map { (($0 - $1) * 1_000).rounded() }
      }
    }
    let perDevice = [gaps(.device, device: 1), gaps(.device, device: 2)]
    for device in perDevice { #expect(Set(device.joined()).count == 1) }
    #expect(perDevice[0][0][0] != perDevice[1][0][0])
    let perRun = gaps(.run, device: 1)
    #expect(Set(perRun[0]).count == perRun[0].count)
    #expect(Set(perRun[0]).isDisjoint(with: perRun[1]))
    #expect(perRun.joined().allSatisfy { $0 >= 3_600_000 && $0 < 4_200_000 })
  }

  @Test func placementsOccurInTheWarmUp() {
    var world = World()
    world.beginning = .start - .hours(2)
    world.add(KindSketch(.never))
    for device in 0..<50 {
      let trace = Trace(world, device: device)
      #expect(trace.starts().allSatisfy { $0 >= -7_200 && $0 < 0 })
      #expect(trace.row.runs[Int(Cause.placement.rawValue)] == 0)
    }
  }

  /// Only the jitter differs: the placements are the same.
  @Test func policiesDoNotDisturbPlacements() {
    func placements(_ jitter: TimeAmount) -> [[Double]] {
      var world = World()
      world.beginning = .start - .hours(20)
      var kind = KindSketch.after(minutes: 30)
      kind.jitter = .uniform(from: .zero, to: jitter)
      world.add(kind)
      return (0..<10).map { Trace(world, device: $0).starts(for: .placement) }
    }
    #expect(placements(.zero) == placements(.minutes(10)))
  }
}
