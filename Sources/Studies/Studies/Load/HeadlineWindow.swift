package import Scenario

/// The window in which peaks are shown in terminal output, tiles, pages, comparisons and studies (MODEL.md 8.1).
package enum HeadlineWindow {
  /// Returns the finest window of any goal on a load. Without such goals, returns the finest window in which all
  /// summaries resolve the server peaks or, failing that, the longest window. Returns `nil` if the clock has no window.
  ///
  /// - Parameter summaries: the summaries of all runs shown together.
  package static func of(_ scenario: Scenario, _ summaries: [Summary]) -> LoadWindow? {
    if let window = asked(by: scenario) { return window }
    let windows = LoadWindow.all(of: scenario.clock)
    return windows.first { window in summaries.allSatisfy { $0.resolvesPeaks(in: window) } } ?? windows.last
  }

  /// Returns the finest window of any goal on a load; `nil` if no goal has a window.
  package static func asked(by scenario: Scenario) -> LoadWindow? {
    let asked = Set(scenario.goals.map(\.figure.labels.window))
    return LoadWindow.all(of: scenario.clock).first { asked.contains($0.name) }
  }
}

extension Summary {
  /// Returns whether the server peak over all endpoints is known to within 5 %.
  package func resolvesPeaks(in window: LoadWindow) -> Bool {
    let peak = figure(FigureName(.serverPeakRPS, .max, Labels().with(\.window, window.name)))
    return peak.map { $0.value != nil && $0.isResolved } ?? false
  }
}
