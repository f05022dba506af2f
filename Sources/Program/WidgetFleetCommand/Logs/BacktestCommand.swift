import FleetEngine
import FleetReports
import ScenarioFiles

/// The `widgetfleet backtest` command, which calibrates a scenario to the first days of a log and forecasts later days.
struct BacktestCommand: StudyCommand {
  let settings: Settings
  let console: Console

  func run() throws(Failure) -> ExitCode {
    guard !settings.logs.paths.isEmpty else {
      throw .usage("--log is missing: the access logs to forecast", command: settings.logs.commandName)
    }
    guard let days = settings.logs.backtest else {
      throw .usage(
        "--train is missing: the days to fit the scenario to", command: settings.logs.commandName,
        hint: "--train 1-7")
    }
    let calibrate = CalibrateCommand(settings: settings, console: console)
    let bytes = try InputFile.read(path)
    let plan = try calibrate.plan(bytes)
    let changed = ChangedScenario(
      settings: settings, changes: days.changes, fileName: calibrate.fileName,
      files: InputFile.named(besides: path))
    try changed.check(bytes)
    let source = LogSource(settings: settings, console: console)
    let log = try source.log(plan.log)
    try LogSource.checkIsWhole(log.files)
    let logs = log.report(days: nil)
    guard logs.isReadable else { return calibrate.refuse(logs) }
    try source.checkDamage(logs)
    try source.checkMatches(logs, plan.log)
    try checkChanges(days.changes, logs)
    let hash = LogStudyHash(settings).text(bytes, resolved: plan.base.resolvedText, logs, [])
    let work = BacktestWork(
      settings: settings, console: console, calibrate: calibrate, plan: plan, bytes: bytes, log: log, logs: logs,
      days: days, changed: changed)
    let total = try work.lives()
    let claim = try claimed("backtest", of: plan.base, hash: hash)
    let report = try write(to: claim, devices: total) { staged, control throws(Failure) -> BacktestReport in
      var report = try work.report(control)
      report.provenance.studyHash = hash
      for file in report.files { try staged.write(file.bytes(of: report), to: file.name) }
      return report
    }
    console.note("results: \(claim.output.path.printable)/\(BacktestFile.page.name)\n")
    try console.output(settings.format == .json ? report.document : report.text)
    if !report.contradictions.isEmpty { return .goalFailed }
    return report.isIdentified ? .success : .infeasible
  }

  /// Rejects changes dated after the end of the log, because no forecast would show their effect.
  private func checkChanges(_ changes: [DatedChange], _ logs: LogsReport) throws(Failure) {
    guard let end = logs.span?.upperBound, let late = changes.first(where: { $0.start >= end }) else { return }
    throw .usage(
      "--change is after the last day of the log, \(logs.lastDayText)", command: settings.logs.commandName,
      hint: "--change '\(logs.lastDayText): \(late.setting.text.printable)'")
  }
}
