import Words

/// The scenarios that `init` writes to begin with.
enum Starter: String, CaseIterable, Sendable {
  case weather, news, wallet, sports, minimal

  /// A scenario file with comments.
  var text: String { Words.text(rawValue + ".yaml") + "\n" }
}
