import FleetEngine
import FleetReports
import ScenarioFiles
import Studies

/// `widgetfleet report`: the page of a results folder again, from its files alone.
struct ReportCommand {
  let settings: Settings
  let console: Console

  func run() throws(Failure) -> ExitCode {
    let folder = settings.operands[0]
    let content = try ResultsFolder(folder).content()
    let path = settings.out ?? folder + "/" + ReportFile.page.name
    try OutputFile(path).write(reportPage(of: content))
    console.note("report: \(path.printable)\n")
    return .success
  }
}
