import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel

/// The time from a push to the first view of its data (MODEL.md 8.4), for a lock screen widget with instant runs.
@Suite struct PushWaitTests {
  private static func world(_ kind: KindSketch = KindSketch(.never)) -> World {
    var world = World()
    world.duration = .hours(6)
    world.system.minSpacing = .zero
    world.system.silentPushesPerHour = 100
    world.places = [0: PlaceSketch(page: 0)]
    world.add(kind)
    world.addSilentPush()
    return world
  }

  private static func life(_ world: World, pushes: [Double], glances: [Double]) -> Followed {
    Followed(world, script: pushes.map { ($0, .push(event: 0)) } + glances.map { ($0, .glance) })
  }

  /// Inputs: the seconds of pushes and glances; outputs: the lengths of waits, and the number of waits without an end.
  @Test(
    arguments: [
      ([3_600], [3_000, 5_000], [1_400], 0),
      // A view at the same instant as the push comes before the run that the push starts.
      ([3_600], [3_600], [], 1),
      ([3_600], [3_000], [], 1),
      ([], [3_000], [], 0),
      // Both pushes count as one wait, starting with the first.
      ([3_600, 4_000], [5_000, 6_000], [1_400], 0),
      ([3_600, 4_000], [3_700, 4_900], [100, 900], 0),
      // A view too soon after another is ignored.
      ([3_600], [3_598, 3_602, 3_700], [100], 0),
    ] as [([Double], [Double], [Double], Int64)])
  func waits(pushes: [Double], glances: [Double], shown: [Double], unshown: Int64) {
    let life = Self.life(Self.world(), pushes: pushes, glances: glances)
    // Bins are at most 1/512 wide.
    #expect(life.shown.count == shown.count)
    for (found, expected) in zip(life.shown, shown.sorted()) { #expect(abs(found - expected) <= expected / 512) }
    #expect(Double(life.tally.pushes.milliseconds) == shown.reduce(0, +) * 1_000)
    #expect(life.tally.pushes.unshown == unshown)
    #expect(life.tally.pushes.pushes == Int64(pushes.count))
  }

  /// The second push is lost, because one per hour is allowed: the first one's data is seen, the second still waits.
  @Test func lostPushKeepsWaiting() {
    var world = Self.world()
    world.system.silentPushesPerHour = 1
    let life = Self.life(world, pushes: [3_600, 4_000], glances: [5_000, 6_000])
    #expect(life.tally.pushes.milliseconds == 1_400_000)
    #expect(life.tally.pushes.unshown == 1)
  }

  /// A refresh by the policy brings the data of a lost push: at 2 h, seen at 2.5 h.
  @Test func policyRefreshBringsALostPush() {
    var world = Self.world(.after(minutes: 60))
    world.system.silentPushesPerHour = 0
    let life = Self.life(world, pushes: [4_000], glances: [5_000, 7_000, 9_000])
    #expect(life.tally.pushes.milliseconds == 5_000_000)
  }

  /// A cached answer from before the push does not end the wait.
  @Test func olderCachedAnswerDoesNotEndAPushWait() {
    var sketch = KindSketch(.never)
    sketch.requests = 1
    sketch.cache = CachePlan(ttl: .hours(2), scope: .kind, singleFlight: false)
    // The cache is filled at placement; the first push finds it fresh, the second does not.
    let life = Self.life(Self.world(sketch), pushes: [3_600, 7_200], glances: [5_000, 9_000])
    #expect(life.tally.pushes.milliseconds == 5_400_000)
    #expect(life.tally.pushes.pushes == 2)
  }

  /// A widget push reaches all kinds on the phone; any widget of a kind ends that kind's wait.
  @Test func everyKind() {
    var world = Self.world()
    world.add(KindSketch(.never))
    world.instances = [0, 0]
    world.places = [0: PlaceSketch(page: 1), 1: PlaceSketch(page: 0)]
    world.addPush(.widgetPush(restarts: false))
    let script: [(Double, DeviceEvent)] = [(3_600, .push(event: 1)), (4_000, .glance)]
    #expect(Followed(world, script: script).tally.pushes.milliseconds == 400_000)
    // The phone does not have the second kind.
    #expect(Followed(world, kind: 1, script: script).tally.pushes.pushes == 0)
  }

  /// A push before the clock starts does not count.
  @Test func warmUp() {
    var world = Self.world()
    world.beginning = .start - .hours(2)
    let life = Self.life(world, pushes: [-3_600], glances: [60])
    #expect(life.shown.isEmpty && life.tally.pushes.unshown == 0 && life.tally.pushes.pushes == 0)
  }

  /// Pushes to all phones count, followed or not.
  @Test func everyPhone() {
    let script: [(Double, DeviceEvent)] = [(3_600, .push(event: 0)), (4_000, .glance)]
    let life = Followed(Self.world(), device: 1, every: 2, script: script)
    #expect(life.tally.pushes.milliseconds == 400_000)
    #expect(life.tally.milliseconds == 0)
  }

  // MARK: From the event's start

  /// Two events starting at 3 600 s and 100 s later, and one view 150 s after the first.
  ///
  /// The wait is 150 s for both pushes together, and 150 s and 50 s for the separate events (MODEL.md 8.4).
  @Test func eventWaitsAreCountedSeparately() {
    var world = Self.world()
    world.events = []
    for start in [3_600, 3_700] as [Int64] { world.addSilentPush(timing: .once(.start + .seconds(start))) }
    let life = Followed(
      world, script: [(3_600, .push(event: 0)), (3_700, .push(event: 1)), (3_750, .glance)])
    #expect(life.tally.pushes.milliseconds == 150_000 && life.tally.pushes.pushes == 2)
    #expect(life.eventPushes.map(\.milliseconds) == [150_000, 50_000])
    #expect(life.eventPushes.map(\.pushes) == [1, 1] && life.eventPushes.map(\.unshown) == [0, 0])
  }

  /// The time of a push is counted from the event's start: sent 600 s late, seen 100 s later.
  @Test func pushWaitIncludesTheEventSpan() {
    var world = Self.world()
    world.events = []
    world.addSilentPush(timing: .once(.start + .seconds(3_000)))
    let life = Self.life(world, pushes: [3_600], glances: [3_700])
    #expect(life.tally.pushes.milliseconds == 100_000)
    #expect(life.eventPushes[0].milliseconds == 700_000)
  }

  /// Pushes of one event at 3 600, 4 000 and 4 600 s: the first is seen; the third supersedes the second and is never
  /// seen.
  ///
  /// Each is one wait.
  @Test func supersededPushIsNeverSeen() {
    let life = Self.life(Self.world(), pushes: [3_600, 4_000, 4_600], glances: [3_700, 3_999])
    #expect(life.eventPushes[0].pushes == 3 && life.eventPushes[0].unshown == 2)
    #expect(life.eventPushes[0].milliseconds == 3_700_000)
    // The last two together are one wait.
    #expect(life.tally.pushes.unshown == 1)
  }

  /// The policy brings the data of three events' lost pushes, at 3 600 s for the first and at 7 200 s for the others.
  @Test func policyBringsDataOfSeveralLostPushes() {
    var world = Self.world(.after(minutes: 60))
    world.events = []
    world.system.silentPushesPerHour = 0
    for start in [100, 200, 4_000] as [Int64] { world.addSilentPush(timing: .once(.start + .seconds(start))) }
    let script: [(Double, DeviceEvent)] = [
      (100, .push(event: 0)), (3_700, .glance), (3_800, .push(event: 1)), (4_000, .push(event: 2)), (7_300, .glance),
    ]
    let life = Followed(world, script: script)
    #expect(life.eventPushes.map(\.milliseconds) == [3_600_000, 7_100_000, 3_300_000])
    #expect(life.eventPushes.map(\.unshown) == [0, 0, 0])
  }

  /// A daily event is counted from its last date; events at each phone's own times have no start.
  @Test func perPhoneTimesHaveNoEventStart() {
    var world = Self.world()
    world.events = []
    let dates = [1_000, 5_000].map { Instant.start + .seconds($0) }
    world.addSilentPush(timing: .daily(CalendarPlan(dates: world.storage.keep([world.storage.keep(dates)]))))
    world.addPush(.widgetPush(restarts: false), every: .days(2), audience: Share.none)
    let life = Followed(
      world,
      script: [
        (1_100, .push(event: 0)), (1_200, .glance), (5_200, .push(event: 0)), (5_300, .push(event: 1)),
        (5_600, .glance),
      ])
    #expect(life.eventPushes[0].milliseconds == 200_000 + 600_000)
    #expect(life.eventPushes[0].pushes == 2 && life.eventPushes[1].pushes == 0)
    #expect(life.tally.pushes.pushes == 3)
  }
}
