import Scenario
import ScenarioFiles
import Words

/// The values given to `init`, in the form used in scenario files; `nil` for values that are not given.
struct Question {
  /// A value that can be given; the cases are in the order of the help text.
  enum Part: String, CaseIterable {
    case name, devices, zones, after, at, jitter, size, cache, staleAfter, widgets, secondWidget, lockScreen, capacity
    case queue, baseLoad, busiest, push

    /// The option for the value, a valid sample that stands in for the value, and the key of the value.
    private var row: (option: Option, sample: String, key: String) {
      let (kind, api) = ("kinds.widget.", "backend.endpoints.api.")
      switch self {
      case .name: return (.scenarioName, "my-widget", "name")
      case .devices: return (.devices, "10k", "fleet.devices")
      case .zones: return (.zones, "Europe/Berlin=100%", "fleet.cohorts.0.zones")
      case .after: return (.after, "1h", kind + "reload.after")
      case .at: return (.at, "09:30", kind + "reload.after.at")
      case .jitter: return (.jitter, "10min", kind + "jitter.up_to")
      case .size: return (.size, "20kB", kind + "requests.0.down")
      case .cache: return (.cache, "30min", kind + "cache.ttl")
      case .staleAfter: return (.staleAfter, "3h", kind + "stale_after")
      case .widgets: return (.widgets, "1", "")
      case .secondWidget: return (.secondWidget, "30%", "share")
      case .lockScreen: return (.lockScreen, "20%", "share")
      case .capacity: return (.capacity, "500/s", api + "capacity")
      case .queue: return (.queue, "5k", api + "queue")
      case .baseLoad: return (.baseLoad, "100/s", api + "base_load.rate")
      case .busiest: return (.busiest, "20:00", api + "base_load.peak")
      case .push: return (.push, "18:00", "events.push.at")
      }
    }

    var option: Option { row.option }
    var sample: String { row.sample }
    fileprivate var key: String { row.key }

    /// The value that must be given together with this one; `nil` if there is none.
    var companion: Part? {
      switch self {
      case .queue: .capacity
      case .busiest: .baseLoad
      default: nil
      }
    }

    /// The values that can also be given for starter scenarios.
    static let ofStarters: [Part] = [.name, .devices]
    /// The values that can also be given for scenarios built from logs; the zones are those that phones may be in.
    static let ofLogs: [Part] = [.name, .zones]
  }

  private(set) var values: [Part: String] = [:]
  /// The number of widgets on the first page of every phone.
  private(set) var widgets = 1
  /// The default queue length for the given capacity; `nil` if no capacity is given.
  private(set) var usualQueue: String?

  /// The maximum number of widgets per phone.
  private static let maxWidgets = UInt64(20)

  /// - Throws: `Failure.usage` for errors found before any value is read.
  init(_ given: ArgumentValues, _ command: Command) throws(Failure) {
    guard command.action == .initialise else { return }
    for part in Part.allCases {
      guard let value = given.last(part.option) else { continue }
      guard value.printable == value, !value.isEmpty else {
        throw .usage("\(part.option.spelling) is empty or has invisible characters", command: command.name)
      }
      values[part] = value
    }
    if values[.after] != nil, values[.at] != nil {
      throw .usage(
        "a widget requests its next refresh after a time or at a time of day: give --after or --at",
        command: command.name)
    }
    for part in Part.allCases where values[part] != nil {
      guard let companion = part.companion, values[companion] == nil else { continue }
      throw .usage("\(part.option.spelling) needs \(companion.option.spelling)", command: command.name)
    }
    if let count = try Settings.number(
      values[.widgets], Option.widgets.spelling, command, 1...Self.maxWidgets)
    {
      widgets = Int(count)
    }
    try refuseBesideLogs(given, command)
    if let starter = given.operands.first { try refuseBeside(starter, command) }
  }

  /// Rejects values that a log determines, and options for reading logs without a log.
  private func refuseBesideLogs(_ given: ArgumentValues, _ command: Command) throws(Failure) {
    guard let log = given.last(.fromLog) else {
      guard let option = Command.reading.first(where: given.has) else { return }
      throw .usage(
        "\(option.spelling) needs \(Option.fromLog.spelling)", command: command.name, hint: "--from-log access.log")
    }
    let names =
      given.operands.map { "'\($0.printable)'" }
      + Part.allCases.filter { values[$0] != nil && !Part.ofLogs.contains($0) }.map(\.option.spelling)
    guard names.isEmpty else {
      throw .usage(
        "--from-log takes only \(Part.ofLogs.map(\.option.spelling).joined(separator: " and ")), not "
          + names.joined(separator: ", "), command: command.name,
        hint: "write the scenario without it and change the file")
    }
    guard log != "-" else {
      throw .usage(
        "--from-log reads the log twice, so it cannot be standard input", command: command.name,
        hint: "--from-log access.log")
    }
  }

  /// Rejects values that would change the structure of a starter scenario.
  private func refuseBeside(_ starter: String, _ command: Command) throws(Failure) {
    let parts = Part.allCases.filter { values[$0] != nil }
    guard !parts.allSatisfy(Part.ofStarters.contains) else { return }
    let names = parts.filter { !Part.ofStarters.contains($0) }.map(\.option.spelling)
    let samples = parts.map { $0.option.spelling + " " + $0.sample }
    let hint =
      starter == Starter.plan
      ? "write the plan without it and change the file; capacity, for example, is capacity: {api: "
        + (values[.capacity] ?? Part.capacity.sample) + "}"
      : "write widgetfleet init \(samples.joined(separator: " ")), without '\(starter)'"
    throw .usage(
      "'init \(starter)' takes only \(Part.ofStarters.map(\.option.spelling).joined(separator: " and ")), not "
        + names.joined(separator: ", "), command: command.name,
      hint: hint)
  }

  /// Creates a question with sample values for the parts given in another question.
  private init(sampleOf question: Question) {
    self = question
    values = question.values.reduce(into: [:]) { $0[$1.key] = $1.key.sample }
  }

  var isEmpty: Bool { values.isEmpty }

  /// Returns the text of the scenario; each value is validated in the same way as a value in a file.
  ///
  /// - Throws: `Failure.invalidScenario` with a list of problems, each of which names the corresponding option.
  func scenarioText() throws(Failure) -> String {
    var question = self
    if values[.queue] == nil, let capacity = try meant().endpoints[0].capacity {
      question.usualQueue = QuantityText.roundedCount(Self.secondsOfQueue * capacity)
    }
    var meant = try question.meant()
    let text = QuestionText(question: question).text
    guard let written = ScenarioReader.read(text: Array(text.utf8), fileName: "init").scenario else {
      throw .usage("a value cannot be written to a file as is: write it as in a scenario file", command: "init")
    }
    meant.goals = written.goals
    guard written == meant else {
      throw .usage("a value has a different meaning in a file: write it as in a scenario file", command: "init")
    }
    return text
  }

  /// The default length of the queue in seconds, which is half of the timeout.
  ///
  /// A request that waits longer than the timeout is lost, and so are all requests queued behind it (MODEL.md 8,
  /// findings).
  private static let secondsOfQueue = 15.0

  /// Returns the scenario obtained by applying the values to a valid sample text.
  private func meant() throws(Failure) -> Scenario {
    let sample = QuestionText(question: Question(sampleOf: self)).text
    let read = ScenarioReader.read(text: Array(sample.utf8), fileName: "init", settings: arguments)
    guard let scenario = read.scenario else { throw .invalidScenario(problems: read.diagnostics.humanText) }
    return scenario
  }

  /// The values as settings to apply to the sample text.
  private var arguments: [SetArgument] {
    Part.allCases.flatMap { part -> [SetArgument] in
      guard let value = values[part] else { return [] }
      return settings(part, value).map { SetArgument($0, option: part.option.spelling) }
    }
  }

  private func settings(_ part: Part, _ value: String) -> [String] {
    let share = { (place: Int) in "fleet.cohorts.0.widgets.\(place).\(part.key)=" + value }
    switch part {
    case .widgets: return []
    case .secondWidget: return [share(widgets)]
    case .lockScreen: return [share(widgets + (values[.secondWidget] == nil ? 0 : 1))]
    case .zones:
      let zones = [part.key + "=" + Self.mapping(value)]
      let others = [(Part.baseLoad, "backend.endpoints.api.base_load.zone="), (.push, "events.push.zone=")]
      return zones + others.filter { values[$0.0] != nil }.map { $0.1 + zone }
    case .at, .busiest, .push: return ["\(part.key)=\"\(value)\""]
    default: return [part.key + "=" + value]
    }
  }

  /// The time zone of most phones.
  var zone: String {
    let shares = (values[.zones] ?? Part.zones.sample).split(separator: ",").map { part -> (String, Double) in
      let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
      return (pair.first ?? "", pair.last.flatMap { Double($0.replacing("%", with: "")) } ?? 0)
    }
    let maximum = shares.map(\.1).max() ?? 0
    return shares.first { $0.1 == maximum }?.0 ?? ""
  }

  /// Converts time zones such as `Europe/Berlin=60%,Asia/Tokyo=40%` to a mapping for a file. A single zone needs no
  /// share.
  static func mapping(_ zones: String) -> String {
    let parts = zones.split(separator: ",", omittingEmptySubsequences: false).map { part in
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      return pair.count == 2 ? "\(pair[0]): \(pair[1])" : pair[0]
    }
    return "{" + (parts.count == 1 && !zones.contains("=") ? "\(zones): 100%" : parts.joined(separator: ", ")) + "}"
  }
}

extension Question {
  /// Returns a starter scenario with the requested name and number of phones. Its limits are scaled in proportion to
  /// the number of phones.
  ///
  /// - Throws: `Failure.invalidScenario` with a list of problems, each of which names the corresponding option.
  func text(of starter: Starter) throws(Failure) -> String {
    guard !isEmpty else { return starter.text }
    let file = Array(starter.text.utf8)
    let asked = Part.ofStarters.compactMap { part in
      values[part].map { SetArgument(part.key + "=" + $0, option: part.option.spelling) }
    }
    let read = ScenarioReader.read(text: file, fileName: "init", settings: asked)
    guard let scenario = read.scenario, let own = ScenarioReader.read(text: file, fileName: "init").scenario else {
      throw .invalidScenario(problems: read.diagnostics.humanText)
    }
    let factor = Double(scenario.fleet.devices) / Double(own.fleet.devices)
    let limits = factor == 1 ? [] : Self.limits(of: own, times: factor)
    guard let text = SettingText.text(of: file, with: asked + limits.map { SetArgument($0) }) else {
      throw .usage("a value cannot be written to a file as is: write it as in a scenario file", command: "init")
    }
    let options = Part.ofStarters.compactMap { part in values[part].map { "\(part.option.spelling) \($0)" } }
    let grown = limits.isEmpty ? "" : ": capacities, queues and goals in requests/s were scaled with the phones"
    let head = "# Written by: widgetfleet init \(starter.rawValue) \(options.joined(separator: " "))\(grown).\n"
    return head + String(decoding: text, as: UTF8.self)
  }
}

extension Question {
  /// Returns the starter plan with the requested name and number of phones.
  ///
  /// - Throws: `Failure.usage` if a value is invalid in a plan.
  func planText() throws(Failure) -> String {
    let starter = Words.text(Starter.plan + ".yaml") + "\n"
    let lines = starter.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      if let name = values[.name], line.hasPrefix("name: ") { return "name: \(name)" }
      guard let devices = values[.devices], line.hasPrefix("  devices: ") else { return String(line) }
      let text = "  devices: \(devices)"
      return text + String(repeating: " ", count: max(2, 43 - text.count)) + line.drop { $0 != "#" }
    }
    let text = lines.joined(separator: "\n")
    let read = PlanReader.read(text: Array(text.utf8), fileName: "init plan")
    if read.plan == nil { throw .invalidScenario(problems: read.diagnostics.humanText) }
    return text
  }

  /// Returns settings that multiply capacities, queues and load goals by a factor, for a fleet scaled by the same
  /// factor.
  fileprivate static func limits(of scenario: Scenario, times factor: Double) -> [String] {
    let ofEndpoints = scenario.endpoints.flatMap { endpoint -> [String] in
      let path = "backend.endpoints.\(endpoint.name)."
      return [
        endpoint.capacity.map { "\(path)capacity=\(QuantityText.roundedCount($0 * factor))/s" },
        endpoint.queue.map { "\(path)queue=\(QuantityText.roundedCount(Double($0) * factor))" },
      ].compactMap { $0 }
    }
    let ofGoals = scenario.goals.compactMap { goal -> String? in
      guard goal.figure.unit == .requestsPerSecond, case .value(let limit) = goal.limit else { return nil }
      let text =
        goal.figure.text + " " + goal.comparison.rawValue + " "
        + QuantityText.roundedCount(limit * factor) + "/s"
      return "goals.\(goal.id).assert='\(text)'"
    }
    return ofEndpoints + ofGoals
  }
}

extension QuantityText {
  /// Formats a count, rounded up to two significant digits but at least 1; for example, 37 500 becomes 38k.
  fileprivate static func roundedCount(_ count: Double) -> String {
    var step = 1
    while Double(step) * 100 <= count { step *= 10 }
    let rounded = max(1, Int((count / Double(step)).rounded(.up)) * step)
    for (size, letter) in [(1_000_000, "M"), (1_000, "k")] where rounded >= size {
      let tenths = rounded / (size / 10)
      return String(tenths / 10) + (tenths % 10 == 0 ? "" : ".\(tenths % 10)") + letter
    }
    return String(rounded)
  }
}
