import ScenarioFiles

/// The `widgetfleet validate` command, which lists all problems in scenario files, each with its location.
struct ValidateCommand {
  let settings: Settings
  let console: Console

  func run() throws(Failure) -> ExitCode {
    var problems: [Diagnostic] = []
    var areValid = true
    for path in settings.operands {
      let outcome = try ScenarioSource.outcome(path: path, assignments: settings.assignments, checksStudies: true)
        .prepared()
      problems += outcome.diagnostics + outcome.warnings
      areValid = areValid && outcome.scenario != nil
      if settings.format == .human { try say(path, outcome) }
    }
    switch settings.format {
    case .human, .markdown: break
    case .json: try console.output(problems.json)
    case .github: try console.output(problems.gitHubAnnotations)
    }
    return areValid ? .success : .notSimulated
  }

  private func say(_ path: String, _ outcome: ScenarioReader.Outcome) throws(Failure) {
    console.error((outcome.diagnostics + outcome.warnings).humanText)
    if outcome.scenario != nil { try console.output("\(path.printable): valid\n") }
  }
}
