package import Scenario

/// The values of a figure over the range of one assumption, the scenario's own included.
package struct AssumedSpan: Sendable {
  package let range: AssumedRange
  package let low: Double
  package let high: Double
}

extension SummaryRow {
  /// The spans of the assumptions that were varied, widest first.
  package var assumedSpans: [AssumedSpan] { effects.spans(around: value?.approximate) }
}

extension [AssumedEffect] {
  /// Returns the span of each assumption, widest first; those of equal width stay in the order of the table.
  package func spans(around own: Double?) -> [AssumedSpan] {
    let spans = map(\.key).eachOnce.compactMap { key -> AssumedSpan? in
      let values = filter { $0.key == key }.map(\.value.approximate) + [own].compactMap { $0 }
      guard let range = AssumedRange.named(key), let low = values.min(), let high = values.max() else { return nil }
      return AssumedSpan(range: range, low: low, high: high)
    }
    return spans.enumerated().sorted { left, right in
      let (first, second) = (left.element.high - left.element.low, right.element.high - right.element.low)
      return first == second ? left.offset < right.offset : first > second
    }.map(\.element)
  }
}
