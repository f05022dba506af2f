/// Values with their units.
extension Author {
  mutating func flag() -> Tree { dice.oneIn(3) ? "false" : "true" }

  /// Draws a number with up to one decimal.
  mutating func number(_ range: ClosedRange<Int>) -> Tree {
    dice.oneIn(3) && range.lowerBound < range.upperBound
      ? "\(dice.from(range.lowerBound...range.upperBound - 1)).\(dice.from(1...9))" : "\(dice.from(range))"
  }

  mutating func share(_ range: ClosedRange<Int> = 0...100) -> Tree {
    dice.oneIn(4) && range.lowerBound < range.upperBound
      ? "\(dice.from(range.lowerBound...range.upperBound - 1)).5%" : "\(dice.from(range))%"
  }

  /// Draws a duration in seconds, minutes or hours.
  mutating func duration(seconds range: ClosedRange<Int>) -> Tree { .plain(spelled(seconds: dice.from(range))) }

  private mutating func spelled(seconds: Int) -> String {
    if seconds >= 60, dice.oneIn(2) {
      return seconds % 60 == 0 ? "\(seconds / 60)min" : "\(seconds / 60)min\(seconds % 60)s"
    }
    if seconds >= 3_600, dice.oneIn(2) { return "\(seconds / 3_600)h" }
    return dice.oneIn(6) ? "\(seconds).5s" : "\(seconds)s"
  }

  /// Draws a plain duration or a distribution.
  mutating func distribution(seconds range: ClosedRange<Int>) -> Tree {
    distribution(range, zero: range.lowerBound == 0) { "\($0)s" }
  }

  /// Draws a plain number or a distribution.
  mutating func distribution(numbers range: ClosedRange<Int>) -> Tree {
    distribution(range, zero: range.lowerBound == 0) { "\($0)" }
  }

  /// Draws a plain rate or a distribution.
  mutating func distribution(ratesPerDay range: ClosedRange<Int>) -> Tree {
    distribution(range, zero: range.lowerBound == 0) { "\($0)/day" }
  }

  private mutating func distribution(
    _ range: ClosedRange<Int>, zero: Bool, _ text: (Int) -> String
  ) -> Tree {
    let low = dice.from(max(range.lowerBound, 1)...max(range.upperBound / 2, max(range.lowerBound, 1)))
    // A p95 just above the median would give a sigma with a great many digits.
    let high = 2 * low + dice.below(max(range.upperBound - 2 * low, 1))
    // Building a table takes the tests some time.
    switch dice.below(24) {
    case 6...10: return .map([("uniform", .plain(text(zero ? 0 : low) + ".." + text(high)))])
    case 0: return .map([("exponential", .plain(text(low)))])
    case 1: return .map([("normal", .map([("mean", .plain(text(high))), ("sd", .plain(text(low)))]))])
    case 2: return .map([("lognormal", .map([("median", .plain(text(low))), ("sigma", "0.\(dice.from(1...9))")]))])
    case 3: return .map([("lognormal", .map([("median", .plain(text(low))), ("p95", .plain(text(high)))]))])
    case 4, 5: return .map([("choice", Self.shares([text(low), text(high)], ["70%", "30%"]))])
    default: return .plain(text(dice.from(range)))
    }
  }

  mutating func bytes() -> Tree {
    let sizes = ["0B", "500B", "1kB", "12KiB", "20.5kB", "3MB"]
    guard dice.oneIn(3) else { return .plain(dice.pick(sizes)) }
    return .map(dice.some(["small", "medium", "large", "extra-large"]).map { ($0, .plain(dice.pick(sizes))) })
  }

  /// Draws weights or shares for the 24 hours.
  mutating func hourly(_ unit: String) -> Tree {
    let first: [Tree] = ["\(dice.from(1...99))\(unit)"]
    return .list(first + (1..<24).map { _ in dice.oneIn(4) ? "0\(unit)" : "\(dice.from(1...99))\(unit)" })
  }

  mutating func hours() -> Tree { dice.oneIn(2) ? .plain(dice.pick(["default", "flat"])) : hourly("") }

  mutating func someKinds() -> Tree {
    dice.oneIn(2) ? "all" : .list(dice.some(kinds).map { .quoted($0) })
  }

  mutating func zoneOrLocal() -> Tree { dice.oneIn(2) ? "local" : .plain(dice.pick(Self.zones)) }

  mutating func clockTime() -> Tree { .quoted(two(dice.below(24)) + ":" + dice.pick(["00", "30", "05", "15:30"])) }

  mutating func weekdays() -> Tree {
    dice.oneIn(2)
      ? .plain(dice.pick(["mon-fri", "sat-sun", "mon-sun", "fri-mon", "tue"])) : .list(["mon", "wed-fri", "sun"])
  }

  /// Draws names with shares that add up to 100 %.
  mutating func shares(of names: [String]) -> Tree {
    switch names.count {
    case 1: return Self.shares(names, ["100%"])
    case 2:
      let first = dice.from(1...99)
      return Self.shares(names, ["\(first)%", "\(100 - first)%"])
    default: return Self.shares(names, ["33.5%", "16.5%", "50%"])
    }
  }

  private static func shares(_ names: [String], _ shares: [String]) -> Tree {
    .map(zip(names, shares).map { (key: $0, value: .plain($1)) })
  }

  func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
