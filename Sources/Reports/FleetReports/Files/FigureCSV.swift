import FleetEngine
import Scenario
import Studies

/// Returns the content of summary.csv, which has one row per figure.
func summaryCSV(of summary: Summary) -> [UInt8] {
  let values = ["statistic", "unit", "value", "low", "high", "prompt", "lazy"]
  var csv = CSVWriter(header: ["metric"] + Labels.names + values)
  for row in summary.rows {
    csv.row(
      row.metric.rawValue, row.labels.values, row.statistic.rawValue, row.unit, row.value, row.interval?.low,
      row.interval?.high, row.prompt, row.lazy)
  }
  return csv.bytes
}

/// Returns the content of goals.csv, which has one row per goal, failed goals first.
func goalsCSV(of goals: [GoalResult]) -> [UInt8] {
  let ends = ["statistic", "unit", "value", "low", "high", "limit", "prompt", "lazy", "depends_on", "explanation"]
  var csv = CSVWriter(header: ["id", "severity", "verdict", "assert", "metric"] + Labels.names + ends)
  for result in goals {
    let figure = result.goal.figure
    csv.row(
      result.goal.id, result.goal.severity.rawValue, result.verdict.rawValue, result.goal.text,
      figure.metric.rawValue, figure.labels.values, figure.statistic.rawValue, figure.unit.rawValue,
      result.value, result.interval?.low, result.interval?.high, result.limit, result.prompt, result.lazy,
      result.dependsOn.joined(separator: " "), result.explanation)
  }
  return csv.bytes
}

/// Returns a goal in the form used in summary.json.
func document(of result: GoalResult) -> JSONValue {
  let figure = result.goal.figure
  return .object(
    [
      ("id", .string(result.goal.id)), ("severity", .string(result.goal.severity.rawValue)),
      ("verdict", .string(result.verdict.rawValue)), ("assert", .string(result.goal.text)),
      ("metric", .string(figure.metric.rawValue)),
    ] + JSONValue.members(of: figure.labels) + [
      ("statistic", .string(figure.statistic.rawValue)), ("unit", .string(figure.unit.rawValue)),
    ] + JSONValue.members(result.value, result.interval) + [
      ("limit", JSONValue(result.limit)), ("prompt", JSONValue(result.prompt)), ("lazy", JSONValue(result.lazy)),
    ] + JSONValue.ends(result.promptInterval, result.lazyInterval) + [
      ("changed_under", .array(result.turning.map { .string($0.rawValue) })),
      ("unknown_under", .array(result.unknownUnder.map { .string($0.rawValue) })),
      ("depends_on", .array(result.dependsOn.map { .string($0) })),
      ("explanation", result.explanation.isEmpty ? .null : .string(result.explanation)),
    ])
}

/// Returns the content of distribution.csv: histograms by cohort and kind, scaled to the fleet. A bin includes its
/// lower bound but not its upper bound. Empty bins are omitted.
func distributionCSV(of result: RunResult) -> [UInt8] {
  var csv = CSVWriter(header: [
    "replication", "metric", "cohort", "kind", "cause", "charged", "unit", "from", "to", "count",
  ])
  let scale = FleetCount(Scale(of: result))
  let causes = result.causesSeen
  for (number, replication) in result.replications.enumerated() {
    result.histograms(of: replication, causes) { metric, labels, bins in
      let names = [metric.rawValue, labels.cohort, labels.kind, labels.cause, labels.charged, metric.unit]
        .map(CSVWriter.encoded)
      for bin in bins where bin.count > 0 {
        csv.field(number + 1)
        for name in names { csv.field(encoded: name) }
        csv.field(bin.from)
        csv.field(bin.to)
        csv.field(count: bin.count, scale)
        csv.endRow()
      }
    }
  }
  return csv.bytes
}

/// Returns the content of hours.csv: figures about the followed widgets for each hour of the local day (MODEL.md 8.3).
func hoursCSV(of result: RunResult) -> [UInt8] {
  var csv = CSVWriter(header: [
    "kind", "hour", "refreshes", "views", "stale_share", "data_age_s", "balance_p10", "balance_p50",
  ])
  for row in StoredRun.hours(of: result) {
    csv.row(
      result.scenario.kinds[row.kind].name, row.hour, row.refreshes, row.views, row.staleShare, row.dataAge,
      row.lowBalance, row.balance)
  }
  return csv.bytes
}

/// Returns the content of asked.csv: the outcomes of refreshes that policies requested (MODEL.md 8.3).
func askedCSV(of result: RunResult) -> [UInt8] {
  var csv = CSVWriter(header: ["kind", "row", "refreshes_per_day", "followed_s"])
  for asked in StoredRun.asked(of: result) {
    for row in AskedRow.allCases {
      csv.row(result.scenario.kinds[asked.kind].name, row.name, asked[row], asked.seconds)
    }
  }
  return csv.bytes
}

/// Returns the content of echo.csv: the arrivals per minute at endpoints with an outage in a run with the same draws
/// but without outages. Counts are scaled to the fleet. There are no rows if there was no outage or if this run was
/// omitted.
func echoCSV(of report: Report) -> [UInt8] {
  var csv = CSVWriter(header: ["endpoint", "minute", "first_tries", "reloads_after_errors", "retries"])
  let scale = FleetCount(Scale(of: report.result))
  for tries in report.trials.withoutOutages {
    let name = CSVWriter.encoded(report.result.scenario.endpoints[tries.endpoint].name)
    for (minute, counts) in tries.minutes.enumerated() {
      csv.field(encoded: name)
      csv.field(minute)
      for count in [counts.first, counts.reloads, counts.retries] { csv.field(count: count, scale) }
      csv.endRow()
    }
  }
  return csv.bytes
}

/// Returns the content of trials.csv: the effects of the changes that findings recommend, simulated with the same
/// draws. There is one row per figure, and there are no rows if no trials were run.
func trialsCSV(of report: Report) -> [UInt8] {
  var csv = CSVWriter(header: ["trial", "finding", "settings", "figure", "unit", "before", "after"])
  for (number, outcome) in report.trials.outcomes.enumerated() {
    for change in outcome.changes {
      csv.row(
        number + 1, outcome.topic.rawValue, outcome.settings, change.figure.rawValue, change.figure.unit,
        change.before, change.after)
    }
  }
  return csv.bytes
}
