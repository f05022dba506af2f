import Words

/// The starter scenarios that `init` can write.
enum Starter: String, CaseIterable, Sendable {
  case weather, news, wallet, sports, minimal

  /// The word that selects the starter file for the `plan` command.
  static let plan = "plan"
  /// The words that `init` accepts for starters.
  static let words = allCases.map(\.rawValue) + [plan]

  /// The starter as the text of a scenario file with comments.
  var text: String { Words.text(rawValue + ".yaml") + "\n" }
}
