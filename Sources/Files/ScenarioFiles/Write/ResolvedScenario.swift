package import Scenario
import SimulationKernel

extension Scenario {
  /// The text of a scenario file that includes all defaults, as JSON with a fixed layout, which is also valid YAML.
  ///
  /// Reading this text yields the same scenario. Keys that are not simulated by this program version are omitted.
  package var resolvedText: String { resolved.json() + "\n" }

  /// The complete scenario, including parts that are not simulated by this program version.
  var resolved: PlainValue {
    .mapping([
      "schema": .text("widgetfleet/v1"), "name": .text(name), "description": .text(description),
      "clock": .mapping(
        clock, at: "clock",
        ["start": .text(QuantityText.instant(unixMilliseconds: clock.startUnixMilliseconds))]),
      "run": .mapping(run, at: "run"),
      "app": resolvedApp,
      "windows": windows.isEmpty
        ? .text("none") : .mapping(windows.map { PlainValue.Pair(key: $0.name, value: $0.time.resolved) }),
      "kinds": .mapping(kinds.map { PlainValue.Pair(key: $0.name, value: resolved($0)) }),
      "fleet": .mapping(fleet, at: "fleet", ["cohorts": .list(fleet.cohorts.map { resolved($0) })]),
      "os": resolvedSystem, "backend": .mapping(["endpoints": resolvedEndpoints]),
      "events": resolvedEvents, "goals": .list(goals.map { resolved($0) }),
      "radios": resolvedRadios, "phones": resolvedPhones,
    ])
  }

  private var resolvedApp: PlainValue {
    .mapping(
      app, at: "app",
      [
        "audio_session": .mapping(app.audioSession, at: "app.audio_session"),
        "reloads": .list(app.reloads.map { resolved($0) }),
      ])
  }

  private func resolved(_ reload: AppReload) -> PlainValue {
    var others: [String: PlainValue] = ["kinds": .list(reload.kinds.map { .text(kinds[$0].name) })]
    switch reload.occasion {
    case .open: others["when"] = .text("open")
    case .launch(let share): (others["when"], others["share"]) = (.text("launch"), .share(share))
    case .close: others["when"] = .text("close")
    case .change(let perDay): (others["when"], others["per_day"]) = (.text("change"), .number(perDay))
    case .profileSwitch(let perDay): (others["when"], others["per_day"]) = (.text("profile-switch"), .number(perDay))
    case .backgroundRefresh(let perDay):
      (others["when"], others["per_day"]) = (.text("background-refresh"), .number(perDay))
    case .audio(let every): (others["when"], others["every"]) = (.text("audio"), .duration(every))
    }
    return .mapping(reload, at: "app.reloads.*", others)
  }

  private func resolved(_ goal: Goal) -> PlainValue {
    .mapping(["id": .text(goal.id), "assert": .text(goal.text), "severity": .text(goal.severity.rawValue)])
  }

  func resolved(_ kind: Kind) -> PlainValue {
    let path = "kinds.*"
    var others: [String: PlainValue] = [
      "when": .list(kind.windows.map(\.resolved)), "jitter": .mapping(kind.jitter, at: path + ".jitter"),
      "requests": .list(kind.requests.map { resolved($0, at: path) }),
      "cache": .mapping(kind.cache, at: path + ".cache"),
      "on_error": kind.onError.resolved,
      "taps": .mapping(kind.taps, at: path + ".taps", requestsOfTaps(kind)),
    ]
    if kind.provider != nil {
      for key in ["when", "on_error"] { others[key] = nil }
      others["reload"] = kind.phases[0].reload.resolved
    } else if let only = kind.phases.first, kind.phases.count == 1 {
      for pair in pairs(of: only, at: path) { others[pair.key] = pair.value }
    } else {
      others["phases"] = .list(kind.phases.map { .mapping(pairs(of: $0, at: path + ".phases.*")) })
    }
    return .mapping(kind, at: path, others)
  }

  private func pairs(of phase: Phase, at path: String) -> [PlainValue.Pair] {
    PlainValue.pairs(of: phase, at: path, ["reload": phase.reload.resolved])
  }

  private func requestsOfTaps(_ kind: Kind) -> [String: PlainValue] {
    guard let requests = kind.taps?.requests, !requests.isEmpty else { return [:] }
    return ["requests": .list(requests.map { resolved($0, at: "kinds.*.taps") })]
  }

  private func resolved(_ request: Request, at path: String) -> PlainValue {
    .mapping(
      request, at: path + ".requests.*",
      [
        "endpoint": .text(endpoints[request.endpoint].name), "up": resolved(request.up),
        "down": resolved(request.down),
      ])
  }

  private func resolved(_ bytes: BytesByFamily) -> PlainValue {
    let sizes = Family.allCases.map { PlainValue.text(QuantityText.size(bytes[$0])) }
    if let first = sizes.first, sizes.allSatisfy({ $0 == first }) { return first }
    return .mapping(zip(KeyTable.families, sizes).map { PlainValue.Pair(key: $0, value: $1) })
  }

  func resolved(_ cohort: Cohort) -> PlainValue {
    .mapping([
      "name": .text(cohort.name), "share": .share(cohort.share), "zones": shares(cohort.zones),
      "phones": shares(cohort.phones), "person": resolved(cohort.person), "network": resolved(cohort.network),
      "power": resolved(cohort.power), "os": cohort.os.map { .text($0.preset.rawValue) },
      "x-os-resolved": cohort.os.map { .mapping($0.resolvedKeys) },
      "widgets": .list(cohort.widgets.map { resolved($0) }),
    ])
  }

  private func shares(_ shares: [Weighted<String>]) -> PlainValue {
    .mapping(shares.map { PlainValue.Pair(key: $0.value, value: .text(QuantityText.share($0.weight))) })
  }

  private func resolved(_ person: Person) -> PlainValue {
    .mapping(
      person, at: "fleet.cohorts.*.person",
      [
        "hours": .list(person.hours.weights.map { .number($0) }),
        "next_page": .list([.share(person.nextPageFromFirst), .share(person.nextPageFromLater)]),
      ])
  }

  private func resolved(_ network: NetworkHabits) -> PlainValue {
    switch network {
    case .fixed(let profile): .text(profile.rawValue)
    case .roaming(let roaming):
      .mapping(
        roaming, at: "fleet.cohorts.*.network",
        ["wifi": .list(roaming.wifiShare.map { .share($0) }), "cellular": .text(roaming.cellular.rawValue)])
    }
  }

  private func resolved(_ power: PowerHabits) -> PlainValue {
    switch power {
    case .mains: .text("mains")
    case .battery(let battery): .mapping(battery, at: "fleet.cohorts.*.power")
    }
  }

  private func resolved(_ placement: Placement) -> PlainValue {
    let only = placement.isStack ? nil : placement.members.first
    let other: [PlainValue] = placement.otherWeight > 0 ? [.mapping(["other": .number(placement.otherWeight)])] : []
    let stack = placement.members.map { member in
      PlainValue.mapping(["kind": kind(of: member), "family": family(of: member), "weight": .number(member.weight)])
    }
    var page: PlainValue?
    if case .homePage(let number) = placement.place { page = .count(number) }
    return .mapping([
      "stack": placement.isStack ? .list(stack + other) : nil, "kind": only.map { kind(of: $0) },
      "family": page.flatMap { _ in only.map { family(of: $0) } },
      "page": page, "place": page == nil ? .text("lock-screen") : nil, "share": .share(placement.share),
    ])
  }

  private func kind(of member: Placement.Member) -> PlainValue { .text(kinds[member.kind].name) }

  private func family(of member: Placement.Member) -> PlainValue {
    .text(KeyTable.families[member.family.rawValue])
  }

  /// The preset, the profile, and the keys that have the same value in all operating systems of the scenario.
  ///
  /// The presets of cohorts determine the remaining keys. Constants that a run varies are omitted (MODEL.md 4.8).
  var resolvedSystem: PlainValue {
    let preset = PlainValue.Pair(key: "preset", value: .text(os.preset.rawValue))
    let measured = profile.map { [PlainValue.Pair(key: "profile", value: $0.resolved)] } ?? []
    let open = BracketConstant.open(in: self)
    let others = fleet.cohorts.compactMap { $0.os.map { PlainValue.without(open, $0.resolvedKeys) } }
    let given = PlainValue.without(open, os.resolvedKeys)
    let common = others.reduce(given) { PlainValue.common($0, $1) }
    let notes: [PlainValue.Pair] =
      common == os.resolvedKeys ? [] : [.init(key: "x-resolved", value: .mapping(os.resolvedKeys))]
    return .mapping([preset] + measured + common + notes)
  }

  /// The value of the key `radios`; `nil` if the scenario defines no radios.
  var resolvedRadios: PlainValue? {
    radios.isEmpty ? nil : .mapping(radios.map { PlainValue.Pair(key: $0.rawValue, value: resolved($0)) })
  }

  /// The value of the key `phones`; `nil` if the scenario defines no phones.
  var resolvedPhones: PlainValue? {
    let pairs = phones.map {
      PlainValue.Pair(key: $0.name, value: .text(QuantityText.battery(centiwattHours: $0.centiwattHours)))
    }
    return pairs.isEmpty ? nil : .mapping(pairs)
  }

  private func resolved(_ radio: RadioProfile) -> PlainValue {
    .mapping(
      radio, at: "radios.*",
      [
        "promotion": resolved(radio.promotion, "promotion"),
        "tails": .list(radio.tails.map { resolved($0, "tails.*") }),
      ])
  }

  private func resolved(_ spell: RadioSpell, _ key: String) -> PlainValue { .mapping(spell, at: "radios.*." + key) }

  var resolvedEndpoints: PlainValue {
    .mapping(endpoints.map { PlainValue.Pair(key: $0.name, value: $0.resolved) })
  }

  var resolvedEvents: PlainValue { .list(events.map { resolved($0) }) }

  private func resolved(_ event: Event) -> PlainValue {
    var (at, zone, rate): (PlainValue?, PlainValue?, PlainValue?)
    switch event.timing {
    case .once(let instant):
      let milliseconds = clock.startUnixMilliseconds + instant.millisecondsSinceStart
      at = .text(QuantityText.instant(unixMilliseconds: milliseconds))
    case .daily(let time, let local): (at, zone) = (.text(QuantityText.time(time)), .zone(local))
    case .perDevicePerDay(let number): rate = .number(number)
    }
    let (key, action) = resolved(event.action, rate)
    return .mapping(["name": .text(event.name), "at": at, "zone": zone, key: action])
  }

  private func resolved(_ action: EventAction, _ rate: PlainValue?) -> (key: String, value: PlainValue) {
    switch action {
    case .push(let push): ("push", resolved(push, rate))
    case .outage(let outage): ("outage", resolved(outage))
    case .appUpdate(let audience, let over):
      ("app_update", .mapping(["audience": audience.resolved, "over": .duration(over)]))
    case .systemChange(let audience): ("system_change", .mapping(["audience": audience.resolved]))
    case .reboot(let audience): ("reboot", .mapping(["audience": audience.resolved]))
    case .gallery(let audience, let over, let network):
      ("gallery", .mapping(["audience": audience.resolved, "over": .duration(over), "network": .share(network)]))
    }
  }

  /// Returns a push without keys that would be rejected because of the push's type or because of a rate.
  private func resolved(_ push: Push, _ rate: PlainValue?) -> PlainValue {
    let isSilent = push.kind == .silent
    return .mapping([
      "type": .text(push.kind.rawValue), "per_device_per_day": rate, "audience": push.audience.resolved,
      "cohorts": push.cohorts.map { .list($0.map { .text(fleet.cohorts[$0].name) }) },
      "over": rate == nil && push.sender == nil ? .duration(push.over) : nil,
      "sender": push.sender.map { .mapping($0, at: "events.*.push.sender") },
      "kinds": isSilent ? .list(push.kinds.map { .text(kinds[$0].name) }) : nil,
      "clears_cache": isSilent ? .flag(push.clearsCache) : nil,
      "fills_cache": isSilent ? .flag(push.fillsCache) : nil, "restarts": .flag(push.restarts),
    ])
  }

  private func resolved(_ outage: Outage) -> PlainValue {
    .mapping(outage, at: "events.*.outage", ["endpoint": .text(endpoints[outage.endpoint].name)])
  }
}

extension PlainValue {
  /// Returns the keys of `os`, excluding the given constants.
  fileprivate static func without(_ constants: [BracketConstant], _ pairs: [Pair], below path: String = "")
    -> [Pair]
  {
    pairs.compactMap { pair in
      let key = path + pair.key
      if constants.contains(where: { $0.rawValue == key }) { return nil }
      guard case .mapping(let inner) = pair.value, constants.contains(where: { $0.rawValue.hasPrefix(key + ".") })
      else {
        return pair
      }
      let rest = without(constants, inner, below: key + ".")
      return rest.isEmpty ? nil : Pair(key: pair.key, value: .mapping(rest))
    }
  }

  /// Returns the keys with equal values in two mappings. Nested mappings other than `idle` and `<dist>` are compared
  /// key by key.
  fileprivate static func common(_ left: [Pair], _ right: [Pair]) -> [Pair] {
    left.compactMap { pair in
      guard let other = right.first(where: { $0.key == pair.key }) else { return nil }
      if pair == other { return pair }
      let isNested = ["start_delay", "stale_view_reload", "silent_push", "budget"].contains(pair.key)
      guard isNested, case .mapping(let inner) = pair.value, case .mapping(let outer) = other.value else { return nil }
      return Pair(key: pair.key, value: .mapping(common(inner, outer)))
    }
  }
}

extension OperatingSystem {
  /// The keys of `os` other than the preset.
  var resolvedKeys: [PlainValue.Pair] {
    let capacity: PlainValue =
      switch budget.capacity {
      case .views: .text("views")
      case .perDay(let runs): .text(QuantityText.perDay(runs))
      case .range(let from, let to): .text("\(QuantityText.perDay(from))..\(QuantityText.perDay(to))")
      case .drawn(let runs): .distribution(runs)
      }
    return PlainValue.pairs(
      of: self, at: "os", ["idle": .mapping(idle, at: "os.idle"), "capacity": capacity])
  }
}

extension Endpoint {
  fileprivate var resolved: PlainValue {
    let path = "backend.endpoints.*"
    let hours = baseLoad.map { ["hours": PlainValue.list($0.hours.weights.map { .number($0) })] }
    let popularity = cdn.map { ["popularity": $0.popularity.resolved] }
    return .mapping(
      self, at: path,
      [
        "latency": .mapping(latency, at: path + ".latency"),
        "base_load": .mapping(baseLoad, at: path + ".base_load", hours ?? [:]),
        "rate_limit": .mapping(rateLimit, at: path + ".rate_limit"),
        "autoscale": .mapping(autoscale, at: path + ".autoscale"),
        "cdn": .mapping(cdn, at: path + ".cdn", popularity ?? [:]),
      ])
  }
}

extension Popularity {
  fileprivate var resolved: PlainValue {
    switch self {
    case .uniform: .text("uniform")
    case .zipf(let exponent): .text("zipf " + QuantityText.number(exponent))
    }
  }
}

extension Audience {
  fileprivate var resolved: PlainValue {
    guard let group else { return .share(share) }
    return .mapping(["of": .text(group), "share": .share(share)])
  }
}

extension ReloadPolicy {
  fileprivate var resolved: PlainValue {
    switch self {
    case .atEnd: .text("at-end")
    case .never: .text("never")
    case .provider(let provider):
      .mapping(["provider": .text(provider.name), "version": provider.version.map { .text($0) }])
    case .after(let span): .mapping(["after": .distribution(span)])
    case .afterClock(let time, let zone, let days):
      .mapping([
        "after": .mapping(["at": .text(QuantityText.time(time)), "zone": .zone(zone), "days": .days(days)])
      ])
    case .afterMultiple(of: let every, let zone):
      .mapping(["after": .mapping(["every": .duration(every), "zone": .zone(zone)])])
    case .earliest(let date):
      .mapping([
        "after": date.rules.count == 1 ? date.rules[0].resolved : .list(date.rules.map(\.resolved)),
        "from": date.isFromData ? .text("data") : nil,
        "at_least": date.atLeast > .zero ? .duration(date.atLeast) : nil,
      ])
    }
  }
}

extension DateRule {
  fileprivate var resolved: PlainValue {
    switch self {
    case .span(let span): .distribution(span)
    case .hint: .text("hint")
    case .multiple(of: let every, let zone): .mapping(["every": .duration(every), "zone": .zone(zone)])
    case .instants(let instants):
      .mapping(["at": .list(instants.map { .text(QuantityText.instant(unixMilliseconds: $0)) })])
    case .clock(let times, let zone, let days):
      .mapping([
        "at": .list(times.map { .text(QuantityText.time($0)) }), "zone": .zone(zone), "days": .days(days),
      ])
    }
  }
}

extension ErrorPolicy {
  fileprivate var resolved: PlainValue {
    switch self {
    case .retryAfter: .text("retry-after")
    case .reload(let policy): policy.resolved
    case .backoff(let backoff): .mapping(["backoff": .mapping(backoff, at: "kinds.*.on_error.backoff")])
    }
  }
}

extension WindowTime {
  fileprivate var resolved: PlainValue {
    if let once = once {
      return .mapping([
        "from": .text(QuantityText.instant(unixMilliseconds: once.lowerBound)),
        "to": .text(QuantityText.instant(unixMilliseconds: once.upperBound)),
      ])
    }
    return .mapping([
      "days": .days(days), "from": .text(QuantityText.time(from)),
      "to": .text(QuantityText.time(to)), "zone": .zone(zone),
    ])
  }
}

extension PolicyWindow {
  fileprivate var resolved: PlainValue {
    let own = name == nil
    return .mapping([
      "window": name.map { .text($0) },
      "days": own ? .days(time.days) : nil, "from": own ? .text(QuantityText.time(time.from)) : nil,
      "to": own ? .text(QuantityText.time(time.to)) : nil, "zone": own ? .zone(time.zone) : nil,
      "reload": reload.resolved,
      "jitter": jitter.map { .mapping($0, at: "kinds.*.when.*.jitter") },
      "stale_after": staleAfter.map { .duration($0) },
    ])
  }
}
