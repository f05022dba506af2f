package import Scenario
import SimulationKernel

extension Scenario {
  /// The scenario as a file would say it with every default written out: JSON, which is YAML too, in one fixed form.
  ///
  /// Reading it gives the same scenario. Keys that this version does not simulate are left out.
  package var resolvedText: String { resolved.json() + "\n" }

  /// Everything, whether this version simulates it or not.
  var resolved: PlainValue {
    .mapping([
      "schema": .text("widgetfleet/v1"), "name": .text(name), "description": .text(description),
      "clock": .mapping(
        clock, at: "clock",
        ["start": .text(QuantityText.instant(unixMilliseconds: clock.startUnixMilliseconds))]),
      "run": .mapping(run, at: "run"),
      "app": resolvedApp,
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
}
