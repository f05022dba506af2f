import RequestLogs
import Scenario
import ScenarioFiles

/// How `logs`, `calibrate` and `backtest` read access logs.
struct LogSettings {
  private let values: ArgumentValues
  private let command: Command
  /// Days of the log, counted from 1; nil: all.
  let days: ClosedRange<Int>?
  /// The share of all requests that the log holds.
  let sampled: Double
  /// After this a fit by simulation ends with what it has.
  let longestFit: Duration
  /// nil: of another command, or no training days were named.
  let backtest: BacktestSettings?

  private static let usualMinutes = 10.0

  init(_ values: ArgumentValues, _ command: Command) throws(Failure) {
    self.values = values
    self.command = command
    days = try values.last(.days).map { text throws(Failure) in
      guard let days = DayRange(text), let last = days.last else {
        throw .usage("--days is a range such as 1-7, not '\(text.printable)'", command: command.name)
      }
      return days.first...last
    }
    backtest = try BacktestSettings(values, command)
    let minutes = try values.last(.maxMinutes).map { text throws(Failure) in
      guard let minutes = Double(text), minutes > 0, minutes <= 1e6 else {
        throw .usage("--max-minutes is a number of minutes, not '\(text.printable)'", command: command.name)
      }
      return minutes
    }
    longestFit = .seconds(60 * (minutes ?? Self.usualMinutes))
    sampled = try StudySettings.share(values.last(.sampled), .sampled, command) ?? 1
    guard sampled > 0 else { throw .usage("--sampled is a percentage above 0%", command: command.name) }
  }

  /// The command that reads them.
  var commandName: String { command.name }
  /// The files and folders: of `logs` what it is given, of others their `--log`.
  var paths: [String] { command.action == .logs ? values.operands : values.all(.log) }
  /// Files of testers' records.
  var telemetry: [String] { values.all(.telemetry) }
  /// Keys that stay as the file has them.
  var fixed: [String] { values.all(.fix) }
  /// Whether the scenario is simulated in the log's time.
  var simulates: Bool { !values.has(.noSimulation) }
  /// Keys to look for by simulation: `PATH=LOW..HIGH`.
  var fits: [String] { values.all(.fit) }
  /// Whether a calibrated file is written that plans nothing.
  var isForced: Bool { values.has(.force) }
  /// Whether logs that cannot be read to their end are used as far as they can.
  var acceptsDamage: Bool { values.last(.damaged) == "accept" }
  var keyFile: String? { values.last(.keyFile) }
  /// All that decides what is said of the logs, as it was written.
  var asked: [String] {
    let options: [Option] = [
      .logFormat, .logsAs, .pattern, .id, .widget, .endpoint, .map, .stamp, .days, .sampled, .fit, .maxMinutes, .fix,
      .noSimulation, .force, .train, .test, .change, .damaged,
    ]
    return options.flatMap { option in values.all(option).map { "\(option.name)=\($0)" } }
  }
  /// Whether a field was named that tells phones apart, here or in the scenario.
  func hasID(_ rules: CalibrationPlan.LogRules?) -> Bool {
    let maps = values.all(.map) + (rules?.map ?? []).map { "\($0.name)=" }
    return values.has(.id) || rules?.id != nil || maps.contains { $0.hasPrefix("id=") }
  }

  /// What the command line says, and behind it what the scenario does.
  ///
  /// - Parameter rules: of `calibrate.log`; nil: there is no scenario.
  func options(_ rules: CalibrationPlan.LogRules?, threads: Int, key: [UInt8]?) throws(Failure) -> LogOptions {
    var options = LogOptions()
    options.threads = threads
    options.allowsAddresses = values.has(.yesIP)
    let format = values.last(command.action == .calibrate ? .logFormat : .logsAs) ?? rules?.format ?? "auto"
    options.format = LogFormat(rawValue: format)
    options.stamp = values.last(.stamp).flatMap(LogOptions.StampMeaning.init)
    options.pattern = values.last(.pattern) ?? rules?.logFormat
    if let key {
      guard let pseudonyms = Pseudonyms(key: key) else {
        throw .usage("--key-file holds 16 bytes or 32 hexadecimal digits, nothing else", command: command.name)
      }
      options.pseudonyms = pseudonyms
    }
    do { try add(rules, to: &options) } catch { throw failure(error) }
    return options
  }

  private func add(_ rules: CalibrationPlan.LogRules?, to options: inout LogOptions) throws(LogOptionProblem) {
    for text in values.all(.map) { try options.map(text) }
    for named in rules?.map ?? [] { try options.map("\(named.name)=\(named.text)") }
    if let rule = values.last(.widget) ?? rules?.widget { try options.map("widget=\(rule)") }
    if let id = values.last(.id) ?? rules?.id { try options.identify(by: id) }
    for text in values.all(.endpoint) {
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { throw .endpointWithoutExpression(text) }
      options.endpointRules.append(try EndpointRule(name: parts[0], expression: parts[1]))
    }
    for named in rules?.endpoints ?? [] {
      options.endpointRules.append(try EndpointRule(name: named.name, expression: named.text))
    }
  }

  func failure(_ problem: LogOptionProblem) -> Failure {
    .usage(problem.description.printable, command: command.name)
  }
}
