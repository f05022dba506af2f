import SimulationKernel
import Studies

/// Whether the measured days are like each other.
func driftAnswer(_ drift: Drift) -> String {
  switch drift {
  case .oneDay: " Whether the load still drifts from day to day cannot be told from one measured day."
  case .oneReplication:
    " Whether the load still drifts from day to day cannot be told from one replication: run with -n 5."
  case .noLoad: ""
  case .drifts(let change):
    " The measured days differ: " + driftText(change)
      + " Give clock.warmup more days, unless weekdays or an event explain it."
  case .within(let most):
    " The first and the second half of the measured days differ by at most \(NumberText.percent(most)) in requests."
  }
}

/// The warning of a run whose measured days still drift; nil: they do not, or it cannot be told.
package func driftWarning(of report: Report) -> String? {
  let clock = report.result.scenario.clock
  guard report.result.replications.count > 1, clock.end - .start >= .days(2) else { return nil }
  guard case .drifts(let change) = Drift(of: StoredRun(of: report.result)) else { return nil }
  return "warning: the measured days differ: " + driftText(change).replacing("\u{A0}", with: " ") + "\n"
}

private func driftText(_ change: Double) -> String {
  "the second half has \(NumberText.percent(abs(change))) \(change > 0 ? "more" : "fewer") requests than the first."
}
