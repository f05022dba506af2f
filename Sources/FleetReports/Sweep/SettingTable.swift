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
  /// The setting that the study speaks for; it is in the table whatever is left out.
  var chosen: Int?

  /// The most settings that a page has as rows.
  static let mostRows = 60
  /// The most keys with a column each.
  private static let mostKeys = 3
  /// Columns that stand beside each other at the width of a page.
  private static let mostColumns = 9

  /// The table, and what did not fit into it, behind a line that opens it.
  var markup: [Markup] {
    let room = max(1, Self.mostColumns - 1 - keyColumns.count - marks.count - (study.goals.isEmpty ? 0 : 2))
    let (first, rest) = (Array(figures.prefix(room)), Array(figures.dropFirst(room)))
    guard !rest.isEmpty else { return [table(first, marks, hasVerdicts: true).markup] }
    let parts = stride(from: 0, to: rest.count, by: Self.mostColumns - 1 - keyColumns.count).map { start in
      let end = min(start + Self.mostColumns - 1 - keyColumns.count, rest.count)
      return table(Array(rest[start..<end]), [], hasVerdicts: false).markup
    }
    return [table(first, marks, hasVerdicts: true).markup, .details("More figures of the settings", parts)]
  }

  /// Says which settings are left out; empty: none.
  var note: String {
    let count = study.runs.count
    return shown.count < count
      ? " The table has \(shown.count) of \(NumberText.whole(Double(count))) settings, those that are not beaten first."
      : ""
  }

  /// The choice, what is not beaten and what passes before others, in the order of the study.
  private var shown: [Int] {
    let all = study.runs.indices
    guard all.count > Self.mostRows else { return Array(all) }
    let order =
      [chosen].compactMap { $0 } + all.filter { study.runs[$0].isOnFront }
      + all.filter { !study.goals.isEmpty && study.runs[$0].passes } + all
    return order.eachOnce.prefix(Self.mostRows).sorted()
  }

  /// A column for each key, or one for all of them.
  private var keyColumns: [String] {
    study.keys.count > Self.mostKeys ? ["Values"] : study.keyWords
  }

  private func keyCells(_ index: Int) -> [String] {
    study.keys.count > Self.mostKeys
      ? [study.label(index)] : zip(study.axes, study.runs[index].values).map { $0.words($1) }
  }

  private func table(_ figures: [FigureName], _ marks: [Mark], hasVerdicts: Bool) -> DataTable {
    let verdicts = study.goals.isEmpty || !hasVerdicts ? [] : ["Goals", "Tightest goal"]
    let names = FigureWords.names(self.figures)
    let titles = figures.map { (names[$0] ?? $0.text).asSentence }
    let rows = shown.map { index -> [String] in
      let run = study.runs[index]
      return [String(index + 1)] + keyCells(index) + marks.map { $0.cells[index] }
        + (verdicts.isEmpty ? [] : [Self.verdict(of: run), GoalText.worst(run)]) + figures.map { cell(run, $0) }
    }
    return DataTable(
      caption: "Settings with their figures" + IntervalText.inBrackets(study),
      columns: ["Setting"] + keyColumns + marks.map(\.name) + verdicts + titles, rows: rows,
      textColumns: 1 + keyColumns.count + marks.count + verdicts.count, stacks: true)
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

  /// What `pass` means, behind `judged`; empty where no preset makes a difference.
  var judgedBy: String {
    let names = presets.map(\.rawValue).joined(separator: " and ")
    return names.isEmpty ? "" : " by the scenario and under " + names
  }

  /// How the verdicts of a page come about.
  var judgingNote: String {
    let bracket =
      switch (judging, presets.isEmpty) {
      case (.nominal, _): ", without a bracket (--nominal)."
      case (.bracket, true): "; the presets prompt and lazy make no difference to them."
      case (.bracket, false):
        " and, as run does, under \(presets.map(\.rawValue).joined(separator: " and ")) with one replication each. The least "
          + "margin is that of the worst of them, which is named where it is a preset."
      }
    let intervals = hasIntervals ? ", with intervals over replications" : ""
    return "Goals are judged by the scenario's own figures" + intervals + bracket
  }
}

/// The page of a study of settings.
///
/// - Parameter past: what was done to the scenario, behind its name.
/// - Parameter strip: what it says first.
func studyPage(
  _ study: SweepStudy, _ manifest: SweepManifest, _ strip: Markup, _ sections: [ReportSection]
) -> [UInt8] {
  let provenance = manifest.provenance
  return Document(
    version: provenance.version, title: manifest.scenario + ", swept", kicker: "WidgetFleet sweep",
    heading: manifest.scenario, facts: studyFacts(study, manifest), opening: [strip],
    openingLinks: [("answer", "Answer")], sections: sections,
    footer: "Simulated by WidgetFleet \(provenance.version), scenario \(provenance.scenarioHash.prefix(12)), seed "
      + "\(manifest.seed). The same scenario, settings, seed and version give the same page. This page needs no network "
      + "and no scripts.", styles: [PageTexts.style, PageTexts.studyStyle], isZoomable: false
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
    ]
  ).folded
}
