import FleetReports

/// The `widgetfleet logs` command, which shows the content of access logs.
struct LogsCommand {
  let settings: Settings
  let console: Console

  func run() throws(Failure) -> ExitCode {
    let report = try LogSource(settings: settings, console: console).report()
    try console.output(settings.format == .json ? report.document : report.text)
    guard report.isReadable else {
      console.error(LogSource.refusal(of: report, settings))
      return .inputOutput
    }
    try LogSource.checkIsWhole(report.files)
    return report.damaged.isEmpty || settings.logs.acceptsDamage ? .success : .inputOutput
  }
}
