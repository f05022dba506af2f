import Scenario
import SimulationKernel

/// A model setting that affects the results, together with the evidence for its default value.
struct Assumption {
  /// The strength of the evidence (MODEL.md, "Evidence marks").
  enum Evidence: String {
    case documented = "documented by Apple"
    case documentedInWords = "documented, but without a number"
    case measured = "measured by others"
    case assumed = "assumption"
  }

  var setting: String
  /// The setting's value in this scenario.
  var value: String
  var evidence: Evidence
  var source: String
  /// The key paths (under `os`) of the setting's constants, for which a profile may contain measured values.
  var keys: [String] = []

  init(_ setting: String, _ value: String, _ evidence: Evidence, _ source: String, keys: [String] = []) {
    (self.setting, self.value, self.evidence, self.source) = (setting, value, evidence, source)
    self.keys = keys
  }

  /// Returns whether a profile provides measured values for all constants of this setting.
  func isMeasured(_ scenario: Scenario) -> Bool {
    let measured = MeasuredText.inForce(scenario).map(\.constant.rawValue)
    return !keys.isEmpty && keys.allSatisfy(measured.contains)
  }

  /// Returns the settings of the system's scheduler for refreshes (MODEL.md 4).
  static func scheduler(_ os: OperatingSystem) -> [Assumption] {
    [
      Assumption(
        "Start delay of scheduled refreshes", text(os.startDelay.policy), .assumed,
        "Apple gives no distribution; a 900 s window was reported for one iOS build", keys: ["start_delay.policy"]),
      Assumption(
        "Start delay while the device is in use", text(os.startDelay.inUse), .assumed, "Apple gives no distribution",
        keys: ["start_delay.in_use"]),
      Assumption(
        "Start delay of refreshes requested in the background", text(os.startDelay.background), .assumed,
        "Apple gives no distribution", keys: ["start_delay.background"]),
      Assumption(
        "Minimum spacing", TimeText.span(os.minSpacing), .assumed,
        "Apple's 5 minutes apply to timeline entries", keys: ["min_spacing"]),
      Assumption(
        "Coalescing window for a device's refreshes", TimeText.span(os.coalescingWindow), .documentedInWords,
        "“Keeping a widget up to date”: WidgetKit may coalesce reloads", keys: ["coalescing_window"]),
      Assumption(
        "Wait before reloading an at-end timeline with one entry", TimeText.span(os.atEndGap), .assumed,
        "Apple: the system picks a time (WWDC21 10048)", keys: ["at_end_gap"]),
      Assumption(
        "Wait in Low Power Mode", "up to " + TimeText.span(os.lowPowerWait), .assumed, "no number is documented",
        keys: ["low_power_wait"]),
      Assumption(
        "Retry after a crash", TimeText.span(os.crashRetry), .measured, "steipete/CodexBar issues 3339 and 2838",
        keys: ["crash_retry"]),
      Assumption(
        "Refreshes withheld while the device is idle", text(os.idle), .documentedInWords,
        "WWDC21 10048: updates may be withheld on an unused device", keys: ["idle.after", "idle.give_up"]),
    ] + budget(os.budget)
  }

  private static func budget(_ budget: Budget) -> [Assumption] {
    guard budget.model != .off else {
      return [Assumption("Budget", "off", .documented, "WWDC25 278: developer mode")]
    }
    return [
      Assumption(
        "Widget budget", budget.model.rawValue + ", " + text(budget.capacity, cap: budget.cap), .documentedInWords,
        "“Keeping a widget up to date”: typically 40 to 70 refreshes a day; its dependence on views is assumed",
        keys: ["budget.capacity"]),
      Assumption(
        "Unused budget carries over", "up to \(NumberText.trimmed(NumberText.text(budget.carryOver))) days' worth",
        .assumed, "reported for one iOS build", keys: ["budget.carry_over"]),
      Assumption(
        "Budget accrues", budget.accrual == .awake ? "in the 16 hours outside each user's night" : "all day", .assumed,
        "WWDC21 10048: accumulated through the day"),
    ]
  }

  /// Returns the assumptions about users, networks and push providers that apply to this scenario.
  static func surroundings(_ scenario: Scenario) -> [Assumption] {
    let trips = radios(of: scenario).map { $0.rawValue + " " + TimeText.span($0.roundTrip) }
    return [
      Assumption(
        "Request round trip", trips.joined(separator: ", "), .assumed, "typical for these networks, not measured"),
      Assumption(
        "Processor time per refresh",
        scenario.kinds.map { $0.name + " " + TimeText.span($0.cpu) }.joined(separator: ", "), .assumed,
        "estimated from launch, parsing and archiving"),
      Assumption(
        "Request timeout",
        scenario.endpoints.map { $0.name + " " + TimeText.span($0.timeout) }.joined(separator: ", "), .assumed,
        "the platform's value for extensions is unknown"),
      Assumption(
        "Time over which a push is sent", spans(ofPushes: scenario).joined(separator: ", "), .assumed,
        "set by the sender; no push reaches many phones at once"),
    ].filter { !$0.value.isEmpty }
  }

  /// Returns phrases such as `news 0 s`, one for each push that reaches its whole audience.
  private static func spans(ofPushes scenario: Scenario) -> [String] {
    scenario.events.compactMap { event in
      guard case .push(let push) = event.action else { return nil }
      if case .perDevicePerDay = event.timing { return nil }
      return event.name + " " + TimeText.span(push.sendingTime(in: scenario))
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
    idle.map { "after " + TimeText.span($0.after) + " unused, for at most " + TimeText.span($0.giveUp) } ?? "never"
  }

  static func text(_ capacity: Budget.Capacity, cap: Double) -> String {
    let runs = { (capacity: RunMillionths) in NumberText.text(capacity.runs) }
    return switch capacity {
    case .views: "based on views, at most " + NumberText.text(cap) + " a day"
    case .perDay(let count): runs(count) + " a day"
    case .range(let low, let high): runs(low) + " to " + runs(high) + " a day"
    case .drawn(let counts): Assumption.text(counts, runs) + " a day"
    }
  }
}

/// Assumptions about phone users (MODEL.md 2).
extension Assumption {
  static func people(_ cohort: Cohort, _ app: App) -> [Assumption] {
    let person = cohort.person
    return [
      Assumption(
        "Unlocks per day", text(person.unlocksPerDay), .measured, "29 279 phones: about 60 a day (Hintze, IMWUT 2017)"),
      Assumption(
        "Session length", text(person.session), .measured,
        "1 960 phones: 57 a day, 123 s on average (Hintze, UbiComp 2014)"),
      Assumption(
        "Lock screen views per unlock", NumberText.text(person.glancesPerUnlock), .measured,
        "46 % of interactions include an unlock (Hintze, IMWUT 2017)"),
      Assumption(
        "Further home screen visits per session", NumberText.text(person.homeVisits), .assumed,
        "no published measurement"),
      Assumption(
        "Share of visits that continue to the next home screen page",
        NumberText.percent(person.nextPageFromFirst.fraction) + " from the first, "
          + NumberText.percent(person.nextPageFromLater.fraction) + " from later ones", .assumed,
        "no published measurement"),
      Assumption("Length of an app visit", text(app.foreground), .assumed, "no published measurement"),
    ]
  }

  /// Returns assumptions about how the system behaves while a phone is in use (MODEL.md 4.2, 4.4).
  static func views(_ os: OperatingSystem) -> [Assumption] {
    [
      Assumption(
        "Chance that viewing an overdue widget refreshes it",
        NumberText.percent(os.staleViewReloadRare.fraction) + " if rarely viewed, else "
          + NumberText.percent(os.staleViewReloadFrequent.fraction) + ", once it is " + TimeText.span(os.staleViewGrace)
          + " overdue", .documentedInWords, "WWDC21 10048: rarely viewed widgets may be refreshed when viewed",
        keys: ["stale_view_reload.rare", "stale_view_reload.frequent", "stale_view_grace"]),
      Assumption(
        "Latency of refreshes requested by the app in the foreground", text(os.foregroundLatency), .measured,
        "2, 26 and 27 s were observed", keys: ["foreground_latency"]),
      Assumption(
        "Minimum time between two requests in the foreground", TimeText.span(os.foregroundGap), .assumed,
        "no number is documented", keys: ["foreground_gap"]),
    ]
  }

  private static func text(_ distribution: Distribution<Double>) -> String {
    text(distribution) { NumberText.text($0) }
  }
}

/// Assumptions about radios, processors and batteries (MODEL.md 3.2, 7).
extension Assumption {
  static func energy(_ scenario: Scenario) -> [Assumption] {
    radios(of: scenario).flatMap(radio) + batteries(of: scenario)
  }

  /// Returns the radio profiles that the cohorts use. Built-in profiles come first, in table order, followed by those
  /// defined in the scenario.
  static func radios(of scenario: Scenario) -> [RadioProfile] {
    let used = scenario.fleet.cohorts.flatMap { cohort -> [RadioProfile] in
      switch cohort.network {
      case .fixed(let radio): [radio]
      case .roaming(let roaming): [.wifi, roaming.cellular]
      }
    }
    return (RadioProfile.allCases + scenario.radios).filter(used.contains)
  }

  private static func radio(_ profile: RadioProfile) -> [Assumption] {
    let name = "Radio " + profile.rawValue + ": "
    let evidence = profile.evidence
    let tails = zip(profile.tails, zip(evidence.tailLengths, evidence.tailPowers))
    return [
      Assumption(
        name + "promotion", text(profile.promotion), mark(evidence.promotionPower),
        sources([("length", evidence.promotionLength), ("power", evidence.promotionPower)])),
      Assumption(
        name + "active power, energy to receive and to send",
        UnitText.power(profile.active) + ", " + UnitText.perBit(profile.down) + " and " + UnitText.perBit(profile.up),
        mark(evidence.active),
        sources([("power", evidence.active), ("bits", evidence.perBit)])),
    ]
      + tails.map { tail, citations in
        Assumption(
          name + "tail", text(tail), mark(citations.1), sources([("length", citations.0), ("power", citations.1)]))
      }
  }

  /// Returns the evidence mark of a citation. A judgement is always marked as an assumption.
  private static func mark(_ citation: RadioEvidence.Citation) -> Evidence {
    switch citation.source {
    case .judged, .borrowed, .scenario: .assumed
    case .huang2012, .huang2012ConfirmedByATT, .narayanan2021Traces, .narayanan2021Table, .derived: .measured
    }
  }

  /// Returns the sources and evidence for several numbers, listing identical entries only once.
  private static func sources(_ citations: [(name: String, citation: RadioEvidence.Citation)]) -> String {
    let texts = citations.map { text($0.citation) }
    guard Set(texts).count > 1 else { return texts.first ?? "" }
    return zip(citations, texts).map { $0.name + ": " + $1 }.joined(separator: "; ")
  }

  private static func text(_ citation: RadioEvidence.Citation) -> String {
    if citation.source == .scenario { return text(citation.source) }
    return text(citation.source) + ", " + text(citation.confidence) + " confidence"
  }

  private static func text(_ source: RadioEvidence.Source) -> String {
    switch source {
    case .huang2012: "Huang et al., MobiSys 2012"
    case .huang2012ConfirmedByATT: "Huang et al., MobiSys 2012, confirmed by AT&T's VideoOptimizer"
    case .narayanan2021Traces: "Narayanan et al., SIGCOMM 2021, from the traces"
    case .narayanan2021Table: "Narayanan et al., SIGCOMM 2021, table 2"
    case .derived: "derived from published traces"
    case .borrowed: "borrowed from a similar network"
    case .judged: "our estimate, unpublished"
    case .scenario: "the scenario"
    }
  }

  private static func text(_ confidence: RadioEvidence.Confidence) -> String {
    switch confidence {
    case .high: "high"
    case .medium: "medium"
    case .low: "low"
    }
  }

  private static func text(_ spell: RadioSpell) -> String {
    TimeText.span(spell.length) + " at " + UnitText.power(spell.power)
  }

}

/// Assumptions about the phones' batteries (MODEL.md 7.4).
extension Assumption {
  /// Returns one assumption per source. Each covers those of the source's phone models that the scenario's cohorts use.
  static func batteries(of scenario: Scenario) -> [Assumption] {
    let used = Set(scenario.fleet.cohorts.flatMap { $0.phones.map(\.value) })
    let phones = (Phone.all + scenario.phones).filter { used.contains($0.name) }
    return phones.map(\.evidence).withoutRepetitions.map { source in
      let models = phones.filter { $0.evidence == source }
      return Assumption(
        models.count == 1 ? "Battery" : "Batteries",
        models.map { $0.name + " " + UnitText.wattHours($0.centiwattHours) }.joined(separator: ", "),
        source == .scenario ? .assumed : .measured, text(source))
    }
  }

  private static func text(_ evidence: PhoneEvidence) -> String {
    switch evidence {
    case .listed: "9to5mac.com, capacities by model, high confidence"
    case .disputed(let other):
      "9to5mac.com, capacities by model, medium confidence; other sources list " + UnitText.wattHours(other)
    case .recalled: "quoted from memory, low confidence"
    case .scenario: "the scenario"
    }
  }
}

/// Assumptions that are built into the model and cannot be changed by any scenario key.
extension Assumption {
  static let fixed = FixedAssumption.all.map { fixed in
    let texts = fixed.quantities.map(text)
    let parts = fixed.form.split(separator: "{}", omittingEmptySubsequences: false)
    let value = zip(parts, texts + [""]).map { $0 + $1 }.joined()
    return Assumption(fixed.name, value, mark(fixed.evidence), fixed.source + " (MODEL.md " + fixed.section + ")")
  }

  private static func mark(_ evidence: FixedAssumption.Evidence) -> Evidence {
    switch evidence {
    case .documented: .documented
    case .inWords: .documentedInWords
    case .measured: .measured
    case .assumed: .assumed
    }
  }

  private static func text(_ quantity: FixedAssumption.Quantity) -> String {
    switch quantity {
    case .span(let span): TimeText.span(span)
    case .time(let time): UnitText.clock(time)
    case .microwatts(let count): UnitText.power(Power(microwatts: Int64(count)))
    case .percent(let count): NumberText.percent(0.01 * Double(count))
    case .number(let number): NumberText.text(number)
    }
  }
}
