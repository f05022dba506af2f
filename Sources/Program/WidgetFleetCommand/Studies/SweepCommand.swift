import FleetEngine
import FleetReports
import Scenario
import ScenarioFiles
import SimulationKernel
import Studies

/// The `widgetfleet sweep` command, which simulates many settings of a scenario with the same random draws.
struct SweepCommand: StudyCommand {
  let settings: Settings
  let console: Console

  func run() throws(Failure) -> ExitCode {
    let (plan, base) = try plan()
    let task = SweepTask(plan, base, self)
    let parts = settings.study.merges ? try SweepParts(settings.operands.dropFirst(), of: task) : nil
    if let part = settings.study.part { return try simulate(part, task) }
    if parts == nil { try checkFirst(task) }
    let claim = try claimed("sweep", of: base, hash: task.studyHash)
    let work = try self.work(on: task, claim)
    console.note(parts.map { "merging \(task.runs.count) runs from \($0.count) parts\n" } ?? price(of: plan).note)
    let (study, effects) = try finished(work, isMerge: parts != nil) { staged, control throws(Failure) in
      if let parts {
        try work.take(parts, control)
      } else {
        try work.simulate(SettingPreparation(self).prepared, control)
      }
      return try write(work, task, to: staged)
    }
    if !effects.note.isEmpty { console.note("note: \(effects.note)\n") }
    console.note("results: \(claim.output.path.printable)/\(SweepFile.page.name)\n")
    try console.output(
      settings.format == .json
        ? study.document(version: Version.current) : study.text(answerOnly: settings.isQuiet))
    let isInVain = !study.goals.isEmpty && !study.runs.contains { $0.passes }
    return isInVain && !settings.exitsWithZero ? .goalFailed : .success
  }

  /// Simulates one part of a sweep, and writes the files needed to merge the parts.
  private func simulate(_ part: SweepPart, _ task: SweepTask) throws(Failure) -> ExitCode {
    try checkFirst(task)
    let count = task.settings.count
    let name = "sweep-part-\(part.number)-of-\(part.count)"
    let claim = try claimed(name, of: task.base, hash: task.studyHash)
    let work = try self.work(on: task, claim)
    var own = task.plan
    own.settings = task.settings.map { task.plan.settings[$0] }
    console.note(count == 0 ? "note: part \(part.text) has no settings\n" : price(of: own).note)
    try finished(work) { staged, control throws(Failure) in
      try work.simulate(SettingPreparation(self).prepared, control)
      try work.copy(to: staged, as: SweepPartFile.store.name)
      let store = staged.path(of: SweepPartFile.store.name)
      let manifest = manifest(task).bytes(
        of: part, settings: count, judging: settings.study.judging, keys: task.plan.axes.map(\.path),
        storeHash: try InputFile.hash(store, kind: "run store"))
      try staged.write(manifest, to: SweepPartFile.manifest.name)
    }
    console.note(
      "part \(part.text): \(count) of \(task.plan.settings.count) settings are done: \(claim.output.path.printable)\n")
    return .success
  }

  /// Rejects settings that cannot be simulated before time is spent on other settings and before anything is written. A
  /// resumed sweep is checked later, when the remaining settings are known.
  private func checkFirst(_ task: SweepTask) throws(Failure) {
    if !settings.study.resumes { try check(task.settings, of: task) }
  }

  private func check(_ indices: [Int], of task: SweepTask) throws(Failure) {
    let preparation = SettingPreparation(self)
    var shown = SettingProgress("checking", settings, console)
    defer { shown.finish() }
    for (number, setting) in indices.enumerated() {
      shown.show(number, of: indices.count)
      try Interruption.check()
      _ = try preparation.prepared(task.plan.settings[setting].scenario)
    }
  }

  /// Returns the work for a validated task.
  private func work(on task: SweepTask, _ claim: UnfinishedFolder) throws(Failure) -> SweepWork {
    let work: SweepWork
    do { work = try SweepWork(task, claim, settings, console) } catch {
      claim.release()
      throw error
    }
    guard settings.study.resumes, !settings.study.merges else { return work }
    do { try check(work.settingsLeft, of: task) } catch { throw work.left(after: error) }
    return work
  }

  /// Performs the work, moves its folder to the destination, and removes the folder for unfinished work.
  ///
  /// - Parameter isMerge: whether to discard the work of an interrupted merge, which is possible because the parts
  ///   still contain it.
  private func finished<Value>(
    _ work: SweepWork, isMerge: Bool = false,
    _ write: (StagedFolder, RunControl) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let folder = work.folder
    let place = StudyFiles(
      kept: { isMerge ? nil : SweepWork.kept }, abandon: { if isMerge { folder.clear() } })
    do {
      let value = try self.write(to: folder, devices: work.devicesLeft, place, write)
      work.remove()
      return value
    } catch {
      if isMerge { work.remove() }
      throw isMerge ? error : work.left(after: error)
    }
  }

  /// Writes the results after all runs are complete.
  private func write(
    _ work: SweepWork, _ task: SweepTask, to staged: StagedFolder
  ) throws(Failure) -> (SweepStudy, SweepEffects) {
    let (study, manifest) = study(task, try work.runs())
    let effects = SweepEffects(of: study)
    for file in SweepFile.allCases {
      if let bytes = file.bytes(of: study, effects, manifest) {
        try staged.write(bytes, to: file.name)
      } else {
        try work.copy(to: staged, as: file.name)
      }
    }
    return (study, effects)
  }

  /// Returns the study produced by a task, and a description of how it was produced.
  func study(_ task: SweepTask, _ runs: [SweepRun]) -> (SweepStudy, SweepManifest) {
    let base = task.base
    let study = SweepStudy(
      axes: task.plan.axes, goals: base.goals, judging: settings.study.judging, scenario: base, runs: runs)
    return (study, manifest(task))
  }

  private func manifest(_ task: SweepTask) -> SweepManifest {
    let provenance = Provenance(
      version: Version.current, resolvedScenario: task.base.resolvedText, studyHash: task.studyHash)
    return SweepManifest(
      provenance: provenance, method: task.plan.method.rawValue, scenario: task.base.name, seed: task.base.run.seed)
  }

  /// Returns the total cost of the settings, assuming that each one costs as much as the most expensive one.
  func price(of plan: SweepReader.Outcome) -> StudyCost {
    let settings = plan.settings.map(\.scenario).map { ($0.run.replications, presets(judging: $0, $0.goals)) }
    let maximum = settings.max { $0.0 + $0.1.count < $1.0 + $1.1.count }
    return StudyCost(
      replications: maximum?.0 ?? 1, presets: maximum?.1 ?? [], runs: settings.reduce(0) { $0 + $1.0 + $1.1.count },
      base: plan.settings.first?.scenario)
  }

  func plan() throws(Failure) -> (SweepReader.Outcome, Scenario) {
    let shown = Locked(SettingProgress("reading", settings, console))
    var options = settings.study.sweep
    options.mayContinue = { done, count in
      shown.withLock { $0.show(done, of: count) }
      return !Interruption.isRequested
    }
    let plan = SweepReader.read(
      text: try InputFile.read(path), fileName: InputFile.shownName(path),
      settings: settings.assignments.map { SetArgument($0.text) }, options: options,
      files: InputFile.named(besides: path), sampler: SweepDesign.points)
    shown.withLock { $0.finish() }
    try Interruption.check()
    guard let base = plan.base else { throw .invalidScenario(problems: plan.diagnostics.humanText) }
    return (plan, base)
  }
}
