import Scenario
import SimulationKernel

extension Scenario {
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
    case .gallery(let audience, let over, let network):
      ("gallery", .mapping(["audience": audience.resolved, "over": .duration(over), "network": .share(network)]))
    }
  }

  /// Keys that do not go with the type or with a rate are left out: they would be refused.
  private func resolved(_ push: Push, _ rate: PlainValue?) -> PlainValue {
    let isSilent = push.kind == .silent
    return .mapping([
      "type": .text(push.kind.rawValue), "per_device_per_day": rate, "audience": push.audience.resolved,
      "cohorts": push.cohorts.map { .list($0.map { .text(fleet.cohorts[$0].name) }) },
      "over": rate == nil ? .duration(push.over) : nil,
      "kinds": isSilent ? .list(push.kinds.map { .text(kinds[$0].name) }) : nil,
      "clears_cache": isSilent ? .flag(push.clearsCache) : nil,
      "fills_cache": isSilent ? .flag(push.fillsCache) : nil, "restarts": .flag(push.restarts),
    ])
  }

  private func resolved(_ outage: Outage) -> PlainValue {
    .mapping(outage, at: "events.*.outage", ["endpoint": .text(endpoints[outage.endpoint].name)])
  }
}

extension Audience {
  fileprivate var resolved: PlainValue {
    guard let group else { return .share(share) }
    return .mapping(["of": .text(group), "share": .share(share)])
  }
}
