import Scenario
package import Studies
import Words

/// A comparison as one offline page: what matters, conditions, differences, loads, figures and distributions.
///
/// - Parameter comparisons: of one base with every other run.
package func comparisonPage(of comparisons: [RunComparison], version: String) -> [UInt8] {
  guard let first = comparisons.first else { return [] }
  let tables = comparisons.map { ComparisonTables(comparison: $0) }
  let names = ComparedNames(comparisons)
  let sections = [
    conditionSection(tables, names), differenceSection(tables, names), overlaySection(comparisons, names),
    changeSection(tables, names), distributionSection(comparisons, names), comparedSection(comparisons, names).folded,
  ].compactMap { $0 }
  return Document(
    version: version, title: first.base.scenario.name + ", compared", kicker: "WidgetFleet comparison",
    heading: tables[0].heading, facts: tables[0].pairing,
    opening: comparisons.indices.map { comparisonStrip(comparisons[$0], $0, names) },
    openingLinks: [("verdict", "Verdict")], sections: sections,
    footer: "Compared by WidgetFleet \(version). The same runs give the same page. This page needs no network; without "
      + "scripts it shows the same, and only the zoom is missing.",
    styles: [PageTexts.style, PageTexts.studyStyle, Words.text("comparison.css")],
    isZoomable: sections.contains { $0.id == "load" && !$0.figures.isEmpty }
  ).bytes
}

/// What the runs of a comparison are called on a page: each by a name that no other has.
struct ComparedNames {
  /// The base first.
  let all: [String]

  init(_ comparisons: [RunComparison]) {
    let runs = [comparisons.first?.base].compactMap { $0 } + comparisons.map(\.new)
    all = runs.enumerated().map { number, run in
      let role = number == 0 ? "base" : runs.count == 2 ? "new" : "new \(number)"
      return role + ": " + run.name
    }
  }

  var base: String { all.first ?? "" }

  /// Name of a comparison's new run, by the place of the comparison.
  func new(_ index: Int) -> String { all[index + 1] }

  /// Behind a caption, where there are several comparisons.
  func suffix(_ index: Int) -> String { all.count > 2 ? ", " + new(index) : "" }

  /// Entries of a legend in the colours of the runs.
  var legend: [(swatch: String, text: String)] {
    all.enumerated().map { ("series-\($0 % OverlayFigure.colours)", $1) }
  }
}

/// What becomes of --fail-on? nil without conditions.
private func conditionSection(_ tables: [ComparisonTables], _ names: ComparedNames) -> ReportSection? {
  let results = tables.flatMap(\.comparison.conditions)
  guard !results.isEmpty else { return nil }
  let counts = ConditionResult.Verdict.allCases.map { verdict in results.count { $0.verdict == verdict } }
  let parts = zip(
    counts,
    [("is a regression", "are regressions"), ("is inconclusive", "are inconclusive"), ("is clear", "are clear")]
  ).filter { $0.0 > 0 }.map { count, words in "\(count) \(count == 1 ? words.0 : words.1)" }
  let reasons = tables.flatMap(\.reasons).map { Markup.tag("li", [:], $0) }
  let drawn = tables.indices.map { index in
    DataTable(
      caption: "Conditions of --fail-on" + names.suffix(index),
      columns: ["Verdict", "Fails on", "Base", "New", "Change"] + tables[index].intervalColumn,
      rows: Array(tables[index].conditionRows.dropFirst()), textColumns: 2, stacks: true
    ).markup
  }
  return ReportSection(
    id: "conditions", short: "Conditions", question: "Is anything worse than allowed?",
    answer: (results.count == 1 ? "Of 1 condition " : "Of \(results.count) conditions ")
      + parts.joined(separator: ", ") + ".",
    figures: drawn + (reasons.isEmpty ? [] : [.tag("ul", ["class": "reasons"], reasons)]),
    note: "A regression: the whole 95 % interval of the change lies beyond the condition; clear: none of it does; "
      + "inconclusive: a part, or nothing is known of it.")
}

/// What differs in the scenarios?
private func differenceSection(_ tables: [ComparisonTables], _ names: ComparedNames) -> ReportSection {
  let answers = tables.indices.map { index -> String in
    let count = tables[index].comparison.differences.count
    let what = count == 0 ? "nothing" : count == 1 ? "one value" : "\(count) values"
    return names.all.count > 2 ? "\(names.new(index)) differs from the base in \(what)" : "They differ in \(what)"
  }
  let drawn = tables.indices.filter { !tables[$0].comparison.differences.isEmpty }.map { index in
    DataTable(
      caption: "Values by the paths that --set takes" + names.suffix(index), columns: ["Key", "Base", "New"],
      rows: tables[index].comparison.differences.map { [$0.path, whole($0.base), whole($0.new)] }, textColumns: 3,
      stacks: true
    ).markup
  }
  return ReportSection(
    id: "differences", short: "Scenarios", question: "What differs in the scenarios?",
    answer: answers.joined(separator: "; ") + ".", figures: drawn,
    note: "With every default filled in; names and descriptions do not count.")
}

/// A value of a scenario, up to a length that still can be read.
private func whole(_ value: String?) -> String {
  guard let value else { return "not there" }
  return value.count > 400 ? value.prefix(397) + "..." : value
}

/// What was compared?
private func comparedSection(_ comparisons: [RunComparison], _ names: ComparedNames) -> ReportSection {
  let runs = [comparisons.first?.base].compactMap { $0 } + comparisons.map(\.new)
  let rows = zip(names.all, runs).map { name, run in
    [
      name, run.scenario.name, String(SHA256.hexadecimal(of: Array(run.resolvedScenario.utf8)).prefix(12)), run.version,
      String(run.scenario.run.seed), NumberText.whole(Double(run.scenario.run.replications)),
      NumberText.whole(Double(run.devicesSimulated)),
    ]
  }
  return ReportSection(
    id: "runs", short: "Runs", question: "What was compared?",
    answer: ComparisonTables(comparison: comparisons[0]).pairing,
    figures: [
      DataTable(
        caption: "The runs",
        columns: [
          "Run", "Scenario", "Resolved scenario, SHA-256", "Version", "Seed", "Replications", "Devices simulated",
        ],
        rows: rows, textColumns: 4, stacks: true
      ).markup
    ],
    note:
      "Runs with one seed meet the same phones with the same draws: replication 1 is compared with replication 1 and so "
      + "on, and what the phones and the days have in common drops out.")
}
