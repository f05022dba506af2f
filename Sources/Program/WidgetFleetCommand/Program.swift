import Platform
public import Scenario

/// The `widgetfleet` command line, for use in your own programs.
///
/// ```swift
/// import WidgetFleet
/// import WidgetFleetCommand
///
/// WidgetFleetCommand.main(providers: ["flight": ProviderCode(FlightProvider())])
/// ```
public enum WidgetFleetCommand {
  /// Runs the command in this process's arguments, and ends the process with the command's exit code.
  ///
  /// - Parameter providers: the code that scenarios can name with `reload: {provider: NAME}`.
  public static func main(providers: [String: ProviderCode] = [:]) -> Never {
    for (name, code) in providers { ProgramProviders.table.add(code, named: name) }
    exit(Program.run(CommandLine.arguments))
  }

  /// Runs the command with providers that have no parameters, given by their types.
  public static func main(providers: [String: any ParameterlessProvider.Type]) -> Never {
    main(providers: providers.mapValues { $0.code })
  }
}

/// The program, from reading its arguments to returning its exit code.
enum Program {
  static func run(_ arguments: [String]) -> Int32 {
    StandardStreams.occupy()
    Interruption.install()
    let launch = Launch(Environment.value)
    guard launch.size > 1, !isPart(arguments, launch) else {
      return EarlyWatch.during { alone(arguments, .alone) }
    }
    // Commands that cannot run on several ranks are run by rank 0.
    guard isShared(arguments) else {
      return launch.rank == 0 ? EarlyWatch.during { alone(arguments, .alone) } : ExitCode.success.rawValue
    }
    Interruption.isOfRanks.store(true, ordering: .relaxed)
    let watch = RankWatch(rank: launch.rank, watchdog: watchdog(arguments, .alone))
    return EarlyWatch.during { watch.during { shared(arguments, launch, watch) } }
  }

  /// Runs the program as one of several ranks.
  private static func shared(_ arguments: [String], _ launch: Launch, _ watch: RankWatch) -> Int32 {
    let ranks: Ranks
    do { ranks = try Ranks.join(launch) } catch {
      if launch.rank == 0 { Console(arguments: arguments).error(error.text) }
      return error.exitCode.rawValue
    }
    watch.joined(ranks.mpi)
    return ranks.collective.rank == 0
      ? lead(arguments, ranks, launch) : FollowingRank(ranks: ranks, arguments: arguments).run()
  }

  /// Returns the number of seconds that ranks wait for each other (`--watchdog`).
  static func watchdog(_ arguments: [String], _ ranks: Ranks) -> Double {
    let settings = (try? ArgumentParser.settings(arguments, ranks)) ?? nil
    return settings?.watchdog ?? Heartbeat.patience
  }

  /// Returns whether the command can run on several ranks.
  private static func isShared(_ arguments: [String]) -> Bool {
    Command.all.contains { $0.isShared && arguments.dropFirst().contains($0.name) }
      && !arguments.contains(Option.help.spelling)
  }

  /// Returns whether this process is a Slurm task that simulates a separate part of a study.
  private static func isPart(_ arguments: [String], _ launch: Launch) -> Bool {
    launch.family == .unrelated && arguments.contains { $0.hasPrefix("--part") }
  }

  /// Runs the program as rank 0, and stops the other ranks when the program ends.
  private static func lead(_ arguments: [String], _ ranks: Ranks, _ launch: Launch) -> Int32 {
    let status: Int32
    do {
      if let failure = try ranks.obstacle(arguments, launch) { throw failure }
      status = alone(arguments, ranks)
    } catch let error as Failure {
      Console(arguments: arguments).error(error.text)
      status = error.exitCode.rawValue
    } catch {
      status = ExitCode.inputOutput.rawValue
    }
    ranks.dismiss(status, patience: watchdog(arguments, ranks))
    return status
  }

  /// Runs the program without other ranks.
  private static func alone(_ arguments: [String], _ ranks: Ranks) -> Int32 {
    let console = Console(arguments: arguments)
    do {
      return try dispatch(arguments, console, ranks).rawValue
    } catch {
      console.error(error.text)
      return error.exitCode.rawValue
    }
  }

  /// Finds the command and runs it.
  private static func dispatch(
    _ arguments: [String], _ console: Console, _ ranks: Ranks
  ) throws(Failure) -> ExitCode {
    guard !arguments.isEmpty else { throw .usage("the system did not pass any arguments") }
    let parsed = try ArgumentParser.parse(Array(arguments.dropFirst()))
    switch parsed {
    case .version: try console.output("widgetfleet \(Version.current)\n")
    case .help(let command): try console.output(HelpText.text(of: command))
    case .command(let command, let values):
      let settings = try Settings(values, of: command, environment: Environment(), ranks: ranks)
      console.adopt(settings)
      switch command.action {
      case .run: return try RunCommand(settings: settings, console: console).run()
      case .report: return try ReportCommand(settings: settings, console: console).run()
      case .serve: return try ServeCommand(settings: settings, console: console).run()
      case .export: return try ExportCommand(settings: settings, console: console).run()
      case .compare: return try CompareCommand(settings: settings, console: console).run()
      case .sweep: return try SweepCommand(settings: settings, console: console).run()
      case .tune: return try TuneCommand(settings: settings, console: console).run()
      case .capacity: return try CapacityCommand(settings: settings, console: console).run()
      case .plan: return try PlanCommand(settings: settings, console: console).run()
      case .logs: return try LogsCommand(settings: settings, console: console).run()
      case .calibrate: return try CalibrateCommand(settings: settings, console: console).run()
      case .backtest: return try BacktestCommand(settings: settings, console: console).run()
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
