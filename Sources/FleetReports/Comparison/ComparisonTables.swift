import Scenario
import Studies

/// What people are shown of a comparison, as sentences and cells; terminal and Markdown set them each in their way.
struct ComparisonTables {
  var comparison: RunComparison

  private var scenario: Scenario { comparison.base.scenario }

  var heading: String {
    let names = [comparison.base, comparison.new].map(\.scenario.name)
    return names[0] == names[1] ? names[0] : names[0] + " and " + names[1]
  }

  /// What the comparison rests on.
  var pairing: String {
    let count = scenario.run.replications
    let phones = comparison.base.devicesSimulated
    let devices = NumberText.whole(Double(phones)) + " devices"
    let isEstimated = comparison.base.summary.rows.contains { $0.metric == .peakRPS && $0.isEstimate }
    let pairs =
      count > 1
      ? "\(count) replications, pair by pair"
      : "one replication, so there are no intervals" + (isEstimated ? " but those of loads" : "")
    return "The same \(devices) with the same draws (seed \(scenario.run.seed)) in \(pairs)."
  }

  // MARK: Scenarios

  var differenceSentence: String {
    switch comparison.differences.count {
    case 0: "The scenarios are the same."
    case 1: "The scenarios differ in one value:"
    case let count: "The scenarios differ in \(count) values:"
    }
  }

  var differenceRows: [[String]] {
    [["key", "base", "new"]]
      + comparison.differences.map { [$0.path, Self.short($0.base), Self.short($0.new)] }
  }

  private static func short(_ value: String?) -> String {
    guard let value else { return "not there" }
    return value.count > 60 ? value.prefix(57) + "..." : value
  }

  // MARK: Conditions

  var conditionRows: [[String]] {
    [["", "fails on", "base", "new", "change"] + intervalColumn]
      + comparison.conditions.map { result in
        [result.verdict.rawValue, result.condition.text] + cells(result.change)
      }
  }

  var reasons: [String] {
    comparison.conditions.filter { $0.verdict == .inconclusive }.map { "\($0.condition.text): \($0.reason)" }
  }

  // MARK: Figures

  /// Those that are not about causes, reasons and the like; the names of the columns first.
  ///
  /// - Parameter hasPlaces: whether the names of loads say where they are counted; then what a planner asks for first
  ///   comes first.
  func figureRows(hasPlaces: Bool) -> [[String]] {
    [["figure", "base", "new", "change"] + intervalColumn]
      + (hasPlaces ? drawnFigures.filter(shownFigures.contains) : shownFigures).map { change in
        [hasPlaces ? name(change) : change.figure.text + Self.mark(change)] + cells(change)
      }
  }

  /// A figure with the place of its load, and an asterisk where the sample does not resolve it.
  func name(_ change: FigureChange) -> String {
    GoalText.name(change.figure, [comparison.base.scenario, comparison.new.scenario]) + Self.mark(change)
  }

  private static func mark(_ change: FigureChange) -> String { change.isResolved ? "" : " *" }

  /// Where the loads among the figures are counted.
  var placeLines: [String] {
    GoalText.placeLines(shownFigures.map(\.figure), [comparison.base.scenario, comparison.new.scenario])
  }

  /// The window in which loads are compared.
  private var headline: LoadWindow? {
    HeadlineWindow.of(scenario, [comparison.base.summary, comparison.new.summary])
  }

  var shownFigures: [FigureChange] { comparison.largeFigures.filter { isHeadline($0.figure) } }

  var hasUnresolvedFigures: Bool { shownFigures.contains { !$0.isResolved } }

  /// What a planner asks for first, however little it changed, then those that are shown, the largest changes first.
  var drawnFigures: [FigureChange] {
    let standard = FigureName.usual(
      window: headline?.name ?? "",
      hasServerLoad: comparison.base.summary.hasServerLoad || comparison.new.summary.hasServerLoad
    ).compactMap { name in
      comparison.figures.first { $0.figure == name && $0.difference != nil }
    }
    let size = { (change: FigureChange) in change.difference.flatMap { change.relative($0) }?.magnitude ?? 0 }
    let others = shownFigures.filter { !standard.contains($0) }.map { ($0, size($0)) }
    return standard + others.sorted { $0.1 > $1.1 }.map(\.0)
  }

  /// What is not shown, in a sentence.
  var figureSentence: String {
    let more = comparison.count(.large) - shownFigures.count
    let least = NumberText.percent(comparison.least)
    let parts: [(Int, String)] = [
      (more, "changed too, of single causes, cohorts, windows and the like (all with --format json)"),
      (comparison.count(.small), "changed by less than \(least)"),
      (comparison.count(.uncertain), "have an interval that holds no change at all"),
      (comparison.count(.equal), "are the same"), (comparison.count(.unknown), "are known of one of the two only"),
    ]
    let texts = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    let lead = shownFigures.isEmpty ? "No figure changed by \(least) or more" : ""
    if texts.isEmpty { return lead.isEmpty ? "" : lead + "." }
    return (lead.isEmpty ? "Of the other figures " : lead + "; ") + texts.joined(separator: ", ") + "."
  }

  private func cells(_ change: FigureChange) -> [String] {
    let (text, interval) = ChangeText.text(change)
    return [change.base, change.new].map { GoalText.text($0?.approximate, change.figure) } + [text]
      + (hasIntervals ? [interval] : [])
  }

  /// One pair of replications has no interval, and no column for it.
  var hasIntervals: Bool { scenario.run.replications > 1 }

  /// The name of the last column, where there is one.
  var intervalColumn: [String] { hasIntervals ? ["95 % interval"] : [] }

  /// Whether it is of the fleet, an endpoint, a kind or a cohort, and of the load in the headline's
  /// window.
  private func isHeadline(_ figure: FigureName) -> Bool {
    let labels = figure.labels
    let finer: [Label] = [.cause, .charged, .reason, .component, .period]
    guard finer.allSatisfy({ labels[$0].isEmpty }) else { return false }
    if !labels.window.isEmpty, labels.window != headline?.name { return false }
    return isApart(labels) && [labels.cohort, labels.kind, labels.endpoint].count { !$0.isEmpty } < 2
  }

  /// Whether there is another cohort, kind or endpoint beside the one that is named.
  func isApart(_ labels: Labels) -> Bool {
    (labels.cohort.isEmpty || scenario.fleet.cohorts.count > 1) && (labels.kind.isEmpty || scenario.kinds.count > 1)
      && (labels.endpoint.isEmpty || scenario.endpoints.count > 1)
  }

  // MARK: Distributions

  /// Whether a distribution is of the fleet, or of one thing of which there are others.
  func tellsApart(_ name: DistributionName) -> Bool {
    isApart(name.labels)
      && [name.labels.cohort, name.labels.kind, name.labels.cause, name.labels.charged].count { !$0.isEmpty } < 2
  }

  var distributionRows: [[String]] {
    [["distribution", "farthest apart", "at", "chance"]]
      + comparison.largeDistributions.filter { isApart($0.name.labels) }.map { change in
        let figure = FigureName(change.name.metric, .mean, change.name.labels)
        return [
          change.name.text, NumberText.percent(change.distance), GoalText.text(change.place, figure),
          ChangeText.probability(change.probability),
        ]
      }
  }

  var distributionSentence: String {
    "Distributions whose values lie apart by \(NumberText.percent(comparison.least)) of them or more "
      + "(Kolmogorov and Smirnov):"
  }
}
