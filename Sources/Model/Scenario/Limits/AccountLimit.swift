import SimulationKernel

/// A limit on one of a simulation's counts; the limits follow from the integer widths in MODEL.md 10.
package enum AccountLimit: CaseIterable, Sendable {
  case eventsOfAPhone, events, requestsOfAPhone, requestsInAMinute, requests, bytes, energy, time

  package var maximum: Double {
    switch self {
    case .eventsOfAPhone: 1e7
    case .events: 1e13
    case .requestsOfAPhone: Double(1 << 32) / Self.busiest
    case .requestsInAMinute: Double(1 << 32)
    case .requests: 1e15
    case .bytes, .energy: Double(UInt64(1) << 62) / Self.busiest
    case .time: Double(UInt64(1) << 62)
    }
  }

  /// The maximum ratio of a busy phone's activity to its cohort's mean, which allows for differences between users.
  static let busiest = 20.0
  /// The number of events above which a run-time warning is shown; simulating them takes minutes on one processor.
  static let longWork = 1e10
}

/// A count that exceeds a limit; it is computed from several numbers in the scenario.
package struct AccountExcess: Hashable, Sendable {
  package var limit: AccountLimit
  package var cause: AccountCause
  /// The sentence for the user, with names as in the file, which must be escaped before display.
  package var sentence: String
}

/// The main cause of a count that exceeds its limit.
package struct AccountCause: Hashable, Sendable {
  /// The key path of the cause, in the form used by `Lint`.
  package var path: [String]
  package var note: String
  package var help: String
  /// The change that fixes the problem; `nil` if changing a single value is not enough.
  package var repair: Lint.Repair?
}

/// The worst-case counts of a scenario, which are compared with the limits.
struct AccountSurvey {
  private static let shortWork = 1e9

  private let scenario: Scenario
  private let phones: [PhoneDay]
  /// The number of days in the measured period, and the number including the settle time and the warm-up.
  private let days: Double
  private let lifelong: Double

  init(of scenario: Scenario) {
    self.scenario = scenario
    phones = scenario.fleet.cohorts.indices.map { PhoneDay($0, of: scenario) }
    days = scenario.clock.duration.seconds / 86_400
    lifelong = days + (scenario.clock.settle + scenario.clock.warmup).seconds / 86_400
  }

  /// The limits that are exceeded, with the most informative one first.
  var excesses: [AccountExcess] {
    AccountLimit.allCases.compactMap { limit in
      let worst = worst(limit)
      guard worst.count > limit.maximum, let phone = worst.phone else { return nil }
      return AccountExcess(
        limit: limit, cause: cause(limit, phone),
        sentence: "\(sentence(limit, worst.count, phone)); at most \(LintText.large(limit.maximum)) can be counted")
    }
  }

  /// The number of events of all phones in all replications.
  var work: Double {
    let once = phones.reduce(0) { $0 + $1.simulated * lifelong * $1.events }
    return once * Double(scenario.run.replications)
  }

  /// The number of requests from the simulated phones in the measured period.
  var requests: Double { phones.reduce(0) { $0 + $1.simulated * $1.requests * days } }

  /// The number of events of one phone in the busiest cohort during the whole simulation.
  var lifelongEvents: Double { busiest(\.events).count * lifelong }

  /// The cause of a long simulation: either a phone with too much activity or the number of phones.
  var costliest: AccountCause? {
    guard let phone = busiest({ $0.simulated * $0.events }).phone else { return nil }
    return cause(phone.events > 1e5 ? .eventsOfAPhone : .events, phone)
  }

  /// Returns the maximum of a per-phone amount over all cohorts, with the phone of the cohort that has the maximum.
  private func busiest(_ amount: (PhoneDay) -> Double) -> (count: Double, phone: PhoneDay?) {
    let maximum = phones.max { amount($0) < amount($1) }
    return (maximum.map(amount) ?? 0, maximum)
  }

  private func total(_ amount: (PhoneDay) -> Double) -> (count: Double, phone: PhoneDay?) {
    (phones.reduce(0) { $0 + amount($1) }, busiest(amount).phone)
  }

  private func worst(_ limit: AccountLimit) -> (count: Double, phone: PhoneDay?) {
    let scale = Double(scenario.fleet.devices) / Double(scenario.devicesSimulated)
    switch limit {
    case .eventsOfAPhone: return busiest(\.events)
    case .events: return (work, busiest { $0.simulated * $0.events }.phone)
    case .requestsOfAPhone: return busiest { $0.requests * days }
    case .requestsInAMinute: return total { $0.simulated * max($0.requestsAtOnce, $0.requests / 144) }
    case .requests: return total { $0.simulated * scale * $0.requests * days }
    case .bytes: return total { max($0.simulated, 1) * $0.bytes * days }
    case .energy: return busiest { $0.energy * lifelong }
    case .time: return total { $0.simulated * $0.instances.reduce(0, +) * days * 86_400_000 }
    }
  }

  // MARK: Sentences

  private func sentence(_ limit: AccountLimit, _ count: Double, _ phone: PhoneDay) -> String {
    let number = LintText.large(count)
    let whose = "in cohort \(phone.cohort.name.inQuotes)"
    let period = LintText.span(scenario.clock.duration)
    switch limit {
    case .eventsOfAPhone: return "a phone \(whose) has about \(number) events a day"
    case .events: return "the simulation has about \(number) events, which would take days"
    case .requestsOfAPhone: return "a phone \(whose) may send \(number) requests in \(period)"
    case .requestsInAMinute: return "the simulated phones may send \(number) requests in one minute"
    case .requests: return "the fleet may send \(number) requests in \(period)"
    case .bytes: return "the simulated phones may send and receive \(number) bytes in \(period)"
    case .energy: return "the runs of a phone \(whose) may use \(number) nJ of radio energy"
    case .time: return "the simulated widgets live for \(number) ms in total"
    }
  }

  private func cause(_ limit: AccountLimit, _ phone: PhoneDay) -> AccountCause {
    switch limit {
    case .eventsOfAPhone: return activity(phone) { 4 + $0.maxRequests }
    case .events, .time, .requestsInAMinute: return size(limit)
    case .requestsOfAPhone, .requests: return activity(phone) { $0.maxRequests }
    case .bytes: return activity(phone, byBytes: true) { $0.maxBytes }
    case .energy: return activity(phone, byBytes: true, phone.energy)
    }
  }

  /// Returns the cause if a limit is exceeded because there are too many phones.
  private func size(_ limit: AccountLimit) -> AccountCause {
    let simulated = Double(scenario.devicesSimulated)
    let count = worst(limit).count
    // If the problem is the run time, the suggested number of phones can be simulated within minutes.
    let fits = simulated * (count > limit.maximum ? limit.maximum : Self.shortWork) / max(count, 1)
    let path = scenario.run.simulate.count == nil ? ["fleet", "devices"] : ["run", "simulate"]
    let note = "\(LintText.number(simulated)) phones simulated"
    guard fits >= 1 else {
      return AccountCause(path: path, note: note, help: "even one phone is too many: its widgets run or send too often")
    }
    return AccountCause(
      path: path, note: note, help: "counts are scaled to the fleet",
      repair: Lint.Repair(path: "run.simulate", value: LintText.plain(fits)))
  }

  /// Returns the cause if a limit is exceeded because each phone has too many runs or too many requests per run.
  private func activity(
    _ phone: PhoneDay, byBytes: Bool = false, _ perRun: (Kind) -> Double
  ) -> AccountCause {
    guard let source = phone.decisive(perRun), perRun(scenario.kinds[source.kind]) * source.runs > phone.looks.count
    else {
      return AccountCause(
        path: phone.looks.path, note: "\(LintText.large(phone.looks.count)) views a day",
        help: "let users look less often")
    }
    let kind = scenario.kinds[source.kind]
    let runs = "\(LintText.large(source.runs)) runs a day"
    guard
      kind.maxRequests > max(source.runs / max(phone.instances[source.kind], 1), 16) || byBytes && kind.maxBytes > 1e9
    else {
      return AccountCause(
        path: source.path, note: runs, help: "let the widgets of kind \(kind.name.inQuotes) run less often")
    }
    return AccountCause(
      path: ["kinds", kind.name, "requests"],
      note:
        "\(LintText.number(kind.maxRequests)) requests of \(LintText.large(kind.maxBytes)) bytes in a run, \(runs)",
      help: "send fewer or smaller requests, or use fewer attempts"
    )
  }
}

extension Scenario {
  /// The limits that the scenario exceeds; empty if the scenario can be simulated.
  package var excesses: [AccountExcess] { AccountSurvey(of: self).excesses }

  /// The maximum number of requests in a replication if there are no cache hits and every request uses all attempts.
  package var maxRequestsSimulated: Double { AccountSurvey(of: self).requests }

  /// The maximum number of events of a phone in the busiest cohort, as text; `nil` if simulating them is quick.
  package var longLife: String? {
    let events = AccountSurvey(of: self).lifelongEvents
    return events > 2e6 ? LintText.large(events) : nil
  }
}

extension FleetSurvey {
  /// Lints about a long simulation, which report the cause before the simulation starts.
  var workLints: [Lint] {
    let survey = AccountSurvey(of: scenario)
    guard survey.work > AccountLimit.longWork, let cause = survey.costliest else { return [] }
    // A processor handles several million events per second.
    let minutes = survey.work / 3e6 / 60
    let span = LintText.span(
      seconds: minutes < 100 ? (minutes / 5).rounded(.up) * 300 : (minutes / 60).rounded(.up) * 3_600)
    return [
      Lint(
        .longWork, at: cause.path,
        "about \(LintText.large(survey.work)) events must be simulated, which may take up to \(span) on one processor",
        note: cause.note, help: cause.help, numbers: ["events": (survey.work, "1")],
        repairs: [cause.repair].compactMap { $0 })
    ]
  }
}
