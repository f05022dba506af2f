/// What a figure is about; an empty label means over all.
package struct Labels: Hashable, Sendable {
  package var cohort = ""
  package var kind = ""
  package var endpoint = ""
  package var cause = ""
  /// `yes`, `no` or empty.
  package var charged = ""
  package var reason = ""
  package var component = ""
  package var event = ""
  package var window = ""
  package var period = ""

  package init() {}

  /// The columns of summary.csv in order, and the keys of summary.json.
  package static let names = [
    "cohort", "kind", "endpoint", "cause", "charged", "reason", "component", "event", "window", "period",
  ]

  /// The values in the order of `names`.
  package var values: [String] {
    [cohort, kind, endpoint, cause, charged, reason, component, event, window, period]
  }

  /// The same labels with one of them changed.
  package func with(_ label: WritableKeyPath<Labels, String> & Sendable, _ value: String) -> Labels {
    var labels = self
    labels[keyPath: label] = value
    return labels
  }
}
