import SimulationKernel
import Studies

/// Whether the measured days are like each other.
func driftAnswer(_ drift: Drift, budgets: Double?) -> String {
  let changes = driftTexts(drift, budgets)
  guard changes.isEmpty else {
    return " The measured days differ: " + changes.joined(separator: "; ")
      + ". Give clock.settle or clock.warmup more days, unless weekdays or an event explain it."
  }
  return switch drift {
  case .oneDay: " Whether the load still drifts from day to day cannot be told from one measured day."
  case .oneReplication:
    " Whether the load still drifts from day to day cannot be told from one replication: run with -n 5."
  case .noLoad, .drifts: ""
  case .within(let most):
    " The first and the second half of the measured days differ by at most \(NumberText.percent(most)) in requests."
  }
}

/// The warning of a run whose measured days still drift; nil: they do not, or it cannot be told.
package func driftWarning(of report: Report) -> String? {
  let clock = report.result.scenario.clock
  guard report.result.replications.count > 1, clock.duration >= .days(2) else { return nil }
  let changes = driftTexts(Drift(of: StoredRun(of: report.result)), Drift.ofBudgets(report.summary))
  guard !changes.isEmpty else { return nil }
  return "warning: the measured days differ: "
    + changes.joined(separator: "; ").replacing("\u{A0}", with: " ") + "\n"
}

/// What differs beyond chance.
private func driftTexts(_ drift: Drift, _ budgets: Double?) -> [String] {
  var texts: [String] = []
  if case .drifts(let change) = drift {
    texts.append(
      "the second half has \(NumberText.percent(abs(change))) \(change > 0 ? "more" : "fewer") requests than the first")
  }
  if let budgets {
    texts.append(
      "in the second half a widget's budget runs out \(NumberText.text(abs(budgets))) times a day "
        + "\(budgets > 0 ? "more" : "less") often than in the first")
  }
  return texts
}
