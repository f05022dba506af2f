import FleetEngine
import FleetReports
import Studies

/// The additional runs for the report page. They use the same random draws as the main run, but either have no outages
/// or apply the advice in findings.
struct TrialWork {
  private let engine: Engine
  private let simulation: Simulation
  private let settings: Settings
  private let variants: VariantRuns

  init(_ engine: Engine, _ simulation: Simulation, _ settings: Settings, _ control: RunControl) {
    self.engine = engine
    self.simulation = simulation
    self.settings = settings
    variants = VariantRuns(of: engine, zones: simulation.zones, threads: simulation.threads, control: control)
  }

  /// The number of runs that are needed regardless of the results.
  var knownRuns: Int { leavesOutagesOut ? 1 : 0 }

  private var leavesOutagesOut: Bool {
    settings.makesTrials(of: engine.scenario) && !engine.scenario.endpointsWithOutages(engine.eventSpans).isEmpty
  }

  /// Returns the plan for the trials; `nil` if none are needed.
  func plan(_ result: RunResult, _ summary: Summary) -> TrialPlan? {
    settings.makesTrials(of: engine.scenario) ? TrialPlan(result, summary) : nil
  }

  /// - Parameter watch: the progress display, which receives the number of trials once the plan is made.
  func outcome(of plan: TrialPlan?, _ result: RunResult, _ watch: Watch) throws(Failure) -> StoredTrials {
    guard let plan else { return StoredTrials() }
    watch.expect(more: plan.findings.count * result.devicesTotal, in: RunStage.trials)
    var trials = StoredTrials()
    if leavesOutagesOut {
      trials.withoutOutages = try simulation.finished { () throws(StudyError) in
        try variants.withoutOutages(engine.scenario, engine.eventSpans)
      }
    }
    trials.outcomes = try simulation.finished { () throws(StudyError) in
      try variants.several(plan.findings.count, devices: result.devicesTotal) {
        index, variants throws(StudyError) -> [TrialOutcome]? in
        let finding = plan.findings[index]
        guard let outcome = try plan.outcome(of: finding, variants) else { return nil }
        guard outcome.helps, !outcome.isAdvice, let milder = finding.milder(in: engine.scenario) else {
          return [outcome]
        }
        watch.expect(more: result.devicesTotal, in: RunStage.trials)
        return try plan.outcome(of: milder, variants).map { [outcome, $0] }
      }?.flatMap { $0 }
    }
    return trials
  }
}
