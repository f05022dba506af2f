import Scenario
import Studies

/// report.html of a sweep: the settings with their verdicts, the front, and what each key does.
func sweepPage(of study: SweepStudy, _ effects: SweepEffects, _ manifest: SweepManifest) -> [UInt8] {
  let sections = [
    sweepVerdictSection(study), frontSection(study), mapSection(study), effectSection(study, effects),
    variedSection(study, manifest),
  ].compactMap { $0 }
  return studyPage(study, manifest, kicker: "sweep", past: "swept", sections)
}

extension SweepStudy {
  /// The figures that a page draws: of the objectives and of goals, without either what a planner asks for first.
  var drawnFigures: [FigureName] {
    let wanted = (objectives.map(\.figure) + goals.map(\.figure)).withoutRepetitions
    let known = wanted.filter { name in runs.contains { $0.summary.figure(name)?.value != nil } }
    return Array((known.isEmpty ? figures : known).prefix(5))
  }

  /// A setting's values in a row.
  func label(_ index: Int) -> String { runs[index].values.map(\.text).joined(separator: ", ") }
}

/// Which settings pass every goal?
private func sweepVerdictSection(_ study: SweepStudy) -> ReportSection {
  let front = SettingTable.Mark(name: "Pareto", cells: study.runs.map { $0.isOnFront ? "yes" : "no" })
  let table = SettingTable(
    study: study, figures: study.drawnFigures, marks: study.objectives.isEmpty ? [] : [front])
  let passing = study.runs.indices.filter { study.runs[$0].passes }
  let names = passing.prefix(4).map(study.label).joined(separator: "; ")
  let answer: String
  if study.goals.isEmpty {
    answer = "\(study.runs.count) settings; the scenario has no goals."
  } else if passing.isEmpty {
    answer = "None of \(study.runs.count)."
  } else {
    answer =
      "\(passing.count) of \(study.runs.count): \(names)"
      + (passing.count > 4 ? " and \(passing.count - 4) more." : ".")
  }
  return ReportSection(
    id: "settings", short: "Settings",
    question: study.goals.isEmpty ? "What does each setting bring?" : "Which settings pass every goal?", answer: answer,
    figures: [table.markup],
    note: (study.goals.isEmpty ? "" : study.judgingNote + " Every figure is in settings.csv.")
      + study.placeSentence(of: study.drawnFigures))
}

/// Which settings does no other one beat? nil with fewer than two objectives.
private func frontSection(_ study: SweepStudy) -> ReportSection? {
  guard study.objectives.count > 1 else { return nil }
  let front = study.runs.indices.filter { study.runs[$0].isOnFront }
  let figure = FrontFigure(study)
  let objectives = study.objectives.map { ($0.direction == .least ? "little " : "much ") + $0.figure.text }
  let names = front.prefix(4).map(study.label).joined(separator: "; ")
  return ReportSection(
    id: "front", short: "Pareto front", question: "Which settings does no other one beat?",
    answer: "\(front.count) of \(study.runs.count): \(names)"
      + (front.count > 4 ? " and \(front.count - 4) more" : "") + ".",
    figures: [
      figure.scatter.markup(
        id: "front-plane",
        title: "Settings by \(study.objectives[0].figure.text) and \(study.objectives[1].figure.text)",
        description: "Not beaten: \(names).", legend: figure.legend)
    ],
    note: "A setting is beaten when another is as good in each objective and better in one. Objectives: "
      + objectives.joined(separator: ", ") + "."
      + (study.objectives.count > 2 ? " The larger a circle, the more \(study.objectives[2].figure.text)." : "")
      + IntervalText.whiskers(study))
}

/// The settings in the plane of the first two objectives.
struct FrontFigure {
  let scatter: ScatterFigure
  let legend: [(swatch: String, text: String)]

  /// - Precondition: there are two objectives at least.
  init(_ study: SweepStudy) {
    let names = study.objectives.map(\.figure)
    let drawn = study.runs.indices.filter { index in
      names.prefix(2).allSatisfy { study.runs[index].summary.figure($0)?.value != nil }
    }
    let value = { (index: Int, name: FigureName) in study.runs[index].summary.figure(name)?.value?.approximate }
    let sizes = drawn.map { index in names.count > 2 ? value(index, names[2]) : nil }
    let isJudged = !study.goals.isEmpty
    let points = zip(drawn, ScatterFigure.radii(sizes)).map { index, radius in
      let run = study.runs[index]
      let told = names.map { "\($0.text) \(GoalText.text(value(index, $0), $0))" }.joined(separator: ", ")
      return ScatterFigure.Point(
        x: value(index, names[0]) ?? 0, y: value(index, names[1]) ?? 0,
        xInterval: run.summary.figure(names[0])?.interval, yInterval: run.summary.figure(names[1])?.interval,
        radius: radius, style: isJudged && run.passes ? "good" : run.isOnFront ? "free" : "beaten",
        label: study.label(index), title: study.label(index) + ": " + told)
    }
    scatter = ScatterFigure(
      points: points, x: Self.direction(names[0], study.goals), y: Self.direction(names[1], study.goals),
      joined: names.count == 2
        ? drawn.indices.filter { study.runs[drawn[$0]].isOnFront }.sorted { points[$0].x < points[$1].x } : [],
      region: drawn.indices.filter { isJudged && study.runs[drawn[$0]].passes }, height: 420)
    legend = Self.legend(study, isJudged)
  }

  private static func legend(_ study: SweepStudy, _ isJudged: Bool) -> [(swatch: String, text: String)] {
    let kinds: [(Bool, String, String)] = [
      (isJudged && study.runs.contains(where: \.passes), "good", "passes every goal"),
      (study.runs.contains { $0.isOnFront && !(isJudged && $0.passes) }, "free", "no other beats it"),
      (study.runs.contains { !$0.isOnFront && !(isJudged && $0.passes) }, "beaten", "another beats it"),
    ]
    return kinds.filter(\.0).map { (swatch: $0.1, text: $0.2) }
  }

  /// What an axis measures, with the limit of a goal of the same figure.
  static func direction(_ name: FigureName, _ goals: [Goal]) -> ScatterFigure.Direction {
    var direction = ScatterFigure.Direction(title: name.text, label: { TickText.text($0, name, $1) })
    for goal in goals where goal.figure == name {
      if case .value(let limit) = goal.limit { (direction.limit, direction.limitName) = (limit, "goal " + goal.id) }
    }
    return direction
  }
}
