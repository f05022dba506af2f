/// Did-you-mean for commands and options.
enum Suggestion {
  /// A sentence when something is near; nil otherwise.
  static func hint(_ word: String, among candidates: [String]) -> String? {
    let near = candidates.map { ($0, distance(Array(word), Array($0))) }.filter { $0.1 <= max(1, $0.0.count / 3) }
    return near.min { $0.1 < $1.1 }.map { "did you mean '\($0.0)'?" }
  }

  /// Damerau-Levenshtein distance: insertions, deletions, replacements, swaps of neighbours.
  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    guard left.count <= 64 else { return .max }
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for (row, letter) in left.enumerated() {
      var current = [row + 1]
      for (column, other) in right.enumerated() {
        var cost = min(last[column + 1] + 1, current[column] + 1, last[column] + (letter == other ? 0 : 1))
        if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
          cost = min(cost, beforeLast[column - 1] + 1)
        }
        current.append(cost)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }
}
