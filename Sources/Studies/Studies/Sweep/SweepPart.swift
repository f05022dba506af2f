/// One of several parts of a sweep. Settings are distributed among the parts in rotation; all runs of a setting belong
/// to the same part.
package struct SweepPart: Hashable, Sendable {
  /// The part's number, starting at 1.
  package var number: Int
  /// The total number of parts.
  package var count: Int

  /// The maximum number of parts in a sweep.
  package static let maximum = 10_000

  /// - Parameter text: the number and the count, such as `3/20` for the third of twenty parts.
  /// - Returns: `nil` for any other string.
  package init?(_ text: String) {
    let words = text.split(separator: "/", omittingEmptySubsequences: false)
    guard words.count == 2,
      words.allSatisfy({ $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }),
      let number = Int(words[0]), let count = Int(words[1]), count <= Self.maximum, number >= 1, number <= count
    else { return nil }
    self.number = number
    self.count = count
  }

  package var text: String { "\(number)/\(count)" }

  /// Returns whether this part contains a setting, which is numbered from 0.
  package func holds(_ setting: Int) -> Bool { Self.number(of: setting, count) == number }

  /// Returns the number of the part that contains a setting, for a given number of parts.
  package static func number(of setting: Int, _ count: Int) -> Int { setting % count + 1 }
}
