import Words

/// The starter scenarios of `init`.
enum Starter: String, CaseIterable, Sendable {
  case weather, news, wallet, sports, minimal

  /// A scenario file with comments.
  var text: String { Words.text(rawValue + ".yaml") + "\n" }
}
