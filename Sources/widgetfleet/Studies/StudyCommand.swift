import FleetEngine
import FleetReports
import Scenario
import Studies

/// A command that simulates a scenario file more than once: what all studies do alike.
protocol StudyCommand {
  var settings: Settings { get }
  var console: Console { get }
}

extension StudyCommand {
  /// The scenario, as the user named it.
  var path: String { settings.operands[0] }
  /// Its name without the folder.
  var fileName: String { path == "-" ? "scenario.yaml" : String(path.split(separator: "/").last ?? "scenario.yaml") }

  /// The presets by which a setting is judged besides.
  func presets(judging scenario: Scenario, _ goals: [Goal]) -> [Preset] {
    settings.study.judging == .nominal ? [] : BracketRuns.presets(of: scenario, judging: goals)
  }

  /// A setting as it is simulated: without rows of devices, and refused where the machine cannot hold it.
  ///
  /// - Parameter others: whether further scenarios of the same size are simulated beside it.
  /// - Parameter replications: held at once; nil: all that the setting has.
  /// - Parameter relative: of a scenario that differs in little.
  func prepared(
    _ scenario: Scenario, others: Bool, replications: Int? = nil, like relative: Engine? = nil
  ) throws(Failure) -> (Simulation, Engine) {
    let simulation = Simulation(scenario, path: path, settings, console)
    return (simulation, try simulation.prepared(others: others, replications: replications, like: relative))
  }

  /// Claims the folder of the results: the one that is asked for, else one that holds no study of other settings.
  func claimed(_ command: String, of base: Scenario, hash: String) throws(Failure) -> UnfinishedFolder {
    try ResultsName("Reports/\(base.name)-\(command)", ofStudy: hash).claimed(settings, console)
  }

  /// Simulates with progress shown and signals heard.
  ///
  /// - Parameter devices: to be lived, as far as is known.
  func simulate<Value>(
    devices: Int, _ place: StudyPlace = StudyPlace(), _ work: (RunControl, Watch) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let control = settings.ranks.control()
    let meeting = try RankMeeting(control, settings, in: place.claim)
    defer { meeting.end() }
    let watch = Watch(
      control, Progress(settings, Environment(), total: devices), kept: place.kept, pulse: meeting.pulse,
      abandon: place.abandon)
    return try watch.during { () throws(Failure) in try work(control, watch) }
  }

  /// Simulates, puts the folder that is written into its place when it is whole, and gives the claim back.
  ///
  /// - Parameter devices: to be lived, as far as is known.
  func write<Value>(
    to claim: UnfinishedFolder, devices: Int, _ place: StudyPlace = StudyPlace(),
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

/// What a study leaves on the disk while it is at work.
struct StudyPlace {
  /// Where what is done is kept until the results are in their place; nil: nowhere.
  var claim: UnfinishedFolder?
  /// Says what stays of a study that is stopped.
  var kept: @Sendable () -> String? = { nil }
  /// Takes back what was begun when there is no time to return.
  var abandon: @Sendable () -> Void = {}
}

/// Prepares the settings of a study one after the other: most of them have most of their tables of quantiles in common.
final class SettingPreparation {
  private let command: any StudyCommand
  /// The setting whose tables serve again.
  private var relative: Engine?
  private var uses = 0

  /// After so many settings the tables begin anew, so that those of distributions that are varied do not pile up.
  private static let mostUses = 100

  init(_ command: any StudyCommand) { self.command = command }

  /// A setting, of which one replication is held at a time.
  func prepared(_ scenario: Scenario) throws(Failure) -> (Simulation, Engine) {
    if uses >= Self.mostUses { (relative, uses) = (nil, 0) }
    let hasOthers = !command.presets(judging: scenario, scenario.goals).isEmpty
    let (simulation, engine) = try command.prepared(scenario, others: hasOthers, replications: 1, like: relative)
    if relative == nil { relative = engine }
    uses += 1
    return (simulation, engine)
  }
}

/// What judging by the bracket makes a study of settings cost, said before it starts.
struct StudyPrice {
  /// Replications of a setting itself, runs under presets left out.
  var replications: Int
  /// The presets under which a setting is simulated besides.
  var presets: [Preset]
  /// Runs of the whole study; in a search at most so many.
  var runs: Int
  var isLimit = false
  /// The setting whose sample stands for the others'.
  var base: Scenario?

  /// What the runs are, and of how many phones where the scenario leaves that open; empty where all is as asked for.
  var note: String { runsNote + (base.map(SampleWords.note) ?? "") }

  /// `36 runs, 3 a setting: the scenario, prompt, lazy (--nominal: 1)`; empty where the scenario alone is simulated.
  private var runsNote: String {
    guard !presets.isEmpty else { return "" }
    let parts = [replications == 1 ? "the scenario" : "\(replications) of the scenario"] + presets.map(\.rawValue)
    return "\(isLimit ? "at most " : "")\(runs) runs, \(replications + presets.count) a setting: "
      + "\(parts.joined(separator: ", ")) (--nominal: \(replications))\n"
  }
}
