/// Which of several choices with several costs no other one beats.
///
/// One beats another when none of its costs is higher and one is lower (V. Pareto, 1906); equal ones beat each other not.
enum ParetoFront {
  /// For every choice whether it is on the front; never one of which a cost is unknown, and none where there are no costs.
  ///
  /// Quadratic in the number of choices at worst.
  static func members(_ costs: [[Double?]]) -> [Bool] {
    let known = costs.map { row -> [Double]? in
      let values = row.compactMap { $0 }
      return values.isEmpty || values.count < row.count ? nil : values
    }
    // What beats a choice stands before it in the order of the costs.
    let order = known.indices.filter { known[$0] != nil }.sorted { before(known[$0] ?? [], known[$1] ?? []) }
    var members = Array(repeating: false, count: costs.count)
    var front: [[Double]] = []
    for index in order {
      guard let choice = known[index], !front.contains(where: { beats($0, choice) }) else { continue }
      front.append(choice)
      members[index] = true
    }
    return members
  }

  private static func before(_ left: [Double], _ right: [Double]) -> Bool { left.lexicographicallyPrecedes(right) }

  private static func beats(_ one: [Double], _ other: [Double]) -> Bool {
    zip(one, other).allSatisfy { $0 <= $1 } && one != other
  }
}
