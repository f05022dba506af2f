import FleetReports
import Platform
import ScenarioFiles
import Words

/// A command that only prints text: `init`, `schema` or `completions`.
struct PrintingCommand {
  let settings: Settings
  let console: Console

  func starter() throws(Failure) -> ExitCode {
    if let path = settings.out, access(path, F_OK) == 0 {
      throw .notReplaced(path: path, reason: "it exists and may contain your work; choose another file, or remove it")
    }
    guard settings.logs.paths.isEmpty else {
      return try LogStarter(settings: settings, console: console).run(writing: written)
    }
    let starter = settings.operands.first.flatMap(Starter.init)
    let isQuestion = starter == nil && !settings.question.isEmpty
    let text =
      try settings.operands.first == Starter.plan
      ? settings.question.planText()
      : isQuestion ? settings.question.scenarioText() : settings.question.text(of: starter ?? .minimal)
    return try written(Array(text.utf8))
  }

  private func written(_ text: [UInt8]) throws(Failure) -> ExitCode {
    guard let path = settings.out else { return try write(text) }
    try OutputFile(path).write(text)
    console.note("scenario: \(path.printable)\n")
    return .success
  }

  func schema() throws(Failure) -> ExitCode {
    switch settings.schemaKind {
    case .scenario: try write(Array(scenarioSchema.utf8))
    case .plan: try write(Array(planSchema.utf8))
    case .summary: try write(summarySchema())
    }
  }

  func completions() throws(Failure) -> ExitCode {
    if let file = settings.pathsOf {
      let paths = ScenarioPaths.all(in: file.isEmpty ? [] : try InputFile.read(file))
      return try write(Array(paths.map { $0.printable + "\n" }.joined().utf8))
    }
    guard let shell = settings.operands.first.flatMap(Shell.init) else { return .notSimulated }
    return try write(Array(shell.script.utf8))
  }

  private func write(_ bytes: [UInt8]) throws(Failure) -> ExitCode {
    try console.output(bytes)
    return .success
  }
}
