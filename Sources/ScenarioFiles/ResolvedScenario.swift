package import Scenario
import SimulationKernel

extension Scenario {
  /// The scenario as a file would say it with every default written out: JSON, which is YAML too, in one fixed form.
  ///
  /// Reading it gives the same scenario. Keys that this version does not simulate are left out.
  package var resolvedText: String { resolved.json() + "\n" }

  /// Everything, whether this version simulates it or not.
  var resolved: PlainValue {
    let resolved = resolvedWithoutTables
    guard case .mapping(let pairs) = resolved, !resolvedTables.isEmpty else { return resolved }
    return .mapping(pairs + resolvedTables)
  }

  private var resolvedWithoutTables: PlainValue {
    .mapping([
      "schema": .text("widgetfleet/v1"), "name": .text(name), "description": .text(description),
      "clock": .mapping([
        "start": .text(QuantityText.instant(unixMilliseconds: clock.startUnixMilliseconds)),
        "settle": .duration(clock.settle), "warmup": .duration(clock.warmup), "duration": .duration(clock.duration),
        "step": .duration(clock.step),
      ]),
      "run": .mapping([
        "seed": .count(run.seed), "replications": .count(run.replications),
        "simulate": run.simulate.map { .count($0) } ?? .text("all"),
      ]),
      "app": resolvedApp,
      "kinds": .mapping(kinds.map { PlainValue.Pair(key: $0.name, value: resolved($0)) }),
      "fleet": .mapping([
        "devices": .count(fleet.devices), "cohorts": .list(fleet.cohorts.map { resolved($0) }),
      ]),
      "os": resolvedSystem, "backend": .mapping(["endpoints": resolvedEndpoints]),
      "events": resolvedEvents, "goals": .list(goals.map { resolved($0) }),
    ])
  }

  private var resolvedApp: PlainValue {
    let audio = app.audioSession.map {
      PlainValue.mapping(["per_day": .number($0.perDay), "length": .distribution($0.length)])
    }
    return .mapping([
      "opens_per_day": .number(app.opensPerDay), "foreground": .distribution(app.foreground),
      "audio_session": audio ?? .text("none"), "reloads": .list(app.reloads.map { resolved($0) }),
    ])
  }

  private func resolved(_ reload: AppReload) -> PlainValue {
    let occasion: [PlainValue.Pair] =
      switch reload.occasion {
      case .open: [.init(key: "when", value: .text("open"))]
      case .close: [.init(key: "when", value: .text("close"))]
      case .change(let perDay): rated("change", perDay)
      case .profileSwitch(let perDay): rated("profile-switch", perDay)
      case .backgroundRefresh(let perDay): rated("background-refresh", perDay)
      case .audio(let every):
        [.init(key: "when", value: .text("audio")), .init(key: "every", value: .duration(every))]
      }
    return .mapping(
      occasion + [
        .init(key: "kinds", value: .list(reload.kinds.map { .text(kinds[$0].name) })),
        .init(key: "clears_cache", value: .flag(reload.clearsCache)),
        .init(key: "fills_cache", value: .flag(reload.fillsCache)),
        .init(key: "restarts", value: .flag(reload.restarts)),
      ])
  }

  private func resolved(_ goal: Goal) -> PlainValue {
    .mapping(["id": .text(goal.id), "assert": .text(goal.text), "severity": .text(goal.severity.rawValue)])
  }

  private func rated(_ occasion: String, _ perDay: Double) -> [PlainValue.Pair] {
    [.init(key: "when", value: .text(occasion)), .init(key: "per_day", value: .number(perDay))]
  }
}
