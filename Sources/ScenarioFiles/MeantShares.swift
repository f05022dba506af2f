import Scenario

/// What numbers without % can mean where shares add up to 100 %: weights among each other, or the rest.
struct MeantShares {
  private let total: Double
  /// What shares that have their % leave; nil where none has.
  private let rest: Double?

  /// - Parameter pairs: values with their shares.
  init(_ pairs: [Node.Pair]) {
    let bare = pairs.compactMap { Self.bare($0.value) }
    let shares = pairs.filter { Self.bare($0.value) == nil }.map { try? Quantities.share($0.value.text ?? "").fraction }
    let others = shares.compactMap { $0 }
    let isReadable = others.count == shares.count
    total = isReadable ? bare.reduce(0, +) : 0
    rest = others.contains { $0 > 0 } ? 1 - others.reduce(0, +) : nil
  }

  /// With what in place of a number all shares add up; nil: it is no plain number, or nothing can be said.
  func text(of pair: Node.Pair) -> String? {
    guard let number = Self.bare(pair.value), total > 0 else { return nil }
    let share = number / total * (rest ?? 1)
    guard share > 0, share <= 1 else { return nil }
    return PlainNumbers.text(shifting: (share * 1e11).rounded() / 1e11, by: 2) + "%"
  }

  /// A number above 0 without a unit.
  private static func bare(_ node: Node) -> Double? {
    guard case .scalar(let text, isPlain: true) = node.content, let number = try? Decimal(text).double(shiftedBy: 0),
      number > 0
    else { return nil }
    return number
  }
}
