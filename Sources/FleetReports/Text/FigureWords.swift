import Scenario

/// What people call a figure in a sentence.
enum FigureWords {
  /// Names that tell some figures apart: words, and the name of the figure where two would have the same words.
  static func names(_ figures: [FigureName]) -> [FigureName: String] {
    let words = figures.map(words)
    return Dictionary(
      zip(figures, words).map { figure, text in
        (figure, words.count { $0 == text } > 1 ? figure.text : text)
      }, uniquingKeysWith: { first, _ in first })
  }

  /// `peak load at api`; the name of the figure where it has labels that matter, or no words.
  private static func words(_ figure: FigureName) -> String {
    guard figure.labels.with(\.endpoint, "").with(\.window, "") == Labels() else { return figure.text }
    let name = figure.labels.endpoint
    let (place, target) = name.isEmpty ? ("", "") : (" at " + name, " to " + name)
    switch (figure.metric, figure.statistic) {
    case (.peakRPS, _): return "peak request rate" + place
    case (.serverPeakRPS, _): return "peak load" + place
    case (.originPeakRPS, _): return "peak load of the origins" + place
    case (.meanRPS, _): return "mean request rate" + place
    case (.serverMeanRPS, _): return "mean load" + place
    case (.requests, .total): return "number of requests" + target
    case (.failures, .share): return "share of failed requests" + target
    case (.staleViews, .share): return "share of stale views"
    case (.dataAge, .mean): return "mean data age"
    case (.dataAge, .p95): return "data age, p95"
    case (.lateness, .mean): return "mean lateness"
    case (.overloadSeconds, _): return "time above capacity" + place
    case (.batteryPercentPerDay, .mean): return "battery use"
    case (.energyPerDay, .mean): return "energy use"
    case (.runsPerDay, .mean): return "number of refreshes a day"
    default: return figure.text
    }
  }
}

/// `a, b and c`.
func listed(_ words: [String]) -> String {
  guard let last = words.last, words.count > 1 else { return words.joined() }
  return words.dropLast().joined(separator: ", ") + " and " + last
}
