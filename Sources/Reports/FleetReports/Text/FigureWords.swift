import Scenario

/// Names for figures, for use in sentences.
enum FigureWords {
  /// Returns a distinct name for each figure. It is a description or, if several figures have the same description, the
  /// name used in goals.
  static func names(_ figures: [FigureName]) -> [FigureName: String] {
    let words = figures.map(words)
    return Dictionary(
      zip(figures, words).map { figure, text in
        (figure, words.count { $0 == text } > 1 ? figure.text : text)
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns a description such as `peak load at api`. For a figure with other labels or without a description, returns
  /// the name used in goals.
  private static func words(_ figure: FigureName) -> String {
    let during = figure.labels.during
    if !during.isEmpty {
      var whole = figure
      whole.labels.during = ""
      let words = words(whole)
      return words == whole.text ? figure.text : "\(words) during \(during)"
    }
    guard figure.labels.with(\.endpoint, "").with(\.window, "").with(\.kind, "") == Labels() else { return figure.text }
    let name = figure.labels.endpoint
    if !figure.labels.kind.isEmpty { return wordsOfKind(figure) }
    let (place, target) = name.isEmpty ? ("", "") : (" at " + name, " to " + name)
    switch (figure.metric, figure.statistic) {
    case (.peakRPS, _): return "peak request rate" + place
    case (.serverPeakRPS, _): return "peak load" + place
    case (.offeredPeakRPS, _): return "offered peak load" + place
    case (.originPeakRPS, _): return "peak origin load" + place
    case (.meanRPS, _): return "mean request rate" + place
    case (.serverMeanRPS, _): return "mean load" + place
    case (.requests, .total): return "number of requests" + target
    case (.failures, .share): return "share of failed requests" + target
    case (.overloadSeconds, _): return "time above capacity" + place
    default: return ofWidgets(figure) ?? figure.text
    }
  }

  /// Returns a description that includes the kind, such as `share of stale views for weather`.
  private static func wordsOfKind(_ figure: FigureName) -> String {
    guard figure.labels.endpoint.isEmpty, let words = ofWidgets(figure) else { return figure.text }
    return words + " for " + figure.labels.kind
  }

  /// Returns a description of a figure about widgets; `nil` for any other figure.
  private static func ofWidgets(_ figure: FigureName) -> String? {
    switch (figure.metric, figure.statistic) {
    case (.staleViews, .share): "share of stale views"
    case (.dataAge, .mean): "mean data age"
    case (.dataAge, .p95): "95th percentile of data age"
    case (.lateness, .mean): "mean lateness"
    case (.batteryPercentPerDay, .mean): "battery use"
    case (.energyPerDay, .mean): "energy use"
    case (.runsPerDay, .mean): "number of refreshes a day"
    default: nil
    }
  }
}

/// Returns words as a list, such as `a, b and c`.
func listed(_ words: [String]) -> String {
  guard let last = words.last, words.count > 1 else { return words.joined() }
  return words.dropLast().joined(separator: ", ") + " and " + last
}
