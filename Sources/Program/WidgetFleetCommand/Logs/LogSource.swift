import FleetReports
import Platform
import RequestLogs
import RequestStatistics
import ScenarioFiles
import SimulationKernel
import Synchronization

/// The logs used by a command.
struct LogSource {
  let settings: Settings
  let console: Console

  /// Reads all logs and returns a report on them.
  ///
  /// - Parameter rules: the rules in the scenario for reading logs, if any.
  func report(_ rules: CalibrationPlan.LogRules? = nil) throws(Failure) -> LogsReport {
    try log(rules).report(days: settings.logs.days)
  }

  /// The content of the logs, from which reports on ranges of days can be created.
  struct Log {
    let files: [LogFileReport]
    let census: LogCensus
    let names: LogNames
    let hasIDs: Bool
    let recorded: Double

    /// Returns a report on a range of days.
    ///
    /// - Parameter days: the days, starting at 1 for the day of the first line; `nil` for all days.
    func report(days: ClosedRange<Int>?) -> LogsReport {
      LogsReport(
        files: files, picture: LogSummary(census, names, days: days, recorded: recorded), hasIDs: hasIDs, days: days)
    }
  }

  /// Reads all logs.
  ///
  /// - Parameter rules: the rules in the scenario for reading logs, if any.
  func log(_ rules: CalibrationPlan.LogRules? = nil) throws(Failure) -> Log {
    let found = LogInput.find(settings.logs.paths)
    if let problem = found.problems.first { throw Self.failure(problem) }
    guard !found.inputs.isEmpty else {
      throw .unsuitableInput(path: settings.logs.paths.first ?? "-", reason: "contains no files")
    }
    for input in found.inputs { FileIdentity(input.path)?.noteInput() }
    let key = try settings.logs.keyFile.map { path throws(Failure) in try InputFile.read(path) }
    let options = try settings.logs.options(rules, threads: settings.threads, key: key)
    let reader: LogReader
    do { reader = try LogReader(options) } catch { throw settings.logs.failure(error) }
    let names = LogNames(showsRare: options.showsRare)
    var reading = try read(found.inputs, reader, names)
    var sinks = reading.takeSinks()
    var census = sinks.popLast() ?? LogCensus(within: LogCensus.Budgets())
    while let sink = sinks.popLast() { census.merge(sink) }
    return Log(
      files: reading.files, census: census, names: names, hasIDs: settings.logs.hasID(rules),
      recorded: settings.logs.sampled)
  }

  /// Returns the reason why the logs cannot be used, as a single line.
  static func refusal(of logs: LogsReport, _ settings: Settings) -> String {
    let part = logs.picture.census.lines > 0 ? "timestamps" : "counts"
    let reason = logs.parsed == 0 ? "contains no readable requests" : "has \(part) that cannot be used"
    return "error: '\(settings.logs.paths[0].printable)' \(reason)\n"
  }

  /// Rejects logs that the system could read only in part, because a fit to them would appear complete.
  static func checkIsWhole(_ files: [LogFileReport]) throws(Failure) {
    for file in files {
      switch file.problem {
      case .cannotOpen(let number), .cannotRead(let number): throw .cannotRead(path: file.path, errno: number)
      default: continue
      }
    }
  }

  /// Rejects logs with missing parts unless the user has accepted the damage.
  func checkDamage(_ logs: LogsReport) throws(Failure) {
    guard let file = logs.damaged.first, let reason = file.losses.first else { return }
    guard settings.logs.acceptsDamage else { throw .damagedLog(path: file.path, reason: reason) }
    console.note("warning: \(logs.lossSentence ?? "")\n")
  }

  /// Rejects options that match nothing in the logs, because the results would suggest that the options were applied.
  func checkMatches(_ logs: LogsReport, _ rules: CalibrationPlan.LogRules?) throws(Failure) {
    let census = logs.picture.census
    guard census.lines > 0 else { return }
    if census.signed == 0, let field = settings.logs.idField(rules) {
      let others = logs.files.flatMap(\.candidates).map(\.field)
      throw .usage(
        "no line has the field '\(field.printable)' (--id)", command: settings.logs.commandName,
        hint: others.first.map { "this field may identify phones: \($0)" })
    }
    if logs.picture.idsNeverRepeat, let field = settings.logs.idField(rules) {
      throw .usage(
        "each value of '\(field.printable)' (--id) is on about one line: it identifies requests, not phones",
        command: settings.logs.commandName,
        hint: "use a field whose value stays the same on a phone, such as an installation id")
    }
    if census.lines(of: .widget) == 0, let rule = settings.logs.widgetRule(rules) {
      throw .usage(
        "no line matches '\(rule.printable)' (--widget)", command: settings.logs.commandName,
        hint: "widgetfleet logs shows the User-Agents")
    }
  }

  /// Reads the logs while a second thread displays the progress and handles signals.
  private func read(
    _ inputs: [LogInput], _ reader: LogReader, _ names: LogNames
  ) throws(Failure) -> LogReading<LogCensus> {
    let progress = LogProgress()
    let total = inputs.reduce(0) { $0 + ($1.size ?? 0) } / 1_000_000
    let shown = Locked(Progress(settings, Environment(), total: total, unit: "MB"))
    let companion = Monitor {
      if Interruption.isRequested { progress.isCancelled.store(true, ordering: .relaxed) }
      let done = progress.bytesRead.load(ordering: .relaxed) / 1_000_000
      shown.withLock { $0.show(done) }
    }
    let budgets = LogCensus.Budgets()
    let reading = companion.during {
      reader.read(inputs, names: names, progress: progress) { LogCensus(within: budgets) }
    }
    shown.withLock { $0.finish() }
    try Interruption.check()
    return reading
  }

  private static func failure(_ problem: LogInputProblem) -> Failure {
    switch problem.reason {
    case .cannotOpen(let number), .cannotRead(let number): .cannotRead(path: problem.path, errno: number)
    default: .unsuitableInput(path: problem.path, reason: "is not a readable file")
    }
  }
}
