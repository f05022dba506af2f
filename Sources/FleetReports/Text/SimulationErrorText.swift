package import FleetEngine
package import Scenario
import SimulationKernel

/// Why a simulation has no result, as one sentence without a full stop.
package func text(of error: SimulationError, in scenario: Scenario) -> String {
  switch error {
  case .endlessInstant(let device, let cohort, let instant, let events):
    "device \(device) of cohort \(scenario.fleet.cohorts[cohort].name) does more than \(SimulationError.mostEventsAtOnce) "
      + "things at \(UTCTime(instant, of: scenario.clock).full) and time does not pass: "
      + events.joined(separator: ", ") + ", and so on"
  case .contradiction(let replication, let sentences):
    "counts of replication \(replication + 1) contradict each other: " + sentences.joined(separator: "; ")
  case .parted(let error): error.message
  case .notKept(let error): error.message
  }
}
