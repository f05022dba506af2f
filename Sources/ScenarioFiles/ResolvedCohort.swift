import Scenario
import SimulationKernel

extension Scenario {
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
}
