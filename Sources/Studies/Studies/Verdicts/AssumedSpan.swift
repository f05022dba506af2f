package import Scenario

/// The lowest and highest values of a figure over the range of one assumption, including the scenario's own value.
package struct AssumedSpan: Sendable {
  package let range: AssumedRange
  package let low: Double
  package let high: Double
  /// The assumption's displayed value at which the figure is lowest. The next property is the value at which the figure
  /// is highest. Each is empty if it is the scenario's own value.
  package let lowEnd: String
  package let highEnd: String
}

extension SummaryRow {
  /// The spans of the assumptions that were varied, widest first.
  package var assumedSpans: [AssumedSpan] { effects.spans(around: value?.approximate) }
}

extension [AssumedEffect] {
  /// Returns the span of each assumption, widest first; spans of equal width keep the order of the table.
  package func spans(around own: Double?) -> [AssumedSpan] {
    let spans = map(\.key).uniqued.compactMap { key -> AssumedSpan? in
      let ends = filter { $0.key == key }.map { (value: $0.value.approximate, text: $0.text) }
      let all = own.map { [($0, "")] + ends } ?? ends
      guard let range = AssumedRange.named(key), let low = all.min(by: { $0.value < $1.value }),
        let high = all.max(by: { $0.value < $1.value })
      else { return nil }
      return AssumedSpan(range: range, low: low.value, high: high.value, lowEnd: low.text, highEnd: high.text)
    }
    return spans.enumerated().sorted { left, right in
      let (first, second) = (left.element.high - left.element.low, right.element.high - right.element.low)
      return first == second ? left.offset < right.offset : first > second
    }.map(\.element)
  }
}
