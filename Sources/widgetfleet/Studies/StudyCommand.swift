import FleetEngine
import FleetReports
import Scenario
import Studies

/// A command that simulates a scenario file more than once, with the steps that all studies share.
protocol StudyCommand {
  var settings: Settings { get }
  var console: Console { get }
}

extension StudyCommand {
  /// The scenario's path as given by the user.
  var path: String { settings.operands[0] }
  /// The file name, without its folder.
  var fileName: String { path == "-" ? "scenario.yaml" : String(path.split(separator: "/").last ?? "scenario.yaml") }

  /// Returns the additional presets under which a setting is judged.
  func presets(judging scenario: Scenario, _ goals: [Goal]) -> [Preset] {
    settings.study.judging == .nominal ? [] : BracketRuns.presets(of: scenario, judging: goals)
  }

  /// Returns the engine of a setting, without device rows; rejects a setting that does not fit in memory.
  ///
  /// - Parameter others: whether further scenarios of the same size are also simulated.
  /// - Parameter replications: the number of replications in memory at a time; `nil` for all replications of the
  ///   setting.
  /// - Parameter relative: the engine of a similar scenario.
  func prepared(
    _ scenario: Scenario, others: Bool, replications: Int? = nil, like relative: Engine? = nil
  ) throws(Failure) -> (Simulation, Engine) {
    let simulation = Simulation(scenario, path: path, settings, console)
    return (simulation, try simulation.prepared(others: others, replications: replications, like: relative))
  }

  /// Claims the requested results folder or, if none was requested, one that contains no study of other settings.
  func claimed(_ command: String, of base: Scenario, hash: String) throws(Failure) -> UnfinishedFolder {
    try ResultsName("Reports/\(base.name)-\(command)", ofStudy: hash).claimed(settings, console)
  }

  /// Simulates while showing progress and handling signals.
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

  /// Simulates and writes a folder, and moves it into place when it is complete.
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

/// The files of a study in progress.
struct StudyFiles {
  /// The folder for work stored for --resume; `nil` for none.
  var claim: UnfinishedFolder?
  /// A function that returns a sentence about the work kept by a stopped study.
  var kept: @Sendable () -> String? = { nil }
  /// A function that removes unfinished files if the process must exit immediately.
  var abandon: @Sendable () -> Void = {}
}

/// A helper that prepares the settings of a study one after another, because most settings share most of their quantile
/// tables.
final class SettingPreparation {
  private let command: any StudyCommand
  /// The setting whose tables are reused.
  private var relative: Engine?
  private var uses = 0

  /// The number of settings after which tables are rebuilt; otherwise, the tables of varied distributions would
  /// accumulate.
  private static let maxUses = 100

  init(_ command: any StudyCommand) { self.command = command }

  /// Returns the engine of a setting, holding one replication at a time.
  func prepared(_ scenario: Scenario) throws(Failure) -> (Simulation, Engine) {
    if uses >= Self.maxUses { (relative, uses) = (nil, 0) }
    let hasOthers = !command.presets(judging: scenario, scenario.goals).isEmpty
    let (simulation, engine) = try command.prepared(scenario, others: hasOthers, replications: 1, like: relative)
    if relative == nil { relative = engine }
    uses += 1
    return (simulation, engine)
  }
}

/// The cost of evaluating the bracket in a study of settings, shown before the study starts.
struct StudyCost {
  /// The number of replications of each setting itself, without runs under presets.
  var replications: Int
  /// The presets under which each setting is also simulated.
  var presets: [Preset]
  /// The number of runs in the whole study, which is the maximum for a search.
  var runs: Int
  var isLimit = false
  /// The setting whose sample size is typical of the others.
  var base: Scenario?

  /// A note on the runs, and on the number of phones if the scenario does not specify it; empty if everything is as
  /// requested.
  var note: String { runsNote + (base.map(SampleWords.note) ?? "") }

  /// The runs in a form such as `36 runs, 3 a setting: the scenario, prompt, lazy (--nominal: 1)`; empty if only the
  /// scenario is simulated.
  private var runsNote: String {
    guard !presets.isEmpty else { return "" }
    let parts = [replications == 1 ? "the scenario" : "\(replications) of the scenario"] + presets.map(\.rawValue)
    return "\(isLimit ? "at most " : "")\(runs) runs, \(replications + presets.count) per setting: "
      + "\(parts.joined(separator: ", ")) (--nominal: \(replications))\n"
  }
}
