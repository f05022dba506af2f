import Scenario
import Studies

extension TuneReport {
  /// The answer, which states the result of the search.
  var answer: Answer {
    let open = study.final?.goals.first { $0.verdict == .inconclusive }
    let (word, tone): (String, Answer.Tone) =
      !study.isFeasible
      ? ("NOT FOUND", .bad) : open == nil ? ("FOUND", .good) : ("FOUND, BUT CANNOT TELL", .open)
    let limit = open.map { "Goal \($0.goal.id) is at its limit: \($0.reason)" } ?? room
    return Answer(
      word: word, tone: tone, reasons: study.isFeasible ? [winner, limit] : missed,
      caveats: [
        study.isFeasible && study.problem.judging == .nominal ? "Judged by the scenario alone" : "",
        "\(counted(study.settingCount, "setting")) tried in \(counted(study.runs, "run"))",
      ], claims: (study.final?.goals ?? []).map { Claim($0) })
  }

  private var winner: String {
    guard let figure = study.problem.objective.figure else {
      guard case .key(let axis) = study.problem.objective, settings.indices.contains(axis) else { return "" }
      let others = settings.indices.filter { $0 != axis }.map { settings[$0] }
      return settings[axis] + " is the lowest value that holds" + (others.isEmpty ? "" : ", with " + others.asList)
    }
    let interval = study.final?.objective?.interval.map { ", 95\u{A0}% interval " + $0.words(figure) } ?? ""
    return settings.asList + (settings.count == 1 ? " gives" : " give") + " the lowest \(figure.text), "
      + GoalText.text(study.final?.objective?.value?.approximate, figure) + interval
  }

  /// The goal with the smallest margin or, if goals are missed, the goal with the largest miss.
  private var worst: (goal: String, miss: Double, condition: String, preset: Preset?)? {
    guard let final = study.final else { return nil }
    let worst = zip(final.goals, final.margins).max { ($0.1.miss ?? -.infinity) < ($1.1.miss ?? -.infinity) }
    return worst.flatMap { goal, margin in
      margin.miss.map { miss in
        (goal.goal.id, miss, margin.preset.map { ", " + Preset.condition($0) } ?? "", margin.preset)
      }
    }
  }

  private var room: String {
    guard let worst, worst.miss <= 0 else { return "" }
    let margin = NumberText.percent(-worst.miss)
    return "Goal \(worst.goal) has the smallest margin, \(margin) of its limit" + worst.condition
  }

  private var missed: [String] {
    guard let worst, worst.miss > 0 else { return ["no setting is certain to meet every goal"] }
    let isAlone = study.final?.passesAlone == true && worst.preset != nil
    return [
      "no setting meets every goal",
      "The closest, \(settings.asList), misses \(worst.goal) by \(NumberText.percent(worst.miss)) of its limit"
        + worst.condition,
      isAlone ? "Judged by the scenario alone (--nominal), it passes" : "",
    ]
  }

  /// A table of the tuned keys, with their values in the best or closest setting.
  var keyTable: Table {
    Table(
      "Searched keys", Array(zip(keys, finalValues)),
      [
        Column("key") { .text($0.0.path) }, Column("in the scenario") { .text($0.0.before ?? $0.1) },
        Column(study.isFeasible ? "found" : "closest") { .text($0.1) },
      ])
  }

  /// Returns a table of the minimized figure and the goals of a trial, each with its interval, bracket, limit and
  /// margin.
  func goalTable(_ trial: TuneTrial) -> Table {
    let under = { (preset: Preset) in
      trial.ends.first { $0.preset == preset }.flatMap { $0.rows.first.flatMap { $0?.value } }
    }
    let minimized = study.problem.objective.figure.map { figure in
      JudgedFigure(
        figure: figure, value: trial.objective?.value, interval: trial.objective?.interval,
        ends: [under(.prompt), under(.lazy)])
    }
    return Table(
      "Figures from the check", [minimized].compactMap { $0 } + JudgedFigure.goals(trial), JudgedFigure.columns(trial))
  }

  /// The points at which the loads among the figures are counted, one line per point.
  var places: [String] {
    GoalText.placeLines(
      [study.problem.objective.figure].compactMap { $0 } + (study.final?.goals ?? []).map(\.goal.figure), [base])
  }

  /// A table of all settings that were tried.
  var trialTable: Table {
    typealias Trial = (number: Int, trial: TuneTrial)
    var columns: [Column<Trial>] = [
      Column("trial") { .text(String($0.number + 1)) }, Column("stage") { .text($0.trial.stage.rawValue) },
    ]
    columns += keys.indices.map { place in Column(keys[place].path) { .text(values[$0.number][place]) } }
    if let figure = study.problem.objective.figure {
      columns.append(Column(number: figure.text) { .figure($0.trial.objective?.value, figure) })
    }
    columns += [
      Column("passes") { .yes($0.trial.passes) }, Column("tightest goal") { .text(TuneFigures.room($0.trial)) },
      Column("worst") { .text($0.trial.ends.isEmpty ? "" : $0.trial.worstPreset?.rawValue ?? "scenario") },
    ]
    return Table("Trials", study.trials.enumerated().map { (number: $0, trial: $1) }, columns)
  }

  /// Returns the terminal text: the best values, the margins of the goals, and the answer.
  ///
  /// - Parameter isAlone: whether to omit the table, for use in scripts.
  package func text(answerOnly isAlone: Bool = false) -> [UInt8] {
    if isAlone { return answerOnly([answer.line]) }
    guard let final = study.final else { return [] }
    let again = tunedText == nil ? [] : ["To repeat: run tuned.yaml with --seed \(final.seed) -n \(final.replications)"]
    return terminalText([
      keyTable.lines, goalTable(final).lines + places.flatMap { folded($0) }, again, folded(answer.line),
    ])
  }

  private var valuesJSON: JSONValue { .object(zip(keys, finalValues).map { (key: $0.path, value: .string($1)) }) }

  /// The results of tuning as one JSON document.
  package var document: [UInt8] {
    let trial = { (trial: TuneTrial) -> JSONValue in
      [
        "seed": trial.seed, "replications": trial.replications, "value": trial.objective?.value,
        "low": trial.objective?.interval?.low, "high": trial.objective?.interval?.high,
        "goals": Table("", JudgedFigure.goals(trial), JudgedFigure.columns(trial)).json,
      ]
    }
    let value: JSONValue = [
      "schema": "widgetfleet.tune/v1", "version": provenance.version, "scenario": base.name, "minimize": objective,
      "unit": study.problem.objective.figure?.unit.rawValue, "judged_by": study.problem.judging.rawValue,
      "feasible": study.isFeasible, "answer": answer.json, "values": valuesJSON, "search": study.searched.map(trial),
      "check": study.final.map(trial), "settings": study.settingCount, "runs": study.runs,
      "max_runs": study.problem.maxRuns,
    ]
    return value.bytes(lines: 4)
  }

  /// The content of manifest.json.
  var manifest: [UInt8] {
    let problem = study.problem
    return FleetReports.manifest(
      "tune-v1", provenance, scenario: base.name, seed: problem.seed,
      [
        "minimize": objective, "subject_to": problem.goals.map(\.id), "keys": keys.map(\.path),
        "replications": problem.replications, "max_runs": problem.maxRuns, "runs": study.runs,
        "judged_by": problem.judging.rawValue, "feasible": study.isFeasible, "values": valuesJSON,
      ], files: files.map(\.name))
  }

  /// The content of runs.csv, in simulation order. For each trial, there is one row per replication, followed by one
  /// row per preset.
  var runsCSV: [UInt8] {
    let figures = study.problem.figures
    var csv = CSVWriter(
      header: ["trial", "stage"] + keys.map(\.path) + ["seed", "replication", "preset", "passes", "worst"]
        + figures.map(column))
    for (number, trial) in study.trials.enumerated() {
      let own = (0..<trial.replications).map { (replication: $0, preset: Preset?.none, rows: trial.rows) }
      for run in own + trial.ends.map({ (replication: 0, preset: $0.preset, rows: $0.rows) }) {
        csv.row(
          number + 1, trial.stage.rawValue, values[number], String(trial.seed), run.replication + 1,
          run.preset?.rawValue, trial.passes ? "yes" : "no", trial.worstPreset?.rawValue ?? "scenario",
          run.rows.map { row in row.flatMap { $0.replications[run.replication] } })
      }
    }
    return csv.bytes
  }
}

/// A figure of a trial, which is either the minimized figure or a goal's figure.
private struct JudgedFigure {
  var figure: FigureName
  var value: Quantity?
  var interval: Interval?
  /// The values of the figure under the presets `prompt` and `lazy`.
  var ends: [Quantity?]
  /// The result of the goal; `nil` for the minimized figure.
  var goal: GoalResult?
  var margin: GoalMargin?

  static func goals(_ trial: TuneTrial) -> [JudgedFigure] {
    zip(trial.goals, trial.margins).map { goal, margin in
      JudgedFigure(
        figure: goal.goal.figure, value: goal.value, interval: goal.interval, ends: [goal.prompt, goal.lazy],
        goal: goal, margin: margin)
    }
  }

  static func columns(_ trial: TuneTrial) -> [Column<JudgedFigure>] {
    let end = { (judged: JudgedFigure, place: Int) -> Cell in
      judged.ends[place] == nil ? .blank : .figure(judged.ends[place], judged.figure)
    }
    return [
      Column("verdict", key: "verdict") { .text($0.goal?.verdict.rawValue ?? "minimize") },
      Column("figure") { .text($0.figure.text) }, Column(nil, key: "id") { .text($0.goal?.goal.id ?? "") },
      Column(nil, key: "assert") { .text($0.goal?.goal.text ?? "") },
      Column(number: "value", key: "value") { .figure($0.value, $0.figure) },
      Column("95 % interval", key: "interval") { .interval($0.interval, $0.figure) },
      Column("limit") { judged in
        .text(
          judged.goal.map { $0.goal.comparison.rawValue + " " + GoalText.text($0.limit, judged.figure) } ?? "")
      },
      Column(nil, key: "limit") { .number($0.goal?.limit) },
      Column(number: "margin") { .text($0.margin.map(GoalText.margin) ?? "") },
      Column(nil, key: "margin") { .number($0.margin?.distance.map { 0 - $0 }) },
      Column(nil, key: "margin_share") { .number($0.margin?.miss.map { 0 - $0 }) },
      Column("prompt", key: "prompt") { end($0, 0) }, Column("lazy", key: "lazy") { end($0, 1) },
      Column(nil, key: "worst") { .text($0.margin?.preset?.rawValue ?? "scenario") },
      Column("worst") { .text(trial.ends.isEmpty || $0.goal == nil ? "" : $0.margin?.preset?.rawValue ?? "scenario") },
    ]
  }
}
