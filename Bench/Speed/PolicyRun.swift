import FleetEngine
import Scenario
import ScenarioFiles
import SimulationKernel

/// A run of W whose policy is after(15 min), for comparing the cost of code with that of the file's policy.
struct PolicyRun {
  /// Whether code takes the place of the policy.
  let isCode: Bool
  let devices: Int
  /// The number of widgets on each device: the two of W run at the same instants, one alone stays on the fast path.
  let widgets: Int

  /// The policy as code.
  private struct Quarter: SimulatedTimelineProvider {
    func timeline(in context: TimelineContext, memory: inout NoMemory) -> SimulatedTimeline {
      SimulatedTimeline(policy: .after(context.date + .minutes(15)))
    }
  }

  /// Simulates the devices on one thread, in long steps and without a budget, and returns the number of events.
  func eventCount() throws -> Int64 {
    let settings = [
      "fleet.devices=\(devices)", "os.budget.model=off", "clock.step=1h", "kinds.feed.reload.after=15min",
    ]
    let outcome = ScenarioReader.read(
      text: try Workload.renewal.text(), fileName: Workload.renewal.fileName, settings: settings.map { SetArgument($0) }
    )
    guard var scenario = outcome.scenario else {
      throw BenchArguments.Mistake(description: outcome.diagnostics.humanText)
    }
    for cohort in scenario.fleet.cohorts.indices {
      scenario.fleet.cohorts[cohort].widgets = Array(scenario.fleet.cohorts[cohort].widgets.prefix(widgets))
    }
    if isCode { scenario.use(Quarter(), for: "feed") }
    let engine = try Engine(preparing: scenario, zones: zoneTables(for: scenario)).withoutRows
    let result = try engine.run(threads: 1, control: RunControl())
    return result?.replications.reduce(0) { $0 + $1.eventCount } ?? 0
  }
}
