/// `widgetfleet validate`: every problem of scenario files, each with its place.
struct ValidateCommand {
  private let settings: Settings
  private let console: Console

  init(_ settings: Settings, _ console: Console) {
    self.settings = settings
    self.console = console
  }

  func run() throws(Failure) -> ExitCode {
    for path in settings.operands { _ = try ScenarioSource(path: path, assignments: []) }
    return .success
  }
}
