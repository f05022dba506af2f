import Words

/// The starter scenarios for `init`.
enum Starter: String, CaseIterable, Sendable {
  case weather, news, wallet, sports, minimal

  /// The starter of `plan`.
  static let plan = "plan"
  /// The words that `init` takes.
  static let words = allCases.map(\.rawValue) + [plan]

  /// A scenario file with comments.
  var text: String { Words.text(rawValue + ".yaml") + "\n" }
}
