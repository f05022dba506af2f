import Scenario
import Studies

/// Whose values lie elsewhere?
func distributionSection(_ comparisons: [RunComparison], _ names: ComparedNames) -> ReportSection {
  let runs = [comparisons.first?.base].compactMap { $0 } + comparisons.map(\.new)
  let drawn = drawnNames(comparisons)
  let figures = drawn.enumerated().compactMap { drawing($1, number: $0, comparisons, runs, names) }
  let tables = comparisons.indices.compactMap { table(comparisons[$0], $0, names) }
  let counts = comparisons.map(\.largeDistributions.count)
  let least = NumberText.percent(comparisons[0].least)
  let total = counts.reduce(0, +)
  return ReportSection(
    id: "distributions", short: "Distributions", question: "Whose values lie elsewhere?",
    answer: figures.isEmpty && total == 0
      ? "No distribution is known of both sides."
      : (total == 0 ? "No distribution lies" : total == 1 ? "One distribution lies" : "\(total) distributions lie")
        + " apart by \(least) of the values or more.",
    figures: figures,
    note: "The share of values up to any size, of all replications together: a curve further to the left has smaller "
      + "values. A dashed line is where two curves lie farthest apart (Kolmogorov and Smirnov).",
    details: tables)
}

/// Those of the fleet first, then those that lie apart: at most six.
private func drawnNames(_ comparisons: [RunComparison]) -> [DistributionName] {
  let standard = [Metric.dataAge, .lateness, .runsPerDay, .batteryPercentPerDay].map { DistributionName($0, Labels()) }
  let known = standard.filter { name in comparisons.contains { $0.distributions.contains { $0.name == name } } }
  let apart = comparisons.flatMap { comparison in
    comparison.largeDistributions.map(\.name).filter { name in
      ComparisonTables(comparison: comparison).isApart(name.labels)
        && [name.labels.cohort, name.labels.kind, name.labels.cause, name.labels.charged].count { !$0.isEmpty } < 2
    }
  }
  return Array((known + apart).withoutRepetitions.prefix(6))
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
        change.isLarge(least: comparisons[0].least) ? (curve: place, place: change.place) : nil
      }
    })
  let said = changes.enumerated().compactMap { index, change in
    change.map { "\(names.new(index)) lies at most \(NumberText.percent($0.distance)) of the values from the base" }
  }
  return figure.markup(
    id: "distribution-\(number)", title: "Distribution of " + name.text,
    description: said.joined(separator: "; ") + ".", legend: known.map { names.legend[$0.index] })
}

private func table(_ comparison: RunComparison, _ index: Int, _ names: ComparedNames) -> Markup? {
  let rows = ComparisonTables(comparison: comparison).distributionRows.dropFirst()
  guard !rows.isEmpty else { return nil }
  return DataTable(
    caption: "Distributions that lie apart" + names.suffix(index),
    columns: ["Distribution", "Farthest apart", "At", "Chance"], rows: Array(rows)
  ).details("Distances, as numbers" + names.suffix(index))
}
