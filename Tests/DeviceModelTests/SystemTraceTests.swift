import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel

/// Changes of the system and views in the gallery (MODEL.md 4.2).
@Suite struct SystemTraceTests {
  /// Free runs of all instances at one instant, even if scheduled ones are withheld; they replace timelines.
  @Test func systemRunsReachAllInstancesAtOnce() {
    var world = World()
    world.duration = .hours(2)
    var kind = KindSketch.after(minutes: 60)
    kind.isProtected = true
    world.add(kind)
    world.add(.after(minutes: 50))
    world.instances = [0, 1, 1]
    let trace = Trace(world, script: [(1_000, .systemRuns)])
    #expect((0..<3).map { trace.starts(of: $0, for: .system) } == [[1_000], [1_000], [1_000]])
    #expect(trace.starts(of: 1) == [0, 1_000, 4_000, 7_000])
    #expect(trace.row.charged == 0)
  }

  /// The event reaches each device once, within the following minute.
  @Test func systemEventReachesDevicesWithinAMinute() {
    var delays: Set<Double> = []
    for device in 0..<60 {
      var world = World()
      world.duration = .hours(2)
      world.add(KindSketch(.never))
      world.add(KindSketch(.never))
      world.events = [
        EventPlan(
          timing: .once(.start + .hours(1)), action: .systemChange, audience: Chance(.all), group: nil, over: .zero,
          number: 0)
      ]
      let trace = Trace(world, device: device)
      #expect(trace.starts(of: 0) == trace.starts(of: 1) && trace.runs.count == 4)
      delays.insert(trace.starts()[1] - 3_600)
    }
    #expect(delays.count == 60 && delays.allSatisfy { $0 >= 0 && $0 < 60 })
    // U(0, 60 s) has mean 30 and standard error 2.2.
    #expect(abs(delays.reduce(0, +) / 60 - 30) < 10)
  }

  /// A change during a run is followed by one run when it ends.
  @Test func changeDuringARunCausesOneMoreRun() {
    var world = World()
    world.duration = .minutes(10)
    var kind = KindSketch(.never)
    kind.cpu = .seconds(20)
    world.add(kind)
    let trace = Trace(world, script: [(10, .systemRuns), (15, .systemRuns)])
    #expect(trace.starts() == [0, 20] && trace.causes() == [.placement, .system])
  }

  /// A diary has an entry for the end of a run even if another run starts at the same time.
  @Test func diaryRecordsTheEndOfEachRun() throws {
    var world = World()
    world.duration = .minutes(10)
    var kind = KindSketch(.never)
    // This is longer than the minute within which the change reaches a phone.
    kind.cpu = .seconds(90)
    world.add(kind)
    world.events = [
      EventPlan(
        timing: .once(.start + .seconds(10)), action: .systemChange, audience: Chance(.all), group: nil, over: .zero,
        number: 0)
    ]
    let diary = try DeviceDiary(
      plan: world.plan(seed: 1), shape: world.shape, (0, 0, 0), conditions: nil)
    let told = diary.entries.compactMap { entry -> String? in
      let second = Int((entry.at - .start).seconds)
      return switch entry.note {
      case .run(_, let cause, _, _): "\(second) \(cause)"
      case .end: "\(second) end"
      default: nil
      }
    }
    #expect(told == ["0 placement", "90 end", "90 system", "180 end"])
  }

  // MARK: Gallery

  private static func gallery(network: Share = .all, _ configure: (inout KindSketch) -> Void = { _ in }) -> World {
    var world = World()
    world.duration = .minutes(30)
    var kind = KindSketch(.never)
    kind.requests = 2
    configure(&kind)
    world.add(kind)
    world.addPush(.gallery(network: Chance(network)))
    return world
  }

  /// Snapshots make requests with a cause of their own, even if the cache is fresh; there is no run, no data and no
  /// cached answer.
  @Test func snapshots() {
    let world = Self.gallery {
      $0.cache = CachePlan(ttl: .hours(5), scope: .kind, singleFlight: true)
      $0.isProtected = true
    }
    let trace = Trace(world, script: [(100, .gallery(event: 0)), (200, .gallery(event: 0)), (300, .tap(0, left: 0))])
    #expect(trace.requests == [.placement: 2, .gallery: 4])
    #expect(trace.row.runs[Int(Cause.gallery.rawValue)] == 0)
    #expect(trace.starts() == [0, 300])
    #expect(trace.dataTimes() == [0] && trace.row.cacheHits == 1)
    #expect(trace.row.cacheHits == 1 && trace.row.failures == 0)
  }

  /// The gallery shows every kind of the app, placed or not; one without requests sends nothing.
  @Test func kindsInTheGallery() {
    var world = Self.gallery()
    world.add(KindSketch(.never))
    var third = KindSketch(.never)
    third.requests = 3
    world.add(third)
    world.instances = [1]
    let script: [(Double, DeviceEvent)] = [(100, .gallery(event: 0))]
    #expect((0..<3).map { Trace(world, rowKind: $0, script: script).requests } == [[.gallery: 2], [:], [.gallery: 3]])
  }

  /// A proportion of the snapshots send requests, drawn for each.
  @Test func networkShare() {
    let script = (1...1_600).map { (Double($0), DeviceEvent.gallery(event: 0)) }
    let requests = Trace(Self.gallery(network: Share(fraction: 0.25)), seed: 5, script: script).requests
    // 400 snapshots with two requests each: the standard deviation is 17.3.
    #expect(abs((requests[.gallery] ?? 0) - 800) <= 156, "seed 5")
    #expect(Trace(Self.gallery(network: .none), script: script).requests == [.placement: 2])
  }

  /// Snapshots are retried like runs; without a network they fail unsent.
  @Test func failedSnapshotsAreRetriedLikeRuns() {
    var world = Self.gallery { $0.attempts = 2 }
    world.latency = .constant(.hours(1))
    world.use(NetworkSketch(online: .seconds(190), offline: .seconds(100)))
    let script: [(Double, DeviceEvent)] = [
      (100, .gallery(event: 0)), (170, .gallery(event: 0)), (250, .gallery(event: 0)),
    ]
    let trace = Trace(world, script: script)
    // Two attempts; one attempt and a retry without a network; none.
    #expect(trace.requests[.gallery] == 6)
    #expect(trace.failures[.gallery] == 10)
    #expect(trace.offlineFailures == 4)
  }

  /// If snapshots start before the previous one has ended, each has its own requests and attempts.
  @Test func snapshotsAtOnce() {
    var world = Self.gallery { $0.attempts = 3 }
    world.latency = .constant(.hours(1))
    let trace = Trace(world, script: [(100, .gallery(event: 0)), (110, .gallery(event: 0)), (140, .gallery(event: 0))])
    #expect(trace.requests[.gallery] == 18 && trace.failures[.gallery] == 18)
  }

  /// A snapshot's requests wake the radio and share it.
  @Test func snapshotsOnTheRadio() {
    var world = Self.gallery()
    world.step = .milliseconds(10)
    world.use(.sleepy())
    let trace = Trace(world, script: [(100, .gallery(event: 0)), (105, .tap(0, left: 0))])
    #expect(trace.arrivalSteps == [55, 10_055, 10_505])
  }
}
