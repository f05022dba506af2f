package import SimulationKernel

/// A label of a metric; raw values are used in goals and as columns of summary.csv, in this order.
package enum Label: String, CaseIterable, Sendable {
  case cohort, kind, endpoint, cause, charged, reason, component, event, window, period, during
}

/// The labels of a metric; an empty label stands for all values.
package struct Labels: Hashable, Sendable {
  package var cohort = ""
  package var kind = ""
  package var endpoint = ""
  package var cause = ""
  /// Either `yes`, `no` or the empty string.
  package var charged = ""
  package var reason = ""
  package var component = ""
  package var event = ""
  package var window = ""
  package var period = ""
  /// The name of one of the scenario's windows, or the empty string.
  package var during = ""

  package init() {}

  /// The label columns of summary.csv, in column order; they are also used as keys in summary.json.
  package static let names = Label.allCases.map(\.rawValue)

  /// The label values, in the order of `names`.
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
    case .during: \.during
    }
  }

  /// Returns a copy of the labels in which one label has a different value.
  package func with(_ label: WritableKeyPath<Labels, String> & Sendable, _ value: String) -> Labels {
    var labels = self
    labels[keyPath: label] = value
    return labels
  }
}

/// The time windows over which requests per second are averaged; they are aligned with clock.start (MODEL.md 6.8).
package enum LoadWindow: CaseIterable, Hashable, Sendable {
  case second, tenSeconds, minute, fiveMinutes

  /// The name used in goals and in the `window` column.
  package var name: String {
    switch self {
    case .second: "1s"
    case .tenSeconds: "10s"
    case .minute: "1min"
    case .fiveMinutes: "5min"
    }
  }

  package var length: TimeAmount {
    switch self {
    case .second: .second
    case .tenSeconds: .seconds(10)
    case .minute: .minute
    case .fiveMinutes: .minutes(5)
    }
  }

  /// Returns the length of the window in time steps; `nil` if it is shorter than a step or not a multiple of a step.
  package func steps(of clock: Clock) -> Int? {
    // A step of zero is reported as an error for its key, but goals are parsed nevertheless.
    guard clock.step > .zero else { return nil }
    let (steps, rest) = length.milliseconds.quotientAndRemainder(dividingBy: clock.step.milliseconds)
    return rest == 0 && steps > 0 ? Int(steps) : nil
  }

  /// Returns the windows that are available for a clock.
  package static func all(of clock: Clock) -> [LoadWindow] { allCases.filter { $0.steps(of: clock) != nil } }

  /// Returns the shortest window that is available for a clock; `nil` if no window is a multiple of the step.
  package static func finest(of clock: Clock) -> LoadWindow? { all(of: clock).first }
}
