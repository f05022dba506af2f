import Scenario
import Studies

/// The settings of a study, one row each: their values, what is to be said of them, their verdicts and figures.
struct SettingTable {
  /// A column of words.
  struct Mark {
    var name: String
    /// By setting.
    var cells: [String]
  }

  var study: SweepStudy
  var figures: [FigureName]
  var marks: [Mark] = []
  /// What the figures are called; empty: by their names.
  var titles: [String] = []

  var markup: Markup { table.markup }

  var table: DataTable {
    let verdicts = study.goals.isEmpty ? [] : ["Goals", "Least margin"]
    let columns =
      ["Setting"] + shortened(study.keys) + marks.map(\.name) + verdicts
      + figures.indices.map { $0 < titles.count ? titles[$0] : figures[$0].text }
    let rows = study.runs.indices.map { index -> [String] in
      let run = study.runs[index]
      return [String(index + 1)] + run.values.map(\.text) + marks.map { $0.cells[index] }
        + (verdicts.isEmpty ? [] : [Self.verdict(of: run), GoalText.worst(run)]) + figures.map { cell(run, $0) }
    }
    return DataTable(
      caption: "Settings with their figures" + IntervalText.inBrackets(study), columns: columns, rows: rows,
      textColumns: 1 + study.keys.count + marks.count + verdicts.count)
  }

  private func cell(_ run: SweepRun, _ name: FigureName) -> String {
    let row = run.summary.figure(name)
    guard let interval = row?.interval, interval.low < interval.high else {
      return GoalText.text(row?.value?.approximate, name)
    }
    return GoalText.withInterval(row, name)
  }

  /// `pass`, or the goals that do not, each with its verdict.
  static func verdict(of run: SweepRun) -> String {
    let open = run.goals.filter { $0.verdict != .pass }
    return open.isEmpty ? "pass" : open.map { "\($0.goal.id): \($0.verdict.rawValue)" }.joined(separator: ", ")
  }
}

/// What a study of settings rests on, in one line.
private func studyFacts(_ study: SweepStudy, _ manifest: SweepManifest) -> String {
  let count = study.runs.count
  let replications = study.runs.first?.replications ?? 0
  return [
    count == 1 ? "1 setting" : "\(count) settings", manifest.method,
    replications == 1 ? "1 replication each" : "\(replications) replications each",
    study.presets.isEmpty ? "" : "beside them " + study.presets.map(\.rawValue).joined(separator: " and "),
    "seed \(manifest.seed)",
  ].filter { !$0.isEmpty }.joined(separator: " · ")
}

extension SweepStudy {
  /// Where the loads among some figures are counted.
  func placeLines(of figures: [FigureName]) -> [String] {
    scenario.map { GoalText.placeLines(figures, [$0]) } ?? []
  }

  /// `placeLines` as a sentence, to stand behind others; empty where there is but one load and no capacity.
  func placeSentence(of figures: [FigureName]) -> String {
    let lines = placeLines(of: figures)
    return lines.isEmpty ? "" : " " + lines.joined(separator: "; ").asSentence + "."
  }

  /// The ends of the bracket that any setting was simulated under.
  var presets: [Preset] { Bracket.ends.filter { preset in runs.contains { $0.bracket.summaries[preset] != nil } } }

  /// What `pass` means, to stand in a sentence; empty where no preset makes a difference.
  var judgedBy: String {
    let names = presets.map(\.rawValue).joined(separator: " and ")
    return names.isEmpty ? "" : ", by the scenario and under " + names
  }

  /// How the verdicts of a page come about.
  var judgingNote: String {
    let bracket =
      switch (judging, presets.isEmpty) {
      case (.nominal, _): ", without a bracket (--nominal)."
      case (.bracket, true): "; the presets prompt and lazy make no difference to them."
      case (.bracket, false):
        " and, as run does, by the presets prompt and lazy with one replication each. The least margin is that of the "
          + "worst of them, which is named where it is a preset."
      }
    let intervals = hasIntervals ? ", with intervals over replications" : ""
    return "Goals are judged by the scenario's own figures" + intervals + bracket
  }
}

/// The page of a study of settings.
///
/// - Parameter past: what was done to the scenario, behind its name.
func studyPage(
  _ study: SweepStudy, _ manifest: SweepManifest, kicker: String, past: String, _ sections: [ReportSection]
) -> [UInt8] {
  let provenance = manifest.provenance
  return Document(
    version: provenance.version, title: manifest.scenario + ", " + past, kicker: "WidgetFleet " + kicker,
    heading: manifest.scenario, facts: studyFacts(study, manifest), sections: sections,
    footer: "Simulated by WidgetFleet \(provenance.version), scenario \(provenance.scenarioHash.prefix(12)), seed "
      + "\(manifest.seed). The same scenario, settings, seed and version give the same page. This page needs no network "
      + "and no scripts.", styles: [styleSheet, studyStyleSheet], isZoomable: false
  ).bytes
}

/// What was varied?
func variedSection(_ study: SweepStudy, _ manifest: SweepManifest) -> ReportSection {
  let rows = study.axes.map { axis in
    let texts = axis.values.map(\.text)
    let shown = texts.count > 24 ? texts.prefix(3) + ["..."] + texts.suffix(3) : texts[...]
    return [axis.path, String(texts.count), shown.joined(separator: ", ")]
  }
  return ReportSection(
    id: "varied", short: "Keys", question: "What was varied?",
    answer: study.axes.count == 1 ? "One key of the scenario." : "\(study.axes.count) keys of the scenario.",
    figures: [
      DataTable(
        caption: "Keys, by the paths that --set takes", columns: ["Key", "Values", "Which"], rows: rows, textColumns: 3,
        stacks: true
      ).markup
    ],
    note:
      "All settings have the same seed: the same phones with the same draws meet each of them, so that what differs "
      + "between two settings is what they differ in.",
    details: [
      .details(
        "The resolved scenario, with nothing varied",
        [.tag("pre", ["tabindex": "0"], manifest.provenance.resolvedScenario)])
    ])
}
