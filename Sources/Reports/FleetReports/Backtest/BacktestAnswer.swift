import Calibration
import Numerics
import RequestStatistics
import Scenario
import Studies

extension BacktestReport {
  /// The answer to the backtest, which rates the forecasts for days that were not used for the fit.
  var answer: Answer {
    guard let error = scores.perStep else {
      return Answer(word: "CANNOT TELL", tone: .open, reasons: ["the log has no requests on the days to forecast"])
    }
    let numbers = forecasts.map(\.day.number)
    let causes = changes.map { "\($0.text) from \(Self.date($0.start)) on" }.asList
    let naive = scores.bestNaive.flatMap { best in
      scores.error(of: best).map {
        "The best naive forecast (\(spelled(best, " "))) is off by \(NumberText.percent($0))"
      }
    }
    return Answer(
      word: "Within \(NumberText.percent(error))", tone: .plain,
      reasons: [
        "fitted on \(Self.days(trained))" + (causes.isEmpty ? "" : ", with \(causes)")
          + ", it predicts \(Self.days((numbers.first ?? 0)...(numbers.last ?? 0))) to that accuracy per five minutes"
          + (scores.perStepFloor.map { " (chance alone gives \(NumberText.percent($0)))" } ?? ""),
        naive ?? "",
      ], caveats: [total, peaks, coverage, logs.outageSentence].compactMap { $0 })
  }

  private var total: String? {
    scores.total.map { total in
      "The forecast total is \(DifferenceText.higher(total))"
        + (scores.perHour.map { "; the hourly error is \(NumberText.percent($0))" } ?? "")
        + (scores.perHourFloor.map { ", of which chance alone explains \(NumberText.percent($0))" } ?? "")
    }
  }

  private var peaks: String? {
    scores.peakError.map { "The busiest five minutes of each day were forecast to within \(NumberText.percent($0))" }
  }

  private var coverage: String? {
    guard let covered = scores.covered else {
      return "There are no bands: one training day cannot show how days differ"
    }
    let limits = { (share: CountedShare) in
      "95 % interval \(NumberText.percent(share.low)) to \(NumberText.percent(share.high))"
    }
    return "\(NumberText.percent(covered.share)) of the steps fall within their 90\u{A0}% band (\(limits(covered)))"
      + (scores.coveredPeaks.map { ", as do \($0.hits) of \($0.count) daily peaks (\(limits($0)))" } ?? "")
  }

  /// Returns a range of days, such as `days 1 to 7` or `day 8`.
  private static func days(_ range: ClosedRange<Int>) -> String {
    range.count == 1 ? "day \(range.lowerBound)" : "days \(range.lowerBound) to \(range.upperBound)"
  }

  /// Returns a date such as `2027-01-25`, followed by the time of day unless it is midnight.
  private static func date(_ unixMilliseconds: Int64) -> String {
    let time = UTCTime(unixMilliseconds: unixMilliseconds)
    return unixMilliseconds % BacktestReport.dayMilliseconds == 0 ? time.date : time.full
  }

  private func date(_ forecast: ForecastDay) -> String { String(stamp(time(forecast.day.number, 0)).prefix(10)) }

  /// A table of the forecast errors, with one row per day.
  var dayTable: Table {
    typealias Day = (forecast: ForecastDay, scores: BacktestScores)
    let days = forecasts.compactMap { forecast in scores(of: forecast).map { (forecast: forecast, scores: $0) } }
    var columns: [Column<Day>] = [
      Column("day") { .text("\($0.forecast.day.number)") }, Column(number: "error") { .share($0.scores.perStep) },
      Column(number: "chance") { .share($0.scores.perStepFloor) },
      Column(number: "per hour") { .share($0.scores.perHour) },
      Column(number: "in band") { .share($0.scores.covered?.share) },
      Column(number: "peak") { .text($0.scores.peakRatios.first.map { DifferenceText.signed($0 - 1) } ?? "") },
    ]
    columns += NaiveForecast.allCases.map { naive in
      Column(number: spelled(naive, " ")) { .share($0.scores.error(of: naive)) }
    }
    return Table("Errors by day", days, columns)
  }

  /// The backtest as terminal text: the answer, followed by the error on each day.
  package var text: [UInt8] {
    terminalText(
      [folded(answer.line), dayTable.lines]
        + contradictions.map { folded("WF620 " + KeyText.contradiction($0)) })
  }

  /// The results of the backtest as one JSON document.
  package var document: [UInt8] {
    let days = forecasts.map { forecast -> JSONValue in
      let head: JSONValue = ["day": forecast.day.number, "date": date(forecast)]
      return scores(of: forecast).map { head.with($0.json) } ?? head
    }
    let factor = forecaster.factor
    let value: JSONValue = [
      "schema": "widgetfleet.backtest/v1", "scenario": base.name, "verdict": answer.line,
      "trained": Self.days(trained), "changes": changesJSON,
      "day_factor": [
        "days": factor.days, "middle": factor.middle, "deviation": factor.deviation,
        "band_inflation": significant(forecaster.inflation),
      ] as JSONValue,
      "all": scores.json, "days": days, "contradictions": contradictions.map(\.path),
    ]
    return value.bytes(lines: 3)
  }

  private var changesJSON: [JSONValue] { changes.map { ["from": stamp($0.start), "set": $0.text] } }

  /// The content of manifest.json. The manifest contains hashes instead of names, and no personal data.
  var manifest: [UInt8] {
    FleetReports.manifest(
      "backtest-v1", provenance, scenario: base.name, seed: base.run.seed,
      logs.lossJSON.with([
        "lines": logs.lines, "requests": logs.parsed, "changes": changesJSON, "trained": Self.days(trained),
      ]), files: files.map(\.name))
  }

  /// The content of backtest.csv, which has one row per forecast day.
  var daysCSV: [UInt8] {
    var csv = CSVWriter(header: [
      "day", "date", "measured", "predicted", "wape_5min", "floor_5min",
      "wape_hour", "floor_hour", "mape", "mape_floor", "covered", "covered_low", "covered_high", "peak", "peak_time",
      "predicted_peak", "predicted_peak_time", "peak_low", "peak_high", "pinball", "yesterday", "last_week", "mean_day",
    ])
    for forecast in forecasts {
      guard let scores = self.scores(of: forecast) else { continue }
      let (number, totals) = (forecast.day.number, forecast.totals)
      csv.fields(number, date(forecast), totals.measured, totals.predicted)
      csv.fields(
        scores.perStep, scores.perStepFloor, scores.perHour, scores.perHourFloor, scores.percentage,
        scores.percentageFloor, scores.covered?.share, (scores.covered?.low).map(significant),
        (scores.covered?.high).map(significant))
      csv.fields(
        forecast.day.peak?.count, forecast.day.peak.map { stamp(time(number, $0.step)) } ?? "",
        forecast.peak?.count, forecast.peak.map { stamp(time(number, $0.step)) } ?? "",
        (forecast.peak?.band?.low).map(significant), (forecast.peak?.band?.high).map(significant),
        scores.pinball.map(significant))
      csv.row(NaiveForecast.allCases.map { scores.error(of: $0) })
    }
    return csv.bytes
  }

  /// The content of forecast.csv: the measured load and the forecast load in five-minute steps.
  var forecastCSV: [UInt8] {
    var csv = CSVWriter(header: ["time", "measured", "predicted", "low", "high", "p999"])
    for forecast in forecasts {
      for step in forecast.predicted.indices {
        csv.row(
          stamp(time(forecast.day.number, step)), forecast.day.measured[step], forecast.predicted[step],
          (forecast.bands?[step].low).map(significant),
          (forecast.bands?[step].high).map(significant), (forecast.highQuantile?[step]).map(significant))
      }
    }
    return csv.bytes
  }
}

extension BacktestScores {
  fileprivate var json: JSONValue {
    let share = { (share: CountedShare?) in
      share.map {
        ["share": $0.share, "low": significant($0.low), "high": significant($0.high), "count": $0.count] as JSONValue
      }
    }
    let naive = NaiveForecast.allCases.map { naive in
      (key: spelled(naive), value: ["wape_5min": error(of: naive), "skill": skill(against: naive)] as JSONValue)
    }
    return [
      "wape_5min": perStep, "floor_5min": perStepFloor, "wape_hour": perHour, "floor_hour": perHourFloor,
      "mape": percentage, "mape_floor": percentageFloor, "total_error": total, "peak_ratios": peakRatios,
      "covered": share(covered), "covered_peaks": share(coveredPeaks), "pinball_999": pinball.map(significant),
      "naive": JSONValue.object(naive),
    ]
  }
}
