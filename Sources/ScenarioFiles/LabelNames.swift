import Scenario
import SimulationKernel

/// The values that labels take in one scenario.
struct LabelNames {
  var cohorts: [String]
  var kinds: [String]
  var endpoints: [String]
  var events: [String]
  /// Push events that have a start (MODEL.md 8.4).
  var startedPushes: [String]
  var clock: Clock

  init(cohorts: [String], kinds: [String], endpoints: [String], events: [Event], clock: Clock) {
    self.cohorts = cohorts
    self.kinds = kinds
    self.endpoints = endpoints
    self.events = events.map(\.name)
    startedPushes = events.filter(\.isStartedPush).map(\.name)
    self.clock = clock
  }

  static let periods = ["5min", "15min", "30min", "60min"]

  /// The value of a label as results spell it.
  func value(_ text: String, of label: Label, _ metric: Metric) throws(ValueProblem) -> String {
    let known = known(label, metric)
    if known.contains(text) { return text }
    let hasLengths = label == .window || label == .period
    if hasLengths, let same = known.first(where: { LabelNames.span($0) == LabelNames.span(text) }) { return same }
    let list = known.isEmpty ? "the scenario has none" : "there are \(known.prefix(12).joined(separator: ", "))"
    throw ValueProblem(
      .unknownLabelValue,
      text.isEmpty ? "the label '\(label.rawValue)' has no value" : "there is no \(label.rawValue) \(text.quoted)",
      note: label == .window ? "not a window at this clock.step" : "not known",
      help: (hasLengths ? nil : Spelling.hint(text, among: known)) ?? Help(list.printable))
  }

  private func known(_ label: Label, _ metric: Metric) -> [String] {
    switch label {
    case .cohort: cohorts
    case .kind: kinds
    case .endpoint: endpoints
    case .cause: Cause.allCases.map(\.name)
    case .charged: ["yes", "no"]
    case .reason:
      switch metric {
      case .failures: FailureReason.allCases.map(\.name)
      case .askedPerDay: AskedRow.allCases.map(\.reason).filter { !$0.isEmpty }
      default: WaitReason.allCases.map(\.name)
      }
    case .component: EnergyComponent.allCases.map(\.name)
    case .event: metric == .eventToView ? startedPushes : events
    case .window: LoadWindow.all(of: clock).map(\.name)
    case .period: LabelNames.periods
    }
  }

  /// The length of a window or period; nil for no duration.
  private static func span(_ text: String) -> TimeAmount? {
    do { return try Quantities.duration(text) } catch { return nil }
  }
}
