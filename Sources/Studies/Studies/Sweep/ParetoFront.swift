/// The choices that no other choice beats when several costs are compared.
///
/// One choice beats another if it is clearly better in one cost, clearly worse in none, and has a lower sum of costs.
/// In this sum, each cost is scaled from 0 (best) to 1 (worst). If the sums are equal, the first differing cost
/// decides. If all differences are clear, the result is the Pareto front (V. Pareto, 1906); otherwise, the sum prevents
/// cycles.
enum ParetoFront {
  /// Returns whether each choice is on the front. A choice with an unknown cost is never on the front. If there are no
  /// costs, no choice is on the front.
  ///
  /// The worst-case time is quadratic in the number of choices.
  ///
  /// - Parameter isClear: returns whether two choices with different costs differ by more than chance.
  static func members(
    _ costs: [[Double?]], isClear: (_ one: Int, _ other: Int, _ cost: Int) -> Bool = { _, _, _ in true }
  ) -> [Bool] {
    let known = costs.map { row -> [Double]? in
      let values = row.compactMap { $0 }
      return values.isEmpty || values.count < row.count ? nil : values
    }
    let sums = ScaledCosts(costs, isClear: isClear).rows.map { $0?.reduce(0, +) ?? 0 }
    // After sorting, every choice precedes the choices that it beats.
    let order = known.indices.filter { known[$0] != nil }.sorted {
      sums[$0] == sums[$1]
        ? (known[$0] ?? []).lexicographicallyPrecedes(known[$1] ?? []) : sums[$0] < sums[$1]
    }
    func beats(_ one: Int, _ other: Int) -> Bool {
      guard let left = known[one], let right = known[other] else { return false }
      var isBetter = false
      for cost in left.indices where left[cost] != right[cost] {
        let isLess = left[cost] < right[cost]
        // A lower cost counts as not worse even if the difference is not clear.
        if isLess && isBetter { continue }
        guard isClear(one, other, cost) else { continue }
        guard isLess else { return false }
        isBetter = true
      }
      return isBetter
    }
    var members = Array(repeating: false, count: costs.count)
    for (place, index) in order.enumerated() { members[index] = !order[..<place].contains { beats($0, index) } }
    return members
  }
}

/// Costs scaled from 0 (best choice) to 1 (worst choice). All are 0 if the best and worst do not differ by more than
/// chance.
struct ScaledCosts {
  /// The scaled costs of each choice; `nil` if any of its costs is unknown.
  let rows: [[Double]?]

  /// - Parameter isClear: as in `ParetoFront.members`.
  init(_ costs: [[Double?]], isClear: (_ one: Int, _ other: Int, _ cost: Int) -> Bool = { _, _, _ in true }) {
    let ranges = (0..<(costs.first?.count ?? 0)).map { column -> (minimum: Double, width: Double) in
      let known = costs.indices.compactMap { index in costs[index][column].map { (index: index, cost: $0) } }
      guard let minimum = known.min(by: { $0.cost < $1.cost }), let maximum = known.max(by: { $0.cost < $1.cost }),
        minimum.cost < maximum.cost, isClear(minimum.index, maximum.index, column)
      else { return (0, 0) }
      return (minimum.cost, maximum.cost - minimum.cost)
    }
    rows = costs.map { row in
      let scaled = zip(row, ranges).compactMap { cost, range in
        cost.map { range.width > 0 ? ($0 - range.minimum) / range.width : 0 }
      }
      return scaled.count < row.count ? nil : scaled
    }
  }

  /// Returns the choice nearest to the best value of each cost, measured by the sum of squares (the first one if
  /// several tie). Returns `nil` if no choice has known costs.
  func nearest(among choices: [Int]) -> Int? {
    let distances = choices.compactMap { index in
      rows[index].map { (index: index, square: $0.reduce(0) { $0 + $1 * $1 }) }
    }
    return distances.min { $0.square < $1.square }?.index
  }
}
