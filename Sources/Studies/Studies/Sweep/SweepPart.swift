/// One of several parts of a sweep: the settings are dealt out to them in turn, each with all its runs.
package struct SweepPart: Hashable, Sendable {
  /// Counted from 1.
  package var number: Int
  /// How many parts there are.
  package var count: Int

  /// More parts than a sweep can have settings are taken for a mistake.
  package static let most = 10_000

  /// - Parameter text: `3/20`, the third of twenty; nil for what is no part.
  package init?(_ text: String) {
    let words = text.split(separator: "/", omittingEmptySubsequences: false)
    guard words.count == 2,
      words.allSatisfy({ $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }),
      let number = Int(words[0]), let count = Int(words[1]), count <= Self.most, number >= 1, number <= count
    else { return nil }
    self.number = number
    self.count = count
  }

  package var text: String { "\(number)/\(count)" }

  /// Whether a setting, counted from 0, is one of its own.
  package func holds(_ setting: Int) -> Bool { Self.number(of: setting, count) == number }

  /// The number of the part, of so many, that has a setting.
  package static func number(of setting: Int, _ count: Int) -> Int { setting % count + 1 }
}
