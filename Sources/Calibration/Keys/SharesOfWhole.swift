/// Shares that add up to 100 %, as a scenario file has them.
package enum SharesOfWhole {
  /// `{Europe/Berlin: 72.1%, America/New_York: 27.9%}`: tenths of a percent, the rest given to the largest remainders.
  ///
  /// - Parameter shares: from 0 to 1, in any scale; some are above 0.
  package static func text(_ shares: [(name: String, share: Double)]) -> String {
    let sum = shares.reduce(0) { $0 + $1.share }
    let exact = shares.map { $0.share / sum * 1_000 }
    var tenths = exact.map { Int($0) }
    let order = exact.indices.sorted { one, other in
      let (left, right) = (exact[one] - Double(tenths[one]), exact[other] - Double(tenths[other]))
      return left == right ? one < other : left > right
    }
    for index in order.prefix(1_000 - tenths.reduce(0, +)) { tenths[index] += 1 }
    let parts = zip(shares, tenths).map { "\($0.name): \(text(tenths: $1))" }
    return "{" + parts.joined(separator: ", ") + "}"
  }

  /// `72.1%`: a share in tenths of a percent.
  static func percent(_ share: Double) -> String { text(tenths: Int((share * 1_000).rounded())) }

  private static func text(tenths: Int) -> String {
    "\(tenths / 10)" + (tenths % 10 == 0 ? "" : ".\(tenths % 10)") + "%"
  }
}
