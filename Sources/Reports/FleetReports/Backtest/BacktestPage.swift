import Calibration
import Scenario
import SimulationKernel
import Studies

/// Returns the page of a backtest, which shows the quality of the forecast for each day.
func backtestPage(of report: BacktestReport) -> [UInt8] {
  let span = report.logs.picture.span.map { "log " + LogSentences.text($0) }
  let facts =
    [counted(report.logs.parsed, "request"), span].compactMap { $0 }.joined(separator: "; ") + "."
    + (report.logs.lossSentence.map { " " + $0 } ?? "")
  return StudyPage(
    kind: "back-test", past: "back-tested", name: report.base.name,
    heading: report.base.name + ", tested on days it was not fitted to", facts: facts,
    version: report.provenance.version, strips: [report.answer.strip(remarks: [basis(report)])],
    sections: [loadSection(report), errorSection(report)]
  ).bytes
}

/// Returns the facts on which the answer is based.
private func basis(_ report: BacktestReport) -> String {
  let factor = report.forecaster.factor
  return "A day's load is the simulated mean times one factor for all phones that day: "
    + "\(NumberText.text(factor.middle)), the median of \(counted(factor.days, "training day"))"
    + (factor.days > 1 ? ", varying by \(NumberText.percent(factor.deviation)) between days" : "")
    + ". Errors are sums of absolute differences divided by sums of requests. Chance is the error of a perfect "
    + "forecast. Naive forecasts use only the training days. Intervals are Clopper-Pearson."
}

/// Returns the section with the measured load and the forecast load with its band; `nil` if there is no load.
private func loadSection(_ report: BacktestReport) -> ReportSection? {
  guard let loads = ForecastLoads(report) else { return nil }
  return ReportSection(
    "backtest/load",
    answer: loads.answer, figures: [loads.markup],
    note: report.scores.covered == nil
      ? ""
      : "The pale range is each step's 90\u{A0}% band: chance and the daily factor, widened by "
        + "a factor of \(NumberText.text(report.forecaster.inflation)) to cover the training days, each forecast "
        + "from the others. "
        + "Dots mark the peaks; for the forecast, the peak of its band.")
}

private func errorSection(_ report: BacktestReport) -> ReportSection {
  let bars = report.forecasts.compactMap { forecast -> Chart.Deviation? in
    guard let scores = report.scores(of: forecast), let error = scores.perStep else { return nil }
    return Chart.Deviation(
      name: "\(forecast.day.number)", value: error, chance: scores.perStepFloor ?? 0)
  }
  let worst = bars.max { $0.value < $1.value }
  return ReportSection(
    "backtest/days",
    answer: worst.map { "By at most \(NumberText.percent($0.value)) per five minutes, on day \($0.name)." } ?? "",
    figures: [
      Chart.deviations(bars, title: "day of the log", unit: "error", label: ChangeText.tick).markup(
        id: "day-errors", title: "Error per five minutes, by day",
        description: bars.map { "day \($0.name): \(NumberText.percent($0.value))" }.joined(separator: ", ") + ".",
        legend: [("energy-wait", "due to chance alone")])
    ] + report.dayTable.markup)
}

/// The measured load on the forecast days, and the forecast load with its band.
private struct ForecastLoads {
  private let runs: [(name: String, colour: Int, load: LoadPlot)]
  private let report: BacktestReport

  init?(_ report: BacktestReport) {
    let days = report.forecasts
    guard let first = days.first?.day.number, let last = days.last?.day.number else { return nil }
    self.report = report
    var clock = report.base.clock
    clock.startUnixMilliseconds = report.time(first, 0)
    clock.step = .minutes(5)
    clock.duration = .days(Int64(last - first + 1))
    let steps = (last - first + 1) * BacktestReport.stepsPerDay
    let load = { (value: (ForecastDay, Int) -> Double?) -> [Double?] in
      var all = [Double?](repeating: nil, count: steps)
      for day in days {
        for step in day.predicted.indices {
          all[(day.day.number - first) * BacktestReport.stepsPerDay + step] = value(day, step)
        }
      }
      return all
    }
    let predicted = load { $0.predicted[$1] }
    let bands = [load { $0.bands?[$1].low }, predicted, load { $0.bands?[$1].high }]
    let hasBands = days.contains { $0.bands != nil }
    let forecast = Self.figure(hasBands ? bands : [predicted], clock)
    let measured = Self.figure([load { $0.day.measured[$1] }], clock)
    runs = [("forecast", 2, forecast), ("log", 0, measured)].compactMap { name, colour, figure in
      figure.map { (name, colour, $0) }
    }
    guard runs.contains(where: { ($0.load.peak?.rate ?? 0) > 0 }) else { return nil }
  }

  /// Returns the chart of a load. Several loads of equal length are drawn as a band.
  private static func figure(_ loads: [[Double?]], _ clock: Clock) -> LoadPlot? {
    let windows = loads.compactMap { load in
      WindowedLoad(load.map { ChartCount.whole($0 ?? 0) }, window: .fiveMinutes, clock: clock)
    }
    guard windows.count == loads.count, let first = loads.first else { return nil }
    var figure = LoadPlot(loads: windows, scale: Scale(fleet: 1, simulated: 1), clock: clock)
    figure.unknown = Array(first.indices.indices(where: { place in loads.contains { $0[place] == nil } }).ranges)
    return figure
  }

  var markup: Markup { Overlay(runs: runs).markup(description: answer) }

  /// The highest measured load over any five minutes, with the forecast for the same day.
  var answer: String {
    let best = report.forecasts.max { ($0.day.peak?.count ?? 0) < ($1.day.peak?.count ?? 0) }
    guard let best, let peak = best.day.peak else { return "The log has no load for these days." }
    let rate = { (count: Double) in NumberText.text(MeasuredLoad.rate(count)) }
    let came = UTCTime(unixMilliseconds: report.time(best.day.number, peak.step)).full
    let forecast = best.peak.map { forecast in
      "; the forecast was \(rate(forecast.count)) at \(UTCTime(unixMilliseconds: report.time(best.day.number, forecast.step)).shortTime)"
        + (forecast.band.map { " (90\u{A0}%: \(rate($0.low)) to \(rate($0.high)))" } ?? "")
    }
    return "The busiest five minutes carried \(rate(peak.count)) requests per second at \(came)\(forecast ?? "")."
  }
}
