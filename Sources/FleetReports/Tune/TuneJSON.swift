import Scenario
import Studies

/// manifest.json of a tuning.
func tuneManifest(of report: TuneReport) -> [UInt8] {
  let problem = report.study.problem
  return JSONValue.object([
    ("schema", .string("widgetfleet.manifest/tune-v1")), ("version", .string(report.provenance.version)),
    ("scenario", .string(report.base.name)), ("scenario_sha256", .string(report.provenance.scenarioHash)),
    (ManifestLines.studyHash, report.provenance.studyHash.map { .string($0) } ?? .null),
    ("seed", .integer(Int128(problem.seed))), ("minimize", .string(report.objective)),
    ("subject_to", .array(problem.goals.map { .string($0.id) })),
    ("keys", .array(report.keys.map { .string($0.path) })), ("replications", .integer(Int128(problem.replications))),
    ("max_runs", .integer(Int128(problem.mostRuns))), ("runs", .integer(Int128(report.study.runs))),
    ("judged_by", .string(problem.judging.rawValue)), ("feasible", .boolean(report.study.isFeasible)),
    ("values", values(of: report)),
    ("files", .array(report.files.map { .string($0.name) })),
    ("resolved_scenario", .string(report.provenance.resolvedScenario)), ("complete", .boolean(true)),
  ]).bytes(lines: 1)
}

/// A tuning as one JSON document.
package func tuneJSON(of report: TuneReport) -> [UInt8] {
  let study = report.study
  return JSONValue.object([
    ("schema", .string("widgetfleet.tune/v1")), ("version", .string(report.provenance.version)),
    ("scenario", .string(report.base.name)), ("minimize", .string(report.objective)),
    ("unit", study.problem.objective.figure.map { .string($0.unit.rawValue) } ?? .null),
    ("judged_by", .string(study.problem.judging.rawValue)), ("feasible", .boolean(study.isFeasible)),
    ("values", values(of: report)), ("search", study.searched.map(document) ?? .null),
    ("check", study.final.map(document) ?? .null), ("settings", .integer(Int128(study.settingCount))),
    ("runs", .integer(Int128(study.runs))), ("max_runs", .integer(Int128(study.problem.mostRuns))),
  ]).bytes(lines: 4)
}

private func values(of report: TuneReport) -> JSONValue {
  .object(zip(report.keys, report.finalValues).map { (key: $0.path, value: .string($1)) })
}

private func document(of trial: TuneTrial) -> JSONValue {
  .object(
    [("seed", .integer(Int128(trial.seed))), ("replications", .integer(Int128(trial.replications)))]
      + JSONValue.members(trial.objective?.value, trial.objective?.interval)
      + [("goals", .array(zip(trial.goals, trial.margins).map { document(of: $0, $1) }))])
}

private func document(of goal: GoalResult, _ margin: GoalMargin) -> JSONValue {
  .object([
    ("id", .string(goal.goal.id)), ("assert", .string(goal.goal.text)), ("verdict", .string(goal.verdict.rawValue)),
    ("value", JSONValue(goal.value)), ("low", JSONValue(goal.interval?.low)), ("high", JSONValue(goal.interval?.high)),
    ("limit", JSONValue(goal.limit)), ("margin", JSONValue(margin.distance.map { 0 - $0 })),
    ("margin_share", JSONValue(margin.miss.map { 0 - $0 })), ("prompt", JSONValue(goal.prompt)),
    ("lazy", JSONValue(goal.lazy)), ("worst", .string(margin.preset?.rawValue ?? "scenario")),
  ])
}
