import Words

/// The starter scenarios for `init`.
enum Starter: String, CaseIterable, Sendable {
  case weather, news, wallet, sports, minimal

  /// The word for the starter file of `plan`.
  static let plan = "plan"
  /// The words that `init` accepts.
  static let words = allCases.map(\.rawValue) + [plan]

  /// A scenario file with comments.
  var text: String { Words.text(rawValue + ".yaml") + "\n" }
}
