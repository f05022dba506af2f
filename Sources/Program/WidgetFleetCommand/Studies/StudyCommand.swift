import FleetEngine
import FleetReports
import Scenario
import Studies

/// A command that simulates a scenario file several times, with steps common to all studies.
protocol StudyCommand {
  var settings: Settings { get }
  var console: Console { get }
}

extension StudyCommand {
  /// The scenario path, as specified by the user.
  var path: String { settings.scenarioPath }
  /// The file name of the scenario, without its folder.
  var fileName: String { path == "-" ? "scenario.yaml" : String(path.split(separator: "/").last ?? "scenario.yaml") }

  /// Returns the presets under which a setting is evaluated in addition to the scenario itself.
  func presets(judging scenario: Scenario, _ goals: [Goal]) -> [Preset] {
    settings.study.judging == .nominal ? [] : BracketRuns.presets(of: scenario, judging: goals)
  }

  /// Returns the engine of a setting, without device rows; rejects a setting that does not fit into memory.
  ///
  /// - Parameter others: whether further scenarios of the same size are simulated.
  /// - Parameter replications: the number of replications in memory at the same time; `nil` for all replications of the
  ///   setting.
  /// - Parameter relative: the engine of a similar scenario.
  func prepared(
    _ scenario: Scenario, others: Bool, replications: Int? = nil, like relative: Engine? = nil
  ) throws(Failure) -> (Simulation, Engine) {
    let simulation = Simulation(scenario, path: path, settings, console)
    return (simulation, try simulation.prepared(others: others, replications: replications, like: relative))
  }

  /// Claims the requested results folder. If none was requested, claims a folder that contains no study of other
  /// settings.
  func claimed(_ command: String, of base: Scenario, hash: String) throws(Failure) -> UnfinishedFolder {
    try ResultsName("Reports/\(base.name)-\(command)", ofStudy: hash).claimed(settings, console)
  }

  /// Performs simulations while displaying their progress and handling signals.
  ///
  /// - Parameter devices: the number of devices to simulate, if known.
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

  /// Performs simulations and writes a folder, which is moved to its destination when it is complete.
  ///
  /// - Parameter devices: the number of devices to simulate, if known.
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

/// The unfinished files of a study.
struct StudyFiles {
  /// The folder for work stored for `--resume`; `nil` if no work is stored.
  var claim: UnfinishedFolder?
  /// A function that returns a sentence about the stored work when the study is stopped.
  var kept: @Sendable () -> String? = { nil }
  /// A function that removes unfinished files, called if the process must exit immediately.
  var abandon: @Sendable () -> Void = {}
}

/// A helper that prepares the settings of a study one after another, reusing quantile tables that most settings share.
final class SettingPreparation {
  private let command: any StudyCommand
  /// The engine whose tables are reused for the next setting.
  private var relative: Engine?
  private var uses = 0

  /// The number of settings after which the tables are rebuilt. Otherwise, tables of varied distributions would
  /// accumulate.
  private static let maxUses = 100

  init(_ command: any StudyCommand) { self.command = command }

  /// Returns the engine of a setting, of which one replication is in memory at a time.
  func prepared(_ scenario: Scenario) throws(Failure) -> (Simulation, Engine) {
    if uses >= Self.maxUses { (relative, uses) = (nil, 0) }
    let hasOthers = !command.presets(judging: scenario, scenario.goals).isEmpty
    let (simulation, engine) = try command.prepared(scenario, others: hasOthers, replications: 1, like: relative)
    if relative == nil { relative = engine }
    uses += 1
    return (simulation, engine)
  }
}

/// The cost of evaluating the bracket in a study of several settings, displayed before the study starts.
struct StudyCost {
  /// The number of replications per setting, excluding runs under presets.
  var replications: Int
  /// The presets under which each setting is also simulated.
  var presets: [Preset]
  /// The number of runs in the study; for a search, the maximum number.
  var runs: Int
  var isLimit = false
  /// A setting with the same sample size as most other settings.
  var base: Scenario?

  /// A note on the number of runs, and on the number of phones if the scenario does not specify it; empty if both are
  /// as requested.
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
