import ScenarioFiles

/// The `widgetfleet validate` command, which reports every problem in scenario and plan files with its location.
struct ValidateCommand {
  let settings: Settings
  let console: Console

  func run() throws(Failure) -> ExitCode {
    var problems: [Diagnostic] = []
    var areValid = true
    for path in settings.operands {
      let (found, isValid) = try check(path)
      problems += found
      areValid = areValid && isValid
      if settings.format == .human { console.error(found.humanText) }
      if settings.format == .human, isValid { try console.output("\(path.printable): valid\n") }
    }
    switch settings.format {
    case .human, .markdown: break
    case .json: try console.output(problems.json)
    case .github: try console.output(problems.gitHubAnnotations)
    }
    return areValid ? .success : .notSimulated
  }

  /// Returns the problems of a scenario, or of a plan and its scenarios, and whether the file is valid.
  private func check(_ path: String) throws(Failure) -> (problems: [Diagnostic], isValid: Bool) {
    if path != "-", PlanReader.isPlan(try InputFile.read(path)) {
      let outcome = try PlanSource(path: path, assignments: settings.assignments).outcome
      return (outcome.diagnostics, outcome.plan != nil)
    }
    let outcome = try ScenarioSource.outcome(path: path, assignments: settings.assignments, checksStudies: true)
      .prepared()
    return (outcome.diagnostics + outcome.warnings, outcome.scenario != nil)
  }
}
