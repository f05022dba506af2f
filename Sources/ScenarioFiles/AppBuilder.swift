import Scenario
import SimulationKernel

/// `app`: the containing app, and the reloads that it asks for.
struct AppBuilder: PartBuilder {
  let draft: Draft

  func app() -> App {
    let section = root.section("app")
    var app: App = section.filled()
    app.audioSession = section.part("audio_session")
    app.reloads = section.items("reloads").compactMap { reload($0) }
    return app
  }

  private func reload(_ section: Section) -> AppReload? {
    let kinds = kinds(section.written("kinds"))
    guard let when = section.written("when")?.text else { return nil }
    checkOccasionKeys(section, when)
    guard let occasion = occasion(section, when) else { return nil }
    var reload: AppReload = section.filled()
    reload.occasion = occasion
    reload.kinds = kinds
    return reload
  }

  private static let ratedOccasions = ["change", "profile-switch", "background-refresh"]

  private func checkOccasionKeys(_ section: Section, _ when: String) {
    guard ["open", "close", "audio"].contains(when) || Self.ratedOccasions.contains(when) else { return }
    let needed = Self.ratedOccasions.contains(when) ? "per_day" : when == "audio" ? "every" : nil
    for key in ["per_day", "every"] {
      if key == needed, section.node?[key] == nil {
        problems.add(
          .missingKey, at: section.written("when")?.span, "a reload when \(when) lacks the key \(key.quoted)",
          note: "how often?", help: section.entry(key).map { Help($0.help) })
      } else if key != needed {
        refuse([key], in: section, besides: "when: " + when)
      }
    }
  }

  private func occasion(_ section: Section, _ when: String) -> AppReload.Occasion? {
    switch when {
    case "open": .open
    case "close": .close
    case "change": section.number("per_day").map { .change(perDay: $0) }
    case "profile-switch": section.number("per_day").map { .profileSwitch(perDay: $0) }
    case "background-refresh": section.number("per_day").map { .backgroundRefresh(perDay: $0) }
    case "audio": section.duration("every").map { .audio(every: $0) }
    default: nil
    }
  }
}
