import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel

/// Views of a lock screen widget, one at each scripted glance (MODEL.md 2.4, 2.7, 4.2, 8).
@Suite struct ViewTests {
  private static func world(_ kind: KindSketch, estimatedViews: Int = 20) -> World {
    var world = World()
    world.duration = .hours(4)
    world.places = [0: PlaceSketch(page: 0, estimatedViews: estimatedViews)]
    world.system.idle = Idle(after: .hours(1), giveUp: .hours(9))
    world.add(kind)
    return world
  }

  private static func glances(_ seconds: [Double]) -> [(Double, DeviceEvent)] { seconds.map { ($0, .glance) } }

  /// A view less than 5 s after the last counted one is ignored, and does not restart those 5 s.
  @Test(
    arguments: [
      ([100], [100]),
      ([100, 104.999], [100]),
      ([100, 105], [100, 105]),
      ([100, 103, 105.5], [100, 105.5]),
      ([100, 104.999, 105, 109.999, 110], [100, 105, 110]),
    ] as [([Double], [Double])])
  func viewsCloseTogether(glances: [Double], counted: [Double]) {
    let trace = Trace(Self.world(KindSketch(.never)), script: Self.glances(glances))
    #expect(trace.views() == counted)
    #expect(trace.row.views == Int64(counted.count))
  }

  /// Which views reload a widget that is due at 1800 s and withheld on an idle phone.
  ///
  /// Seconds of the glance, estimated views a day, chances for rare and frequent ones, whether it reloads.
  @Test(
    arguments: [
      (2_699.999, 5, .all, .all, false), (2_700, 5, .all, .all, true), (2_700, 9, .all, .none, true),
      (2_700, 10, .all, .none, false), (2_700, 10, .none, .all, true), (2_700, 9, .none, .all, false),
      (1_000, 5, .all, .all, false),
    ] as [(Double, Int, Share, Share, Bool)])
  func overdueViews(at second: Double, estimate: Int, rare: Share, frequent: Share, reloads: Bool) {
    var world = Self.world(.after(minutes: 30), estimatedViews: estimate)
    world.system.staleViewRare = Chance(rare)
    world.system.staleViewFrequent = Chance(frequent)
    let trace = Trace(world, script: Self.glances([second]))
    #expect(trace.starts(for: .view) == (reloads ? [second] : []))
    #expect(trace.starts() == (reloads ? [0, second] : [0]))
    #expect(trace.waits.count == (reloads ? 1 : 0))
  }

  /// 30 % of the views of an overdue widget reload it, drawn for every counted view.
  @Test func chanceOfOverdueViews() {
    var world = Self.world(.after(minutes: 30))
    world.system.staleViewFrequent = Chance(Share(fraction: 0.3))
    var counts = [0, 0]
    for device in 0..<600 {
      let starts = Trace(world, device: device, script: Self.glances([3_000, 3_060])).starts(for: .view)
      if starts.first == 3_000 { counts[0] += 1 } else if starts.first == 3_060 { counts[1] += 1 }
    }
    // 600 x 0.3 and 600 x 0.7 x 0.3; 4.5 standard errors.
    #expect(abs(counts[0] - 180) < 51 && abs(counts[1] - 126) < 45, "\(counts)")
  }

  /// A view during a free run of the instance starts nothing, because its ticket will be replaced.
  @Test func viewsDuringARun() {
    var kind = KindSketch.after(minutes: 30)
    kind.cpu = .minutes(1)
    var world = Self.world(kind, estimatedViews: 5)
    world.system.staleViewRare = Chance(.all)
    let trace = Trace(world, script: [(3_000, .tap(0, left: 0)), (3_010, .glance), (3_060, .glance)])
    #expect(trace.starts() == [0, 3_000])
    #expect(trace.views() == [3_010, 3_060])
  }

  @Test func neverIsNeverOverdue() {
    var world = Self.world(KindSketch(.never), estimatedViews: 0)
    world.system.staleViewRare = Chance(.all)
    #expect(Trace(world, script: Self.glances([3_000, 13_000])).starts() == [0])
  }

  /// Inputs: location changes and other events, then glances; output: the glances that reload because of the location.
  @Test(
    arguments: [
      ([(100, .locationChange(kind: 0))], [200, 300], [200]),
      ([], [200, 300], []),
      ([(100, .locationChange(kind: 0)), (110, .locationChange(kind: 0))], [200, 300], [200]),
      // Any run in between clears the flag.
      ([(100, .locationChange(kind: 0)), (150, .tap(0, left: 0))], [200, 300], []),
      ([(100, .locationChange(kind: 0)), (250, .locationChange(kind: 0))], [200, 300], [200, 300]),
      // An ignored view starts nothing; the next one does.
      ([(101, .locationChange(kind: 0))], [100, 103, 300], [300]),
    ] as [([(Double, DeviceEvent)], [Double], [Double])])
  func locationChanges(script: [(Double, DeviceEvent)], glances: [Double], runs: [Double]) {
    let trace = Trace(Self.world(KindSketch(.never)), script: script + Self.glances(glances))
    #expect(trace.starts(for: .location) == runs)
    #expect(trace.row.charged == 0)
  }

  /// A location change during a run counts for the next view; a view during that run leads to another run.
  @Test func locationDuringARun() {
    var kind = KindSketch(.never)
    kind.cpu = .seconds(60)
    let moved: [(Double, DeviceEvent)] = [(1_000, .tap(0, left: 0)), (1_010, .locationChange(kind: 0))]
    let later = Trace(Self.world(kind), script: moved + Self.glances([1_100]))
    #expect(later.starts(for: .location) == [1_100])
    let within = Trace(Self.world(kind), script: moved + Self.glances([1_020, 1_040, 1_100, 1_200]))
    #expect(within.starts(for: .location) == [1_060])
  }

  /// Every instance has its own flag; an overdue one reloads because of the location, not the view.
  @Test func eachInstanceHasASeparateLocationFlag() {
    var world = Self.world(.after(minutes: 30), estimatedViews: 5)
    world.instances = [0, 0]
    world.system.staleViewRare = Chance(.all)
    let trace = Trace(world, script: [(5_000, .locationChange(kind: 0))] + Self.glances([6_000]))
    #expect(trace.causes(of: 0) == [.placement, .location])
    #expect(trace.causes(of: 1) == [.placement])
  }

  /// Data from second 0 with a one-hour limit: older data is stale, data of exactly that age is not.
  @Test func ageAndStaleness() {
    var kind = KindSketch(.never)
    kind.staleAfter = .hours(1)
    let trace = Trace(Self.world(kind), script: Self.glances([1_000, 3_600, 3_700, 7_200]))
    #expect(trace.row.views == 4 && trace.row.staleViews == 2)
    #expect(trace.ages.count == 4 && trace.ages.sum == 15_500 && trace.staleAfter == 2)
  }

  /// A view is stale before the reload it starts and fresh afterwards; it is judged when the reload ends, by its
  /// outcome.
  @Test(arguments: [false, true])
  func stalenessAfterTheReload(fails: Bool) {
    var kind = KindSketch.after(minutes: 30)
    kind.staleAfter = .minutes(20)
    kind.requests = 1
    var world = Self.world(kind, estimatedViews: 5)
    world.system.staleViewRare = Chance(.all)
    world.timeout = .seconds(30)
    world.latency = .choice(world.storage.choice(of: [(.zero, 1)]))
    if fails { world.latency = .constant(.minutes(1)) }
    let trace = Trace(world, script: Self.glances([3_000]))
    #expect(trace.starts(for: .view) == [3_000])
    #expect(trace.row.views == 1 && trace.row.staleViews == 1 && trace.staleAfter == (fails ? 1 : 0))
    // Without data, a view is stale and has no age.
    #expect(trace.ages.count == (fails ? 0 : 1))
  }

  /// Answers come before views: a view at the end of a run shows the new data.
  @Test func answersComeBeforeViews() {
    var kind = KindSketch(.never)
    kind.cpu = .seconds(100)
    let trace = Trace(Self.world(kind), script: Self.glances([100]))
    #expect(trace.ages.count == 1 && trace.ages.sum == 0)
  }
}
