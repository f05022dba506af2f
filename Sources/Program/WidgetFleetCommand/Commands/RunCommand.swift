import FleetEngine
import FleetReports
import Platform
import Scenario
import ScenarioFiles
import Studies

/// The `widgetfleet run` command, which simulates a scenario file, writes a results folder and prints a table.
struct RunCommand {
  let settings: Settings
  let console: Console
  private let stopwatch = Stopwatch()

  init(settings: Settings, console: Console) { (self.settings, self.console) = (settings, console) }

  func run() throws(Failure) -> ExitCode {
    let source = try ScenarioSource(
      path: settings.operands[0], assignments: settings.assignments, checksStudies: settings.isDryRun)
    if !source.warnings.isEmpty { console.note(source.warnings.humanText) }
    if settings.isDryRun {
      let folder = settings.out ?? name(for: source.scenario).free(console)
      return try DryRun(settings: settings, console: console).run(source, folder: folder)
    }
    var simulation = Simulation(source.scenario, path: settings.operands[0], settings, console)
    if settings.study.precision != nil, source.scenario.goals.isEmpty {
      throw .usage(
        "--until-ci needs goals in the scenario: it repeats the run until their values are precise enough",
        command: "run")
    }
    var engine = try simulation.prepared(
      withRows: settings.files.contains(.devices))
    if let device = settings.device {
      return try Replay(engine: engine, settings: settings, console: console).run(device, simulation)
    }
    let forecast = try simulation.checkMemory(
      engine,
      others: !bracketPresets(source).isEmpty || settings.makesTrials(of: source.scenario)
        || source.scenario.needsOfferedLoad)
    let testCases = try settings.junitPath.map { path throws(Failure) in try OutputFile(path) }
    let claim = try name(for: source.scenario).claimed(settings, console)
    defer { claim.release() }
    let requests = try RequestLogOutput(settings.requests, results: claim.output, console)
    // The folder for the request log is created if it does not exist.
    try claim.output.checkReplaceable()
    requests?.forecast(source.scenario)
    let wave = try Waves(scenario: source.scenario, settings: settings, console: console).settled(claim)
    if let wave { (simulation, engine) = (wave.simulation, wave.engine) }
    let stages = RunStage.all(
      of: engine, isSettled: wave != nil, presets: bracketPresets(source), screened: screened(engine, simulation),
      hasLog: requests != nil, leavesOutagesOut: TrialWork(engine, simulation, settings, RunControl()).knownRuns > 0)
    try simulation.printSize(engine, memory: forecast, stages, settings)
    let kept = try RunCheckpoint(source.scenario, claim, settings, console)
    let (report, judgement): (Report, GoalEvaluation)
    do {
      (report, judgement) = try results(of: engine, simulation, stages, claim.output, (kept, requests, wave))
    } catch { throw kept.left(after: error) }
    kept.remove()
    try testCases?.write(junitXML(of: report, isStrict: settings.isStrict))
    describe(forecast)
    console.note(judgement.warnings + (driftWarning(of: report) ?? ""))
    requests?.describe(engine)
    try show(report, in: claim.output)
    return judgement.fails(isStrict: settings.isStrict) && !settings.exitsWithZero ? .goalFailed : .success
  }

  private func name(for scenario: Scenario) -> ResultsName {
    ResultsName("Reports/" + scenario.name, for: scenario, asked(scenario))
  }

  /// Prints the location of the results and, unless the request log is written to standard output, the results.
  private func show(_ report: Report, in output: OutputPath) throws(Failure) {
    let page = settings.files.contains(.page) ? ReportFile.page.name : ""
    console.note("results: \(output.path.printable)/\(page)\n")
    let isDocument = settings.format == .json
    // Without notes, only the verdict line can show that the results are in an unusual folder.
    let isUsual = settings.out != nil || output.path == "Reports/" + report.result.scenario.name
    let bytes =
      isDocument
      ? summaryJSON(of: report)
      : settings.isQuiet
        ? verdictLineAlone(of: report, in: isUsual ? nil : output.path) : summaryTable(of: report)
    if settings.requests?.isStandardOutput == true {
      console.note(String(decoding: bytes, as: UTF8.self))
    } else if isDocument {
      try console.output(bytes)
    } else {
      try console.output(verdicts: bytes)
    }
  }

  /// Simulates the scenario, unless a wave has already determined the verdict, and writes the results folder.
  private func results(
    of engine: Engine, _ simulation: Simulation, _ stages: [Progress.Stage], _ output: OutputPath,
    _ beside: (kept: RunCheckpoint, requests: RequestLogOutput?, wave: Waves.Settled?)
  ) throws(Failure) -> (Report, GoalEvaluation) {
    let staged = try StagedFolder(for: output)
    let (kept, requests, wave) = beside
    let log = requests?.file
    let abandon: @Sendable () -> Void = {
      staged.abandon()
      log?.abandon()
    }
    defer { abandon() }
    let control = settings.ranks.control(journal: kept.journal)
    let trials = TrialWork(engine, simulation, settings, control)
    let watch = Watch(
      control, Progress(settings, Environment(), stages: stages), kept: { kept.settled() }, journal: kept.journal,
      pulse: kept.pulse(control, settings), abandon: abandon)
    return try watch.during { () throws(Failure) -> (Report, GoalEvaluation) in
      let result: RunResult
      if let wave { result = wave.result } else { result = try simulate(engine, simulation, control, watch) }
      try requests?.write(engine, result, simulation, control)
      let judgement = try judge(result, engine, simulation, control, watch, wave)
      describeVerdict(engine, simulation)
      var report = self.report(result, judgement, StoredTrials())
      report.zones = simulation.zones
      report.phones = try simulation.phones(of: result, engine)
      let plan = trials.plan(result, judgement.summary)
      if trials.knownRuns > 0 || plan?.findings.isEmpty == false { printVerdict(report, watch) }
      report.trials = try trials.outcome(of: plan, result, watch)
      if settings.savesConditions, let first = result.replications.first {
        try staged.write(engine.conditions(of: first).text, to: ResultsLayout.conditions)
      }
      // The manifest is written last, so a folder with a manifest is complete.
      for file in report.files {
        try staged.write(to: file.name) { append throws(Failure) in try file.write(of: report, to: append) }
      }
      try requests?.commit()
      try staged.commit()
      return (report, judgement)
    }
  }

  /// Prints the verdict before the trials start, because trials take a while after a long run.
  private func printVerdict(_ report: Report, _ watch: Watch) {
    watch.hideProgress()
    console.note(String(decoding: verdictLineAlone(of: report), as: UTF8.self))
  }

  /// Simulates the number of replications given in the scenario, or the number required by its goals.
  private func simulate(
    _ engine: Engine, _ simulation: Simulation, _ control: RunControl, _ watch: Watch
  ) throws(Failure) -> RunResult {
    guard let precision = settings.study.precision else { return try simulation.result(of: engine, control) }
    let scenario = simulation.scenario
    let maximum = simulation.maxReplications(
      of: engine,
      others: settings.hasBracket || settings.makesTrials(of: scenario)
        || scenario.needsOfferedLoad,
      limit: maxReplications(scenario))
    var rule = StoppingRule(scenario.goals, share: precision)
    let result = try simulation.result(of: engine, control, atMost: maximum) { result in
      rule.add(lastOf: result)
      let count = result.replications.count
      if rule.isSatisfied, count >= scenario.run.replications { return true }
      if count >= scenario.run.replications, count < maximum {
        watch.expect(more: result.devicesTotal, in: RunStage.scenario(scenario))
      }
      return false
    }
    watch.hideProgress()
    console.note(Self.warnings(rule, result.replications.count))
    return result
  }

  /// Returns the maximum number of replications for `--until-ci`, which may be limited by the available memory.
  private func maxReplications(_ scenario: Scenario) -> Int {
    max(settings.study.maxReplications, scenario.run.replications)
  }

  /// Returns a warning for each metric that did not reach the required precision.
  private static func warnings(_ rule: StoppingRule, _ count: Int) -> String {
    rule.open.map { name, share in
      let known = share.map { "is known to within \(($0 * 1_000).rounded() / 10) %" } ?? "has an unknown precision"
      return "warning: after \(count) replications, the maximum, \(name.text.printable) \(known)\n"
    }.joined()
  }

  /// Returns the presets to simulate in addition to the scenario.
  private func bracketPresets(_ source: ScenarioSource) -> [Preset] {
    settings.hasBracket ? BracketRuns.presets(of: source.scenario) : []
  }

  /// Returns the number of devices simulated in the runs that vary assumptions.
  private func screened(_ engine: Engine, _ simulation: Simulation) -> Int {
    guard settings.hasBracket else { return 0 }
    return screen(of: engine, by: simulation.variants(of: engine, RunControl())).devicesSimulated
      * engine.devicesTotal / max(engine.devicesSimulated, 1)
  }

  private func screen(of engine: Engine, by variants: VariantRuns) -> Screen {
    Screen(of: engine.scenario, by: variants, devices: engine.devicesSimulated)
  }

  /// Returns the metrics, including those under the bracket presets, and the verdicts on the goals.
  private func judge(
    _ result: RunResult, _ engine: Engine, _ simulation: Simulation, _ control: RunControl, _ watch: Watch,
    _ wave: Waves.Settled?
  ) throws(Failure) -> GoalEvaluation {
    let variants = simulation.variants(of: engine, control) {
      watch.expect(more: result.devicesTotal, in: RunStage.offered)
    }
    return try simulation.finished { () throws(StudyError) in
      try GoalEvaluation(
        of: engine, wave?.summary ?? Summary(of: result), wave?.bracket, by: variants,
        isBracketed: settings.hasBracket)
    }
  }

  private func report(_ result: RunResult, _ judgement: GoalEvaluation, _ trials: StoredTrials) -> Report {
    let provenance = Provenance(version: Version.current, resolvedScenario: result.scenario.resolvedText)
    var report = Report(
      result: result, summary: judgement.summary, goals: judgement.goals, provenance: provenance,
      files: settings.files, precision: asked(result.scenario), trials: trials)
    report.hasTimestamps = settings.hasTimestamps
    return report
  }

  /// Returns the precision required by `--until-ci`; `nil` if the option is not given.
  private func asked(_ scenario: Scenario) -> RequiredPrecision? {
    settings.study.precision.map { RequiredPrecision(share: $0, maxReplications: maxReplications(scenario)) }
  }

  /// Prints how long it took to reach the verdict if `-v` is given. Bench/Answers/run.py reads this output.
  private func describeVerdict(_ engine: Engine, _ simulation: Simulation) {
    console.detail(
      "widgetfleet: verdict after \(stopwatch.wallMilliseconds) ms with \(engine.devicesSimulated) devices and "
        + "\(screened(engine, simulation)) in runs that vary assumptions\n")
  }

  private func describe(_ forecast: MemoryForecast) {
    let used = MachineMemory.peak.map { ", \($0 / 1_000_000) MB used" } ?? ""
    console.detail("widgetfleet: \(forecast.peak / 1_000_000) MB of memory expected\(used)\n")
  }
}

/// The `widgetfleet run SCENARIO --dry-run` command, which prints every value in the scenario and its origin without
/// running a simulation.
struct DryRun {
  let settings: Settings
  let console: Console

  /// Prints the values of the scenario.
  ///
  /// - Parameter folder: the folder that a run would write its results to.
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

extension GoalEvaluation {
  /// Warnings about inconclusive goals.
  fileprivate var warnings: String {
    goals.filter { $0.verdict == .inconclusive }
      .map { "warning: goal '\($0.goal.id.printable)' is inconclusive: \($0.explanation.printable)\n" }.joined()
  }
}
