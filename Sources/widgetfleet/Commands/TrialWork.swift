import FleetEngine
import FleetReports
import Studies

/// The runs beside a run that its page rests on: its draws without outages.
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
    settings.makesTrials && !engine.scenario.endpointsWithOutages(engine.eventSpans).isEmpty
  }

  func outcome() throws(Failure) -> StoredTrials {
    var trials = StoredTrials()
    if leavesOutagesOut { trials.withoutOutages = try withoutOutages() }
    return trials
  }

  private func withoutOutages() throws(Failure) -> [EndpointTries] {
    let tries: [EndpointTries]?
    do { tries = try variants.withoutOutages(engine.scenario, engine.eventSpans) } catch {
      throw simulation.failure(error)
    }
    guard let tries else { throw try simulation.unfinished() }
    return tries
  }
}
