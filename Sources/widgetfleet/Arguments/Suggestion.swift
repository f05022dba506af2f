import ScenarioFiles

/// Did-you-mean for commands and options.
enum Suggestion {
  /// A sentence when something is near; nil otherwise.
  static func hint(_ word: String, among candidates: [String]) -> String? {
    Spelling.nearest(to: word, among: candidates).map { "did you mean '\($0)'?" }
  }
}
