/// The senders that share a name, counted only as far as needed to decide whether to show it, because a rare name may
/// identify them.
package struct Crowd: Sendable {
  /// The number of senders who must share a word on one day for it to be shown. Over many days, one phone has many
  /// addresses.
  package static let minimum = 20

  /// Whether enough senders share the name.
  package private(set) var isLarge = false
  /// Senders by day since 1970; empty once the crowd is large.
  private var senders: [Int64: [UInt64]] = [:]

  private static let day: Int64 = 86_400_000

  package init() {}

  /// - Parameter sender: 0 for an unknown sender, which is not part of any crowd.
  @inline(__always)
  package mutating func add(_ sender: UInt64, at time: Int64) {
    if !isLarge, sender != 0 { insert(sender, time / Self.day) }
  }

  private mutating func insert(_ sender: UInt64, _ day: Int64) {
    let known = senders[day] ?? []
    guard !isLarge, !known.contains(sender) else { return }
    isLarge = known.count + 1 >= Self.minimum
    if isLarge { senders = [:] } else { senders[day] = known + [sender] }
  }

  package mutating func merge(_ other: Self) {
    if other.isLarge { (isLarge, senders) = (true, [:]) }
    for (day, own) in other.senders { for sender in own { insert(sender, day) } }
  }
}

/// Names in which each word is replaced by `{text}` unless a crowd shares it and all words before it.
struct ShownNames {
  private let separator: Character?
  private let words: [Int: [Substring]]
  private let crowds: [Crowd]

  /// Words that log readers generate themselves.
  private static let known: Set<Substring> = ["{number}", "{id}", "{text}", "...", "", "CFNetwork"]

  private init(_ names: [Int: String], separatedBy separator: Character?, _ crowds: [Crowd]) {
    self.separator = separator
    self.crowds = crowds
    words = names.mapValues { name in
      separator.map { name.split(separator: $0, omittingEmptySubsequences: false) } ?? [name[...]]
    }
  }

  /// - Parameter names: names by the index of their crowd.
  static func of(_ names: [Int: String], separatedBy separator: Character?, _ crowds: [Crowd]) -> [Int: String] {
    let shown = Self(names, separatedBy: separator, crowds)
    var groups = ["": Array(names.keys)]
    var result: [Int: String] = [:]
    // Proceed word by word: names that are alike so far share a group.
    for place in 0..<(shown.words.values.map(\.count).max() ?? 0) {
      var next: [String: [Int]] = [:]
      for (beginning, group) in groups {
        for (word, members) in shown.split(group, at: place) {
          let text = place == 0 ? word : beginning + (separator.map(String.init) ?? "") + word
          for member in members {
            if place + 1 == shown.words[member]?.count {
              result[member] = text
            } else {
              next[text, default: []].append(member)
            }
          }
        }
      }
      groups = next
    }
    return result
  }

  /// Splits a group by the word to be shown at a position.
  private func split(_ group: [Int], at place: Int) -> [String: [Int]] {
    let byWord = Dictionary(grouping: group) { words[$0]?[place] ?? "" }
    return byWord.reduce(into: [:]) { shown, part in
      let isShown = Self.known.contains(part.key) || part.key.hasPrefix("Darwin/") || isLarge(part.value)
      shown[isShown ? String(part.key) : "{text}", default: []] += part.value
    }
  }

  private func isLarge(_ members: [Int]) -> Bool {
    members.reduce(into: Crowd()) { sum, member in sum.merge(crowds[member]) }.isLarge
  }
}
