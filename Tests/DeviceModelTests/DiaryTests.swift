import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel

/// Diary entries and notes about requests.
@Suite struct DiaryTests {
  /// Returns a widget that requests a run every 30 min, each started a minute late.
  private static func world() -> World {
    var world = World()
    world.duration = .hours(2)
    world.system.policyDelay = .constant(.minute)
    var kind = KindSketch.after(minutes: 30)
    kind.requests = 1
    world.add(kind)
    return world
  }

  private static func minutes(_ counts: [Int64]) -> [Instant] { counts.map { .start + .minutes($0) } }

  private static func told(_ world: World) throws -> [DiaryEntry] {
    try DeviceDiary(plan: world.plan(), shape: world.shape, (0, 0, 0), conditions: nil)
      .entries
  }

  /// The phone is unlocked once, at noon; the widget's data is from midnight.
  @Test func viewIsRecordedOnceWithItsDataAge() throws {
    var world = World()
    world.person.unlocksPerDay = 2
    var kind = KindSketch(.never)
    kind.requests = 1
    world.add(kind)
    let views = try Self.told(world).filter { if case .view = $0.note { true } else { false } }
    #expect(views == [DiaryEntry(at: .start + .hours(12), note: .view(0, age: .hours(12)))])
  }

  /// Each ticket has one entry, when the run before it ends.
  @Test func ticketIsRecordedOnce() throws {
    let tickets = try Self.told(Self.world()).filter { if case .ticket = $0.note { true } else { false } }
    let expected = [0, 31, 62, 93].map { (minute: Int64) in
      DiaryEntry(
        at: .start + .minutes(minute),
        note: .ticket(
          0, .policy, due: .start + .minutes(minute + 30), eligible: .start + .minutes(minute + 30),
          planned: .start + .minutes(minute + 31)))
    }
    #expect(tickets == expected)
  }

  /// A request has its run's due date, a minute before the run's start; the first run had none.
  @Test func requestsCarryTheDueDateOfTheirRun() throws {
    let world = Self.world()
    defer { withExtendedLifetime(world.storage) {} }
    var simulator = DeviceSimulator(plan: world.plan(), shape: world.shape)
    var arrivals: [Instant] = []
    var dues: [Instant?] = []
    try simulator.simulate(device: 0, cohort: 0, replication: 0) { request, due in
      arrivals.append(request.arrival)
      dues.append(due)
    }
    #expect(arrivals == Self.minutes([0, 31, 62, 93]))
    #expect(dues == [nil] + Self.minutes([30, 61, 92]))
  }

  /// Both the runs of a widget and the snapshots of a kind are counted from 0.
  @Test func requestsCarryTheirRunOrSnapshotNumber() throws {
    var world = Self.world()
    for (number, minute) in [10, 20, 40].enumerated() as EnumeratedSequence<[Int64]> {
      world.events.append(
        EventPlan(
          timing: .once(.start + .minutes(minute)), action: .gallery(network: Chance(.all)), audience: Chance(.all),
          group: nil, over: .zero, number: number))
    }
    defer { withExtendedLifetime(world.storage) {} }
    var simulator = DeviceSimulator(plan: world.plan(), shape: world.shape)
    var (runs, snapshots): ([UInt32], [UInt32]) = ([], [])
    try simulator.simulate(device: 0, cohort: 0, replication: 0) { request, _ in
      if request.slot == nil { snapshots.append(request.run) } else { runs.append(request.run) }
    }
    #expect(runs == [0, 1, 2, 3])
    #expect(snapshots == [0, 1, 2])
  }
}
