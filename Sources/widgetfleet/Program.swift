import Glibc

/// The program from its arguments to its exit code.
enum Program {
  static func run(_ arguments: [String]) -> Int32 {
    StandardStreams.occupy()
    Interruption.install()
    let console = Console(arguments: arguments)
    do {
      return try dispatch(arguments, console).rawValue
    } catch {
      console.error(error.text)
      return error.exitCode.rawValue
    }
  }

  /// Finds the command and runs it.
  private static func dispatch(_ arguments: [String], _ console: Console) throws(Failure) -> ExitCode {
    guard !arguments.isEmpty else { throw .usage("the system did not pass any arguments") }
    let parsed = try ArgumentParser.parse(Array(arguments.dropFirst()))
    switch parsed {
    case .version: try console.output("widgetfleet \(Version.current)\n")
    case .help(let command): try console.output(HelpText.text(of: command))
    case .command(let command, let values):
      let settings = try Settings(values, of: command, environment: Environment())
      console.adopt(settings)
      switch command.action {
      case .run: return try RunCommand(settings: settings, console: console).run()
      case .report: return try ReportCommand(settings: settings, console: console).run()
      case .compare: return try CompareCommand(settings: settings, console: console).run()
      case .sweep: return try SweepCommand(settings: settings, console: console).run()
      case .tune: return try TuneCommand(settings: settings, console: console).run()
      case .tradeoff: return try TradeoffCommand(settings: settings, console: console).run()
      case .bench: return try BenchCommand(settings: settings, console: console).run()
      case .validate: return try ValidateCommand(settings: settings, console: console).run()
      case .explain: return try ExplainCommand(settings: settings, console: console).run()
      case .initialise: return try PrintingCommand(settings: settings, console: console).starter()
      case .schema: return try PrintingCommand(settings: settings, console: console).schema()
      case .completions: return try PrintingCommand(settings: settings, console: console).completions()
      }
    }
    return .success
  }
}
