import ScenarioFiles

/// Did-you-mean for commands and options.
enum Suggestion {
  /// A sentence when something is near; nil otherwise.
  static func hint(_ word: String, among candidates: [String]) -> String? {
    Spelling.nearest(to: word, among: candidates).map { "did you mean '\($0)'?" }
  }

  /// A sentence for options, some of which have another name at other commands; nil where nothing is near.
  static func option(_ word: String, among candidates: [String]) -> String? {
    let pair = ["--no-bracket", "--nominal"]
    if pair.contains(word), let other = candidates.first(where: { pair.contains($0) }) {
      return "did you mean '\(other)'?"
    }
    return hint(word, among: candidates)
  }
}
