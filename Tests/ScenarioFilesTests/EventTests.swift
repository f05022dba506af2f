import Scenario
import SimulationKernel
import Testing

@testable import ScenarioFiles

@Suite struct EventTests {
  private static let withRequest = Samples.minimal.replacing(
    "    reload: {after: 15min}\n",
    with: "    reload: {after: 15min}\n    requests: [{endpoint: api}]\n  news: {reload: never}\n")

  private func read(_ events: String, set settings: String...) -> ScenarioReader.Outcome {
    ScenarioReader.read(
      text: Array((Self.withRequest + "events: [" + events + "]\n").utf8), fileName: "a.yaml",
      settings: settings.map { SetArgument($0) })
  }

  private func events(_ text: String) throws -> [Event] {
    let outcome = read(text)
    return try #require(outcome.scenario, "\(outcome.diagnostics.humanText)").events
  }

  private let everyone = Audience(share: .all, group: nil)

  @Test func aPushAtAnInstant() throws {
    let events = try events(
      "{name: storm, at: 2027-01-18T17:00:00+01:00, push: {type: silent, audience: 30%, over: 5s, kinds: [news]}}")
    let push = Push.with {
      $0.kind = .silent
      $0.audience = Audience(share: Share(fraction: 0.3), group: nil)
      $0.over = .seconds(5)
      $0.kinds = [1]
    }
    #expect(events == [Event(name: "storm", timing: .once(.start + .hours(16)), action: .push(push))])
  }

  /// 4 000 pushes/s to half of a million phones take 125 s; over and other timings exclude a sender.
  @Test func aSenderReplacesOver() throws {
    let outcome = read(
      "{name: a, at: 2027-01-18T17:00:00Z, push: {type: widget, audience: 50%, sender: {rate: 4k/s}}}",
      set: "fleet.devices=1M")
    let scenario = try #require(outcome.scenario, "\(outcome.diagnostics.humanText)")
    let push = try #require(scenario.events[0].push)
    #expect(push.sender?.rate == 4_000 && push.sendingTime(in: scenario) == .seconds(125))
    for event in [
      "{name: a, at: 2027-01-18T17:00:00Z, push: {type: widget, over: 5s, sender: {rate: 4k/s}}}",
      "{name: a, at: \"06:30\", zone: local, push: {type: widget, sender: {rate: 4k/s}}}",
      "{name: a, push: {type: widget, per_device_per_day: 2, sender: {rate: 4k/s}}}",
    ] { #expect(read(event).diagnostics.map(\.code) == [.conflictingKeys], "\(event)") }
    #expect(
      read("{name: a, at: 2027-01-18T17:00:00Z, push: {type: widget, sender: {rate: 0/s}}}").diagnostics.map(\.code)
        == [.outOfRange])
  }

  /// Widget pushes are not addressed to cohorts whose system does not support them.
  @Test func aSenderAddressesSupportedSystemsOnly() throws {
    let outcome = read(
      "{name: a, at: 2027-01-18T17:00:00Z, push: {type: widget, sender: {rate: 4k/s}}}",
      set: "fleet.devices=1M", "os.preset=ios-17")
    #expect(outcome.diagnostics.map(\.code) == [.noReceiver])
  }

  @Test func aPushPerDeviceAndDay() throws {
    let events = try events(
      """
      {name: parcel, push: {type: silent, per_device_per_day: 6.5, audience: {of: has-parcel, share: 30%}, kinds: all,
       clears_cache: true, fills_cache: true, restarts: true}}
      """)
    let push = Push.with {
      $0.kind = .silent
      $0.audience = Audience(share: Share(fraction: 0.3), group: "has-parcel")
      $0.over = .zero
      $0.kinds = [0, 1]
      $0.clearsCache = true
      $0.fillsCache = true
      $0.restarts = true
    }
    #expect(events == [Event(name: "parcel", timing: .perDevicePerDay(6.5), action: .push(push))])
  }

  @Test func aWidgetPushReloadsAll() throws {
    let events = try events("{name: a, at: \"06:30\", zone: local, push: {type: widget, restarts: true}}")
    let push = Push.with {
      $0.kind = .widget
      $0.audience = everyone
      $0.over = .zero
      $0.kinds = [0, 1]
      $0.restarts = true
    }
    let time = TimeOfDay(sinceMidnight: .minutes(390))
    #expect(events == [Event(name: "a", timing: .daily(time, .local), action: .push(push))])
  }

  @Test func outageInTheWarmUpIsRead() throws {
    let events = try events("{name: a, at: 2027-01-17T00:00:00Z, outage: {endpoint: api, for: 8min, errors: 40%}}")
    let outage = Outage.with {
      $0.endpoint = 0
      $0.lasts = .minutes(8)
      $0.errors = Share(fraction: 0.4)
    }
    #expect(events == [Event(name: "a", timing: .once(.start - .days(1)), action: .outage(outage))])
  }

  @Test func otherEventsHaveDefaults() throws {
    let events = try events(
      """
      {name: a, at: 2027-01-18T00:00:00Z, app_update: {}}, {name: b, at: 2027-01-18T23:59:59.999Z, gallery: {over: 1h}},
      {name: c, at: "00:00", zone: Asia/Tokyo, system_change: {audience: 0%}}
      """)
    #expect(
      events.map(\.action) == [
        .appUpdate(everyone, over: .zero), .gallery(everyone, over: .hours(1), network: .all),
        .systemChange(Audience(share: .none, group: nil)),
      ])
    #expect(
      events.map(\.timing) == [
        .once(.start), .once(.start + .milliseconds(86_399_999)),
        .daily(TimeOfDay(sinceMidnight: .zero), .named("Asia/Tokyo")),
      ])
  }

  @Test func zonesOfEventsGetTables() throws {
    let outcome = read("{name: c, at: \"00:00\", zone: Asia/Tokyo, system_change: {}}")
    let scenario = try #require(outcome.scenario)
    #expect(zoneTables(for: scenario).keys.sorted() == ["Asia/Tokyo", "Europe/Berlin"])
  }

  @Test func aCohortOfAnotherSystemReceivesWidgetPushes() throws {
    let push = "{name: a, at: \"00:00\", zone: UTC, push: {type: widget}}"
    #expect(read(push, set: "os.preset=ios-17").diagnostics.map(\.code) == [.noReceiver])
    #expect(read(push, set: "fleet.cohorts.all.os=ios-17").diagnostics.map(\.code) == [.noReceiver])
    #expect(read(push, set: "os.preset=ios-17", "fleet.cohorts.all.os=prompt").diagnostics.isEmpty)
  }

  /// One mistake gives one message.
  @Test(arguments: ["start=now", "warmup=1", "duration=1"])
  func unreadableClockGivesASingleMessage(_ clock: String) {
    let event = "{name: a, at: 2028-01-01T00:00:00Z, gallery: {}}"
    #expect(!read(event, set: "clock." + clock).diagnostics.map(\.code).contains(.outsideClock))
    #expect(read(event).diagnostics.map(\.code) == [.outsideClock])
  }

  @Test(arguments: [
    ("{name: a, at: \"00:00\", zone: UTC}", [Code.missingKey]),
    ("{name: a, at: \"00:00\", zone: UTC, x-push: {}}", [.missingKey]),
    ("{name: a, at: \"00:00\", zone: UTC, app_update: {}, gallery: {}}", [.conflictingKeys]),
    (
      "{name: a, at: \"00:00\", zone: UTC, app_update: {}, gallery: {}, system_change: {}}",
      [.conflictingKeys, .conflictingKeys]
    ),
    ("{name: a, app_update: {}}", [.missingKey]), ("{name: a, zone: UTC, app_update: {}}", [.missingKey]),
    ("{name: a, push: {type: silent, kinds: all}}", [.missingKey]),
    (
      "{name: a, at: \"00:00\", zone: UTC, push: {type: silent, kinds: all, per_device_per_day: 0}}",
      [.conflictingKeys, .conflictingKeys]
    ),
    ("{name: a, push: {type: silent, kinds: all, per_device_per_day: 1, over: 1s}}", [.conflictingKeys]),
    ("{name: a, at: \"00:00\", zone: UTC, app_update: {per_device_per_day: 1}}", [.unknownKey]),
    ("{name: a, at: \"00:00\", app_update: {}}", [.missingKey]),
    ("{name: a, at: \"24:00\", zone: UTC, app_update: {}}", [.outOfRange]),
    ("{name: a, at: 2027-01-18T00:00:00Z, zone: UTC, app_update: {}}", [.conflictingKeys]),
    ("{name: a, at: 2027-01-16T23:59:59.999Z, app_update: {}}", [.outsideClock]),
    ("{name: a, at: 2027-01-19T00:00:00Z, app_update: {}}", [.outsideClock]),
    ("{name: a, at: 2027-01-18, app_update: {}}", [.badInstant]),
    ("{name: a, at: , app_update: {}}", [.missingValue]),
    ("{name: a, at: \"00:00\", zone: , app_update: {}}", [.missingValue]),
    ("{name: a, at: \"00:00\", zone: Mars/Olympus, app_update: {}}", [.unknownZone]),
    ("{name: a, at: \"00:00\", zone: UTC, push: {type: silent}}", [.missingKey]),
    ("{name: a, at: \"00:00\", zone: UTC, push: {type: silent, kinds: [wether]}}", [.unknownName]),
    ("{name: a, at: \"00:00\", zone: UTC, push: {type: silent, kinds: []}}", [.nothingThere]),
    ("{name: a, at: \"00:00\", zone: UTC, push: {type: widget, kinds: all}}", [.conflictingKeys]),
    (
      "{name: a, at: \"00:00\", zone: UTC, push: {type: widget, clears_cache: true, fills_cache: false}}",
      [.conflictingKeys, .conflictingKeys]
    ),
    ("{name: a, at: \"00:00\", zone: UTC, push: {type: loud, kinds: all}}", [.unknownWord]),
    ("{name: a, at: \"00:00\", zone: UTC, outage: {endpoint: apo, for: 1min}}", [.unknownName]),
    ("{name: a, at: \"00:00\", zone: UTC, outage: {endpoint: api}}", [.missingKey]),
    ("{name: a, at: \"00:00\", zone: UTC, outage: {endpoint: api, for: 0s}}", [.outOfRange]),
    ("{name: a, at: \"00:00\", zone: UTC, outage: {endpoint: api, for: 1s, capacity: 1/s}}", []),
    ("{name: a, at: \"00:00\", zone: UTC, outage: {endpoint: api, for: 1s, capacity: -1/s}}", [.outOfRange]),
    ("{name: a, at: \"00:00\", zone: local, outage: {endpoint: api, for: 1s}}", [.conflictingKeys]),
    (
      "{name: a, at: \"00:00\", zone: UTC, gallery: {}}, {name: a, at: \"01:00\", zone: UTC, gallery: {}}",
      [.duplicateName]
    ),
    (
      "{name: a, at: \"00:00\", zone: UTC, gallery: {audience: {of: g, share: 1%}}}, {name: b, at: \"01:00\", zone: UTC, app_update: {audience: {of: g, share: 2%}}}",
      [.differentShares]
    ),
    (
      "{name: a, at: \"00:00\", zone: UTC, gallery: {audience: {of: g, share: 1%}}}, {name: b, at: \"01:00\", zone: UTC, app_update: {audience: {of: g, share: 1.0%}}}",
      []
    ),
    ("{name: a, at: \"00:00\", zone: UTC, gallery: {audience: {share: 1%}}}", [.missingKey]),
    ("{at: \"00:00\", zone: UTC, gallery: {}}", [.missingKey]), ("{}", [.missingKey, .missingKey]),
    ("7", [.wrongShape]), ("{name: a, at: [1], push: 7}", [.wrongShape, .wrongShape]),
    ("{name: a, push: {type: silent, kinds: all, per_device_per_day: 0}}", []),
  ])
  func invalidRows(_ text: String, _ codes: [Code]) {
    #expect(read(text).diagnostics.map(\.code) == codes, "\(read(text).diagnostics.humanText)")
  }
}
