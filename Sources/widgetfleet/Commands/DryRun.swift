import ScenarioFiles

/// `widgetfleet run SCENARIO --dry-run`: every value of the scenario and where it comes from; nothing is simulated.
struct DryRun {
  let settings: Settings
  let console: Console

  /// - Parameter folder: where the results would go.
  func run(_ source: ScenarioSource, folder: String) throws(Failure) -> ExitCode {
    let origins = settings.assignments.map(\.origin)
    let text =
      settings.format == .json
      ? source.outcome.explainedDocument(assignments: origins) : source.outcome.explainedText(assignments: origins)
    guard let text else { throw .bug("the scenario cannot be explained") }
    console.note(
      "widgetfleet: would write \(folder.printable) with \(settings.threads) threads; "
        + "nothing was simulated\n")
    try console.output(text)
    return .success
  }
}
