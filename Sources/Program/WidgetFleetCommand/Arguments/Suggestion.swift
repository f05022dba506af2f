import ScenarioFiles

/// A generator of suggestions for misspelled commands and options.
enum Suggestion {
  /// Returns a suggestion if one of the candidates is similar to the word; otherwise, returns `nil`.
  static func hint(_ word: String, among candidates: [String]) -> String? {
    Spelling.nearest(to: word, among: candidates).map { "did you mean '\($0)'?" }
  }

  /// Returns a suggestion for an unknown option, including options that have other names in different commands; `nil`
  /// if no option is similar.
  static func option(_ word: String, among candidates: [String]) -> String? {
    let pair = ["--no-bracket", "--nominal"]
    if pair.contains(word), let other = candidates.first(where: { pair.contains($0) }) {
      return "did you mean '\(other)'?"
    }
    return hint(word, among: candidates)
  }
}
