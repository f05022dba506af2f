import FleetReports

/// `widgetfleet logs`: what is in some access logs.
struct LogsCommand {
  let settings: Settings
  let console: Console

  func run() throws(Failure) -> ExitCode {
    let report = try LogSource(settings: settings, console: console).report()
    try console.output(settings.format == .json ? logsJSON(of: report) : logsTable(of: report))
    if report.files.contains(where: { $0.problem != nil }) { return .inputOutput }
    return report.isReadable ? .success : .inputOutput
  }
}
