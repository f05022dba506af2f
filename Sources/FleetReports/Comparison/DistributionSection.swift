import Scenario
import Studies

/// Which distributions changed? Curves are drawn only where the eye sees two.
func distributionSection(_ comparisons: [RunComparison], _ names: ComparedNames) -> ReportSection {
  let runs = [comparisons.first?.base].compactMap { $0 } + comparisons.map(\.new)
  let visible = visibleNames(comparisons)
  let drawn = visible.prefix(mostCurves)
  let figures = drawn.enumerated().compactMap { drawing($1, number: $0, comparisons, runs, names) }
  let tables = comparisons.indices.flatMap { index in
    ComparisonTables(comparison: comparisons[index]).distributions.of(index, names).details(
      "Distances, as numbers" + names.suffix(index))
  }
  let isKnown = comparisons.contains { !$0.distributions.isEmpty }
  let least = NumberText.percent(DistributionChange.leastVisible)
  let count = visible.count
  return ReportSection(
    id: "distributions", short: "Distributions", question: "Which distributions changed?",
    answer: !isKnown
      ? "No distribution is known of both sides."
      : count == 0
        ? "No two curves lie apart by \(least) of the values or more."
        : count == 1
          ? "One distribution lies apart by \(least) of the values or more."
          : "By \(least) of the values or more, \(count) distributions lie apart.",
    figures: figures,
    note: (figures.isEmpty
      ? ""
      : "The share of values up to any size, of all replications together: a curve further to the left has smaller "
        + "values. A dashed line is where two curves lie farthest apart (Kolmogorov and Smirnov). ")
      + leftOut(comparisons, Array(drawn)),
    details: tables)
}

/// Figures of one page.
private let mostCurves = 6

/// Those in which the eye sees two curves, the farthest apart first.
private func visibleNames(_ comparisons: [RunComparison]) -> [DistributionName] {
  let apart = comparisons.flatMap { comparison in
    let tables = ComparisonTables(comparison: comparison)
    return comparison.distributions.filter { $0.isVisible && tables.tellsApart($0.name) }
  }
  let sorted = apart.enumerated().sorted { ($1.element.distance, $0.offset) < ($0.element.distance, $1.offset) }
  return sorted.map(\.element.name).withoutRepetitions
}

/// Which are not drawn, and why.
private func leftOut(_ comparisons: [RunComparison], _ drawn: [DistributionName]) -> String {
  let all = comparisons.flatMap { comparison in
    let tables = ComparisonTables(comparison: comparison)
    return comparison.distributions.filter { tables.tellsApart($0.name) && !drawn.contains($0.name) }
  }
  let farthest = Dictionary(grouping: all, by: \.name).compactMapValues { changes in
    changes.max { ($0.isVisible ? 1 : 0, $0.distance) < ($1.isVisible ? 1 : 0, $1.distance) }
  }
  let ordered = farthest.values.sorted { ($1.distance, $0.name.text) < ($0.distance, $1.name.text) }
  let groups: [(String, (DistributionChange) -> Bool)] = [
    ("Left out for want of room: ", { $0.isVisible }),
    ("Left out, since it may be chance: ", { !$0.isVisible && $0.distance >= DistributionChange.leastVisible }),
    ("Left out, since the eye would see one curve: ", { $0.distance < DistributionChange.leastVisible }),
  ]
  return groups.compactMap { words, belongs in
    let names = ordered.filter(belongs).map { "\($0.name.text) (\(NumberText.percent($0.distance)))" }
    guard !names.isEmpty else { return nil }
    let rest = names.count > 8 ? " and \(names.count - 8) more" : ""
    return words + names.prefix(8).joined(separator: ", ") + rest + "."
  }.joined(separator: " ")
}

private func drawing(
  _ name: DistributionName, number: Int, _ comparisons: [RunComparison], _ runs: [ComparedRun], _ names: ComparedNames
) -> Markup? {
  let known = runs.enumerated().compactMap { index, run in
    run.distributions.histograms[name].flatMap { $0.total > 0 ? (index: index, histogram: $0) : nil }
  }
  guard known.count > 1, known[0].index == 0 else { return nil }
  let changes = comparisons.map { comparison in comparison.distributions.first { $0.name == name } }
  let figure = DistributionFigure(
    curves: known.map {
      DistributionFigure.Curve(style: "series-\($0.index % OverlayFigure.colours)", histogram: $0.histogram)
    },
    figure: FigureName(name.metric, name.metric.statistics[0], name.labels),
    gaps: known.indices.dropFirst().compactMap { place in
      changes[known[place].index - 1].flatMap { change in
        change.isVisible ? (curve: place, place: change.place) : nil
      }
    })
  let said = changes.enumerated().compactMap { index, change in
    change.map { "\(names.new(index)) lies at most \(NumberText.percent($0.distance)) of the values from the base" }
  }
  return figure.markup(
    id: "distribution-\(number)", title: "Distribution of " + name.text,
    description: said.joined(separator: "; ") + ".", legend: known.map { names.legend[$0.index] })
}
