import Scenario
import SimulationKernel

extension Scenario {
  func resolved(_ kind: Kind) -> PlainValue {
    .mapping(
      resolvedPhases(kind.phases) + [
        .init(key: "when", value: .list(kind.windows.map { resolved($0) })),
        .init(key: "jitter", value: resolved(kind.jitter)),
        .init(key: "requests", value: .list(kind.requests.map { resolved($0) })),
        .init(key: "cache", value: resolved(kind.cache)),
        .init(key: "on_error", value: resolved(kind.onError)),
        .init(
          key: "attempts",
          value: .mapping(["count": .count(kind.attempts.count), "backoff": .duration(kind.attempts.backoff)])),
        .init(key: "background_session", value: .flag(kind.isBackgroundSession)),
        .init(key: "taps", value: resolved(kind.taps)),
        .init(key: "location_changes_per_day", value: .number(kind.locationChangesPerDay)),
        .init(key: "protected", value: .flag(kind.isProtected)),
        .init(key: "crash", value: .share(kind.crash)),
        .init(key: "stale_after", value: kind.staleAfter.map { .duration($0) } ?? .text("none")),
        .init(key: "cpu", value: .duration(kind.cpu)),
      ])
  }

  private func resolvedPhases(_ phases: [Phase]) -> [PlainValue.Pair] {
    let resolved = phases.map { phase -> [PlainValue.Pair] in
      let entries = phase.entries
      let align = entries.alignment == .wall ? "wall" : "run"
      return [
        .init(
          key: "entries",
          value: .mapping([
            "count": .count(entries.count), "every": .duration(entries.every), "align": .text(align),
          ])),
        .init(key: "reload", value: self.resolved(phase.reload)),
      ]
    }
    if let only = resolved.first, resolved.count == 1 { return only }
    return [.init(key: "phases", value: .list(resolved.map { .mapping($0) }))]
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

  private func resolved(_ jitter: Jitter?) -> PlainValue {
    guard let jitter else { return .text("none") }
    return .mapping(["up_to": .duration(jitter.upTo), "per": .text(jitter.scope == .device ? "device" : "run")])
  }

  private func resolved(_ cache: Cache?) -> PlainValue {
    guard let cache else { return .text("none") }
    return .mapping([
      "ttl": cache.ttl.map { .duration($0) } ?? .text("never-expires"),
      "scope": .text(cache.scope == .instance ? "instance" : "kind"), "single_flight": .flag(cache.singleFlight),
    ])
  }

  private func resolved(_ taps: Taps?) -> PlainValue {
    guard let taps else { return .text("none") }
    return .mapping([
      "per_day": .number(taps.perDay), "burst": .count(taps.burst), "gap": .duration(taps.gap),
      "reloads": .text(taps.reloads == .instance ? "instance" : "kind"),
    ])
  }

  private func resolved(_ request: Request) -> PlainValue {
    .mapping([
      "endpoint": .text(endpoints[request.endpoint].name), "count": .count(request.count),
      "up": resolved(request.up), "down": resolved(request.down),
    ])
  }

  private func resolved(_ bytes: BytesByFamily) -> PlainValue {
    let sizes = Family.allCases.map { PlainValue.text(QuantityText.size(bytes[$0])) }
    if let first = sizes.first, sizes.allSatisfy({ $0 == first }) { return first }
    return .mapping(zip(KeyTable.families, sizes).map { PlainValue.Pair(key: $0, value: $1) })
  }
}
