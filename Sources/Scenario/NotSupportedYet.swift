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
  package static let list: [NotSupportedYet] = provider + surroundings + backend + studies

  static let patterns = Set(list.map(\.pattern))

  private static let provider: [NotSupportedYet] = [
    .init(
      "kinds.*.background_session", "background sessions", help: "write false or leave the key out",
      accepted: .values(["false"]))
  ]

  private static let surroundings: [NotSupportedYet] = [
    .init(
      "fleet.cohorts.*.network", "networks that change",
      help: "write network: wifi or a cellular profile such as lte-2021-vz", accepted: .anyScalar,
      neededIn: "fleet.cohorts.*"),
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
