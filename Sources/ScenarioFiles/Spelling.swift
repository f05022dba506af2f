/// Did-you-mean.
package enum Spelling {
  /// The candidate nearest to `word`, if any is near enough: a third of its length, at least one slip.
  ///
  /// Complexity: O(candidates x length squared); words over 64 characters have no neighbours.
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

  /// Words that people use for one another.
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

  /// The only candidate that people mean by a word that is another key's, or none.
  static func sibling(_ word: String, among candidates: [String]) -> Help? {
    let groups = sameMeaning.filter { $0.contains(word.lowercased()) }
    let meant = candidates.filter { candidate in groups.contains { $0.contains(candidate) } }
    return meant.count == 1 ? .meant(meant[0]) : nil
  }

  /// The candidate that was probably meant, as advice, if any is near.
  static func hint(_ word: String, among candidates: some Sequence<String>) -> Help? {
    nearest(to: word, among: candidates).map { .meant($0) }
  }

  /// Damerau-Levenshtein distance (optimal string alignment): insertions, deletions, replacements, swaps.
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
  /// Whether a mapping has a key, or one that is meant for it and is said to be unknown where it stands.
  func hasOrMeans(_ key: String) -> Bool {
    pairs?.contains { $0.key == key || Spelling.hint($0.key, among: [key]) != nil } ?? false
  }
}
