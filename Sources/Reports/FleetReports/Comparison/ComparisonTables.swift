import Scenario
package import Studies

/// The sentences and tables of a comparison, for use in the terminal, on pages, in Markdown and in JSON.
struct ComparisonTables {
  var comparison: RunComparison

  private var scenario: Scenario { comparison.base.scenario }

  var heading: String {
    let names = [comparison.base, comparison.new].map(\.scenario.name)
    return names[0] == names[1] ? names[0] : names[0] + " and " + names[1]
  }

  /// A sentence that describes how the runs are paired.
  var pairing: String {
    let count = scenario.run.replications
    let isEstimated = comparison.base.summary.rows.contains { $0.metric == .peakRPS && $0.isEstimate }
    let pairs =
      count > 1
      ? "\(count) replications, pair by pair"
      : "one replication, so there are no intervals" + (isEstimated ? " except for loads" : "")
    return "The runs use the same \(NumberText.whole(Double(comparison.base.devicesSimulated))) devices and draws "
      + "(seed \(scenario.run.seed)) in \(pairs)."
  }

  /// Whether there are intervals, which require at least two pairs of replications.
  var hasIntervals: Bool { scenario.run.replications > 1 }

  // MARK: Tables

  /// A table of the values that differ between the scenarios.
  var differences: Table {
    let short = { (value: String?) -> String in
      guard let value else { return "not set" }
      return value.count > 120 ? value.prefix(117) + "..." : value
    }
    return Table(
      "Values by --set path", comparison.differences,
      [
        Column("key", key: "path") { .text($0.path) }, Column("base") { .text(short($0.base)) },
        Column("new") { .text(short($0.new)) }, Column(nil, key: "base") { .text($0.base ?? "") },
        Column(nil, key: "new") { .text($0.new ?? "") },
      ])
  }

  var conditions: Table {
    let columns: [Column<ConditionResult>] = [
      Column("verdict") { .text($0.verdict.rawValue) }, Column("fails if") { .text($0.condition.text) },
    ]
    return Table("Conditions of --fail-on", comparison.conditions, columns + changeColumns(\.change))
  }

  /// The reasons why some conditions are inconclusive.
  var reasons: [String] {
    comparison.conditions.filter { $0.verdict == .inconclusive }.map { "\($0.condition.text): \($0.reason)" }
  }

  /// Returns a table of the figures that changed, without breakdowns such as those by cause or reason.
  ///
  /// - Parameter hasPlaces: whether to show the point at which each load is counted, and to list the headline figures
  ///   first.
  func figures(hasPlaces: Bool) -> Table {
    let name = Column<FigureChange>("figure") { change in
      .text(hasPlaces ? self.name(change) : change.figure.text + Self.mark(change))
    }
    return Table(
      "Figures that changed", hasPlaces ? drawnFigures.filter(shownFigures.contains) : shownFigures,
      [name] + changeColumns(\.self))
  }

  private func changeColumns<Row>(_ change: KeyPath<Row, FigureChange>) -> [Column<Row>] {
    [
      Column(number: "base") { .figure($0[keyPath: change].base, $0[keyPath: change].figure) },
      Column(number: "new") { .figure($0[keyPath: change].new, $0[keyPath: change].figure) },
      Column(number: "change") { .text(ChangeText.text($0[keyPath: change]).change) },
      Column("95 % interval") { .text(hasIntervals ? ChangeText.text($0[keyPath: change]).interval : "") },
    ]
  }

  var distributions: Table {
    Table(
      "Distributions that differ", comparison.largeDistributions.filter { isApart($0.name.labels) },
      [
        Column("distribution") { .text($0.name.text) }, Column(number: "max distance") { .share($0.distance) },
        Column(number: "at") { .figure(.real($0.place), FigureName($0.name.metric, .mean, $0.name.labels)) },
        Column(number: "chance") { .text(ChangeText.probability($0.probability)) },
      ])
  }

  var distributionSentence: String {
    "Distributions that differ by \(NumberText.percent(comparison.minimum)) or more (Kolmogorov-Smirnov):"
  }

  // MARK: Figures

  /// Returns the name of a figure, including the point at which a load is counted. An asterisk is added if the sample
  /// is too small to resolve the figure.
  func name(_ change: FigureChange) -> String {
    GoalText.name(change.figure, [comparison.base.scenario, comparison.new.scenario]) + Self.mark(change)
  }

  private static func mark(_ change: FigureChange) -> String { change.isResolved ? "" : " *" }

  /// The points at which the loads in the table are counted, one line per point.
  var placeLines: [String] {
    GoalText.placeLines(shownFigures.map(\.figure), [comparison.base.scenario, comparison.new.scenario])
  }

  /// The window of the loads that are compared.
  private var headline: LoadWindow? { HeadlineWindow.of(scenario, [comparison.base.summary, comparison.new.summary]) }

  var shownFigures: [FigureChange] { comparison.largeFigures.filter { isHeadline($0.figure) } }

  /// A note that explains the asterisk; empty if no figure has one.
  var markNote: String {
    shownFigures.contains { !$0.isResolved }
      ? "* not resolved by the sample: the 95 % interval is wider than 5 % on either side" : ""
  }

  /// The headline figures, including those that hardly changed, followed by the other figures shown, largest change
  /// first.
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

  /// A sentence that states which figures are not shown.
  var figureSentence: String {
    let more = comparison.count(.large) - shownFigures.count
    let minimum = NumberText.percent(comparison.minimum)
    let parts: [(Int, String)] = [
      (more, "also changed, by cause, cohort, window etc. (all with --format json)"),
      (comparison.count(.small), "changed by less than \(minimum)"),
      (comparison.count(.uncertain), "have an interval that includes zero"),
      (comparison.count(.equal), "are the same"), (comparison.count(.unknown), "are known for only one run"),
    ]
    let lead = shownFigures.isEmpty ? "No figure changed by \(minimum) or more. " : ""
    let texts = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return lead + (texts.isEmpty ? "" : "Other figures: " + texts.joined(separator: ", ") + ".")
  }

  /// Returns whether a figure is about the fleet, an endpoint, a kind or a cohort. Loads must also use the headline
  /// window.
  private func isHeadline(_ figure: FigureName) -> Bool {
    let labels = figure.labels
    let finer: [Label] = [.cause, .charged, .reason, .component, .period]
    guard finer.allSatisfy({ labels[$0].isEmpty }) else { return false }
    if !labels.window.isEmpty, labels.window != headline?.name { return false }
    return isApart(labels) && [labels.cohort, labels.kind, labels.endpoint].count { !$0.isEmpty } < 2
  }

  /// Returns whether the scenario has cohorts, kinds or endpoints other than those in the labels.
  private func isApart(_ labels: Labels) -> Bool {
    (labels.cohort.isEmpty || scenario.fleet.cohorts.count > 1) && (labels.kind.isEmpty || scenario.kinds.count > 1)
      && (labels.endpoint.isEmpty || scenario.endpoints.count > 1)
  }

  /// Returns whether a distribution covers the fleet, one of several cohorts, kinds or causes, or only charged or only
  /// uncharged runs.
  func isDistinct(_ name: DistributionName) -> Bool {
    isApart(name.labels)
      && [name.labels.cohort, name.labels.kind, name.labels.cause, name.labels.charged].count { !$0.isEmpty } < 2
  }

  // MARK: Forms

  fileprivate var answer: Answer { ComparisonAnswer(comparison).answer }

  private var differenceSentence: String {
    let count = comparison.differences.count
    return count == 0 ? "The scenarios are the same." : "The scenarios differ in \(counted(count, "value")):"
  }

  fileprivate var terminal: [[String]] {
    let sides = [("base", comparison.base), ("new", comparison.new)].map { [$0, $1.name, $1.scenario.name] }
    let apart = distributions
    return [
      alignedLines([["", "", ""]] + sides, numberColumns: []).dropFirst() + [plain(pairing)],
      [plain(differenceSentence)] + differences.lines,
      conditions.lines + (conditions.isEmpty ? [] : reasons.map(plain)),
      figures(hasPlaces: false).lines
        + (placeLines + [markNote, figureSentence]).filter { !$0.isEmpty }.flatMap { folded($0) },
      apart.isEmpty ? [] : [plain(distributionSentence)] + apart.lines, folded(answer.line),
    ]
  }

  /// The maximum number of table rows in a pull request comment. Further rows are folded.
  private static let maxRows = 8

  fileprivate var markdown: String {
    let (conditions, figures) = (conditions, figures(hasPlaces: true))
    let room = Self.maxRows - min(conditions.rows.count, Self.maxRows)
    let escaped = escapedMarkdown
    let shown = [
      "## WidgetFleet: \(escaped(heading))", "**\(escaped(answer.word))**: \(escaped(answer.reason))",
      "\(escaped(comparison.base.name)) → \(escaped(comparison.new.name)). \(pairing)",
      conditions.with(rows: 0..<Self.maxRows).markdown, reasons.map { "- " + escaped($0) }.joined(separator: "\n"),
      figures.with(rows: 0..<room).markdown, escaped(markNote),
    ]
    let folded = [
      conditions.with(rows: Self.maxRows..<Int.max).markdown, figures.with(rows: room..<Int.max).markdown,
      escaped(figureSentence), escaped(differenceSentence), differences.markdown,
      distributions.isEmpty ? "" : escaped(distributionSentence), distributions.markdown,
    ]
    let details = ["<details><summary>Different settings and other figures</summary>"] + folded + ["</details>"]
    return (shown + details).filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }

  fileprivate var json: JSONValue {
    [
      "new": comparison.new.json, "min_effect": comparison.minimum, "verdict": ComparisonAnswer(comparison).json,
      "scenario_differences": differences.json,
      "conditions": comparison.conditions.map { result -> JSONValue in
        let head: JSONValue = [
          "condition": result.condition.text, "verdict": result.verdict.rawValue,
          "explanation": result.reason.isEmpty ? nil : result.reason,
        ]
        return head.with(result.change.json)
      },
      "figures": comparison.figures.map { $0.json.with(["size": $0.size(minimum: comparison.minimum).rawValue]) },
      "distributions": comparison.distributions.map { change -> JSONValue in
        let name = JSONValue.object(
          [("metric", .string(change.name.metric.rawValue))] + JSONValue.members(of: change.name.labels))
        return name.with([
          "unit": change.name.metric.unit, "distance": change.distance, "at": change.place,
          "probability": change.probability, "shown": change.isLarge(minimum: comparison.minimum),
        ])
      },
    ]
  }
}

extension ComparedRun {
  fileprivate var json: JSONValue {
    [
      "name": name, "scenario": scenario.name, "version": version,
      "scenario_sha256": SHA256.hexadecimal(of: Array(resolvedScenario.utf8)), "seed": scenario.run.seed,
      "replications": scenario.run.replications, "devices": scenario.fleet.devices,
      "devices_simulated": devicesSimulated,
    ]
  }
}

extension FigureChange {
  fileprivate var json: JSONValue {
    let share = { (value: Double?) in value.flatMap { relative($0) } }
    return JSONValue.object([("metric", .string(figure.metric.rawValue))] + JSONValue.members(of: figure.labels)).with([
      "statistic": figure.statistic.rawValue, "unit": figure.unit.rawValue, "base": base, "new": new, "pairs": pairs,
      "difference": difference, "low": interval?.low, "high": interval?.high, "relative": share(difference),
      "relative_low": share(interval?.low), "relative_high": share(interval?.high), "resolved": isResolved,
    ])
  }
}

/// Returns comparisons as text for the terminal.
///
/// - Parameter isAlone: whether to print only the verdicts, one per line, for use in scripts.
package func comparisonTable(of comparisons: [RunComparison], answerOnly isAlone: Bool = false) -> [UInt8] {
  let tables = comparisons.map { ComparisonTables(comparison: $0) }
  return isAlone ? answerOnly(tables.map(\.answer.line)) : terminalText(tables.flatMap(\.terminal))
}

/// Returns comparisons as Markdown, for use in pull requests.
package func comparisonMarkdown(of comparisons: [RunComparison]) -> [UInt8] {
  Array(comparisons.map { ComparisonTables(comparison: $0).markdown }.joined(separator: "\n").utf8)
}

/// Returns comparisons as one JSON document, which also includes figures that the tables omit.
package func comparisonJSON(of comparisons: [RunComparison], version: String) -> [UInt8] {
  let value: JSONValue = [
    "schema": "widgetfleet.comparison/v1", "version": version, "base": comparisons.first?.base.json,
    "comparisons": comparisons.map { ComparisonTables(comparison: $0).json },
  ]
  return value.bytes(lines: 4)
}
