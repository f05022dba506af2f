import Calibration
import Numerics
import RequestStatistics
import Studies

/// backtest.csv: one row for each day that was forecast.
func backtestCSV(of report: BacktestReport) -> [UInt8] {
  var csv = CSVWriter(header: [
    "day", "date", "measured", "predicted", "wape_5min", "floor_5min",
    "wape_hour", "floor_hour", "mape", "mape_floor", "covered", "covered_low", "covered_high", "peak", "peak_time",
    "predicted_peak", "predicted_peak_time", "peak_low", "peak_high", "pinball", "yesterday", "last_week", "mean_day",
  ])
  for forecast in report.forecasts {
    guard let scores = report.scores(of: forecast) else { continue }
    let known = forecast.day.measured.indices.filter { forecast.day.measured[$0] != nil }
    let number = forecast.day.number
    csv.fields(
      number, String(stamp(report.time(number, 0)).prefix(10)),
      known.reduce(0) { $0 + (forecast.day.measured[$1] ?? 0) },
      known.reduce(0) { $0 + forecast.predicted[$1] })
    csv.fields(
      scores.perStep, scores.perStepFloor, scores.perHour, scores.perHourFloor, scores.percentage,
      scores.percentageFloor, scores.covered?.share, (scores.covered?.low).map(significant),
      (scores.covered?.high).map(significant))
    csv.fields(
      forecast.day.peak?.count, forecast.day.peak.map { stamp(report.time(number, $0.step)) } ?? "",
      forecast.peak?.count, forecast.peak.map { stamp(report.time(number, $0.step)) } ?? "",
      (forecast.peak?.band?.low).map(significant), (forecast.peak?.band?.high).map(significant),
      scores.pinball.map(significant))
    csv.row(NaiveForecast.allCases.map { scores.error(of: $0) })
  }
  return csv.bytes
}

/// forecast.csv: what came and what was forecast per step of five minutes.
func forecastCSV(of report: BacktestReport) -> [UInt8] {
  var csv = CSVWriter(header: ["time", "measured", "predicted", "low", "high", "p999"])
  for forecast in report.forecasts {
    for step in forecast.predicted.indices {
      csv.row(
        stamp(report.time(forecast.day.number, step)), forecast.day.measured[step], forecast.predicted[step],
        (forecast.bands?[step].low).map(significant),
        (forecast.bands?[step].high).map(significant), (forecast.highQuantile?[step]).map(significant))
    }
  }
  return csv.bytes
}

/// manifest.json of a back-test: hashes in place of names, and nothing that tells people apart.
func backtestManifest(of report: BacktestReport) -> [UInt8] {
  JSONValue.object([
    ("schema", .string("widgetfleet.manifest/backtest-v1")), ("version", .string(report.provenance.version)),
    ("scenario", .string(report.base.name)), ("scenario_sha256", .string(report.provenance.scenarioHash)),
    (ManifestLines.studyHash, report.provenance.studyHash.map { .string($0) } ?? .null),
    ("seed", .integer(Int128(report.base.run.seed))), ("lines", .integer(Int128(report.logs.lines))),
    ("requests", .integer(Int128(report.logs.parsed))), ("changes", changes(report)),
    ("trained", .string(BacktestVerdict.days(report.trained))),
    ("files", .array(report.files.map { .string($0.name) })),
    ("resolved_scenario", .string(report.provenance.resolvedScenario)), ("complete", .boolean(true)),
  ]).bytes(lines: 1)
}

/// A back-test as one JSON document, for `--format json`.
package func backtestJSON(of report: BacktestReport) -> [UInt8] {
  let days = report.forecasts.map { forecast in
    JSONValue.object(
      [
        ("day", .integer(Int128(forecast.day.number))),
        ("date", .string(String(stamp(report.time(forecast.day.number, 0)).prefix(10)))),
      ] + (report.scores(of: forecast).map(members) ?? []))
  }
  return JSONValue.object([
    ("schema", .string("widgetfleet.backtest/v1")), ("scenario", .string(report.base.name)),
    ("verdict", .string(BacktestVerdict(report).lead)), ("trained", .string(BacktestVerdict.days(report.trained))),
    ("changes", changes(report)),
    ("day_factor", factor(report.forecaster)), ("all", .object(members(report.scores))), ("days", .array(days)),
    ("contradictions", .array(report.contradictions.map { .string($0.path) })),
  ]).bytes(lines: 3)
}

private func changes(_ report: BacktestReport) -> JSONValue {
  .array(report.changes.map { .object([("from", .string(stamp($0.start))), ("set", .string($0.text))]) })
}

private func factor(_ forecaster: LoadForecaster) -> JSONValue {
  .object([
    ("days", .integer(Int128(forecaster.factor.days))), ("middle", .number(forecaster.factor.middle)),
    ("deviation", .number(forecaster.factor.deviation)), ("band_inflation", .number(significant(forecaster.inflation))),
  ])
}

private func members(_ scores: BacktestScores) -> JSONValue.Members {
  [
    ("wape_5min", JSONValue(scores.perStep)), ("floor_5min", JSONValue(scores.perStepFloor)),
    ("wape_hour", JSONValue(scores.perHour)), ("floor_hour", JSONValue(scores.perHourFloor)),
    ("mape", JSONValue(scores.percentage)), ("mape_floor", JSONValue(scores.percentageFloor)),
    ("total_error", JSONValue(scores.total)), ("peak_ratios", .array(scores.peakRatios.map { .number($0) })),
    ("covered", share(scores.covered)), ("covered_peaks", share(scores.coveredPeaks)),
    ("pinball_999", JSONValue(scores.pinball.map(significant))),
    (
      "naive",
      .object(
        NaiveForecast.allCases.map { naive in
          (
            BacktestVerdict.column(naive),
            .object([
              ("wape_5min", JSONValue(scores.error(of: naive))), ("skill", JSONValue(scores.skill(against: naive))),
            ])
          )
        })
    ),
  ]
}

private func share(_ share: CountedShare?) -> JSONValue {
  guard let share else { return .null }
  return .object([
    ("share", .number(share.share)), ("low", .number(significant(share.low))),
    ("high", .number(significant(share.high))),
    ("count", .integer(Int128(share.count))),
  ])
}
