/// What a figure can be about; raw values are columns of summary.csv, in their order, and words of goals.
package enum Label: String, CaseIterable, Sendable {
  case cohort, kind, endpoint, cause, charged, reason, component, event, window, period
}

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
  package static let names = Label.allCases.map(\.rawValue)

  /// The values in the order of `names`.
  package var values: [String] { Label.allCases.map { self[$0] } }

  package subscript(label: Label) -> String {
    get { self[keyPath: Labels.path(label)] }
    set { self[keyPath: Labels.path(label)] = newValue }
  }

  private static func path(_ label: Label) -> WritableKeyPath<Labels, String> & Sendable {
    switch label {
    case .cohort: \.cohort
    case .kind: \.kind
    case .endpoint: \.endpoint
    case .cause: \.cause
    case .charged: \.charged
    case .reason: \.reason
    case .component: \.component
    case .event: \.event
    case .window: \.window
    case .period: \.period
    }
  }

  /// These labels with one of them changed.
  package func with(_ label: WritableKeyPath<Labels, String> & Sendable, _ value: String) -> Labels {
    var labels = self
    labels[keyPath: label] = value
    return labels
  }
}
