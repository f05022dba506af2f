import Scenario
import Studies
import Words

/// Returns the section on how to reproduce the page. Values from the command line are already part of the resolved
/// scenario.
func repeatSection(of report: ReportContent) -> ReportSection {
  let options = options(of: report).joined()
  let command = { (name: String, text: String) in
    Markup.tag("pre", ["tabindex": "0", "role": "region", "aria-label": name], [.tag("code", [:], text)])
  }
  return ReportSection(
    "repeat",
    answer: "Save the scenario below, which includes all defaults and --set values, and run it with widgetfleet "
      + "\(report.provenance.version).",
    figures: [
      command("Command", "widgetfleet run scenario.yaml" + options),
      .tag("p", ["class": "note"], "Or, in its results folder:"),
      command(
        "Command in the results folder", "jq -r .resolved_scenario manifest.json | widgetfleet run -" + options),
      .tag(
        "button", ["type": "button", "hidden": "", "data-copy": "resolved", "data-name": "scenario"],
        "Save the scenario"),
      .details(
        "The scenario with every default filled in",
        [
          .tag(
            "pre", ["tabindex": "0", "role": "region", "aria-label": "Resolved scenario"],
            [.tag("code", ["id": "resolved"], report.provenance.resolvedScenario)])
        ]),
    ])
}

/// Returns the command-line options that are not part of the scenario, each with a leading space.
private func options(of report: ReportContent) -> [String] {
  let scenario = report.run.scenario
  let hasBracket = report.summary.rows.contains { $0.prompt != nil || $0.lazy != nil || !$0.effects.isEmpty }
  let couldHave = !BracketRuns.presets(of: scenario).isEmpty || !AssumedRange.varied(in: scenario).isEmpty
  let precision = report.precision.map {
    " --until-ci \(NumberText.trimmed(NumberText.fixed($0.share * 100, decimals: 6)))%"
      + " --max-replications \($0.maxReplications)"
  }
  return [
    precision, hasBracket || !couldHave ? nil : " --no-bracket",
    report.hasTimestamps ? " --timestamps" : nil,
  ].compactMap { $0 }
}

/// Returns the glossary section.
func glossarySection(of report: ReportContent) -> ReportSection {
  let terms = Catalogue.glossary.words
  return ReportSection(
    "glossary",
    answer: "",
    figures: [
      .tag(
        "dl", ["class": "glossary"],
        terms.flatMap { [Markup.tag("dt", [:], $0.name), .tag("dd", [:], $0.meaning)] })
    ])
}
