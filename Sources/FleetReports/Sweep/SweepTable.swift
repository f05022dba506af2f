import Scenario
package import Studies

/// A sweep as a table for a terminal: one line per setting, with a mark at those that pass every goal, and at those that
/// no other one beats; at the end the answer.
///
/// - Parameter answerAlone: for scripts: no table.
package func sweepTable(of study: SweepStudy, answerAlone isAlone: Bool = false) -> [UInt8] {
  if isAlone { return answerAlone([SweepAnswer(study).answer.line]) }
  let figures = shownFigures(of: study)
  let mark = study.goals.isEmpty ? [] : ["goals"]
  let hasFront = !study.objectives.isEmpty
  let rows = study.runs.map { run in
    let goals = study.goals.isEmpty ? [] : [run.verdict?.rawValue ?? ""]
    let front = hasFront ? [run.isOnFront ? "*" : ""] : []
    return goals + run.values.map(\.text) + front + (study.goals.isEmpty ? [] : [GoalText.worst(run)])
      + figures.map { GoalText.cell(run, $0) }
  }
  let names =
    mark + shortened(study.keys) + (hasFront ? ["pareto"] : [])
    + (study.goals.isEmpty ? [] : ["tightest goal"])
  let first = names.count
  let lines = alignedLines(
    [names + figures.map(\.text)] + rows, numberColumns: Set(first..<first + figures.count))
  let front = hasFront ? folded("* not beaten in " + frontWords(of: study)) : []
  let places = study.placeLines(of: figures).flatMap { folded($0) }
  let judged = study.judgedBy.isEmpty ? [] : folded("Judged" + study.judgedBy + ".")
  let answer = folded(SweepAnswer(study).answer.line)
  let tail = lines + places + front + GoalText.markLines(study, figures) + judged + [""] + answer
  return Array(tail.joined(separator: "\n").utf8) + Array("\n".utf8)
}

/// A sweep as one JSON document.
package func sweepJSON(of study: SweepStudy, version: String) -> [UInt8] {
  let figures = study.figures
  let settings = study.runs.map { run in
    JSONValue.object([
      ("values", .object(zip(study.keys, run.values).map { (key: $0, value: .string($1.text)) })),
      ("passes", study.goals.isEmpty ? .null : .boolean(run.passes)),
      ("pareto", .boolean(run.isOnFront)),
      ("goals", .object(run.goals.map { (key: $0.goal.id, value: .string($0.verdict.rawValue)) })),
      ("margins", .object(zip(run.goals, run.margins).map { (key: $0.goal.id, value: document(of: $1)) })),
      ("figures", .array(figures.map { document(of: $0, run) })),
    ])
  }
  return JSONValue.object([
    ("schema", .string("widgetfleet.sweep/v1")), ("version", .string(version)),
    ("judged_by", .string(study.judging.rawValue)),
    ("objectives", .array(study.objectives.map(document))), ("settings", .array(settings)),
  ]).bytes(lines: 4)
}

/// A margin with the preset that it is of.
private func document(of margin: GoalMargin) -> JSONValue {
  .object([
    ("share", JSONValue(margin.miss.map { 0 - $0 })), ("worst", .string(margin.preset?.rawValue ?? "scenario")),
  ])
}

private func document(_ objective: SweepObjective) -> JSONValue {
  .object([
    ("figure", .string(objective.figure.text)), ("unit", .string(objective.figure.unit.rawValue)),
    ("better", .string(objective.direction.rawValue)),
  ])
}

private func document(of figure: FigureName, _ run: SweepRun) -> JSONValue {
  let row = run.summary.figure(figure)
  return .object(
    [("figure", .string(figure.text)), ("unit", .string(figure.unit.rawValue))]
      + JSONValue.members(row?.value, row?.interval)
      + [("per_replication", .array((row?.replications ?? []).map { JSONValue($0) }))])
}

/// Those of the goals; without goals the objectives and the first few others.
private func shownFigures(of study: SweepStudy) -> [FigureName] {
  let figures = study.figures
  let ofGoals = figures.filter { figure in
    study.goals.contains { $0.figure == figure || study.offered($0.figure) == figure }
  }
  return ofGoals.isEmpty ? Array(figures.prefix(max(4, study.objectives.count))) : ofGoals
}

/// `peak_rps, stale_views and much of runs_per_day`: what settings are compared in.
private func frontWords(of study: SweepStudy) -> String {
  listed(study.objectives.map { ($0.direction == .least ? "" : "much of ") + $0.figure.text })
}

/// As many of the last parts of each path as tell it from the others, and no fewer than asked for.
func shortened(_ paths: [String], least: Int = 1) -> [String] {
  let parts = paths.map { $0.split(separator: ".") }
  return parts.map { path in
    let count = (min(least, max(path.count, 1))...max(path.count, 1)).first { count in
      parts.count { $0.suffix(count).elementsEqual(path.suffix(count)) } == 1
    }
    return path.suffix(count ?? path.count).joined(separator: ".")
  }
}
