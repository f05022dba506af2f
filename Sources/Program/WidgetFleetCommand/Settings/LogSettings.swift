import RequestLogs
import Scenario
import ScenarioFiles

/// The settings for access logs, which are used by `logs`, `calibrate` and `backtest`.
struct LogSettings {
  private let values: ArgumentValues
  private let command: Command
  /// The days of the log to use, starting at 1; `nil` for all days.
  let days: ClosedRange<Int>?
  /// The fraction of all requests that the log contains.
  let sampled: Double
  /// The number of days to forecast after the end of the log.
  let forecastDays: Int?
  /// The maximum duration of a fit by simulation, after which the fit returns its current results.
  let longestFit: Duration
  /// The backtest settings; `nil` for other commands, or if no training days are given.
  let backtest: BacktestSettings?

  private static let usualMinutes = 10.0
  private static let forecasts = 1...28
  /// The minimum sampling fraction that the user can specify: one request in a million.
  private static let minSampled = 1e-6

  init(_ values: ArgumentValues, _ command: Command) throws(Failure) {
    self.values = values
    self.command = command
    days = try values.last(.days).map { text throws(Failure) in
      guard let days = DayRange(text), let last = days.last else {
        throw .usage("--days must be a range such as 1-7, not '\(text.printable)'", command: command.name)
      }
      return days.first...last
    }
    backtest = try BacktestSettings(values, command)
    forecastDays = try values.last(.forecast).map { text throws(Failure) in
      guard !values.has(.noSimulation) else {
        throw .usage("--forecast needs simulations, which --no-simulation leaves out", command: command.name)
      }
      guard text.hasSuffix("d"), let days = Int(text.dropLast()), Self.forecasts.contains(days) else {
        throw .usage("--forecast must be 1d to 28d, not '\(text.printable)'", command: command.name)
      }
      return days
    }
    let minutes = try values.last(.maxMinutes).map { text throws(Failure) in
      guard let minutes = Double(text), minutes > 0, minutes <= 1e6 else {
        throw .usage("--max-minutes must be a number of minutes, not '\(text.printable)'", command: command.name)
      }
      return minutes
    }
    longestFit = .seconds(60 * (minutes ?? Self.usualMinutes))
    sampled = try StudySettings.share(values.last(.sampled), .sampled, command) ?? 1
    guard sampled >= Self.minSampled else {
      throw .usage("--sampled must be a percentage of at least 0.0001%", command: command.name)
    }
  }

  /// The name of the command that uses these settings.
  var commandName: String { command.name }
  /// The log files and folders: the operands of `logs`, or the values of an option of other commands.
  var paths: [String] {
    switch command.action {
    case .logs: values.operands
    case .initialise: values.all(.fromLog)
    default: values.all(.log)
    }
  }
  /// The options for reading logs with their values, as specified by the user.
  var reading: [(option: Option, value: String)] {
    Command.reading.flatMap { option in values.all(option).map { (option, $0) } }
  }
  /// The files with records from testers' phones.
  var telemetry: [String] { values.all(.telemetry) }
  /// The keys that keep their values in the file.
  var fixed: [String] { values.all(.fix) }
  /// Whether to simulate the scenario over the period of the log.
  var simulates: Bool { !values.has(.noSimulation) }
  /// The keys to fit by simulation, in the form `PATH=LOW..HIGH`.
  var fits: [String] { values.all(.fit) }
  /// Whether to write a calibrated file even if its load is too inaccurate for planning.
  var isForced: Bool { values.has(.force) }
  /// Whether to use the readable part of logs that cannot be read completely.
  var acceptsDamage: Bool { values.last(.damaged) == "accept" }
  var keyFile: String? { values.last(.keyFile) }
  /// All options that affect the findings on logs, as specified by the user.
  var asked: [String] {
    let options: [Option] = [
      .logsAs, .pattern, .id, .widget, .endpoint, .map, .stamp, .stamps, .days, .sampled, .fit, .maxMinutes, .fix,
      .forecast, .noSimulation, .force, .train, .test, .change, .damaged,
    ]
    return options.flatMap { option in values.all(option).map { "\(option.name)=\($0)" } }
  }
  /// Returns whether a field that identifies phones is specified on the command line or in the scenario.
  func hasID(_ rules: CalibrationPlan.LogRules?) -> Bool {
    let maps = values.all(.map) + (rules?.map ?? []).map { "\($0.name)=" }
    return values.has(.id) || rules?.id != nil || maps.contains { $0.hasPrefix("id=") }
  }

  /// Returns the rule that identifies the widget's requests; `nil` if none is given.
  func widgetRule(_ rules: CalibrationPlan.LogRules?) -> String? {
    values.last(.widget) ?? rules?.widget
      ?? values.all(.map).first { $0.hasPrefix("widget=") }.map { String($0.dropFirst(7)) }
  }

  /// Returns the field that identifies phones; `nil` if none is specified.
  func idField(_ rules: CalibrationPlan.LogRules?) -> String? {
    values.last(.id) ?? rules?.id ?? values.all(.map).last { $0.hasPrefix("id=") }.map { String($0.dropFirst(3)) }
  }

  /// Returns the options for reading logs, in which the command line overrides the scenario.
  ///
  /// - Parameter rules: the rules in the `calibrate.log` section; `nil` if there is no scenario.
  func options(_ rules: CalibrationPlan.LogRules?, threads: Int, key: [UInt8]?) throws(Failure) -> LogOptions {
    var options = LogOptions()
    options.threads = threads
    options.allowsAddresses = values.has(.yesIP)
    options.showsRare = values.has(.showRare)
    let format = values.last(.logsAs) ?? rules?.format ?? "auto"
    options.format = LogFormat(rawValue: format)
    options.stamp = values.last(.stamp).flatMap(LogOptions.StampMeaning.init)
    if let zone = values.last(.stamps) {
      guard let times = LocalTimes(zone: zone) else {
        throw .usage(
          "--stamps must be a time zone such as Europe/Berlin, not '\(zone.printable)'", command: command.name)
      }
      options.localTime = times.instant
    }
    options.pattern = values.last(.pattern) ?? rules?.logFormat
    if let key {
      guard let pseudonyms = Pseudonyms(key: key) else {
        throw .usage("--key-file must contain exactly 16 bytes or 32 hexadecimal digits", command: command.name)
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
