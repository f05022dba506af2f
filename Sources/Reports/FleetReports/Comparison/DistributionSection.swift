import Scenario
import Studies

/// Returns the section on distributions that changed. Curves are drawn only if they differ visibly.
func distributionSection(_ comparisons: [RunComparison], _ names: ComparedNames) -> ReportSection {
  let runs = [comparisons.first?.base].compactMap { $0 } + comparisons.map(\.new)
  let visible = visibleNames(comparisons)
  let drawn = visible.prefix(maxCurves)
  let figures = drawn.enumerated().compactMap { drawing($1, number: $0, comparisons, runs, names) }
  let tables = comparisons.indices.flatMap { index in
    ComparisonTables(comparison: comparisons[index]).distributions.of(index, names).details(
      "Distances, as a table" + names.suffix(index))
  }
  let isKnown = comparisons.contains { !$0.distributions.isEmpty }
  let minimum = NumberText.percent(DistributionChange.minVisible)
  let count = visible.count
  return ReportSection(
    "compare/distributions",
    answer: !isKnown
      ? "No distribution is known for both runs."
      : count == 0
        ? "No distribution differs by \(minimum) or more of the values."
        : count == 1
          ? "One distribution differs by \(minimum) or more of the values."
          : "\(count) distributions differ by \(minimum) or more of the values.",
    figures: figures,
    note: (figures.isEmpty
      ? ""
      : "The cumulative share of values, over all replications: a curve farther to the left has smaller values. A "
        + "dashed line marks where two curves are farthest apart (Kolmogorov-Smirnov). ")
      + leftOut(comparisons, Array(drawn)),
    details: tables)
}

/// The maximum number of charts with curves on a page.
private let maxCurves = 6

/// Returns the distributions whose two curves differ visibly, largest distance first.
private func visibleNames(_ comparisons: [RunComparison]) -> [DistributionName] {
  let apart = comparisons.flatMap { comparison in
    let tables = ComparisonTables(comparison: comparison)
    return comparison.distributions.filter { $0.isVisible && tables.isDistinct($0.name) }
  }
  let sorted = apart.enumerated().sorted { ($1.element.distance, $0.offset) < ($0.element.distance, $1.offset) }
  return sorted.map(\.element.name).withoutRepetitions
}

/// Returns a sentence that lists the distributions without a chart, largest distance first.
private func leftOut(_ comparisons: [RunComparison], _ drawn: [DistributionName]) -> String {
  let all = comparisons.flatMap { comparison in
    let tables = ComparisonTables(comparison: comparison)
    return comparison.distributions.filter { tables.isDistinct($0.name) && !drawn.contains($0.name) }
  }
  let farthest = Dictionary(grouping: all, by: \.name).compactMapValues { $0.map(\.distance).max() }
  let names = farthest.sorted { ($1.value, $0.key.text) < ($0.value, $1.key.text) }.map {
    "\($0.key.text) (\(NumberText.percent($0.value)))"
  }
  return names.isEmpty
    ? ""
    : "Not drawn, because the curves look alike, may differ by chance, or would not fit: "
      + names.prefix(8).joined(separator: ", ") + (names.count > 8 ? " and \(names.count - 8) more" : "") + "."
}

private func drawing(
  _ name: DistributionName, number: Int, _ comparisons: [RunComparison], _ runs: [ComparedRun], _ names: ComparedNames
) -> Markup? {
  let known = runs.enumerated().compactMap { index, run in
    run.distributions.histograms[name].flatMap { $0.total > 0 ? (index: index, histogram: $0) : nil }
  }
  guard known.count > 1, known[0].index == 0 else { return nil }
  let changes = comparisons.map { comparison in comparison.distributions.first { $0.name == name } }
  let figure = Chart.distributions(
    of: FigureName(name.metric, name.metric.statistics[0], name.labels),
    known.map { ("series-\($0.index % OverlayPlot.colours)", $0.histogram) },
    gaps: known.indices.dropFirst().compactMap { place in
      changes[known[place].index - 1].flatMap { change in
        change.isVisible ? (curve: place, place: change.place) : nil
      }
    })
  let said = changes.enumerated().compactMap { index, change in
    change.map { "\(names.new(index)) differs from the base by up to \(NumberText.percent($0.distance)) of the values" }
  }
  return figure.markup(
    id: "distribution-\(number)", title: "Distribution of " + name.text,
    description: said.joined(separator: "; ") + ".", legend: known.map { names.legend[$0.index] })
}
