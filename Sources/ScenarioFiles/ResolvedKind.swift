import Scenario
import SimulationKernel

extension Scenario {
  func resolved(_ kind: Kind) -> PlainValue {
    let path = "kinds.*"
    var others: [String: PlainValue] = [
      "when": .list(kind.windows.map { resolved($0) }), "jitter": .mapping(kind.jitter, at: path + ".jitter"),
      "requests": .list(kind.requests.map { resolved($0) }), "cache": .mapping(kind.cache, at: path + ".cache"),
      "on_error": resolved(kind.onError), "taps": .mapping(kind.taps, at: path + ".taps"),
    ]
    if let only = kind.phases.first, kind.phases.count == 1 {
      for pair in pairs(of: only, at: path) { others[pair.key] = pair.value }
    } else {
      others["phases"] = .list(kind.phases.map { .mapping(pairs(of: $0, at: path + ".phases.*")) })
    }
    return .mapping(kind, at: path, others)
  }

  private func pairs(of phase: Phase, at path: String) -> [PlainValue.Pair] {
    PlainValue.pairs(of: phase, at: path, ["reload": resolved(phase.reload)])
  }

  private func resolved(_ policy: ReloadPolicy) -> PlainValue {
    switch policy {
    case .atEnd: .text("at-end")
    case .never: .text("never")
    case .after(let span): .mapping(["after": .distribution(span)])
    case .afterClock(let time, let zone, let days):
      .mapping([
        "after": .mapping(["at": .text(QuantityText.time(time)), "zone": .zone(zone), "days": .days(days)])
      ])
    case .afterMultiple(of: let every, let zone):
      .mapping(["after": .mapping(["every": .duration(every), "zone": .zone(zone)])])
    }
  }

  private func resolved(_ window: PolicyWindow) -> PlainValue {
    .mapping([
      "days": .days(window.days), "from": .text(QuantityText.time(window.from)),
      "to": .text(QuantityText.time(window.to)), "zone": .zone(window.zone), "reload": resolved(window.reload),
    ])
  }

  private func resolved(_ policy: ErrorPolicy) -> PlainValue {
    switch policy {
    case .retryAfter: .text("retry-after")
    case .reload(let policy): resolved(policy)
    }
  }

  private func resolved(_ request: Request) -> PlainValue {
    .mapping(
      request, at: "kinds.*.requests.*",
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
}
