import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel

/// People are the same in all scenarios: their draws are keyed by date, ordinal and purpose (start of MODEL.md).
@Suite struct PersonDrawTests {
  let storage = SamplerStorage()

  /// Events after midnight are the same whether the process starts at midnight or a day earlier.
  @Test(arguments: [Purpose.unlock, .glance, .audio])
  func personEventsDoNotDependOnTheStart(purpose: Purpose) throws {
    let hours = PersonSketch().plan(storage).hours[0]
    let world = World()
    defer { withExtendedLifetime(world.storage) {} }
    let wall = world.wall
    let setting = HourProcess.Setting(
      wall: wall, hours: hours, stream: DeviceStream(seed: 7, device: 3, replication: 0),
      unitGap: .uniform(from: 0, width: 2), end: .start + .days(3))
    func events(from beginning: Instant) -> [HourProcess.Event] {
      var process = HourProcess(beginning: beginning, wall: wall, hours: hours)
      var events: [HourProcess.Event] = []
      while let event = process.next(purpose, setting: setting, rate: { _ in 30 }) { events.append(event) }
      return events
    }
    let (fromMidnight, fromTheDayBefore) = (events(from: .start), events(from: .start - .day))
    let later = fromTheDayBefore.filter { $0.at >= .start }
    #expect(fromMidnight.map(\.at) == later.map(\.at))
    #expect(fromMidnight.map(\.uniform) == later.map(\.uniform))
    #expect(fromMidnight.count > 60 && later.count < fromTheDayBefore.count)
    // The last 16 bits of a key are the ordinal within the date.
    #expect(fromMidnight.prefix(3).map { $0.key & 0xFFFF } == [0, 1, 2])
  }

  /// When and how long the app is opened in a session depends on the draws with index 1 (`Purpose.session`).
  @Test(arguments: 0..<10) func appVisitsUseSeparateDraws(device: Int) throws {
    var world = World()
    world.person.unlocksPerDay = 2
    world.person.opensApp = .all
    world.person.foreground = .uniform(from: .zero, to: .minute)
    world.add(KindSketch(.never))
    defer { withExtendedLifetime(world.storage) {} }
    var simulator = DeviceSimulator(plan: world.plan(), shape: world.shape)
    simulator.begin(device: device, cohort: 0, replication: 0)
    try simulator.device.live(upTo: .start + .hours(12) + .milliseconds(1))
    let session = simulator.session
    #expect(session.start == .start + .hours(12) && session.length == .minutes(10))
    let draws = simulator.device.widgets.phone.stream.block(.session, part: session.key, index: 1)
    let opened = session.instant(at: draws.first)
    let closed = min(opened + max(world.person.foreground.span(at: draws.second), .milliseconds(1)), session.end)
    var visits: [Instant] = []
    while let (now, event) = simulator.step() {
      if event == .appOpen || event == .appClose { visits.append(now) }
    }
    #expect(visits == [opened, closed])
  }
}
