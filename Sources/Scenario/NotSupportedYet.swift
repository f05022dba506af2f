/// A key whose feature comes in a later version: it is refused (WF390), never ignored.
package struct NotSupportedYet: Hashable, Sendable {
  /// Values that ask for nothing new.
  package enum Accepted: Hashable, Sendable {
    case nothing
    case values([String])
    /// Any word or number, but no mapping.
    case anyScalar
  }

  package var pattern: String
  /// What is missing, as it follows `not supported yet:`.
  package var feature: String
  /// What to write instead.
  package var help: String
  package var accepted: Accepted
  /// Where the key must be written because its default is not supported: the pattern of what lacks it.
  package var neededIn: String?

  init(_ pattern: String, _ feature: String, help: String, accepted: Accepted = .nothing, neededIn: String? = nil) {
    self.pattern = pattern
    self.feature = feature
    self.help = help
    self.accepted = accepted
    self.neededIn = neededIn
  }

  /// The one list; a feature that arrives takes its lines away.
  package static let list: [NotSupportedYet] = people + surroundings + backend + studies

  /// Longest battery-powered calendar, in days: the battery's level is not simulated yet.
  package static let batteryDays: Int64 = 8

  static let patterns = Set(list.map(\.pattern))

  private static let people: [NotSupportedYet] = [
    .init("app.opens_per_day", "people who open the app", help: "leave app.opens_per_day out"),
    .init("app.foreground", "people who open the app", help: "leave app.foreground out"),
    .init(
      "app.audio_session", "audio sessions", help: "leave app.audio_session out", accepted: .values(["none"])),
    .init(
      "app.reloads.*.when", "reloads by an app in the foreground", help: "only background-refresh can be simulated",
      accepted: .values(["background-refresh"])),
    .init("kinds.*.taps", "taps", help: "leave taps out", accepted: .values(["none"])),
    .init(
      "kinds.*.location_changes_per_day", "location changes", help: "write 0 or leave the key out",
      accepted: .values(["0"])),
    .init(
      "kinds.*.protected", "data protection", help: "write false or leave the key out", accepted: .values(["false"])),
    .init(
      "kinds.*.background_session", "background sessions", help: "write false or leave the key out",
      accepted: .values(["false"])),
    .init(
      "kinds.*.stale_after", "stale views", help: "leave stale_after out: nobody views a widget yet",
      accepted: .values(["none"])),
    .init(
      "fleet.cohorts.*.person.unlocks_per_day", "people who unlock their phones",
      help: "write person: {unlocks_per_day: 0}", accepted: .values(["0"]), neededIn: "fleet.cohorts.*"),
  ]

  private static let surroundings: [NotSupportedYet] = [
    .init(
      "fleet.cohorts.*.network", "networks that change",
      help: "write network: wifi or a cellular profile such as lte-2021-vz", accepted: .anyScalar,
      neededIn: "fleet.cohorts.*"),
    .init(
      "fleet.cohorts.*.power.low_power_mode", "Low Power Mode", help: "write 0% or leave low_power_mode out",
      accepted: .values(["0%"])),
    .init(
      "fleet.cohorts.*.power.health", "battery health", help: "write 100% or leave health out",
      accepted: .values(["100%"])),
    .init("fleet.cohorts.*.widgets.*.stack", "smart stacks", help: "write the widgets one by one"),
    .init(
      "fleet.cohorts.*.widgets.*.place", "widgets on the lock screen",
      help: "leave place out: the widget is on home page 1"),
    .init("events", "events", help: "leave events out", accepted: .values(["none"])),
  ]

  private static let backend: [NotSupportedYet] =
    ["capacity", "queue", "base_load", "rate_limit", "autoscale", "cdn"].map { key in
      .init(
        "backend.endpoints.*." + key, "limits of an endpoint",
        help: "leave \(key) out: an endpoint has latency and timeout", accepted: .values(["none"]))
    }

  private static let studies: [NotSupportedYet] = [
    .init("goals", "goals", help: "leave goals out", accepted: .values(["none"])),
    .init("sweep", "sweeps", help: "leave sweep out and run the settings one by one with --set"),
    .init("tune", "tuning", help: "leave tune out"),
  ]
}
