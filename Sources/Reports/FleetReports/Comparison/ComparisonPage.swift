import Scenario
package import Studies

/// Returns a comparison as a single page that works offline. The page shows the answer, conditions, differences, loads,
/// figures and distributions.
///
/// - Parameter comparisons: the comparisons between the base run and each of the other runs.
package func comparisonPage(of comparisons: [RunComparison], version: String) -> [UInt8] {
  guard let first = comparisons.first else { return [] }
  let tables = comparisons.map { ComparisonTables(comparison: $0) }
  let names = ComparedNames(comparisons)
  return StudyPage(
    kind: "comparison", past: "compared", name: first.base.scenario.name, heading: tables[0].heading,
    facts: tables[0].pairing, version: version,
    strips: comparisons.indices.map { index in
      ComparisonAnswer(comparisons[index]).answer.strip(
        id: index == 0 ? "verdict" : "verdict-\(index)", whose: names.all.count > 2 ? names.new(index) : "")
    },
    sections: [
      conditionSection(tables, names), differenceSection(tables, names), overlaySection(comparisons, names),
      changeSection(tables, names), distributionSection(comparisons, names), comparedSection(comparisons, names).folded,
    ]
  ).bytes
}

extension Table {
  /// Returns this table with a caption for one of the comparisons. If there are several comparisons, the caption
  /// includes the name of the new run.
  func of(_ index: Int, _ names: ComparedNames) -> Table { with(caption: caption + names.suffix(index)) }
}

/// The names of the compared runs on a page, made unique.
struct ComparedNames {
  /// The names of all runs, starting with the base run.
  let all: [String]

  init(_ comparisons: [RunComparison]) {
    let runs = [comparisons.first?.base].compactMap { $0 } + comparisons.map(\.new)
    all = runs.enumerated().map { number, run in
      let role = number == 0 ? "base" : runs.count == 2 ? "new" : "new \(number)"
      return role + ": " + run.name
    }
  }

  var base: String { all.first ?? "" }

  /// Returns the name of the new run in a comparison.
  func new(_ index: Int) -> String { all[index + 1] }

  /// Returns the suffix for a caption; empty if there is only one comparison.
  func suffix(_ index: Int) -> String { all.count > 2 ? ", " + new(index) : "" }

  /// The legend entries of all runs, in the colours of the runs.
  var legend: [(swatch: String, text: String)] {
    all.enumerated().map { ("series-\($0 % OverlayPlot.colours)", $1) }
  }
}

/// Returns the section on the `--fail-on` conditions; `nil` if there are none.
private func conditionSection(_ tables: [ComparisonTables], _ names: ComparedNames) -> ReportSection? {
  let results = tables.flatMap(\.comparison.conditions)
  guard !results.isEmpty else { return nil }
  let parts = ConditionResult.Verdict.allCases.map { verdict in
    (results.count { $0.verdict == verdict }, verdict.rawValue)
  }.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
  let reasons = tables.flatMap(\.reasons).map { Markup.tag("li", [:], $0) }
  return ReportSection(
    "compare/conditions",
    answer: "\(counted(results.count, "condition")): \(parts.joined(separator: ", ")).",
    figures: tables.indices.flatMap { tables[$0].conditions.of($0, names).markup }
      + (reasons.isEmpty ? [] : [.tag("ul", ["class": "reasons"], reasons)]))
}

/// Returns the section on the differences between the scenarios.
private func differenceSection(_ tables: [ComparisonTables], _ names: ComparedNames) -> ReportSection {
  let answers = tables.indices.map { index -> String in
    let count = tables[index].comparison.differences.count
    guard count > 0 else {
      return names.all.count > 2 ? "\(names.new(index)) does not differ from the base" : "They do not differ"
    }
    let what = count == 1 ? "one value" : "\(count) values"
    return names.all.count > 2 ? "\(names.new(index)) differs from the base in \(what)" : "They differ in \(what)"
  }
  return ReportSection(
    "compare/differences",
    answer: answers.joined(separator: "; ") + ".",
    figures: tables.indices.flatMap { tables[$0].differences.of($0, names).markup })
}

/// Returns the section on the compared runs.
private func comparedSection(_ comparisons: [RunComparison], _ names: ComparedNames) -> ReportSection {
  let runs = [comparisons.first?.base].compactMap { $0 } + comparisons.map(\.new)
  typealias Run = (name: String, run: ComparedRun)
  let columns: [Column<Run>] = [
    Column("run") { .text($0.name) }, Column("scenario") { .text($0.run.scenario.name) },
    Column("resolved scenario, SHA-256") {
      .text(String(SHA256.hexadecimal(of: Array($0.run.resolvedScenario.utf8)).prefix(12)))
    },
    Column("version") { .text($0.run.version) }, Column("seed") { .text(String($0.run.scenario.run.seed)) },
    Column(number: "replications") { .count($0.run.scenario.run.replications) },
    Column(number: "devices simulated") { .count($0.run.devicesSimulated) },
  ]
  return ReportSection(
    "compare/runs",
    answer: ComparisonTables(comparison: comparisons[0]).pairing,
    figures: Table("The runs", zip(names.all, runs).map { (name: $0, run: $1) }, columns).markup)
}
