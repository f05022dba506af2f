import FleetEngine
import FleetReports
import Platform
import Scenario
import ScenarioFiles
import Studies
import StudyStore
import Synchronization

/// The runs of a sweep, which are stored one by one next to the results. With `--resume`, an interrupted sweep
/// continues from this store.
struct SweepWork {
  private let task: SweepTask
  /// The folder that contains the store until the results are complete.
  let folder: UnfinishedFolder
  private let store: RunStore
  /// The runs that were already complete when this sweep started.
  private let finished: Set<StoredRunKey>

  static let kept = "completed work is kept for --resume"

  /// Opens the store of an earlier sweep or creates a new store.
  init(_ task: SweepTask, _ folder: UnfinishedFolder, _ settings: Settings, _ console: Console) throws(Failure) {
    (self.task, self.folder) = (task, folder)
    let seal = RunSeal(of: task.identity, hash: SHA256.hexadecimal)
    if settings.study.resumes, folder.hasStore, let begun = try Self.begun(in: folder, task, seal) {
      (store, finished) = begun
      console.note("resuming: \(finished.count) of \(task.runs.count) runs are already done\n")
      return
    }
    if folder.hasStore { Self.warnOfDiscardedRuns(in: folder, isMerge: settings.study.merges, console) }
    folder.clear()
    finished = []
    store = try Self.understood(folder) { () throws(StoreError) in
      let store = try RunStore(at: folder.storePath, isScratch: settings.study.merges, sealed: seal)
      try store.begin(task.identity, task.plan.axes, task.plan.settings.map(\.values))
      return store
    }
  }

  /// Returns the store of the sweep to resume; `nil` if there is none.
  private static func begun(
    in folder: UnfinishedFolder, _ task: SweepTask, _ seal: RunSeal
  ) throws(Failure) -> (RunStore, Set<StoredRunKey>)? {
    let identity = task.identity
    let store = try understood(folder) { () throws(StoreError) in try RunStore(at: folder.storePath, sealed: seal) }
    guard try understood(folder, { () throws(StoreError) in try store.isBegun() }) else { return nil }
    let difference = try understood(folder) { () throws(StoreError) in try store.difference(from: identity) }
    if let difference {
      throw .unsuitableInput(
        path: folder.path,
        reason: "is an unfinished sweep with \(difference): without --resume, a new one replaces it")
    }
    let finished = try understood(folder) { () throws(StoreError) in
      try store.check(identity, task.plan.axes, task.plan.settings.map(\.values)) { Interruption.isRequested }
      return try store.finished()
    }
    try Interruption.check()
    return (store, finished)
  }

  /// Prints a warning about completed runs that will be discarded because `--resume` was not given.
  private static func warnOfDiscardedRuns(in folder: UnfinishedFolder, isMerge: Bool, _ console: Console) {
    guard let store = try? RunStore(at: folder.storePath), let count = try? store.finished().count, count > 0 else {
      return
    }
    console.note(
      "warning: an unfinished sweep with \(count) finished runs is "
        + (isMerge ? "discarded\n" : "started over; --resume would have continued it\n"))
  }

  private static func understood<Value>(
    _ folder: UnfinishedFolder, _ work: () throws(StoreError) -> Value
  ) throws(Failure) -> Value {
    do { return try work() } catch {
      switch error {
      case .system(let number):
        try Interruption.check()
        throw .cannotWrite(path: folder.storePath, errno: number)
      case .damaged(let words):
        throw .unsuitableInput(
          path: folder.storePath, reason: "cannot be used: \(words); without --resume, a new one replaces it")
      }
    }
  }
}

extension SweepWork {
  /// The number of devices left to simulate.
  var devicesLeft: Int {
    runsLeft.reduce(0) { $0 + devices(of: $1) }
  }

  private func devices(of run: StoredRunKey) -> Int {
    task.plan.settings[run.setting].scenario.devicesTotal
  }

  private var runsLeft: [StoredRunKey] { task.runs.filter { !finished.contains($0) } }

  /// The settings with runs left to simulate, in order.
  var settingsLeft: [Int] { runsLeft.map(\.setting).uniqued }

  /// Simulates the runs that are missing from the store.
  func simulate(_ prepared: (Scenario) throws(Failure) -> (Simulation, Engine), _ control: RunControl) throws(Failure) {
    var current: (setting: Int, simulation: Simulation, engine: Engine)?
    for key in runsLeft {
      if current?.setting != key.setting {
        let (simulation, engine) = try prepared(task.plan.settings[key.setting].scenario)
        current = (key.setting, simulation, engine)
      }
      guard let (_, simulation, engine) = current else { return }
      let summary =
        if let preset = key.preset {
          try simulation.summary(under: preset, of: engine, control)
        } else {
          try simulation.summary(of: engine, replication: key.replication, control)
        }
      try add(summary, of: key)
    }
  }

  /// Copies the runs of all parts in the order of a full sweep, which determines the numbering of metrics.
  func take(_ parts: SweepParts, _ control: RunControl) throws(Failure) {
    for setting in task.settings {
      for (key, summary) in zip(task.runs(of: setting), try parts.summaries(of: setting, in: task)) {
        try Interruption.check()
        try add(summary, of: key)
        control.devicesDone.add(devices(of: key), ordering: .relaxed)
      }
    }
  }

  private func add(_ summary: Summary, of key: StoredRunKey) throws(Failure) {
    let seed = task.plan.settings[key.setting].scenario.run.seed
    try Self.understood(folder) { () throws(StoreError) in
      try store.add(summary, of: key, seed: seed, version: Version.current, scenarioHash: task.hashes[key.setting])
    }
  }

  /// Returns all settings with their metrics; all runs must be complete.
  func runs() throws(Failure) -> [SweepRun] {
    let labels = EssentialLabels(of: task.base.goals + task.settings.flatMap { task.plan.settings[$0].scenario.goals })
    let reader = try Self.understood(folder) { () throws(StoreError) in try store.reader(of: labels.contains) }
    func summary(of key: StoredRunKey) throws(Failure) -> Summary {
      try Self.understood(folder) { () throws(StoreError) in try reader.summary(of: key) }
    }
    return try task.settings.map { index throws(Failure) in
      let setting = task.plan.settings[index]
      let goals = setting.scenario.goals
      let parts = try (0..<setting.scenario.run.replications).map { replication throws(Failure) in
        try summary(of: StoredRunKey(setting: index, replication: replication))
      }
      var bracket = Bracket(summaries: [:])
      for preset in task.presets[index] {
        let key = StoredRunKey(setting: index, preset: preset, replication: 0)
        bracket.summaries[preset] = try summary(of: key).essential(task.base.goals + goals)
      }
      return SweepRun(
        values: setting.values, replications: parts.count,
        summary: Summary(merging: parts, of: setting.scenario).essential(task.base.goals + goals), goals: goals,
        bracket: bracket)
    }
  }

  /// Copies the store to a new file in an unfinished folder.
  func copy(to staged: StagedFolder, as name: String) throws(Failure) {
    let path = staged.path(of: name)
    do { try store.copy(to: path) } catch {
      try Interruption.check()
      // SQLite reports corruption if the disk does not return the bytes that were just written.
      guard case .system(let number) = error else { throw .cannotWrite(path: path, errno: EIO) }
      throw .cannotWrite(path: path, errno: number)
    }
    // SQLite removes this file without checking whether the removal succeeds.
    try staged.remove(name + ResultsLayout.storeJournalSuffix)
  }

  /// Adds a sentence about the stored work to a failure. If there is none, removes the store instead.
  func left(after failure: Failure) -> Failure {
    let count = (try? store.finished().count) ?? 0
    guard count > 0 else {
      remove()
      return failure
    }
    guard case .stopped(let signal, _) = failure else { return failure }
    return .stopped(signal: signal, kept: Self.kept)
  }

  /// Removes the store after the results are complete.
  func remove() {
    folder.clear()
    folder.release()
  }
}
