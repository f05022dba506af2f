import FleetEngine
import FleetReports
import Scenario
import ScenarioFiles
import Studies

/// The `widgetfleet tune` command, which finds the setting that minimizes a metric and meets the goals.
struct TuneCommand: StudyCommand {
  let settings: Settings
  let console: Console

  func run() throws(Failure) -> ExitCode {
    let bytes = try InputFile.read(path)
    let plan = try plan(bytes)
    let problem = try problem(plan)
    _ = try prepared(plan.base, others: !problem.presets.isEmpty)
    let hash = hash(of: plan, problem)
    let claim = try claimed("tune", of: plan.base, hash: hash)
    console.note(
      StudyCost(
        replications: problem.replications, presets: problem.presets, runs: problem.maxRuns, isLimit: true,
        base: plan.base
      ).note)
    let devices = plan.base.devicesTotal * problem.maxRuns
    let report = try write(to: claim, devices: devices) { staged, control throws(Failure) -> TuneReport in
      let report = self.report(try study(problem, plan, control), plan, bytes, hash)
      if case .unmeasured(let sentence) = report.study.outcome {
        throw .unsuitableInput(path: path, reason: "cannot be tuned: \(sentence)")
      }
      for file in report.files { try staged.write(file.bytes(of: report), to: file.name) }
      return report
    }
    try printOut(report, claim.output)
    return report.study.isFeasible ? .success : .infeasible
  }

  private func printOut(_ report: TuneReport, _ output: OutputPath) throws(Failure) {
    console.note("results: \(output.path.printable)/\(TuneFile.page.name)\n")
    if report.study.isFeasible, report.tunedText == nil {
      console.error(
        "warning: the values could not be inserted into '\(path.printable)': there is no tuned.yaml; "
          + "pass them with --set\n")
    }
    for goal in report.study.final?.goals ?? [] where report.study.isFeasible && goal.verdict == .inconclusive {
      console.error("warning: goal '\(goal.goal.id.printable)' is inconclusive: \(goal.reason.printable)\n")
    }
    try console.output(
      settings.format == .json ? report.document : report.text(answerOnly: settings.isQuiet))
  }

  private func plan(_ bytes: [UInt8]) throws(Failure) -> TunePlan {
    let outcome = TuneReader.read(
      text: bytes, fileName: InputFile.shownName(path),
      settings: settings.assignments.map(\.argument), options: settings.study.tune,
      files: InputFile.named(besides: path))
    guard let plan = outcome.plan else { throw .invalidScenario(problems: outcome.diagnostics.humanText) }
    return plan
  }

  private func problem(_ plan: TunePlan) throws(Failure) -> TuneProblem {
    let run = plan.base.run
    let presets = presets(judging: plan.base, plan.goals)
    let problem = TuneProblem(
      objective: plan.objective, goals: plan.goals,
      axes: plan.keys.map { TuneAxis(levels: $0.levels, isOrdered: $0.isOrdered) }, seed: run.seed,
      replications: run.replications, maxRuns: settings.study.maxRuns ?? (presets.isEmpty ? 60 : 120),
      presets: presets)
    guard problem.maxRuns >= problem.fewestRuns else {
      throw .usage(
        "\(problem.maxRuns) runs are not enough: with \(run.replications) "
          + (run.replications == 1 ? "replication" : "replications")
          + (presets.isEmpty ? "" : " and the bracket,") + " a search takes at least \(problem.fewestRuns)",
        command: "tune",
        hint: "write --max-runs \(problem.fewestRuns) or more"
          + (run.replications == 1 ? "" : ", or fewer replications: -n 1") + (presets.isEmpty ? "" : ", or --nominal"))
    }
    return problem
  }

  private func study(
    _ problem: TuneProblem, _ plan: TunePlan, _ control: RunControl
  ) throws(Failure) -> TuneStudy {
    do {
      var tuner = try Tuner(problem)
      while let request = try tuner.next() { try simulate(request, for: &tuner, plan, control) }
      return tuner.study
    } catch let failure as Failure {
      throw failure
    } catch {
      throw .bug("the search failed: \(error)", seed: problem.seed)
    }
  }

  /// Simulates a setting, including its bracket if the bracket may be decisive.
  private func simulate(
    _ request: TuneRequest, for tuner: inout Tuner, _ plan: TunePlan, _ control: RunControl
  ) throws(Failure) {
    let (scenario, diagnostics) = plan.scenario(at: request.levels)
    guard var scenario else { throw .invalidScenario(problems: diagnostics.humanText) }
    scenario.run.seed = request.seed
    scenario.run.replications = request.replications
    let presets = presets(judging: scenario, plan.goals)
    let (simulation, engine) = try prepared(scenario, others: !presets.isEmpty)
    let summary = try simulation.summary(of: simulation.result(of: engine, control), engine, control)
    tuner.limitGoals(by: scenario)
    let isNeeded = tuner.needsBracket(summary)
    tuner.add(summary, isNeeded ? try simulation.bracket(presets, of: engine, control) : nil)
  }

  /// Returns the SHA-256 hash of the search design, in hexadecimal.
  private func hash(of plan: TunePlan, _ problem: TuneProblem) -> String {
    let keys = plan.keys.map { key in
      "\(key.path): \(key.text(at: 0))..\(key.text(at: key.levels - 1)), \(key.levels)"
    }
    let search = [plan.objectiveText, "\(problem.maxRuns)", problem.judging.rawValue]
    let text = [plan.base.resolvedText] + search + plan.goals.map(\.text) + keys
    return SHA256.hexadecimal(of: Array(text.joined(separator: "\n\n").utf8))
  }

  private func report(_ study: TuneStudy, _ plan: TunePlan, _ bytes: [UInt8], _ hash: String) -> TuneReport {
    let found = study.isFeasible ? study.final : nil
    let tuned = found.flatMap { plan.tunedText(of: bytes, at: $0.levels) }
    return TuneReport(
      study: study, keys: keys(plan, at: study.final?.levels ?? []),
      values: study.trials.map { plan.values(at: $0.levels) },
      objective: plan.objectiveText, base: plan.base,
      provenance: Provenance(
        version: Version.current, resolvedScenario: plan.base.resolvedText, studyHash: hash), tunedText: tuned,
      patch: tuned.map { UnifiedDiff.text(from: bytes, to: $0, name: fileName) } ?? [])
  }

  /// Returns the searched keys, each with its value in the scenario.
  private func keys(_ plan: TunePlan, at levels: [Int]) -> [TunedKey] {
    let tuned = levels.isEmpty ? nil : plan.scenario(at: levels).scenario
    let differences = tuned?.differences(from: plan.base) ?? []
    return plan.keys.map { key in
      // If the scenario does not contain the key, the difference is found at its topmost missing parent.
      let difference = differences.first { (key.path + ".").hasPrefix($0.path + ".") }
      return TunedKey(
        path: key.path, ticks: key.ticks.map { TunedKey.Tick(level: $0.level, text: $0.text) },
        before: difference.map { plan.written(key) ?? $0.base ?? "not set" })
    }
  }
}
