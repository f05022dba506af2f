import Scenario
import Studies

/// Returns the page of a sweep (report.html).
///
/// The page contains the answer, a chart of each goal, the settings with their verdicts, the trade-off between two
/// figures, and the effects of the keys.
func sweepPage(of study: SweepStudy, _ effects: SweepEffects, _ manifest: SweepManifest) -> [UInt8] {
  let answer = SweepAnswer(study)
  let chosen = answer.choice?.setting
  let front = frontSection(study, chosen: chosen)
  // If there is only one key, the charts are sufficient unless the user requested two figures.
  let hasKeys = study.variedAxes.count > 1
  let remark =
    (study.goals.isEmpty
      ? "" : (chosen.map { "The bars show \(study.label($0)). " } ?? "") + judgingNote(study))
    + (study.hasIntervals ? "" : " One replication cannot show the effect of chance.")
  let isTaken = answer.choice.map { $0.reason != .nearest } ?? false
  let patch = isTaken ? chosen.map { SettingPatch(study, $0).markup } ?? [] : []
  return StudyPage(
    kind: "sweep", past: "swept", name: manifest.scenario, facts: facts(study, manifest),
    version: manifest.provenance.version, basis: manifest.provenance.basis(seed: manifest.seed),
    strips: [answer.answer.strip(remarks: [remark], patch)],
    sections: [
      mapSection(study, chosen: chosen), settingsSection(study, chosen),
      hasKeys || !study.goals.isEmpty ? front : front?.folded, hasKeys ? effectSection(study, effects) : nil,
      variedSection(study, manifest),
    ]
  ).bytes
}

/// Returns the facts on which a sweep is based, on one line.
private func facts(_ study: SweepStudy, _ manifest: SweepManifest) -> String {
  [
    counted(study.runs.count, "setting"), manifest.method,
    counted(study.runs.first?.replications ?? 0, "replication") + " each",
    study.presets.isEmpty ? "" : "plus " + study.presets.map(\.rawValue).asList, "seed \(manifest.seed)",
  ].filter { !$0.isEmpty }.joined(separator: " · ")
}

/// Returns an explanation of how the verdicts on the page are reached.
private func judgingNote(_ study: SweepStudy) -> String {
  let bracket =
    switch (study.judging, study.presets.isEmpty) {
    case (.nominal, _): ", without a bracket (--nominal)."
    case (.bracket, true): "; the prompt and lazy presets make no difference to them."
    case (.bracket, false):
      " and, as with run, under \(study.presets.map(\.rawValue).asList) with one replication each. The smallest "
        + "margin is shown, with the preset's name if it comes from one."
    }
  return "Goals are judged by the scenario's own figures"
    + (study.hasIntervals ? ", with intervals over replications" : "") + bracket
}

/// Returns the section on the keys that vary.
private func variedSection(_ study: SweepStudy, _ manifest: SweepManifest) -> ReportSection {
  let table = Table(
    "Keys, by --set path", study.axes,
    [
      Column("key") { .text($0.path) }, Column("values") { .text(String($0.values.count)) },
      Column("which") { axis in
        let texts = axis.values.map(\.text)
        let shown = texts.count > 24 ? texts.prefix(3) + ["..."] + texts.suffix(3) : texts[...]
        return .text(shown.joined(separator: ", "))
      },
    ])
  return ReportSection(
    "sweep/varied",
    answer: "\(counted(study.axes.count, "key")) of the scenario.", figures: table.markup,
    details: [
      .details(
        "The resolved scenario, with no key varied",
        [.tag("pre", ["tabindex": "0"], manifest.provenance.resolvedScenario)])
    ]
  ).folded
}

extension SweepStudy {
  /// The figures on a page: those of the objectives and goals or, if there are none, the headline figures.
  var drawnFigures: [FigureName] {
    let named = (objectives.map(\.figure) + goals.map(\.figure)).withoutRepetitions
    let wanted = named.flatMap { [$0, offered($0)].compactMap { $0 } }.withoutRepetitions
    let known = wanted.filter { name in runs.contains { $0.summary.figure(name)?.value != nil } }
    return Array((known.isEmpty ? figures : known).prefix(5))
  }
}

/// Returns the section on how the settings affect the figures.
private func settingsSection(_ study: SweepStudy, _ chosen: Int?) -> ReportSection {
  let table = SettingTable(study: study, figures: study.drawnFigures, chosen: chosen)
  let counts = Verdict.allCases.reversed().map { verdict in
    (verdict.rawValue, study.runs.count { $0.verdict == verdict })
  }.filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }
  return ReportSection(
    "sweep/settings",
    answer: counted(study.runs.count, "setting") + (counts.isEmpty ? "; no goals." : ": \(listed(counts))."),
    figures: table.markup,
    note: table.note + sentence(ofLines: study.placeLines(of: study.drawnFigures)))
}

/// Returns the section on the trade-off between two figures; `nil` if fewer than two objectives vary.
private func frontSection(_ study: SweepStudy, chosen: Int?) -> ReportSection? {
  guard study.objectives.count > 1, study.objectives.contains(where: { !study.isConstant($0.figure) }) else {
    return nil
  }
  let front = study.runs.indices.filter { study.runs[$0].isOnFront }
  let figure = ParetoPlot(study, chosen: chosen)
  let words = FigureWords.names((study.objectives.map(\.figure) + ParetoPlot.figures(study)).withoutRepetitions)
  let wanted = study.objectives.map { objective in
    (objective.direction == .minimum ? "a low " : "a high ") + (words[objective.figure] ?? objective.figure.text)
  }
  let names = front.prefix(4).map(study.inProse).joined(separator: "; ")
  let beaten = study.runs.count - front.count
  return ReportSection(
    "sweep/front",
    answer: names + (front.count > 4 ? " and \(front.count - 4) more" : "")
      + (beaten == 0 ? ": no setting beats another." : ": no other setting beats them; \(beaten) are beaten."),
    figures: [
      figure.plane.chart.markup(
        id: "front-plane",
        title: "Settings by " + listed(ParetoPlot.figures(study).prefix(2).map { words[$0] ?? $0.text }),
        description: "Not beaten: \(names).", legend: figure.legend)
    ],
    note: "A setting beats another if it is better on balance (Docs/STUDIES.md). One of these must be better, and "
      + "none worse, by more than the 95\u{A0}% interval of the difference: "
      + listed(wanted) + "."
      + (study.objectives.count > 2
        ? " The larger a circle, the higher its \(words[study.objectives[2].figure] ?? "")." : "")
      + IntervalText.whiskers(study) + figure.note)
}

/// A chart of the settings in the plane of the first two objectives. Overloads are shown as offered load, because
/// repeated attempts are not additional demand.
struct ParetoPlot {
  let plane: ScatterPlot
  let legend: [(swatch: String, text: String)]
  /// A note on limits that are not drawn and on the number of settings that are drawn; empty if not needed.
  let note: String

  /// The maximum number of settings in the chart.
  private static let maximum = 300

  /// Creates the chart.
  ///
  /// - Precondition: the study has at least two objectives.
  ///
  /// - Parameter chosen: the index of the marked setting in the study's runs.
  init(_ study: SweepStudy, chosen: Int?) {
    let names = Self.figures(study)
    let known = study.runs.indices.filter { index in
      names.prefix(2).allSatisfy { study.runs[index].summary.figure($0)?.value != nil }
    }
    let first = known.filter { $0 == chosen } + known.filter { study.runs[$0].isOnFront } + known
    let drawn = first.uniqued.prefix(Self.maximum).sorted()
    let value = { (index: Int, name: FigureName) in study.runs[index].summary.figure(name)?.value?.approximate }
    let sizes = drawn.map { index in names.count > 2 ? value(index, names[2]) : nil }
    let isJudged = !study.goals.isEmpty
    let dots = zip(drawn, Dot.radii(sizes)).map { index, radius in
      let run = study.runs[index]
      let values = names.map { "\($0.text) \(GoalText.text(value(index, $0), $0))" }.joined(separator: ", ")
      return Dot(
        x: value(index, names[0]) ?? 0, y: value(index, names[1]) ?? 0,
        xInterval: run.summary.figure(names[0])?.interval, yInterval: run.summary.figure(names[1])?.interval,
        radius: radius, style: isJudged && run.passes ? "good" : run.isOnFront ? "free" : "beaten",
        label: study.label(index), shortLabel: study.values(index),
        title: study.label(index) + ": " + values)
    }
    plane = ScatterPlot(
      dots: dots, x: Self.direction(names[0], study), y: Self.direction(names[1], study),
      joined: names.count == 2
        ? drawn.indices.filter { study.runs[drawn[$0]].isOnFront }.sorted { dots[$0].x < dots[$1].x } : [],
      region: drawn.indices.filter { isJudged && study.runs[drawn[$0]].passes },
      chosen: drawn.firstIndex { $0 == chosen })
    let isShaded = [plane.x, plane.y].contains { $0.limit != nil && $0.forbidden != nil }
    legend = Self.legend(study, isJudged, isShaded, hasChoice: plane.chosen != nil)
    note =
      Self.beyond(plane)
      + (drawn.count < known.count ? " The figure shows \(drawn.count) of \(known.count) settings." : "")
  }

  /// Returns the figures of the objectives. A peak at the servers is replaced by the offered load if the two differ.
  static func figures(_ study: SweepStudy) -> [FigureName] {
    study.objectives.map { study.offered($0.figure) ?? $0.figure }
  }

  private static func legend(
    _ study: SweepStudy, _ isJudged: Bool, _ isShaded: Bool, hasChoice: Bool
  ) -> [(swatch: String, text: String)] {
    let kinds: [(Bool, String, String)] = [
      (isJudged && study.runs.contains(where: \.passes), "good", "passes every goal"),
      (study.runs.contains { $0.isOnFront && !(isJudged && $0.passes) }, "free", "not beaten"),
      (study.runs.contains { !$0.isOnFront && !(isJudged && $0.passes) }, "beaten", "another setting beats it"),
      (isShaded, "forbidden", "beyond a goal or the capacity"), (hasChoice, "chosen", study.choiceWord),
    ]
    return kinds.filter(\.0).map { (swatch: $0.1, text: $0.2) }
  }

  /// Returns a note on limits that lie outside the drawing; empty if there are none.
  private static func beyond(_ plane: ScatterPlot) -> String {
    [(plane.x, plane.dots.map(\.x)), (plane.y, plane.dots.map(\.y))].filter { axis, values in
      axis.limit != nil && !plane.showsLimit(axis, values)
    }.map { axis, _ in " The \(axis.limitName), at \(axis.label(axis.limit ?? 0, 0)), is outside the figure." }
      .joined()
  }

  /// Returns an axis for a figure. Its limit is that of the goal for the figure or, without such a goal, the endpoint's
  /// capacity.
  static func direction(_ name: FigureName, _ study: SweepStudy) -> ScatterPlot.Direction {
    var direction = ScatterPlot.Direction(title: name.text, label: { TickText.text($0, name, $1) })
    for goal in study.goals where goal.figure == name || study.offered(goal.figure) == name {
      if case .share = goal.limit, study.variesCapacity { continue }
      guard let limit = goal.limit.number else { continue }
      (direction.limit, direction.limitName) = (limit, "goal " + goal.id)
      direction.forbidden = goal.comparison.forbidden
    }
    guard direction.limit == nil, let capacity = study.capacity(of: name) else { return direction }
    (direction.limit, direction.limitName, direction.forbidden) = (capacity, "capacity", .above)
    return direction
  }
}

extension SweepStudy {
  /// Whether the capacity of any endpoint varies.
  fileprivate var variesCapacity: Bool {
    keys.contains { $0.hasPrefix("backend.endpoints.") && $0.hasSuffix(".capacity") }
  }

  /// Returns the capacity that applies to a peak load; `nil` if there is none or if it varies.
  fileprivate func capacity(of name: FigureName) -> Double? {
    guard [.serverPeakRPS, .peakRPS, .offeredPeakRPS].contains(name.metric), !variesCapacity else { return nil }
    return scenario?.endpoints.first { $0.name == name.labels.endpoint }?.capacity
  }
}
