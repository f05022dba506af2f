import FleetReports
import ScenarioFiles

/// The commands that only write a text: `init`, `schema` and `completions`.
struct PrintingCommand {
  let settings: Settings
  let console: Console

  func starter() throws(Failure) -> ExitCode {
    let starter = settings.operands.first.flatMap(Starter.init) ?? .minimal
    return try write(Array(starter.text.utf8))
  }

  func schema() throws(Failure) -> ExitCode {
    try write(settings.schemaKind == .summary ? summarySchema() : Array(scenarioSchema.utf8))
  }

  func completions() throws(Failure) -> ExitCode {
    guard let shell = settings.operands.first.flatMap(Shell.init) else { return .notSimulated }
    return try write(Array(shell.script.utf8))
  }

  private func write(_ bytes: [UInt8]) throws(Failure) -> ExitCode {
    try console.output(bytes)
    return .success
  }
}
