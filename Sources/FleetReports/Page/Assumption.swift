import Scenario
import SimulationKernel

/// A setting of the model that results hinge on, with the evidence for its default.
struct Assumption {
  /// How sure one can be (MODEL.md, "Evidence marks").
  enum Evidence: String {
    case documented = "documented by Apple"
    case documentedInWords = "documented in words, number assumed"
    case measured = "measured by others"
    case assumed = "assumption"
  }

  var setting: String
  /// In this scenario.
  var value: String
  var evidence: Evidence
  /// Source of the default.
  var source: String

  /// The settings of the system that schedules refreshes (MODEL.md 4).
  static func scheduler(_ os: OperatingSystem) -> [Assumption] {
    [
      Assumption(
        setting: "Start delay of scheduled refreshes", value: text(os.startDelay.policy), evidence: .assumed,
        source: "Apple gives no law; a window of 900 s was reported for one iOS build"),
      Assumption(
        setting: "Start delay while the device is in use", value: text(os.startDelay.inUse), evidence: .assumed,
        source: "Apple gives no law"),
      Assumption(
        setting: "Start delay of refreshes asked for in the background", value: text(os.startDelay.background),
        evidence: .assumed, source: "Apple gives no law"),
      Assumption(
        setting: "Minimum spacing", value: TimeText.span(os.minSpacing), evidence: .documented,
        source: "“Keeping a widget up to date”: entries at least about 5 minutes apart"),
      Assumption(
        setting: "Window in which refreshes of one device are joined", value: TimeText.span(os.coalescingWindow),
        evidence: .documentedInWords, source: "“Keeping a widget up to date”: WidgetKit may coalesce reloads"),
      Assumption(
        setting: "Wait of an at-end timeline with one entry", value: TimeText.span(os.atEndGap), evidence: .assumed,
        source: "Apple: the system picks a time (WWDC21 10048)"),
      Assumption(
        setting: "Withheld while nobody uses the device", value: text(os.idle), evidence: .documentedInWords,
        source: "WWDC21 10048: updates may be withheld on an unused device"),
    ] + budget(os.budget)
  }

  private static func budget(_ budget: Budget) -> [Assumption] {
    guard budget.model != .off else {
      return [Assumption(setting: "Budget", value: "off", evidence: .documented, source: "WWDC25 278: developer mode")]
    }
    return [
      Assumption(
        setting: "Budget of a widget", value: budget.model.rawValue + ", " + text(budget.capacity, cap: budget.cap),
        evidence: .documentedInWords,
        source: "“Keeping a widget up to date”: typically 40 to 70 refreshes a day; the curve over views is assumed"),
      Assumption(
        setting: "Unused budget carries over",
        value: "up to \(NumberText.trimmed(NumberText.text(budget.carryOver))) days' worth",
        evidence: .assumed, source: "reported for one iOS build"),
      Assumption(
        setting: "Budget accrues", value: budget.accrual == .awake ? "07:00 to 23:00" : "all day", evidence: .assumed,
        source: "WWDC21 10048: accumulated through the day"),
    ]
  }

  /// The settings of people, networks and providers that this scenario uses.
  static func surroundings(_ scenario: Scenario) -> [Assumption] {
    let trips = radios(of: scenario).map { $0.rawValue + " " + TimeText.span($0.roundTrip) }
    return [
      Assumption(
        setting: "Round trip of a request", value: trips.joined(separator: ", "), evidence: .assumed,
        source: "typical of these networks, not measured"),
      Assumption(
        setting: "Processor time of a refresh",
        value: scenario.kinds.map { $0.name + " " + TimeText.span($0.cpu) }.joined(separator: ", "), evidence: .assumed,
        source: "estimated from launch, parsing and archiving"),
      Assumption(
        setting: "Timeout of a request",
        value: scenario.endpoints.map { $0.name + " " + TimeText.span($0.timeout) }.joined(separator: ", "),
        evidence: .assumed, source: "the value of the platform for an extension is not known"),
    ].filter { !$0.value.isEmpty }
  }

  static func text(_ distribution: Distribution<TimeAmount>) -> String {
    switch distribution {
    case .constant(let span): TimeText.span(span)
    case .uniform(let from, let to): "uniform, " + TimeText.span(from) + " to " + TimeText.span(to)
    case .exponential(let mean): "exponential, mean " + TimeText.span(mean)
    case .normal(let mean, let deviation): "normal, mean " + TimeText.span(mean) + ", sd " + TimeText.span(deviation)
    case .lognormal(let median, let sigma):
      "lognormal, median " + TimeText.span(median) + ", sigma " + NumberText.text(sigma)
    case .choice(let values):
      values.map { TimeText.span($0.value) + " " + NumberText.percent($0.weight) }.joined(separator: ", ")
    }
  }

  private static func text(_ idle: Idle?) -> String {
    idle.map { "unused for " + TimeText.span($0.after) + ", for at most " + TimeText.span($0.giveUp) } ?? "never"
  }

  private static func text(_ capacity: Budget.Capacity, cap: Double) -> String {
    let runs = { (capacity: RunMillionths) in NumberText.text(Double(capacity.count) / 1_000_000) }
    return switch capacity {
    case .views: "by views, at most " + NumberText.text(cap) + " a day"
    case .perDay(let count): runs(count) + " a day"
    case .range(let low, let high): runs(low) + " to " + runs(high) + " a day"
    }
  }
}
