import Scenario
import SimulationKernel

/// A builder for `events`, which affect the fleet or the backend.
struct EventBuilder: PartBuilder {
  let draft: Draft
  let clock: Clock

  /// Returns the events, omitting some of the events that have problems. Kinds and endpoints must be known before this
  /// call.
  func events(_ fleet: Fleet, _ system: OperatingSystem) -> [Event] {
    let items = root.items("events")
    refuseRepeatedNames(items, of: "events")
    checkGroups(items)
    checkReceivers(items, fleet, system)
    return items.compactMap { event($0, fleet) }
  }

  private func event(_ section: Section, _ fleet: Fleet) -> Event? {
    guard section.node?.pairs != nil else { return nil }
    guard let key = actionKey(section) else { return nil }
    let timing = timing(section, key)
    let action = action(section, key, fleet)
    guard let timing, let action, let name = section.text("name") else { return nil }
    return Event(name: name, timing: timing, action: action)
  }

  private func action(_ section: Section, _ key: String, _ fleet: Fleet) -> EventAction? {
    let part = section.section(key)
    guard part.node?.pairs != nil else { return nil }
    let over = part.entry("over") == nil ? .zero : part.duration("over") ?? .zero
    switch key {
    case "push": return push(part, over: over, fleet).map { .push($0) }
    case "outage": return outage(part).map { .outage($0) }
    case "app_update": return .appUpdate(audience(part), over: over)
    case "system_change": return .systemChange(audience(part))
    case "reboot": return .reboot(audience(part))
    case "gallery": return .gallery(audience(part), over: over, network: part.share("network") ?? .all)
    default: return nil
    }
  }

  private func audience(_ section: Section) -> Audience {
    guard section.value("audience")?.pairs != nil else {
      return Audience(share: section.share("audience") ?? .all, group: nil)
    }
    let audience = section.section("audience")
    return Audience(share: audience.share("share") ?? .all, group: audience.text("of"))
  }

  private func push(_ section: Section, over: TimeAmount, _ fleet: Fleet) -> Push? {
    guard let kind: Push.Kind = section.word("type") else { return nil }
    checkPushKeys(section, kind)
    var push: Push = section.filled()
    push.audience = audience(section)
    push.over = over
    push.sender = section.part("sender")
    push.kinds = kind == .widget ? kindsWithPushes : kinds(section.written("kinds"))
    push.cohorts = cohorts(section.written("cohorts"), fleet)
    return push
  }

  private func outage(_ section: Section) -> Outage? {
    let endpoint = outageEndpoint(section.written("endpoint"))
    guard let endpoint, section.duration("for") != nil else { return nil }
    var outage: Outage = section.filled()
    outage.endpoint = endpoint
    return outage
  }

  private static let actionKeys = ["push", "outage", "app_update", "system_change", "reboot", "gallery"]

  /// Returns the name of the event for messages, such as `event 'parcel'`.
  private func described(_ section: Section) -> String {
    section.text("name").map { "event \($0.quoted)" } ?? "the event"
  }

  /// Returns the key that specifies an event's action; there must be exactly one such key.
  func actionKey(_ section: Section) -> String? {
    let pairs = section.node?.pairs?.filter { Self.actionKeys.contains($0.key) } ?? []
    guard let first = pairs.first else {
      problems.add(
        .missingKey, at: place(section), "\(described(section)) does nothing", note: "no action",
        help: "an event needs one of \(Self.actionKeys.joined(separator: ", "))")
      return nil
    }
    for other in pairs.dropFirst() {
      problems.add(
        .conflictingKeys, at: other.keySpan, "\(other.key.quoted) cannot be combined with \(first.key.quoted)",
        note: "one action per event", help: "split it into two events")
    }
    return first.key
  }

  /// Returns the timing of an event; `nil` if there is a problem.
  func timing(_ section: Section, _ action: String) -> EventTiming? {
    let push = action == "push" ? section.section("push") : nil
    if let push, push.written("per_device_per_day") != nil {
      refuse(["at", "zone"], in: section, besides: "'per_device_per_day'")
      refuse(["over", "sender"], in: push, besides: "'per_device_per_day'")
      return push.number("per_device_per_day").map { .perDevicePerDay($0) }
    }
    guard let at = section.written("at") else {
      // A missing value has already been reported.
      if section.node?["at"] == nil { refuseUntimed(section, isPush: push != nil) }
      return nil
    }
    if let time = section.time("at") { return daily(time, section, action) }
    return instant(at, section)
  }

  private func refuseUntimed(_ section: Section, isPush: Bool) {
    problems.add(
      .missingKey, at: place(section), "\(described(section)) lacks the key 'at'", note: "when?",
      help: Help("an instant with an offset, or a clock time with a zone" + (isPush ? "; or per_device_per_day" : "")))
  }

  private func daily(_ time: TimeOfDay, _ section: Section, _ action: String) -> EventTiming? {
    guard section.written("zone") != nil else {
      if section.node?["zone"] == nil {
        problems.add(
          .missingKey, at: section.written("at")?.span, "\(described(section)) lacks the key 'zone'",
          note: "which clock?", help: Help.add("zone", "local", "UTC").and("local is each device's own clock"))
      }
      return nil
    }
    let zone = section.zone("zone")
    if zone == .local, action == "push" {
      refuse(
        ["sender"], in: section.section("push"), besides: "local time", note: "the zones start at different times",
        help: "use over, or give the event another zone")
    }
    if zone == .local, action == "outage" {
      problems.add(
        .conflictingKeys, at: section.written("zone")?.span, "an outage cannot use local time",
        note: "no single zone", help: .write(like: "UTC"))
    }
    return .daily(time, zone)
  }

  /// Whether the clock in the file could be read. If not, events are never reported as outside the simulated period.
  private var isClockReadable: Bool {
    let clock = root.section("clock")
    return clock.instant("start") != nil && clock.duration("warmup") != nil && clock.duration("duration") != nil
  }

  private func instant(_ node: Node, _ section: Section) -> EventTiming? {
    guard let read = Reading.read(node, CalendarText.instant) else { return nil }
    refuse(
      ["zone"], in: section, besides: "an instant", note: "the offset sets the zone",
      help: "remove zone, or use a clock time instead of the instant")
    let instant = Instant(millisecondsSinceStart: read - clock.startUnixMilliseconds)
    guard instant < .start - clock.warmup || instant >= clock.end else { return .once(instant) }
    guard isClockReadable else { return nil }
    let from = QuantityText.instant(unixMilliseconds: clock.startUnixMilliseconds - clock.warmup.milliseconds)
    let to = QuantityText.instant(unixMilliseconds: clock.startUnixMilliseconds + clock.duration.milliseconds)
    problems.add(
      .outsideClock, at: node.span, "\(described(section)) is outside the simulated period, from \(from) to \(to)",
      note: instant < .start ? "before the warm-up" : "not before the end",
      help: "move it into that period, or change clock.start, warmup or duration")
    return nil
  }

  /// The indices of the kinds that are reloaded by widget pushes.
  private var kindsWithPushes: [Int] {
    root.named("kinds").enumerated().filter { $0.element.section.text("pushes") != "false" }.map(\.offset)
  }

  /// Checks that a silent push names its kinds and that a widget push does not. Widget pushes bypass the app and reach
  /// all kinds.
  func checkPushKeys(_ section: Section, _ kind: Push.Kind) {
    if section.written("sender") != nil {
      refuse(["over"], in: section, besides: "'sender'", help: "remove one of them: both set the sending times")
    }
    guard kind == .widget else {
      guard section.node?["kinds"] == nil else { return }
      problems.add(
        .missingKey, at: section.written("type")?.span, "a silent push lacks the key 'kinds'", note: "for which kinds?",
        help: Help.add("kinds", "all").and("or a list of kinds"))
      return
    }
    refuse(
      ["kinds", "clears_cache", "fills_cache"], in: section, besides: "type: widget",
      help: "a widget push reloads all kinds, bypassing the app")
  }

  /// Returns the index of the endpoint that an outage affects. A problem is added if the name is neither in the list of
  /// endpoints nor used by any request.
  func outageEndpoint(_ node: Node?) -> Int? {
    guard let node, let name = node.text else { return nil }
    if let index = draft.endpoints.firstIndex(where: { $0.name == name }) { return index }
    let names = draft.endpoints.map(\.name)
    let list = names.prefix(8).map(\.quoted).joined(separator: ", ")
    refuse(
      name, at: node.span, "endpoint", note: "no request uses it", among: names,
      otherwise: names.isEmpty ? "no kind sends requests" : "endpoints are \(list)")
    return nil
  }

  /// Returns the indices of the listed cohorts, in ascending order; `nil` if the key is omitted.
  func cohorts(_ node: Node?, _ fleet: Fleet) -> [Int]? {
    guard let node, let items = node.items else { return nil }
    if items.isEmpty {
      problems.add(
        .noReceiver, at: node.span, "the push lists no cohorts", note: "no phone receives it",
        help: "list cohorts, or remove 'cohorts' to reach all")
    }
    let names = fleet.cohorts.map(\.name)
    let indices = items.compactMap { item -> Int? in
      guard let name = item.text, !item.isNull else { return nil }
      if let index = names.firstIndex(of: name) { return index }
      let list = names.prefix(8).map(\.quoted).joined(separator: ", ")
      refuse(
        name, at: item.span, "cohort", note: "not under fleet.cohorts", among: names, otherwise: "cohorts are \(list)")
      return nil
    }
    return Set(indices).sorted()
  }

  /// Checks that each group has the same share in all events, because the members of a group are fixed.
  func checkGroups(_ items: [Section]) {
    var known: [String: (share: Share, line: Int)] = [:]
    for item in items {
      for key in Self.actionKeys {
        let audience = item.section(key).section("audience")
        guard let name = audience.text("of"), let node = audience.written("share"),
          let share = audience.share("share")
        else { continue }
        guard let first = known[name] else {
          known[name] = (share, node.span.line)
          continue
        }
        if first.share == share { continue }
        let (other, text) = (QuantityText.share(first.share), QuantityText.share(share))
        problems.add(
          .differentShares, at: node.span, "the group \(name.quoted) has two shares: \(other) and \(text)",
          note: "\(other) on line \(first.line)",
          help: Help.write(other).and("a group keeps its members; use another name for another share"))
      }
    }
  }

  /// Checks that each widget push can be received by at least one cohort whose system supports widget pushes (MODEL.md
  /// 4.8).
  func checkReceivers(_ items: [Section], _ fleet: Fleet, _ system: OperatingSystem) {
    for item in items {
      let push = item.section("push")
      guard let node = push.written("type"), push.word("type") == Push.Kind.widget else { continue }
      let named = push.written("cohorts")?.items?.compactMap(\.text)
      let receivers = fleet.cohorts.filter { named?.contains($0.name) ?? true }
      guard !receivers.isEmpty, receivers.allSatisfy({ ($0.os ?? system).preset == .ios17 }) else { continue }
      let whose = named == nil ? "every cohort" : "every listed cohort"
      problems.add(
        .noReceiver, at: node.span, "\(whose) uses ios-17, which has no widget pushes", note: "no phone receives it",
        help: "use silent pushes, or give os or a cohort another preset")
    }
  }
}
