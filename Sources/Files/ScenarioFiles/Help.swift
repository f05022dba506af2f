package import Scenario
package import Words

/// Advice for a diagnostic, with a remark and with replacements that each fix the scenario and are valid at their
/// position.
///
/// A string literal is a remark and must not suggest text. Suggestions use `write` and similar functions, so that tests
/// can insert each suggestion into the scenario and read the result.
package struct Help: Hashable, Sendable {
  /// A change that fixes the scenario.
  package enum Repair: Hashable, Sendable {
    /// A replacement for the marked text.
    case replace(String)
    /// A new key with its value, for the marked mapping.
    case add(key: String, value: String)
    /// A value elsewhere in the scenario, given by its path.
    case set(path: String, value: String)
    /// Values elsewhere in the scenario, given by their paths, that together fix the scenario.
    case setAll([Value])

    /// A value and its path.
    package struct Value: Hashable, Sendable {
      package var path: String
      package var value: String
    }

    /// The text for the message.
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
  /// The changes, any one of which fixes the scenario.
  package private(set) var repairs: [Repair]
  /// The remark that follows the changes.
  package var remark: String

  private init(_ lead: Lead, _ repairs: [Repair], _ remark: String = "") {
    (self.lead, self.repairs, self.remark) = (lead, repairs, remark)
  }

  /// Creates a remark without changes.
  package init(_ remark: String) { self.init(.write, [], remark) }

  /// Returns replacements for the marked text.
  static func write(_ texts: String...) -> Help { Help(.write, texts.map { .replace($0) }) }

  static func write(_ texts: [String]) -> Help { Help(.write, texts.map { .replace($0) }) }

  /// Returns an example replacement for the marked text.
  static func write(like example: String) -> Help { Help(.like, [.replace(example)]) }

  /// Returns the word that the user probably meant.
  static func meant(_ word: String) -> Help { Help(.meant, [.replace(word)]) }

  /// Returns a missing key with possible values.
  static func add(_ key: String, _ values: String...) -> Help { Help(.write, values.map { .add(key: key, value: $0) }) }

  /// Returns a value for a key elsewhere, given by its path.
  static func set(_ path: String, _ value: String) -> Help { Help(.write, [.set(path: path, value: value)]) }

  /// Returns values for keys elsewhere that together fix the scenario.
  static func setAll(_ values: [Repair.Value]) -> Help { Help(.write, [.setAll(values)]) }

  /// Returns the advice followed by a remark.
  func and(_ remark: String) -> Help {
    var help = self
    help.remark = [self.remark, remark].filter { !$0.isEmpty }.joined(separator: "; ")
    return help
  }

  /// Returns the advice without invalid replacements; `nil` if this leaves it empty.
  func keeping(_ holds: (String) -> Bool) -> Help? {
    var help = self
    help.repairs = repairs.filter { if case .replace(let text) = $0 { holds(text) } else { true } }
    return help.repairs.isEmpty && help.remark.isEmpty ? nil : help
  }

  /// The complete advice on one line.
  package var text: String { [advice, remark].filter { !$0.isEmpty }.joined(separator: "; ") }

  private var advice: String {
    var texts = repairs.map(\.text.printable)
    // If a key has several possible values, it is written only once.
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

/// Suggestions for misspelt words.
package enum Spelling {
  /// Returns the candidate nearest to `word`; `nil` if it is more than one typo and more than a third of the word's
  /// length away.
  ///
  /// Complexity: O(candidates x length squared); words longer than 64 characters never match.
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

  /// Words with similar meanings.
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

  /// Returns the only candidate with the same meaning as a word of another key; `nil` if there is none.
  static func sibling(_ word: String, among candidates: [String]) -> Help? {
    let groups = sameMeaning.filter { $0.contains(word.lowercased()) }
    let meant = candidates.filter { candidate in groups.contains { $0.contains(candidate) } }
    return meant.count == 1 ? .meant(meant[0]) : nil
  }

  /// Returns the candidate that the user probably meant, as advice; `nil` if there is no similar candidate.
  static func hint(_ word: String, among candidates: some Sequence<String>) -> Help? {
    nearest(to: word, among: candidates).map { .meant($0) }
  }

  /// Returns the Damerau-Levenshtein distance (optimal string alignment) with insertions, deletions, replacements and
  /// swaps.
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
  /// Whether a mapping has a key, or an unknown key that is probably a misspelling of it and is reported as such.
  func hasOrMeans(_ key: String) -> Bool {
    pairs?.contains { $0.key == key || Spelling.hint($0.key, among: [key]) != nil } ?? false
  }
}

extension Code {
  /// The title, meaning and remedy of a code, for `explain` and the documentation.
  package var meaning: Word { Catalogue.codes[rawValue] }
}
