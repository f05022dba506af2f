import Scenario

/// A combination of assumptions about the system. Each assumption is at an end of its range, and all of them move a
/// figure in the same direction (MODEL.md 4.8).
struct Corner: Hashable {
  private struct End: Hashable {
    var key: String
    var end: Int
  }

  private var ends: [End]

  /// Returns the combinations that lower and raise a figure. Combinations of fewer than two assumptions are omitted.
  static func worst(_ effects: [AssumedEffect], around own: Double?) -> [Corner] {
    guard let own else { return [] }
    return [-1.0, 1].compactMap { sign in
      let ends = effects.ofSystem.map(\.key).uniqued.compactMap { key -> End? in
        let moves = effects.filter { $0.key == key }.map { (end: $0.end, move: sign * ($0.value.approximate - own)) }
        guard let largest = moves.max(by: { $0.move < $1.move }), largest.move > 0 else { return nil }
        return End(key: key, end: largest.end)
      }
      return ends.count > 1 ? Corner(ends: ends) : nil
    }
  }

  /// Returns the scenario with the assumptions set to these ends of their ranges, in the order of the table.
  func applied(to scenario: Scenario) -> Scenario {
    ends.reduce(scenario) { AssumedRange.named($1.key)?.applied(to: $0, end: $1.end) ?? $0 }
  }
}
