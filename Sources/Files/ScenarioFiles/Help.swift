package import Scenario
package import Words

/// Advice displayed with a diagnostic, which consists of alternative changes and a remark. Each change fixes the
/// scenario and is valid at its position.
///
/// A string literal creates a remark, which must not suggest any text. Suggestions are created with `write` and similar
/// functions, so that tests can apply each suggestion to the scenario and read the result.
package struct Help: Hashable, Sendable {
  /// A change to the file, which fixes the scenario.
  package enum Repair: Hashable, Sendable {
    /// A replacement for the marked text.
    case replace(String)
    /// A key and its value to be added to the marked mapping.
    case add(key: String, value: String)
    /// A value to be set at a different path of the scenario.
    case set(path: String, value: String)
    /// Several values to be set at different paths of the scenario, all of which are needed to fix it.
    case setAll([Value])

    /// A value and the path at which to set it.
    package struct Value: Hashable, Sendable {
      package var path: String
      package var value: String
    }

    /// The change as displayed in the message.
    package var text: String {
      switch self {
      case .replace(let text): text
      case .add(let key, let value): "\(key): \(value)"
      case .set(let path, let value): "\(path): \(value)"
      case .setAll(let values): values.map { "\($0.path): \($0.value)" }.joined(separator: " and ")
      }
    }
  }

  private enum Lead: Hashable, Sendable {
    case write, like, meant
  }

  private var lead: Lead
  /// The alternative changes, each of which fixes the scenario.
  package private(set) var repairs: [Repair]
  /// The remark displayed after the changes.
  package var remark: String

  private init(_ lead: Lead, _ repairs: [Repair], _ remark: String = "") {
    (self.lead, self.repairs, self.remark) = (lead, repairs, remark)
  }

  /// Creates advice that consists of a remark only.
  package init(_ remark: String) { self.init(.write, [], remark) }

  /// Returns advice to replace the marked text with one of several alternatives.
  static func write(_ texts: String...) -> Help { Help(.write, texts.map { .replace($0) }) }

  static func write(_ texts: [String]) -> Help { Help(.write, texts.map { .replace($0) }) }

  /// Returns advice to replace the marked text with something similar to an example.
  static func write(like example: String) -> Help { Help(.like, [.replace(example)]) }

  /// Returns advice that suggests the word that the user probably intended.
  static func meant(_ word: String) -> Help { Help(.meant, [.replace(word)]) }

  /// Returns advice to add a missing key, with one or more alternative values.
  static func add(_ key: String, _ values: String...) -> Help { Help(.write, values.map { .add(key: key, value: $0) }) }

  /// Returns advice to set another key, given by its path.
  static func set(_ path: String, _ value: String) -> Help { Help(.write, [.set(path: path, value: value)]) }

  /// Returns advice to set several other keys, which together fix the scenario.
  static func setAll(_ values: [Repair.Value]) -> Help { Help(.write, [.setAll(values)]) }

  /// Returns this advice with an additional remark at the end.
  func and(_ remark: String) -> Help {
    var help = self
    help.remark = [self.remark, remark].filter { !$0.isEmpty }.joined(separator: "; ")
    return help
  }

  /// Returns this advice without replacements that are invalid; `nil` if no advice remains.
  func keeping(_ holds: (String) -> Bool) -> Help? {
    var help = self
    help.repairs = repairs.filter { if case .replace(let text) = $0 { holds(text) } else { true } }
    return help.repairs.isEmpty && help.remark.isEmpty ? nil : help
  }

  /// The complete advice as a single line.
  package var text: String { [advice, remark].filter { !$0.isEmpty }.joined(separator: "; ") }

  private var advice: String {
    var texts = repairs.map(\.text.printable)
    // If several values are suggested for one key, the key is written only once.
    if case .add(let key, _)? = repairs.first {
      texts = texts.prefix(1) + texts.dropFirst().map { String($0.dropFirst(key.count + 2)) }
    }
    guard let last = texts.popLast() else { return "" }
    let all = texts.isEmpty ? last : texts.joined(separator: ", ") + " or " + last
    switch lead {
    case .write: return "write " + all
    case .like: return "write it like " + all
    case .meant: return "did you mean '\(all)'?"
    }
  }
}

extension Help: ExpressibleByStringInterpolation {
  package init(stringLiteral remark: String) { self.init(remark) }
}

/// A collection of functions that suggest words for misspelled ones.
package enum Spelling {
  /// Returns the candidate closest to `word`; `nil` if the distance is more than one typo and more than one third of
  /// the length of the word.
  ///
  /// Complexity: O(candidates x length squared). Words longer than 64 characters never match.
  package static func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
    guard word.utf8.count <= 128 else { return nil }
    let letters = Array(word.lowercased())
    guard letters.count <= 64 else { return nil }
    var best: (distance: Int, word: String)?
    for candidate in candidates where candidate.utf8.count <= 128 {
      let distance = Spelling.distance(letters, Array(candidate.lowercased()))
      let allowed = max(1, max(letters.count, candidate.count) / 3)
      if distance <= allowed, distance < best?.distance ?? .max { best = (distance, candidate) }
    }
    return best?.word
  }

  /// Groups of words with similar meanings.
  private static let sameMeaning: [[String]] = [
    ["share", "audience", "percent", "percentage", "fraction", "probability"],
    ["for", "duration", "length", "lasts", "period"],
    ["rate", "mean", "average", "rps", "per_second", "load"],
    ["capacity", "limit", "max_rps", "rps"],
    ["over", "spread", "within", "during"],
    ["at", "time", "when", "start"],
    ["ttl", "max_age", "lifetime", "expires"],
    ["every", "interval", "period"],
    ["up_to", "max", "spread"],
    ["count", "max", "retries", "tries", "number"],
    ["errors", "failure_rate", "error_rate"],
    ["devices", "users", "phones", "size"],
    ["family", "size"],
  ]

  /// Returns advice to use the candidate with the same meaning as `word`; `nil` unless there is exactly one such
  /// candidate.
  static func sibling(_ word: String, among candidates: [String]) -> Help? {
    let groups = sameMeaning.filter { $0.contains(word.lowercased()) }
    let meant = candidates.filter { candidate in groups.contains { $0.contains(candidate) } }
    return meant.count == 1 ? .meant(meant[0]) : nil
  }

  /// Returns advice that suggests the candidate that the user probably intended; `nil` if no candidate is similar.
  static func hint(_ word: String, among candidates: some Sequence<String>) -> Help? {
    nearest(to: word, among: candidates).map { .meant($0) }
  }

  /// Returns the Damerau-Levenshtein distance (optimal string alignment), which counts insertions, deletions,
  /// substitutions and transpositions.
  static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in 1..<(left.count + 1) {
      var current = [row]
      for column in 1..<(right.count + 1) {
        let isSame = left[row - 1] == right[column - 1]
        var cost = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + (isSame ? 0 : 1))
        if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
          cost = min(cost, beforeLast[column - 2] + 1)
        }
        current.append(cost)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }
}

extension Node {
  /// Whether the mapping contains a key or a probable misspelling of it, which has already been reported.
  func hasOrMeans(_ key: String) -> Bool {
    pairs?.contains { $0.key == key || Spelling.hint($0.key, among: [key]) != nil } ?? false
  }
}

extension Code {
  /// The title, meaning and remedy of the code, displayed by `explain` and in the documentation.
  package var meaning: Word { Catalogue.codes[rawValue] }
}
