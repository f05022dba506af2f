import FleetEngine
import Scenario
import SimulationKernel
import Studies

/// The load of one run in the finest window whose peak the sample resolves; in the finest of all when none is.
struct LoadSource {
  var report: ReportContent
  var window: LoadWindow?
  /// Finer windows, whose peaks the sample does not resolve.
  var unresolved: [LoadWindow]

  init(_ report: ReportContent) {
    self.report = report
    let windows = LoadWindow.all(of: report.run.scenario.clock)
    let peaks = windows.map { report.summary.row(.peakRPS, .max, Labels().with(\.window, $0.name)) }
    let resolved = peaks.firstIndex { $0?.isResolved ?? false }
    window = windows.isEmpty ? nil : windows[resolved ?? 0]
    unresolved = Array(windows.prefix(resolved ?? windows.count))
  }

  /// The peak over all endpoints.
  var peakRow: SummaryRow? { row(.peakRPS, .max) }

  func row(_ metric: Metric, _ statistic: Statistic, endpoint: String = "") -> SummaryRow? {
    window.flatMap {
      report.summary.row(metric, statistic, Labels().with(\.endpoint, endpoint).with(\.window, $0.name))
    }
  }

  /// The figure of one endpoint, or of all together; nil when no window fits the time step.
  func figure(endpoint: Int?) -> LoadFigure? {
    let clock = report.run.scenario.clock
    let loads = report.run.replications.compactMap { replication in
      window.flatMap { WindowedLoad(replication.stepCounts(endpoint: endpoint), window: $0, clock: clock) }
    }
    guard !loads.isEmpty else { return nil }
    return LoadFigure(
      loads: loads, scale: Scale(of: report.run), clock: clock, room: room(endpoint: endpoint),
      marks: EventMark.all(report.run, endpoint: endpoint))
  }

  func title(endpoint: Int?) -> String {
    "Requests per second, " + (endpoint.map { "endpoint " + report.run.scenario.endpoints[$0].name } ?? "all endpoints")
  }

  /// What a script draws of a figure, within some characters.
  func zoom(endpoint: Int?, _ figure: LoadFigure?, budget: Int) -> ZoomSeries? {
    figure.flatMap { ZoomSeries($0, title: title(endpoint: endpoint), budget: budget) }
  }

  /// The window as a noun.
  var windowText: String {
    switch window {
    case .second: "second"
    case .tenSeconds: "10-second window"
    case .minute: "minute"
    case .fiveMinutes: "5-minute window"
    case nil: "window"
    }
  }
}

/// When is the peak?
func loadSection(of report: ReportContent) -> ReportSection {
  let source = LoadSource(report)
  let endpoints = report.run.scenario.endpoints
  let total = source.figure(endpoint: nil)
  let all = source.zoom(endpoint: nil, total, budget: ZoomSeries.budget)
  let rest = max((ZoomSeries.budget - (all?.length ?? 0)) / max(endpoints.count, 1), 20_000)
  let parts = endpoints.count > 1 ? endpoints.indices.prefix(6).compactMap { drawing(source, endpoint: $0, rest) } : []
  let origins = endpoints.indices.prefix(6).compactMap { originDrawing(source, endpoint: $0) }
  return ReportSection(
    id: "load", short: "Peak", question: "When is the peak, and how high is it?",
    answer: loadAnswer(source, total) + overloadSentence(report),
    warning: resolutionWarning(source),
    figures: [drawing(source, endpoint: nil, all)].compactMap { $0 } + parts + origins,
    note: "The pale band reaches from the quietest to the busiest \(source.windowText) of each slice of time"
      + (report.run.replications.count > 1 ? ", over all replications" : "")
      + "; no \(source.windowText) is left out, so the top of the band is the true peak. The line is the mean."
      + eventNote(report),
    details: [total.map { loadTable($0).details("Load over time, as numbers") }].compactMap { $0 }
      + (endpoints.isEmpty ? [] : [endpointTable(source).details("Endpoints, as numbers")])
      + [peakTable(report)?.details("The busiest minute, as numbers")].compactMap { $0 })
}

private func loadAnswer(_ source: LoadSource, _ figure: LoadFigure?) -> String {
  guard let figure, let peak = figure.peak else { return "The measured period holds no complete time window." }
  guard peak.rate > 0 else { return "No request was sent in the measured period." }
  let time = UTCTime(peak.start, of: figure.clock).spoken
  let ratio = source.row(.peakToMean, .max)?.value?.approximate
  let times =
    BracketText.hull(source.peakRow) + (ratio.map { ", \(NumberText.text($0)) times the mean" } ?? "")
  guard let row = source.peakRow, let interval = row.interval else {
    return
      "The busiest \(source.windowText) carries \(NumberText.text(peak.rate)) requests per second\(times), at \(time)."
  }
  return
    "The busiest \(source.windowText) carries \(NumberText.text(row.value?.approximate)) requests per second\(times) "
    + "(95 % interval \(NumberText.text(interval.low)) to \(NumberText.text(interval.high)) over "
    + "\(row.replications.count) replications); the highest of all is \(NumberText.text(peak.rate)) at \(time)."
}

private func resolutionWarning(_ source: LoadSource) -> String {
  guard !source.unresolved.isEmpty else { return "" }
  let names = source.unresolved.map { TimeText.span($0.length) }.joined(separator: " and ")
  return
    "Peaks in windows of \(names) are not resolved by the sample: they count fewer than 100 simulated requests, so chance "
    + "alone moves them by a tenth or more. Simulate more devices to see them."
}

/// The figure of one endpoint, zoomable within some characters.
private func drawing(_ source: LoadSource, endpoint: Int, _ budget: Int) -> Markup? {
  drawing(
    source, endpoint: endpoint, source.zoom(endpoint: endpoint, source.figure(endpoint: endpoint), budget: budget))
}

private func drawing(_ source: LoadSource, endpoint: Int?, _ zoom: ZoomSeries?) -> Markup? {
  guard let figure = source.figure(endpoint: endpoint), let peak = figure.peak else { return nil }
  return Figure(
    id: "load-" + (endpoint.map(String.init) ?? "all"), title: source.title(endpoint: endpoint),
    description:
      "Highest \(NumberText.text(peak.rate)) requests per second at \(UTCTime(peak.start, of: figure.clock).full).",
    legend: [("band", "quietest to busiest \(source.windowText)"), ("mean", "mean")]
      + roomLegend(source, figure, endpoint: endpoint),
    draw: figure.draw, zoom: zoom?.text
  ).markup
}

/// The load in at most 48 rows of equal length.
private func loadTable(_ figure: LoadFigure) -> DataTable {
  let rows = figure.columns(atMost: tableRows(figure)).map { column in
    let start = UTCTime(column.start, of: figure.clock)
    return [
      start.date + " " + start.time, NumberText.text(column.low), NumberText.text(column.mean),
      NumberText.text(column.high),
    ]
  }
  return DataTable(
    caption: "Requests per second over time, all endpoints", columns: ["From (UTC)", "Lowest", "Mean", "Highest"],
    rows: rows)
}

/// A number of rows that cuts the period at round clock times where possible.
private func tableRows(_ figure: LoadFigure) -> Int {
  let spans: [TimeAmount] = [
    .second, .seconds(10), .minute, .minutes(5), .minutes(15), .minutes(30), .hour, .hours(6), .day,
  ]
  let duration = figure.clock.duration.milliseconds
  let fitting = spans.map(\.milliseconds).first { duration % $0 == 0 && duration / $0 <= 48 }
  return fitting.map { Int(duration / $0) } ?? 48
}

private func endpointTable(_ source: LoadSource) -> DataTable {
  let rows = source.report.run.scenario.endpoints.map { endpoint in
    [endpoint.name]
      + [(Metric.meanRPS, Statistic.mean), (.p99RPS, .p99), (.p999RPS, .p999), (.peakRPS, .max), (.peakToMean, .max)]
      .map {
        BracketText.cell(source.row($0, $1, endpoint: endpoint.name))
      }
  }
  return DataTable(
    caption: "Requests per second by endpoint, window \(source.window?.name ?? NumberText.unknown)",
    columns: ["Endpoint", "Mean", "p99", "p99.9", "Peak", "Peak to mean"], rows: rows)
}
