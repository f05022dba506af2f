import Scenario
import SimulationKernel

extension Scenario {
  var resolvedEvents: PlainValue { .list(events.map { resolved($0) }) }

  private func resolved(_ event: Event) -> PlainValue {
    var pairs = [PlainValue.Pair(key: "name", value: .text(event.name))]
    var rate: [PlainValue.Pair] = []
    switch event.timing {
    case .once(let instant):
      let milliseconds = clock.startUnixMilliseconds + instant.millisecondsSinceStart
      pairs.append(.init(key: "at", value: .text(QuantityText.instant(unixMilliseconds: milliseconds))))
    case .daily(let time, let zone):
      pairs.append(.init(key: "at", value: .text(QuantityText.time(time))))
      pairs.append(.init(key: "zone", value: .zone(zone)))
    case .perDevicePerDay(let number): rate = [.init(key: "per_device_per_day", value: .number(number))]
    }
    return .mapping(pairs + [resolved(event.action, rate)])
  }

  private func resolved(_ action: EventAction, _ rate: [PlainValue.Pair]) -> PlainValue.Pair {
    switch action {
    case .push(let push): .init(key: "push", value: resolved(push, rate))
    case .outage(let outage): .init(key: "outage", value: resolved(outage))
    case .appUpdate(let audience, let over):
      .init(key: "app_update", value: .mapping(["audience": audience.resolved, "over": .duration(over)]))
    case .systemChange(let audience): .init(key: "system_change", value: .mapping(["audience": audience.resolved]))
    case .gallery(let audience, let over, let network):
      .init(
        key: "gallery",
        value: .mapping(["audience": audience.resolved, "over": .duration(over), "network": .share(network)]))
    }
  }

  /// Keys that do not go with the type or with a rate are left out: they would be refused.
  private func resolved(_ push: Push, _ rate: [PlainValue.Pair]) -> PlainValue {
    var pairs = [PlainValue.Pair(key: "type", value: .text(push.kind.rawValue))] + rate
    pairs.append(.init(key: "audience", value: push.audience.resolved))
    if rate.isEmpty { pairs.append(.init(key: "over", value: .duration(push.over))) }
    if push.kind == .silent {
      pairs.append(.init(key: "kinds", value: .list(push.kinds.map { .text(kinds[$0].name) })))
      pairs.append(.init(key: "clears_cache", value: .flag(push.clearsCache)))
      pairs.append(.init(key: "fills_cache", value: .flag(push.fillsCache)))
    }
    return .mapping(pairs + [.init(key: "restarts", value: .flag(push.restarts))])
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
