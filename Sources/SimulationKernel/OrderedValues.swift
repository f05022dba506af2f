/// Values in ascending order, of which it is known how many there are and which is the n-th, counted from 0.
package struct OrderedValues {
  let count: Int64
  let value: (_ rank: Int64) -> Double

  package init(count: Int64, value: @escaping (_ rank: Int64) -> Double) {
    self.count = count
    self.value = value
  }

  /// The quantile at `probability` in 0...1, linear between order statistics (type 7); nil without values.
  package func quantile(_ probability: Double) -> Double? {
    guard count > 0 else { return nil }
    let position = probability * Double(count - 1)
    let rank = Int64(position.rounded(.down))
    let lower = value(rank)
    return lower + (value(min(rank + 1, count - 1)) - lower) * (position - Double(rank))
  }
}
