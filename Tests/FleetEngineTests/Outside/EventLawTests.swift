import Numerics
import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel
@testable import FleetEngine

/// Events that reach devices, and when they do (MODEL.md 2.1, 4.2); seed 7.
@Suite struct EventLawTests {
  private static func crowd(
    _ devices: Int, events: String, start: String = "2027-01-18T00:00:00Z", days: Int = 2, zone: String = "UTC"
  ) -> Crowd {
    Crowd(
      devices: devices, clock: "{start: \(start), warmup: 0s, duration: \(days)d}", zones: "{\(zone): 100%}",
      person: "unlocks_per_day: 0", events: events)
  }

  /// Returns when an event reached each device, in seconds after the start.
  private static func times(_ crowd: Crowd, _ belongs: (DeviceEvent) -> Bool) throws -> [[Double]] {
    var times: [[Double]] = []
    try crowd.live { _ in
      times.append([])
    } _: { _, now, event in
      if belongs(event) { times[times.count - 1].append((now - .start).seconds) }
    }
    return times
  }

  // MARK: Pushes of each device

  /// A Poisson process over 24 h on each device of the audience, which is drawn once.
  @Test func personalPushes() throws {
    let crowd = Self.crowd(
      1_000, events: "[{name: p, push: {type: silent, per_device_per_day: 6, audience: 30%, kinds: all}}]")
    let times = try Self.times(crowd) { $0 == .occasion(event: 0) }
    let members = times.filter { !$0.isEmpty }
    #expect(abs(Double(members.count) - 300) < 4.5 * 14.5)
    let counts = Sample(members.map { Double($0.count) })
    #expect(counts.agrees(with: 12))
    #expect(abs(counts.variance / 12 - 1) < 4.5 * (2.1 / 300).squareRoot(), "\(counts.variance)")
    #expect(try areUniform(members.joined().map { $0 / 172_800 }))
    #expect(try areUniform(members.joined().map { ($0 / 3_600).truncatingRemainder(dividingBy: 1) }))
  }

  // MARK: Audiences

  /// A named group keeps its members across all its events; others are drawn per event, daily ones every day.
  @Test func audiences() throws {
    let crowd = Self.crowd(
      800,
      events: """
        [{name: a, at: "10:00", zone: local, push: {type: widget, audience: {of: fans, share: 40%}}},
         {name: b, at: 2027-01-19T12:00:00Z, push: {type: widget, audience: {of: fans, share: 40%}}},
         {name: c, at: "14:00", zone: local, push: {type: widget, audience: 40%}},
         {name: d, at: 2027-01-18T16:00:00Z, push: {type: widget, audience: 40%}}]
        """)
    let named = try Self.times(crowd) { $0 == .push(event: 0) }
    let once = try Self.times(crowd) { $0 == .push(event: 1) }
    let plain = try Self.times(crowd) { $0 == .push(event: 2) }
    let other = try Self.times(crowd) { $0 == .push(event: 3) }
    var tables = [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
    for device in 0..<800 {
      #expect(named[device] == [] || named[device] == [36_000, 122_400])
      #expect(once[device] == (named[device].isEmpty ? [] : [129_600]))
      let days = [plain[device].contains(50_400), plain[device].contains(136_800)]
      #expect(plain[device].count == days.count { $0 })
      tables[0][(days[0] ? 2 : 0) + (days[1] ? 1 : 0)] += 1
      tables[1][(days[0] ? 2 : 0) + (named[device].isEmpty ? 0 : 1)] += 1
      tables[2][(days[0] ? 2 : 0) + (other[device].isEmpty ? 0 : 1)] += 1
    }
    let expected = [0.36, 0.24, 0.24, 0.16].map { $0 * 800 }
    for table in tables { #expect(try agrees(table, expected), "\(table)") }
  }

  /// Two dates in another zone may fall on one local day; their audiences and times still differ.
  @Test func twoDatesOnOneLocalDay() throws {
    let event = """
      [{name: a, at: "22:30", zone: UTC, push: {type: widget, audience: 50%, over: 10min}}]
      """
    // In Berlin these are 0:30 and 23:30 on 31 October, the 25-hour day.
    let crowd = Self.crowd(600, events: event, start: "2027-10-30T00:00:00Z", zone: "Europe/Berlin")
    let times = try Self.times(crowd) { $0 == .push(event: 0) }
    var (table, sameTimes) = ([0, 0, 0, 0], 0)
    for device in times {
      table[(device.contains { $0 < 86_400 } ? 2 : 0) + (device.contains { $0 >= 86_400 } ? 1 : 0)] += 1
      if device.count == 2 { sameTimes += device[1] - device[0] == 86_400 ? 1 : 0 }
    }
    #expect(try agrees(table, [150, 150, 150, 150]), "\(table)")
    #expect(sameTimes <= 1)
  }

  // MARK: Times

  /// Pushes are spread evenly over their span.
  @Test func overASpan() throws {
    let crowd = Self.crowd(
      1_000, events: "[{name: p, at: 2027-01-18T10:00:00Z, push: {type: silent, over: 2h, kinds: all}}]")
    let times = try Self.times(crowd) { $0 == .push(event: 0) }
    #expect(times.allSatisfy { $0.count == 1 })
    #expect(try areUniform(times.joined().map { ($0 - 36_000) / 7_200 }))
  }

  /// Returns the probability that U(0, a) + U(0, b) is below `t`.
  private static func lowerTail(_ t: Double, _ a: Double, _ b: Double) -> Double {
    func squared(_ x: Double) -> Double { x > 0 ? x * x : 0 }
    return (squared(t) - squared(t - a) - squared(t - b) + squared(t - a - b)) / (2 * a * b)
  }

  /// System changes come U(0, 60 s) after the event; an update is first spread over its span.
  @Test func systemRuns() throws {
    let change = Self.crowd(1_000, events: "[{name: s, at: 2027-01-18T10:00:00Z, system_change: {audience: 100%}}]")
    let changes = try Self.times(change) { $0 == .systemRuns }
    #expect(try changes.allSatisfy { $0.count == 1 } && areUniform(changes.joined().map { ($0 - 36_000) / 60 }))
    let update = Self.crowd(
      1_000, events: "[{name: u, at: 2027-01-18T10:00:00Z, app_update: {audience: 100%, over: 3min}}]")
    let updates = try Self.times(update) { $0 == .systemRuns }.joined().map { $0 - 36_000 }
    #expect(updates.count == 1_000)
    #expect(try agrees(Array(updates)) { Self.lowerTail($0, 180, 60) })
  }

  /// A clock time that does not exist is moved by the gap; one that occurs twice means the first. Times are hours after
  /// the start.
  @Test(
    arguments: [
      ("2027-03-27", "Europe/Berlin", "local", "02:30", [1.5, 25.5, 48.5]),
      ("2027-10-30", "Europe/Berlin", "local", "02:30", [0.5, 24.5, 49.5]),
      ("2027-03-27", "Europe/Berlin", "local", "03:30", [2.5, 25.5, 49.5]),
      ("2027-03-27", "Europe/Berlin", "local", "00:00", [23, 46, 70]),
      ("2027-03-27", "Asia/Tokyo", "local", "02:30", [17.5, 41.5, 65.5]),
      ("2027-03-27", "Asia/Tokyo", "Europe/Berlin", "02:30", [1.5, 25.5, 48.5]),
      ("2027-10-30", "Asia/Tokyo", "Europe/Berlin", "02:30", [0.5, 24.5, 49.5]),
    ] as [(String, String, String, String, [Double])])
  func dailyEvents(start: String, zone: String, of: String, at: String, hours: [Double]) throws {
    let crowd = Self.crowd(
      3, events: "[{name: p, at: \"\(at)\", zone: \(of), push: {type: widget}}]", start: "\(start)T00:00:00Z", days: 3,
      zone: zone)
    let times = try Self.times(crowd) { $0 == .push(event: 0) }
    for device in times { #expect(device.map { $0 / 3_600 } == hours) }
  }

  /// A widget push starts its run Exp(60 s) later.
  @Test func widgetPushDelays() throws {
    let crowd = Self.crowd(
      1_500, events: "[{name: p, at: 2027-01-18T10:00:00Z, push: {type: widget}}]", days: 1)
    var delays: [Double] = []
    var runs: UInt32 = 1
    try crowd.live { _ in
      runs = 1
    } _: { simulator, now, _ in
      let instance = simulator.widgets[0]
      guard instance.runs > runs, instance.flight.cause == .widgetPush else { return }
      runs = instance.runs
      delays.append((now - .start).seconds - 36_000)
    }
    #expect(delays.count > 1_490)
    let law = ContinuousDistribution.exponential(mean: 60)
    #expect(try agrees(delays) { try law.lowerTail($0) })
  }

  // MARK: Gallery, and everything

  /// Snapshots are of the small family, whatever is placed.
  @Test func familyOfSnapshots() throws {
    let crowd = Crowd(
      devices: 50, person: "unlocks_per_day: 0",
      kinds: """
        {k: {reload: never, requests: [{endpoint: api, count: 3, up: 10B, down: {small: 100B, medium: 200B, large: 900B}}]}}
        """,
      widgets: "[{kind: k, family: large}]",
      events: "[{name: g, at: 2027-01-18T10:00:00Z, gallery: {audience: 100%, over: 1h}}]")
    let result = try #require(try crowd.engine().run(threads: 1, control: RunControl()))
    let traffic = result.replications[0].groups[0].traffic[0][Int(Cause.gallery.rawValue)]
    #expect((traffic.requests, traffic.bytesUp, traffic.bytesDown) == (150, 1_500, 15_000))
    #expect(result.replications[0].runs(.gallery) == 0)
  }

  /// With all events together, invariants hold after each event in debug builds, and counts agree.
  @Test func allOutsideEventsKeepInvariants() throws {
    let crowd = Crowd(
      devices: 40, clock: "{start: 2027-03-27T00:00:00Z, settle: 0s, warmup: 1d, duration: 2d}",
      zones: "{Europe/Berlin: 100%}",
      kinds: """
        {k: {reload: {after: 20min}, attempts: {count: 3, backoff: 10s}, taps: {per_day: 20, burst: 3}, crash: 5%,
             cache: {ttl: 10min, single_flight: true}, requests: [{endpoint: api, count: 2}]},
         b: {reload: {after: 1h}, background_session: true, requests: [{endpoint: slow}]}}
        """,
      widgets: "[{kind: k}, {kind: k, place: lock-screen}, {kind: b}, {kind: b, page: 2}]",
      app: "{opens_per_day: 9, reloads: [{when: open, kinds: all, clears_cache: true}]}",
      network: "{wifi: 50%, dwell: 20min, offline: {share: 25%, mean: 5min}}",
      events: """
        [{name: p, push: {type: silent, per_device_per_day: 40, audience: {of: x, share: 60%}, kinds: [k], restarts: true}},
         {name: w, push: {type: widget, per_device_per_day: 10, audience: 50%}},
         {name: m, at: "02:30", zone: local, system_change: {audience: 70%}},
         {name: u, at: 2027-03-27T20:00:00Z, app_update: {audience: 100%, over: 20h}},
         {name: g, at: "12:00", zone: Asia/Tokyo, gallery: {audience: 30%, over: 5h, network: 50%}}]
        """)
    let endpoints = """

      backend: {endpoints: {slow: {latency: {p50: 20s, p99: 60s}}, api: {latency: {p50: 2s, p99: 40s}}}}
      """
    let engine = try crowd.engine(adding: endpoints)
    let result = try #require(try engine.run(threads: 2, control: RunControl())).replications[0]
    #expect(CountCheck(result, of: engine).contradictions == [])
    let offline = result.groups.flatMap { $0.traffic.joined() }.reduce(0) {
      $0 + $1.failures[Int(FailureReason.offline.rawValue)]
    }
    #expect(offline > 100)
    for cause in [Cause.background, .widgetPush, .system, .retry, .foreground] {
      #expect(result.runs(cause) > 10, "\(cause)")
    }
  }
}
