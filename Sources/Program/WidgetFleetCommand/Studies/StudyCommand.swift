import FleetEngine
import FleetReports
import Scenario
import Studies

/// A command that simulates a scenario file several times, with the steps that all studies have in common.
protocol StudyCommand {
  var settings: Settings { get }
  var console: Console { get }
}

extension StudyCommand {
  /// The path of the scenario as the user specified it.
  var path: String { settings.operands[0] }
  /// The name of the scenario file without its folder.
  var fileName: String { path == "-" ? "scenario.yaml" : String(path.split(separator: "/").last ?? "scenario.yaml") }

  /// Returns the presets under which a setting is judged in addition to the scenario itself.
  func presets(judging scenario: Scenario, _ goals: [Goal]) -> [Preset] {
    settings.study.judging == .nominal ? [] : BracketRuns.presets(of: scenario, judging: goals)
  }

  /// Returns the engine of a setting, without device rows. A setting that does not fit into memory is rejected.
  ///
  /// - Parameter others: whether other scenarios of the same size are simulated as well.
  /// - Parameter replications: the number of replications that are in memory at the same time; `nil` for all
  ///   replications of the setting.
  /// - Parameter relative: the engine of a similar scenario.
  func prepared(
    _ scenario: Scenario, others: Bool, replications: Int? = nil, like relative: Engine? = nil
  ) throws(Failure) -> (Simulation, Engine) {
    let simulation = Simulation(scenario, path: path, settings, console)
    return (simulation, try simulation.prepared(others: others, replications: replications, like: relative))
  }

  /// Claims the results folder that was requested. If none was requested, it claims one that contains no study of other
  /// settings.
  func claimed(_ command: String, of base: Scenario, hash: String) throws(Failure) -> UnfinishedFolder {
    try ResultsName("Reports/\(base.name)-\(command)", ofStudy: hash).claimed(settings, console)
  }

  /// Performs simulations while showing their progress and handling signals.
  ///
  /// - Parameter devices: the number of devices that will be simulated, if it is known.
  func simulate<Value>(
    devices: Int, _ place: StudyFiles = StudyFiles(), _ work: (RunControl, Watch) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let control = settings.ranks.control()
    let meeting = try RankLink(control, settings, in: place.claim)
    defer { meeting.end() }
    let watch = Watch(
      control, Progress(settings, Environment(), total: devices), kept: place.kept, pulse: meeting.pulse,
      abandon: place.abandon)
    return try watch.during { () throws(Failure) in try work(control, watch) }
  }

  /// Performs simulations and writes a folder, which is moved into place when it is complete.
  ///
  /// - Parameter devices: the number of devices that will be simulated, if it is known.
  func write<Value>(
    to claim: UnfinishedFolder, devices: Int, _ place: StudyFiles = StudyFiles(),
    _ work: (StagedFolder, RunControl) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    defer { claim.release() }
    let staged = try StagedFolder(for: claim.output)
    defer { staged.abandon() }
    var whole = place
    whole.claim = claim
    whole.abandon = {
      staged.abandon()
      place.abandon()
      claim.release()
    }
    return try simulate(devices: devices, whole) { control, _ throws(Failure) in
      let value = try work(staged, control)
      try staged.commit()
      return value
    }
  }
}

/// The files of a study that is in progress.
struct StudyFiles {
  /// The folder for work that is stored for --resume; `nil` if no work is stored.
  var claim: UnfinishedFolder?
  /// A function that returns a sentence about the work that is kept when the study is stopped.
  var kept: @Sendable () -> String? = { nil }
  /// A function that removes unfinished files. It is called if the process must exit immediately.
  var abandon: @Sendable () -> Void = {}
}

/// A helper that prepares the settings of a study one after another. Most settings share most of their quantile tables.
final class SettingPreparation {
  private let command: any StudyCommand
  /// The engine of the setting whose tables are reused.
  private var relative: Engine?
  private var uses = 0

  /// The number of settings after which the tables are rebuilt. Without this, the tables of varied distributions would
  /// accumulate.
  private static let maxUses = 100

  init(_ command: any StudyCommand) { self.command = command }

  /// Returns the engine of a setting, which keeps one replication in memory at a time.
  func prepared(_ scenario: Scenario) throws(Failure) -> (Simulation, Engine) {
    if uses >= Self.maxUses { (relative, uses) = (nil, 0) }
    let hasOthers = !command.presets(judging: scenario, scenario.goals).isEmpty
    let (simulation, engine) = try command.prepared(scenario, others: hasOthers, replications: 1, like: relative)
    if relative == nil { relative = engine }
    uses += 1
    return (simulation, engine)
  }
}

/// The cost of evaluating the bracket in a study of several settings, which is shown before the study starts.
struct StudyCost {
  /// The number of replications of each setting, without the runs under presets.
  var replications: Int
  /// The presets under which each setting is simulated as well.
  var presets: [Preset]
  /// The number of runs in the whole study. For a search, it is the maximum.
  var runs: Int
  var isLimit = false
  /// A setting whose sample size is typical of the other settings.
  var base: Scenario?

  /// A note on the number of runs, and on the number of phones if the scenario does not specify it; empty if everything
  /// is as requested.
  var note: String { runsNote + (base.map(SampleWords.note) ?? "") }

  /// The number of runs, such as `36 runs, 3 a setting: the scenario, prompt, lazy (--nominal: 1)`; empty if only the
  /// scenario itself is simulated.
  private var runsNote: String {
    guard !presets.isEmpty else { return "" }
    let parts = [replications == 1 ? "the scenario" : "\(replications) of the scenario"] + presets.map(\.rawValue)
    return "\(isLimit ? "at most " : "")\(runs) runs, \(replications + presets.count) per setting: "
      + "\(parts.joined(separator: ", ")) (--nominal: \(replications))\n"
  }
}
