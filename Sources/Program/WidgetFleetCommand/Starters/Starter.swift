import Words

/// The starter scenarios provided by `init`.
enum Starter: String, CaseIterable, Sendable {
  case weather, news, wallet, sports, minimal

  /// The word that selects the starter file for the `plan` command.
  static let plan = "plan"
  /// The words that `init` accepts as the name of a starter.
  static let words = allCases.map(\.rawValue) + [plan]

  /// The starter as the text of a scenario file, including comments.
  var text: String { Words.text(rawValue + ".yaml") + "\n" }
}
