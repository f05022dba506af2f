import Scenario
import SimulationKernel

/// `events`: what happens to the fleet and the backend.
struct EventBuilder: PartBuilder {
  let draft: Draft
  let clock: Clock

  /// The events; those that problems have been found in may be missing. Kinds and endpoints must be known already.
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
    push.kinds = kind == .widget ? Array(draft.kindNames.indices) : kinds(section.written("kinds"))
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
}
