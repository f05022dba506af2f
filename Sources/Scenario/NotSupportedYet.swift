/// A key whose feature comes in a later version: it is refused (WF390), never ignored.
package struct NotSupportedYet: Hashable, Sendable {
  /// Values that ask for nothing new.
  package enum Accepted: Hashable, Sendable {
    case nothing
    case values([String])
  }

  package var pattern: String
  /// What is missing, as it follows `not supported yet:`.
  package var feature: String
  /// What to write instead.
  package var help: String
  package var accepted: Accepted

  init(_ pattern: String, _ feature: String, help: String, accepted: Accepted = .nothing) {
    self.pattern = pattern
    self.feature = feature
    self.help = help
    self.accepted = accepted
  }

  /// The one list; a feature that arrives takes its lines away.
  package static let list: [NotSupportedYet] = studies

  /// Keys of which nothing is simulated yet.
  static let patterns = Set(list.filter { $0.accepted == .nothing }.map(\.pattern))

  private static let studies: [NotSupportedYet] = [
    .init("tune", "tuning", help: "leave tune out")
  ]
}
