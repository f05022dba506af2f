import FleetEngine
import FleetReports
import Studies

/// The runs beside a run that its page rests on: its draws without outages, and with what its findings advise.
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

  /// Runs that will be made whatever the results are.
  var knownRuns: Int { leavesOutagesOut ? 1 : 0 }

  private var leavesOutagesOut: Bool {
    settings.makesTrials(of: engine.scenario) && !engine.scenario.endpointsWithOutages(engine.eventSpans).isEmpty
  }

  /// - Parameter watch: is told of the trials, which nobody could know of before.
  func outcome(_ result: RunResult, _ summary: Summary, _ watch: Watch) throws(Failure) -> StoredTrials {
    guard settings.makesTrials(of: engine.scenario) else { return StoredTrials() }
    let plan = TrialPlan(result, summary)
    watch.expect(more: plan.findings.count * result.devicesLived, in: RunStage.trials)
    var trials = StoredTrials()
    if leavesOutagesOut {
      trials.withoutOutages = try simulation.finished { () throws(StudyError) in
        try variants.withoutOutages(engine.scenario, engine.eventSpans)
      }
    }
    for finding in plan.findings {
      trials.outcomes.append(
        try simulation.finished { () throws(StudyError) in try plan.outcome(of: finding, variants) })
    }
    return trials
  }
}
