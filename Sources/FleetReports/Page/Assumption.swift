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
  /// Paths below `os` of the constants that it tells of, where a profile may have measured all of them.
  var keys: [String] = []

  init(_ setting: String, _ value: String, _ evidence: Evidence, _ source: String, keys: [String] = []) {
    (self.setting, self.value, self.evidence, self.source) = (setting, value, evidence, source)
    self.keys = keys
  }

  /// Whether a profile has measured all that it tells of.
  func isMeasured(_ scenario: Scenario) -> Bool {
    let measured = MeasuredText.inForce(scenario).map(\.constant.rawValue)
    return !keys.isEmpty && keys.allSatisfy(measured.contains)
  }

  /// The settings of the system that schedules refreshes (MODEL.md 4).
  static func scheduler(_ os: OperatingSystem) -> [Assumption] {
    [
      Assumption(
        "Start delay of scheduled refreshes", text(os.startDelay.policy), .assumed,
        "Apple gives no law; a window of 900 s was reported for one iOS build", keys: ["start_delay.policy"]),
      Assumption(
        "Start delay while the device is in use", text(os.startDelay.inUse), .assumed, "Apple gives no law",
        keys: ["start_delay.in_use"]),
      Assumption(
        "Start delay of refreshes asked for in the background", text(os.startDelay.background), .assumed,
        "Apple gives no law", keys: ["start_delay.background"]),
      Assumption(
        "Minimum spacing", TimeText.span(os.minSpacing), .documentedInWords,
        "“Keeping a widget up to date”: entries of a timeline at least about 5 minutes apart", keys: ["min_spacing"]),
      Assumption(
        "Window in which refreshes of one device are joined", TimeText.span(os.coalescingWindow), .documentedInWords,
        "“Keeping a widget up to date”: WidgetKit may coalesce reloads", keys: ["coalescing_window"]),
      Assumption(
        "Wait of an at-end timeline with one entry", TimeText.span(os.atEndGap), .assumed,
        "Apple: the system picks a time (WWDC21 10048)", keys: ["at_end_gap"]),
      Assumption(
        "Withheld while nobody uses the device", text(os.idle), .documentedInWords,
        "WWDC21 10048: updates may be withheld on an unused device", keys: ["idle.after", "idle.give_up"]),
    ] + budget(os.budget)
  }

  private static func budget(_ budget: Budget) -> [Assumption] {
    guard budget.model != .off else {
      return [Assumption("Budget", "off", .documented, "WWDC25 278: developer mode")]
    }
    return [
      Assumption(
        "Budget of a widget", budget.model.rawValue + ", " + text(budget.capacity, cap: budget.cap), .documentedInWords,
        "“Keeping a widget up to date”: typically 40 to 70 refreshes a day; the curve over views is assumed",
        keys: ["budget.capacity"]),
      Assumption(
        "Unused budget carries over", "up to \(NumberText.trimmed(NumberText.text(budget.carryOver))) days' worth",
        .assumed, "reported for one iOS build", keys: ["budget.carry_over"]),
      Assumption(
        "Budget accrues", budget.accrual == .awake ? "07:00 to 23:00" : "all day", .assumed,
        "WWDC21 10048: accumulated through the day"),
    ]
  }

  /// The settings of people, networks and providers that this scenario uses.
  static func surroundings(_ scenario: Scenario) -> [Assumption] {
    let trips = radios(of: scenario).map { $0.rawValue + " " + TimeText.span($0.roundTrip) }
    return [
      Assumption(
        "Round trip of a request", trips.joined(separator: ", "), .assumed, "typical of these networks, not measured"),
      Assumption(
        "Processor time of a refresh",
        scenario.kinds.map { $0.name + " " + TimeText.span($0.cpu) }.joined(separator: ", "), .assumed,
        "estimated from launch, parsing and archiving"),
      Assumption(
        "Timeout of a request",
        scenario.endpoints.map { $0.name + " " + TimeText.span($0.timeout) }.joined(separator: ", "), .assumed,
        "the value of the platform for an extension is not known"),
      Assumption(
        "Span over which a push is sent", spans(ofPushes: scenario).joined(separator: ", "), .assumed,
        "the sender's; none reaches many phones in one instant"),
    ].filter { !$0.value.isEmpty }
  }

  /// `news 0 s`, of each push that comes to all of its audience.
  private static func spans(ofPushes scenario: Scenario) -> [String] {
    scenario.events.compactMap { event in
      guard case .push(let push) = event.action else { return nil }
      if case .perDevicePerDay = event.timing { return nil }
      return event.name + " " + TimeText.span(push.over)
    }
  }

  static func text(_ distribution: Distribution<TimeAmount>) -> String { text(distribution, TimeText.span) }

  static func text<Value>(_ distribution: Distribution<Value>, _ text: (Value) -> String) -> String {
    switch distribution {
    case .constant(let value): text(value)
    case .uniform(let from, let to): "uniform, " + text(from) + " to " + text(to)
    case .exponential(let mean): "exponential, mean " + text(mean)
    case .normal(let mean, let deviation): "normal, mean " + text(mean) + ", sd " + text(deviation)
    case .lognormal(let median, let sigma): "lognormal, median " + text(median) + ", sigma " + NumberText.text(sigma)
    case .choice(let values):
      values.map { text($0.value) + " " + NumberText.percent($0.weight) }.joined(separator: ", ")
    }
  }

  private static func text(_ idle: Idle?) -> String {
    idle.map { "unused for " + TimeText.span($0.after) + ", for at most " + TimeText.span($0.giveUp) } ?? "never"
  }

  static func text(_ capacity: Budget.Capacity, cap: Double) -> String {
    let runs = { (capacity: RunMillionths) in NumberText.text(Double(capacity.count) / 1_000_000) }
    return switch capacity {
    case .views: "by views, at most " + NumberText.text(cap) + " a day"
    case .perDay(let count): runs(count) + " a day"
    case .range(let low, let high): runs(low) + " to " + runs(high) + " a day"
    case .drawn(let counts): Assumption.text(counts, runs) + " a day"
    }
  }
}
