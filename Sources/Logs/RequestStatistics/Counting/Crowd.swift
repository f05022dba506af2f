/// The senders that share a name. They are counted only until enough of them are known for the name to be shown,
/// because a rare name may identify its senders.
package struct Crowd: Sendable {
  /// The number of senders that must use a word on the same day for it to be shown. Only single days are considered,
  /// because over several days, a phone may have many addresses.
  package static let minimum = 20

  /// Whether enough senders share the name for it to be shown.
  package private(set) var isLarge = false
  /// The senders on each day since 1970; empty once the crowd is large.
  private var senders: [Int64: [UInt64]] = [:]

  private static let day: Int64 = 86_400_000

  package init() {}

  /// - Parameter sender: the hash of a sender; 0 for an unknown sender, which is not counted.
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

/// Names in which each word is replaced with `{text}`, unless enough senders share the word and all words before it.
struct ShownNames {
  private let separator: Character?
  private let words: [Int: [Substring]]
  private let crowds: [Crowd]

  /// The words that log readers insert into names, rather than words from a log.
  private static let known: Set<Substring> = ["{number}", "{id}", "{text}", "...", "", "CFNetwork"]

  private init(_ names: [Int: String], separatedBy separator: Character?, _ crowds: [Crowd]) {
    self.separator = separator
    self.crowds = crowds
    words = names.mapValues { name in
      separator.map { name.split(separator: $0, omittingEmptySubsequences: false) } ?? [name[...]]
    }
  }

  /// - Parameter names: the names, by the index of their crowd.
  static func of(_ names: [Int: String], separatedBy separator: Character?, _ crowds: [Crowd]) -> [Int: String] {
    let shown = Self(names, separatedBy: separator, crowds)
    var groups = ["": Array(names.keys)]
    var result: [Int: String] = [:]
    // The names are processed word by word; names whose preceding words are shown in the same way form a group.
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

  /// Splits a group by the word to be shown at a given position.
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
