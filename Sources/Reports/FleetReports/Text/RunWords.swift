package import Scenario
import SimulationKernel
package import Studies

/// Text about the number of simulated phones, for runs in which not all phones were simulated.
package enum SampleWords {
  /// The advice for figures that the sample does not resolve.
  static let more = "simulate more devices (run.simulate)"
  /// The note on intervals that are too wide.
  static let tooSmall = "The sample is too small for a closer estimate."

  /// Returns text such as `; 130 000 of 3 000 000 phones were simulated (--full: all)`, which follows a verdict. The
  /// text is empty if all phones were simulated.
  static func afterVerdict(_ scenario: Scenario) -> String {
    guard scenario.devicesSimulated < scenario.fleet.devices else { return "" }
    let isFirstLook = scenario.run.simulate == .quick
    return isFirstLook
      ? "a first look at \(phones(scenario)) (--full simulates all)"
      : "\(phones(scenario)) were simulated\(scenario.run.settledDevices == nil ? "" : ", enough for this verdict") "
        + "(--full: all)"
  }

  /// Returns text such as `950 000 of 3 000 000 phones are simulated (--full: all)`, which is shown before a study. The
  /// text is empty if all phones are simulated, or if the scenario sets the number.
  package static func note(_ scenario: Scenario) -> String {
    scenario.hasChosenSample ? note(scenario.devicesSimulated, of: scenario) : ""
  }

  /// Returns text such as `120 000 of 3 000 000 phones are simulated (--full: all)`, which is shown before a search.
  /// The text is empty if all phones are simulated, or if the scenario sets the number.
  package static func note(_ scenario: Scenario, searching effort: CapacityEffort) -> String {
    let isOpen = scenario.run.simulate.count == nil && effort.devices < scenario.fleet.devices
    return isOpen ? note(effort.devices, of: scenario) : ""
  }

  private static func note(_ devices: Int, of scenario: Scenario) -> String {
    "\(NumberText.whole(Double(devices))) of \(NumberText.whole(Double(scenario.fleet.devices))) phones are simulated "
      + "(--full: all)\n"
  }

  private static func phones(_ scenario: Scenario) -> String {
    NumberText.whole(Double(scenario.devicesSimulated)) + " of " + NumberText.whole(Double(scenario.fleet.devices))
      + " phones"
  }
}

/// Text about the constants of a profile.
enum MeasuredText {
  /// Returns the profile's constants that are not overridden by a key under `os`.
  static func inForce(_ scenario: Scenario) -> [MeasuredConstant] {
    (scenario.profile?.constants ?? []).filter { !scenario.givenConstants.contains($0.constant) }
  }

  /// Returns a phrase such as `profile ios-lab: os.min_spacing 5 min (lab, n = 610, 5 phones)`; empty if no profile is
  /// used.
  static func sentence(_ scenario: Scenario) -> String {
    let measured = inForce(scenario)
    guard let profile = scenario.profile, !measured.isEmpty else { return "" }
    let parts = measured.map { constant in
      "os.\(constant.constant.rawValue) \(value(constant.constant, profile.values)) (\(basis(constant)))"
    }
    return "measured by the profile \(profile.name): " + parts.joined(separator: "; ")
  }

  /// Returns the basis of a measured constant, such as `lab, n = 610, 5 phones`.
  static func basis(_ constant: MeasuredConstant) -> String {
    let number = "n = " + NumberText.whole(Double(constant.observations))
    let phones = constant.phones.map { $0 == 1 ? "1 phone" : NumberText.whole(Double($0)) + " phones" }
    return [constant.method.rawValue, number, phones].compactMap { $0 }.joined(separator: ", ")
  }

  /// Returns the value of a system constant as text.
  static func value(_ constant: BracketConstant, _ system: OperatingSystem) -> String {
    switch system.value(of: constant) {
    case let span as TimeAmount: TimeText.span(span)
    case let spans as Distribution<TimeAmount>: Assumption.text(spans)
    case let share as Share: NumberText.percent(share.fraction)
    case let number as Double: NumberText.text(number)
    case let count as Int: NumberText.whole(Double(count))
    default: Assumption.text(system.budget.capacity, cap: system.budget.cap)
    }
  }
}

/// A warning that requests time out because no `queue` is set, so all of them wait for capacity (Docs/GOALS.md, the
/// verdict of a run).
enum DefaultQueueWords {
  /// Returns clauses such as `93 % of the requests fail, most of them by timeout: no queue is set, ...`. The clauses
  /// are empty if few requests fail or a queue is set.
  ///
  /// - Parameter figure: the figure that the preceding sentence is about.
  static func clauses(_ report: ReportContent, after figure: FigureName) -> [String] {
    let scenario = report.run.scenario
    let endpoints = Overload.endpoints(of: scenario).filter { scenario.endpoints[$0].queue == nil }
    return endpoints.map { endpoint in
      let ends = [nil, Preset.prompt, .lazy]
      guard let end = ends.first(where: { failing(report.summary, scenario, endpoint, under: $0) != nil }) else {
        return ""
      }
      return clause(failing(report.summary, scenario, endpoint, under: end) ?? 0, scenario, endpoint, end, figure)
    }
  }

  private static func clause(
    _ share: Double, _ scenario: Scenario, _ endpoint: Int, _ end: Preset?, _ figure: FigureName
  ) -> String {
    let name = scenario.endpoints[endpoint].name
    let requests = scenario.endpoints.count > 1 ? "requests to \(name)" : "requests"
    let reason = "time out, because \(scenario.endpoints[endpoint].wordsWithoutQueue)"
    // The failure rate under a preset is shown together with the preset's load.
    if let end { return "most \(requests) that fail under \(end.rawValue) \(reason)" }
    if figure.metric == .failures { return "most \(requests) that fail \(reason)" }
    return "\(NumberText.percent(share)) of the \(requests) fail, and most of them \(reason)"
  }

  /// Returns the share of an endpoint's requests that fail in the scenario itself or under a preset. Returns `nil` if
  /// few requests fail, or if most of them fail for a reason other than timeouts.
  private static func failing(_ summary: Summary, _ scenario: Scenario, _ endpoint: Int, under end: Preset?) -> Double?
  {
    let labels = Labels().with(\.endpoint, scenario.endpoints[endpoint].name)
    let value = { (statistic: Statistic, reason: String) -> Double? in
      let row = summary.figure(FigureName(.failures, statistic, labels.with(\.reason, reason)))
      return (end.map { row?.under($0) } ?? row)?.value?.approximate
    }
    guard let share = value(.share, ""), share >= RunFinding.minFailures, let all = value(.total, ""),
      let timeouts = value(.total, FailureReason.timeout.name)
    else { return nil }
    return timeouts > (all - (value(.total, FailureReason.offline.name) ?? 0)) / 2 ? share : nil
  }
}

/// Text about the load offered to the servers, as opposed to the load that they serve (MODEL.md 8, offered load).
struct OfferedText {
  let report: ReportContent

  /// Returns clauses such as `the servers would get up to 1 665 (119 %) if every request were answered` and `plan for
  /// at least 1 665 requests/s`. There are no clauses unless the load exceeds its limit in the scenario or under a
  /// preset.
  func clauses(_ check: RunCheck, share: (_ value: Double, _ limit: Double) -> String) -> [String] {
    let result = check.result
    guard check.isLoad, result.goal.figure.metric == .serverPeakRPS, let limit = result.limit, let load = result.value,
      let row = row(result.goal.figure.labels), let offered = row.value,
      [load, result.prompt, result.lazy].contains(where: { ($0?.approximate ?? 0) > limit })
    else { return [] }
    let value = offered.approximate
    let upTo = "the servers would get up to \(NumberText.text(value)) (\(share(value, limit)))"
    // If the verdict depends on an assumption, the clause about the assumption already contains the load to plan for.
    let needed = AssumedText(result).reach.isEmpty ? plan(row, above: limit, for: result.goal) : ""
    return [offered == load ? "" : upTo + " if every request were answered", needed]
  }

  /// Returns a clause such as `plan for at least 1 700 requests/s (the upper end of the 95 % interval), 1 900 under
  /// prompt`.
  ///
  /// - Parameters:
  ///   - limit: the current limit; plans that do not exceed it are not mentioned.
  ///   - goal: the goal, whose limit may be a share of the capacity to plan for.
  func plan(_ row: SummaryRow, above limit: Double = 0, for goal: Goal? = nil) -> String {
    let part = if case .share(let share, ofCapacity: _)? = goal?.limit, share > 0 { share } else { 1.0 }
    guard let value = row.value?.approximate else { return "" }
    let upper = row.estimatedInterval?.high ?? value
    let worst = [(Preset.prompt, row.prompt), (.lazy, row.lazy)].compactMap { preset, value in
      value.map { (preset: preset, value: $0.approximate) }
    }.filter { $0.value > 1.01 * value && $0.value > limit }.max { $0.value < $1.value }
    let end = worst.map { "\(NumberText.text($0.value / part)) under \($0.preset.rawValue)" }
    guard upper > limit else { return end.map { "plan for at least \($0)" } ?? "" }
    return "plan for at least \(NumberText.text(upper / part)) requests/s"
      + (row.estimatedInterval == nil ? "" : " (the upper end of the 95\u{A0}% interval)")
      + (end.map { ", " + $0 } ?? "")
  }

  /// Returns the row of the offered peak with these labels, if the servers have any limits.
  func row(_ labels: Labels) -> SummaryRow? { report.summary.row(.offeredPeakRPS, .max, labels) }

  /// Returns the offered peak of one endpoint, or of all endpoints, if it is needed for planning. It is needed if the
  /// servers exceed their capacity or would receive at least 1 % more requests, in the scenario or under a preset.
  func different(endpoint: Int?, _ window: LoadWindow?) -> SummaryRow? {
    let name = report.run.scenario.endpointName(endpoint)
    let labels = Labels().with(\.endpoint, name).with(\.window, window?.name ?? "")
    guard let row = row(labels), let value = row.value,
      let load = report.summary.figure(FigureName(.serverPeakRPS, .max, labels))
    else { return nil }
    let isHigher = zip([value, row.prompt, row.lazy], [load.value, load.prompt, load.lazy]).contains { offered, load in
      (offered?.approximate ?? 0) > 1.01 * (load?.approximate ?? .infinity)
    }
    let isOther = value != load.value || row.prompt != load.prompt || row.lazy != load.lazy
    return isHigher || isOther && isOverloaded(endpoint: endpoint) ? row : nil
  }

  /// Returns whether an endpoint exceeds its capacity in the scenario or under a preset. If no endpoint is given, all
  /// endpoints are checked.
  func isOverloaded(endpoint: Int?) -> Bool {
    let labels = Labels().with(\.endpoint, report.run.scenario.endpointName(endpoint))
    let row = report.summary.row(.overloadSeconds, .total, labels)
    return [row?.value, row?.prompt, row?.lazy].contains { ($0?.approximate ?? 0) > 0 }
  }
}

/// The time by which most phones have shown the data of a push event (MODEL.md 8.4).
struct SeenText {
  let event: Event
  private let report: ReportContent

  /// Returns the text for each push event with a start time in a report.
  static func all(_ report: ReportContent) -> [SeenText] {
    report.run.scenario.events.filter(\.isStartedPush).map { SeenText(event: $0, report: report) }
  }

  private init(event: Event, report: ReportContent) {
    self.event = event
    self.report = report
  }

  var labels: Labels { Labels().with(\.event, event.name) }

  /// The time from the start of the event until 90 % of the phones have shown its data; `nil` if the event reached no
  /// phone.
  var maximum: SummaryRow? {
    share == nil ? nil : report.summary.row(.eventToView, .p90, labels)
  }

  /// The share of phones that have shown the data of the event by the time the clock ends.
  private var share: Double? { report.summary.value(.eventToView, .share, labels) }

  /// A sentence such as `90 % of the phones have seen 'news' by 22:15 in Berlin, 45 min after its start.`; empty if the
  /// event reached no phone.
  var sentence: String {
    guard let maximum, let share else { return "" }
    guard let seconds = maximum.value?.approximate, let time = time(after: seconds) else {
      return "Fewer than 90\u{A0}% of the phones see '\(event.name)' within the measured period: "
        + "\(NumberText.percent(share))."
    }
    return "90\u{A0}% of the phones have seen '\(event.name)' by \(time), \(TimeText.seconds(seconds)) after its start"
      + BracketText.hull(maximum, TimeText.seconds) + "."
  }

  /// Returns the local time in the fleet's zone a given number of seconds after the start of the event, such as `22:15
  /// in Berlin`. The time is rounded up to a minute.
  func time(after seconds: Double) -> String? {
    let span = TimeAmount.milliseconds(Int64((seconds * 1_000).rounded()))
    switch event.timing {
    case .once(let instant):
      let clock = report.run.scenario.clock
      let unix = wholeMinute(clock.startUnixMilliseconds + (instant + span).millisecondsSinceStart)
      return FleetZone.inProse(
        Instant(millisecondsSinceStart: unix - clock.startUnixMilliseconds), report.zones, clock)
    case .daily(let time, let zone):
      let minutes = wholeMinute((time.sinceMidnight + span).milliseconds) / 60_000
      let shown = TimeText.clock(hour: Double(minutes % 1_440) / 60)
      return shown + place(zone) + (minutes >= 1_440 ? " the next day" : "")
    case .perDevicePerDay: return nil
    }
  }

  /// Returns the first whole minute that does not precede a given time in milliseconds.
  private func wholeMinute(_ milliseconds: Int64) -> Int64 { -(-milliseconds).floorDivided(by: 60_000) * 60_000 }

  private func place(_ zone: ZoneChoice) -> String {
    switch zone {
    case .local: " local time"
    case .named("UTC"): "\u{A0}UTC"
    case .named(let name): " in " + FleetZone.city(of: name)
    }
  }
}
