package import Scenario

/// The one window in which terminal, tile, page, comparison and study give the peak (MODEL.md 8.1).
package enum HeadlineWindow {
  /// The finest window that a goal on a load asks for; without such goals the finest whose peaks are resolved in all
  /// summaries, at the servers; the longest where none is; nil where the clock has no window.
  ///
  /// - Parameter summaries: of all runs that are shown together.
  package static func of(_ scenario: Scenario, _ summaries: [Summary]) -> LoadWindow? {
    if let window = asked(by: scenario) { return window }
    let windows = LoadWindow.all(of: scenario.clock)
    return windows.first { window in summaries.allSatisfy { $0.resolvesPeaks(in: window) } } ?? windows.last
  }

  /// The finest window that a goal asks for.
  package static func asked(by scenario: Scenario) -> LoadWindow? {
    let asked = Set(scenario.goals.map(\.figure.labels.window))
    return LoadWindow.all(of: scenario.clock).first { asked.contains($0.name) }
  }
}

extension Summary {
  /// Whether the peak at the servers of all endpoints is known within 5 %.
  package func resolvesPeaks(in window: LoadWindow) -> Bool {
    let peak = figure(FigureName(.serverPeakRPS, .max, Labels().with(\.window, window.name)))
    return peak.map { $0.value != nil && $0.isResolved } ?? false
  }
}
