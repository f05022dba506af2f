import DeviceModel
import FleetEngine
import FleetReports
import Scenario
import SimulationKernel

/// The diary of a device as a JSON document. Each entry has an instant, a local time and a subject.
struct DiaryJSON {
  let diary: DeviceDiary
  let engine: Engine

  /// Returns the document with one entry per line, in which instants are in milliseconds since clock.start.
  func bytes(device: Int) -> [UInt8] {
    let widgets = diary.instances.enumerated().map { slot, instance in
      JSONValue.object([
        ("widget", .integer(Int128(slot))), ("kind", .string(engine.scenario.kinds[instance.kind].name)),
        ("family", .string("\(instance.family)")),
      ])
    }
    return JSONValue.object([
      ("schema", .string("widgetfleet.diary/v1")), ("scenario", .string(engine.scenario.name)),
      ("seed", .integer(Int128(engine.scenario.run.seed))), ("device", .integer(Int128(device))),
      ("zone", .string(engine.zoneName(of: diary))), ("widgets", .array(widgets)), ("totals", totals),
      ("entries", .array(diary.entries.map(entry))),
    ]).bytes(lines: 2)
  }

  /// The totals of all entries.
  private var totals: JSONValue {
    let summary = DiaryReloads(diary, in: engine.scenario)
    let causes = Cause.allCases.map { ($0.name, JSONValue.integer(Int128(summary.count(of: $0)))) }
    let waits = WaitReason.allCases.map { ($0.name, JSONValue.integer(Int128(summary.waits[$0] ?? 0))) }
    return .object([
      ("reloads", .integer(Int128(summary.reloads.count))), ("failed_reloads", .integer(Int128(summary.failed))),
      ("reloads_by_cause", .object(causes.map { (key: $0.0, value: $0.1) })),
      ("requests", .integer(Int128(summary.requests))), ("failed_requests", .integer(Int128(summary.failedRequests))),
      ("waits_by_reason", .object(waits.map { (key: $0.0, value: $0.1) })),
      ("views", .integer(Int128(summary.views))),
      ("stale_views", summary.hasLimit ? .integer(Int128(summary.staleViews)) : .null),
    ])
  }

  private func entry(_ entry: DiaryEntry) -> JSONValue {
    let local = engine.localTime(at: entry.at, in: diary)
    return .object(
      [
        ("at_ms", Self.instant(entry.at)),
        ("local", .string(local.day.text + "T" + DiaryText.time(local))),
      ] + members(entry.note))
  }

  // MARK: Members

  private func members(_ note: DiaryNote) -> JSONValue.Members {
    switch note {
    case .unlock(let until): Self.event("unlock") + [("until_ms", Self.instant(until))]
    case .lock: Self.event("lock")
    case .network(let isOnWifi, let isOffline):
      Self.event("network") + [("interface", .string(isOffline ? "offline" : isOnWifi ? "wifi" : "cellular"))]
    case .charger(let isPlugged): Self.event("charger") + [("plugged", .boolean(isPlugged))]
    case .lowPowerMode(let isOn): Self.event("low-power-mode") + [("on", .boolean(isOn))]
    case .placed(let slot): Self.event("placed", slot)
    case .view(let slot, let age): Self.event("view", slot) + [("data_age_ms", Self.span(age))]
    case .request(let slot, let endpoint, let failure, let isRetry):
      Self.event("request", slot) + [
        ("endpoint", .string(engine.scenario.endpoints[endpoint].name)),
        ("failure", failure.map { .string($0.name) } ?? .null), ("retry", .boolean(isRetry)),
      ]
    case .run, .crash, .end, .ticket, .wait: reload(note)
    }
  }

  private func reload(_ note: DiaryNote) -> JSONValue.Members {
    switch note {
    case .run(let slot, let cause, let due, let balance):
      Self.event("run", slot) + [
        ("cause", .string(cause.name)), ("charged", .boolean(cause.isCharged)), ("due_ms", Self.instant(due)),
        ("balance_millionths", balance.map { .integer(Int128($0.count)) } ?? .null),
      ]
    case .crash(let slot): Self.event("crash", slot)
    case .end(let slot, let outcome): Self.event("end", slot) + Self.members(outcome)
    case .ticket(let slot, let cause, let due, let eligible, let planned):
      Self.event("ticket", slot) + [
        ("cause", .string(cause.name)), ("due_ms", Self.instant(due)), ("eligible_ms", Self.instant(eligible)),
        ("planned_ms", Self.instant(planned)),
      ]
    case .wait(let slot, let reason, let until):
      Self.event("wait", slot) + [("reason", .string(reason.name)), ("until_ms", Self.instant(until))]
    default: []
    }
  }

  private static func members(_ outcome: DiaryOutcome) -> JSONValue.Members {
    switch outcome {
    case .data(let since): [("outcome", .string("data")), ("data_ms", instant(since))]
    case .nothing: [("outcome", .string("nothing")), ("data_ms", .null)]
    case .failed: [("outcome", .string("failed")), ("data_ms", .null)]
    }
  }

  /// Returns an event as JSON. The widget is null for a request that does not belong to a placed widget, such as a
  /// snapshot request.
  private static func event(_ name: String, _ slot: Int?) -> JSONValue.Members {
    event(name) + [("widget", slot.map { .integer(Int128($0)) } ?? .null)]
  }

  private static func event(_ name: String) -> JSONValue.Members { [("event", .string(name))] }

  private static func instant(_ instant: Instant?) -> JSONValue {
    instant.map { .integer(Int128($0.millisecondsSinceStart)) } ?? .null
  }

  private static func span(_ span: TimeAmount?) -> JSONValue {
    span.map { .integer(Int128($0.milliseconds)) } ?? .null
  }
}
