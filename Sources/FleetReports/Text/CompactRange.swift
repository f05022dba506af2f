import Scenario
import Studies

/// Ranges in the cells of terminals' tables: `131.9–136.3 M`, `1.2–3 min`.
enum CompactRange {
  /// Empty where the ends say no more than the value beside them.
  ///
  /// - Parameter text: a number as the table shows it.
  static func text(_ low: Double, _ high: Double, beside value: Double?, _ text: (Double) -> String) -> String {
    let (first, last) = (text(low), text(high))
    if let value, text(value) == first, first == last { return "" }
    if let millions = millions(low, high, isPlain: last == NumberText.text(high)) { return millions }
    return first == last ? first : joined(first, last)
  }

  /// From the least to the most of a figure and the ends of its bracket; empty where they are shown alike.
  static func bracket(_ figures: [Quantity?], _ text: (Double) -> String) -> String {
    let known = figures.compactMap { $0?.approximate }
    guard figures.dropFirst().contains(where: { $0 != nil }), let least = known.min(), let most = known.max(),
      text(least) != text(most)
    else { return "" }
    return self.text(least, most, beside: nil, text)
  }

  /// The unit is said once where both have the same; two negative numbers, or words, are not joined by a dash.
  private static func joined(_ first: String, _ last: String) -> String {
    guard first.first?.isNumber == true, last.first?.isNumber == true else { return first + " to " + last }
    let unit = last.drop { $0.isNumber || $0 == "." || $0 == "\u{202F}" }
    guard !unit.contains(where: \.isNumber), first.hasSuffix(unit) else { return first + "–" + last }
    let number = first.dropLast(unit.count)
    // `1 min 30 s` is no number with the unit s.
    return (number.allSatisfy { $0.isNumber || $0 == "." || $0 == "\u{202F}" } ? String(number) : first) + "–" + last
  }

  /// Numbers of seven digits and more in millions, with as many decimals as four digits have.
  private static func millions(_ low: Double, _ high: Double, isPlain: Bool) -> String? {
    guard isPlain, low >= 0, high >= 1_000_000, high < 1e13 else { return nil }
    let decimals = high < 10_000_000 ? 3 : high < 100_000_000 ? 2 : high < 1e9 ? 1 : 0
    let texts = [low, high].map { end in
      decimals == 0 ? NumberText.whole(end / 1e6) : NumberText.fixed(end / 1e6, decimals: decimals)
    }
    return (texts[0] == texts[1] ? texts[1] : texts[0] + "–" + texts[1]) + "\u{A0}M"
  }
}
