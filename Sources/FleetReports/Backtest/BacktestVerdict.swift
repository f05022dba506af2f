import Calibration
import Numerics

/// What a back-test comes to, in words.
struct BacktestVerdict {
  let report: BacktestReport

  init(_ report: BacktestReport) { self.report = report }

  private var scores: BacktestScores { report.scores }

  var sentences: [String] { [lead, total, peaks, coverage].compactMap { $0 } }

  /// The answer: `Fitted on days 1 to 7, it predicted days 8 to 9 within 4 %; the best naive forecast 5 %.`
  var lead: String {
    guard let error = scores.perStep else { return "The log holds no request of the days to forecast." }
    let numbers = report.forecasts.map(\.day.number)
    let test = Self.days((numbers.first ?? 0)...(numbers.last ?? 0))
    let floor = scores.perStepFloor.map { " (chance alone makes \(NumberText.percent($0)))" } ?? ""
    return "Fitted on \(Self.days(report.trained))" + changed
      + ", it predicted \(test) within \(NumberText.percent(error)) per five minutes" + floor
      + naive + "."
  }

  private var changed: String {
    guard !report.changes.isEmpty else { return "" }
    return " and told of " + report.changes.map { "\($0.text) from \(Self.date($0.start)) on" }.joined(separator: ", ")
  }

  private var naive: String {
    guard let best = scores.bestNaive, let error = scores.error(of: best) else { return "" }
    return "; the best naive forecast, \(Self.name(best)), \(NumberText.percent(error))"
  }

  private var total: String? {
    guard let total = scores.total else { return nil }
    let hour = scores.perHour.map { " By the hour the error is \(NumberText.percent($0))" } ?? ""
    let floor = scores.perHourFloor.map { ", of which chance alone makes \(NumberText.percent($0))" } ?? ""
    return "The forecast of all requests together is \(DifferenceText.higher(total))."
      + (hour.isEmpty ? "" : hour + floor + ".")
  }

  private var peaks: String? {
    guard let least = scores.peakRatios.min(), let most = scores.peakRatios.max() else { return nil }
    let off = max(abs(least - 1), abs(most - 1))
    return "The highest five minutes of each day were forecast to within \(NumberText.percent(off))."
  }

  private var coverage: String? {
    guard let covered = scores.covered else {
      return "One training day shows no difference between days: there are no bands."
    }
    let peaks = scores.coveredPeaks.map { share in
      ", and \(share.hits) of \(share.count) daily peaks (limits \(Self.limits(share)))"
    }
    return "\(NumberText.percent(covered.share)) of the steps lie in their 90\u{A0}% band (limits "
      + "\(Self.limits(covered)))" + (peaks ?? "") + "."
  }

  static func limits(_ share: CountedShare) -> String {
    "\(NumberText.percent(share.low)) to \(NumberText.percent(share.high))"
  }

  /// `days 1 to 7`, `day 8`.
  static func days(_ range: ClosedRange<Int>) -> String {
    range.count == 1 ? "day \(range.lowerBound)" : "days \(range.lowerBound) to \(range.upperBound)"
  }

  /// `2027-01-25`, with the time of day where it is not midnight.
  static func date(_ unixMilliseconds: Int64) -> String {
    let time = UTCTime(unixMilliseconds: unixMilliseconds)
    return unixMilliseconds % BacktestReport.dayMilliseconds == 0 ? time.date : time.full
  }

  static func name(_ forecast: NaiveForecast) -> String {
    switch forecast {
    case .yesterday: "the last day again"
    case .lastWeek: "the week before"
    case .meanDay: "the mean day"
    }
  }

  /// As files call it.
  static func column(_ forecast: NaiveForecast) -> String {
    switch forecast {
    case .yesterday: "yesterday"
    case .lastWeek: "last_week"
    case .meanDay: "mean_day"
    }
  }
}

/// A back-test as text for a terminal: the verdict, and the error of each day.
package func backtestTable(of report: BacktestReport) -> [UInt8] {
  let rows = report.forecasts.compactMap { forecast in
    report.scores(of: forecast).map { BacktestRow(forecast, $0).cells }
  }
  let contradictions = report.contradictions.map { "WF620 " + KeyText.contradiction($0) }
  let lines =
    BacktestVerdict(report).sentences.flatMap { folded($0) } + [""]
    + alignedLines([BacktestRow.header] + rows, numberColumns: Set(1..<BacktestRow.header.count))
    + contradictions.flatMap { [""] + folded($0) }
  return Array((lines.joined(separator: "\n") + "\n").utf8)
}

/// A forecast day as cells of a table.
struct BacktestRow {
  static let header = [
    "Day", "Error", "Chance", "Per hour", "In band", "Peak", "Last day", "Week", "Mean",
  ]
  let cells: [String]

  init(_ forecast: ForecastDay, _ scores: BacktestScores) {
    cells =
      [
        "\(forecast.day.number)", NumberText.percent(scores.perStep), NumberText.percent(scores.perStepFloor),
        NumberText.percent(scores.perHour), NumberText.percent(scores.covered?.share),
        scores.peakRatios.first.map { DifferenceText.signed($0 - 1) } ?? NumberText.unknown,
      ] + NaiveForecast.allCases.map { NumberText.percent(scores.error(of: $0)) }
  }
}
