package import Scenario

/// The one window of the peak in terminal, tile, page, comparison and study (MODEL.md 8.1).
package enum HeadlineWindow {
  /// Returns the finest window of a goal on a load. Without such goals, the finest whose peaks at the servers are
  /// resolved in all summaries, or the longest where none is; `nil` where the clock has no window.
  ///
  /// - Parameter summaries: of all runs that are shown together.
  package static func of(_ scenario: Scenario, _ summaries: [Summary]) -> LoadWindow? {
    if let window = asked(by: scenario) { return window }
    let windows = LoadWindow.all(of: scenario.clock)
    return windows.first { window in summaries.allSatisfy { $0.resolvesPeaks(in: window) } } ?? windows.last
  }

  /// Returns the finest window of a goal.
  package static func asked(by scenario: Scenario) -> LoadWindow? {
    let asked = Set(scenario.goals.map(\.figure.labels.window))
    return LoadWindow.all(of: scenario.clock).first { asked.contains($0.name) }
  }
}

extension Summary {
  /// Returns whether the peak at the servers of all endpoints is known within 5 %.
  package func resolvesPeaks(in window: LoadWindow) -> Bool {
    let peak = figure(FigureName(.serverPeakRPS, .max, Labels().with(\.window, window.name)))
    return peak.map { $0.value != nil && $0.isResolved } ?? false
  }
}
