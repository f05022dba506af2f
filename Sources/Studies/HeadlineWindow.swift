package import Scenario

/// The one window in which terminal, tile, page, comparison and study give the peak (MODEL.md 8.1).
package enum HeadlineWindow {
  /// The finest window that a goal on a load asks for; without such goals the finest whose peaks are resolved in all
  /// summaries, at the CDN and behind it; the longest where none is; nil where the clock has no window.
  ///
  /// - Parameter summaries: of all runs that are shown together.
  package static func of(_ scenario: Scenario, _ summaries: [Summary]) -> LoadWindow? {
    let windows = LoadWindow.all(of: scenario.clock)
    let asked = Set(scenario.goals.map(\.figure.labels.window))
    if let window = windows.first(where: { asked.contains($0.name) }) { return window }
    return windows.first { window in summaries.allSatisfy { $0.resolvesPeaks(in: window) } } ?? windows.last
  }
}

extension Summary {
  /// Whether the peaks over all endpoints are known within 5 %.
  package func resolvesPeaks(in window: LoadWindow) -> Bool {
    let labels = Labels().with(\.window, window.name)
    guard let peak = row(.peakRPS, .max, labels), peak.value != nil, peak.isResolved else { return false }
    return row(.originPeakRPS, .max, labels)?.isResolved ?? true
  }
}
