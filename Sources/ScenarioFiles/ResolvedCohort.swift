import Scenario
import SimulationKernel

extension Scenario {
  func resolved(_ cohort: Cohort) -> PlainValue {
    var pairs: [PlainValue.Pair] = [
      .init(key: "name", value: .text(cohort.name)), .init(key: "share", value: .share(cohort.share)),
      .init(key: "zones", value: shares(cohort.zones)), .init(key: "phones", value: shares(cohort.phones)),
      .init(key: "person", value: resolved(cohort.person)), .init(key: "network", value: resolved(cohort.network)),
      .init(key: "power", value: resolved(cohort.power)),
    ]
    if let system = cohort.os {
      pairs.append(.init(key: "os", value: .text(system.preset.rawValue)))
      pairs.append(.init(key: "x-os-resolved", value: .mapping(system.resolvedKeys)))
    }
    pairs.append(.init(key: "widgets", value: .list(cohort.widgets.map { resolved($0) })))
    return .mapping(pairs)
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
    var pairs: [PlainValue.Pair] = []
    if placement.isStack {
      let members = placement.members.map { PlainValue.mapping(resolved($0, inStack: true)) }
      let other = PlainValue.mapping(["other": .number(placement.otherWeight)])
      pairs.append(.init(key: "stack", value: .list(members + (placement.otherWeight > 0 ? [other] : []))))
    } else if let member = placement.members.first {
      pairs = resolved(member, inStack: false)
    }
    switch placement.place {
    case .homePage(let page): pairs.append(.init(key: "page", value: .count(page)))
    case .lockScreen: pairs = [pairs.first].compactMap { $0 } + [.init(key: "place", value: .text("lock-screen"))]
    }
    return .mapping(pairs + [.init(key: "share", value: .share(placement.share))])
  }

  private func resolved(_ member: Placement.Member, inStack: Bool) -> [PlainValue.Pair] {
    let weight = inStack ? [PlainValue.Pair(key: "weight", value: .number(member.weight))] : []
    return [
      .init(key: "kind", value: .text(kinds[member.kind].name)),
      .init(key: "family", value: .text(KeyTable.families[member.family.rawValue])),
    ] + weight
  }
}
