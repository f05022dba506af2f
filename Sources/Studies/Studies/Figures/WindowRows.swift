import FleetEngine
import Scenario
import SimulationKernel

/// Returns the figures during each named window (MODEL.md 8.6).
func windowRows(of result: RunResult, _ choice: LoadChoice = .all) -> [SummaryRow] {
  result.scenario.windows.indices.flatMap { window -> [SummaryRow] in
    let inside = result.during(window)
    let counted =
      runRows(of: inside) + trafficRows(of: inside) + cacheRows(of: inside) + viewRows(of: inside)
      + energyRows(of: inside)
    let ofGroups = counted.filter { $0.metric.labels.contains(.during) && $0.metric != .runsPerDay }
    let causes = result.causesSeen.filter(\.isOfRuns)
    let runs = ScopeResult.all(of: inside).flatMap { runsPerPeriod(of: $0, causes) }
    let rows = ofGroups + runs + loadRows(of: result, choice, during: window)
    return rows.map { row in
      var row = row
      row.labels.during = result.scenario.windows[window].name
      return row
    }
  }
}

/// Returns the loads in a window; empty if the window falls at different times in different zones.
private func loadRows(of result: RunResult, _ choice: LoadChoice, during window: Int) -> [SummaryRow] {
  guard result.scenario.fleet.shares(result.scenario.windows[window].time) else { return [] }
  var choice = choice
  choice.during = result.scenario.windows[window].name
  choice.spans = result.windowSpans.filter { $0.window == window }.map { $0.from..<$0.to }
  return loadRows(of: result, choice) + originRows(of: result, choice) + serverRows(of: result, choice)
}

extension RunResult {
  /// Returns the result restricted to a named window. Widget times are adjusted so that one occurrence of the window is
  /// treated as a day.
  fileprivate func during(_ window: Int) -> RunResult {
    var result = self
    result.scenario.clock.duration = max(scenario.clock.duration, .day)
    for index in replications.indices { result.replications[index].groups = replications[index].windows[window] }
    return result
  }
}
