import FleetEngine
import Scenario
import SimulationKernel
import Studies

/// The load of a run in the headline window.
struct LoadSource {
  var report: ReportContent
  var window: LoadWindow?
  /// The window used to draw the load. For a sample, it is the shortest window, from the headline window upwards, whose
  /// counted load stays within the interval of the estimated peak.
  var drawn: LoadWindow?

  init(_ report: ReportContent) {
    self.report = report
    window = HeadlineWindow.of(report.run.scenario, [report.summary])
    drawn = report.isStandalone ? window : Self.drawn(report, from: window)
  }

  private static func drawn(_ report: ReportContent, from headline: LoadWindow?) -> LoadWindow? {
    let windows = LoadWindow.all(of: report.run.scenario.clock).drop { $0 != headline }
    let place = LoadPoint.first(report.run.scenario, endpoint: nil)
    let interval = { (window: LoadWindow) in
      place.name(.peak, window: window.name).flatMap { report.summary.figure($0) }?.estimatedInterval
    }
    return windows.first { window in
      // The peak in a longer window is never higher than the peak in the headline window.
      guard let high = [headline, window].compactMap({ $0.flatMap(interval)?.high }).min() else { return true }
      return LoadCourse(report.run, endpoint: nil, place, window: window).isWithin(high)
    } ?? windows.last
  }

  /// The peak load at the servers, over all endpoints.
  var peakRow: SummaryRow? { row(.peak) }

  /// Returns one of the load figures. By default, the figure covers all endpoints and is counted at the servers.
  func row(_ figure: LoadPoint.Figure, endpoint: Int? = nil, place: LoadPoint? = nil) -> SummaryRow? {
    let scenario = report.run.scenario
    let name = endpoint.map { scenario.endpoints[$0].name } ?? ""
    return window.flatMap {
      (place ?? .first(scenario, endpoint: endpoint)).name(figure, endpoint: name, window: $0.name)
    }.flatMap { report.summary.figure($0) }
  }

  /// Returns the peak in the clock's shortest window. Returns `nil` if this is the headline window, or if the sample
  /// resolves the peak.
  ///
  /// - Parameter end: the preset under which the peak occurs; `nil` for the scenario itself.
  private func finer(endpoint: Int? = nil, under end: Preset? = nil) -> (noun: String, between: Interval)? {
    guard let (noun, own) = finestPeak(endpoint: endpoint), let row = end.map({ own.under($0) }) ?? own,
      !row.isResolved, let interval = row.estimatedInterval
    else { return nil }
    return (noun, interval)
  }

  /// Returns the peak in the clock's shortest window, such as `second`; `nil` if that is the headline window.
  func finestPeak(endpoint: Int? = nil) -> (noun: String, row: SummaryRow)? {
    let scenario = report.run.scenario
    let whose = endpoint.map { scenario.endpoints[$0].name } ?? ""
    guard let finest = LoadWindow.finest(of: scenario.clock), finest != window,
      let name = LoadPoint.first(scenario, endpoint: endpoint).name(.peak, endpoint: whose, window: finest.name)
    else { return nil }
    return report.summary.figure(name).map { (Self.text(finest), $0) }
  }

  /// A sentence about higher peaks in shorter windows, for which the sample is too small; empty if there are no such
  /// peaks.
  var finerSentence: String {
    finer().map { finer in
      " The busiest \(finer.noun) carries more: between \(NumberText.text(finer.between.low)) and "
        + "\(NumberText.text(finer.between.high)) requests/s. \(SampleWords.tooSmall)"
    } ?? ""
  }

  /// Returns a clause such as `; the busiest second carries up to 12 636` if the peak in shorter windows may exceed a
  /// rate. Otherwise, returns an empty string.
  ///
  /// - Parameter ends: the presets to try if the peak does not exceed the rate in the scenario itself.
  func finerWords(endpoint: Int? = nil, above rate: Double, ends: [Preset] = []) -> String {
    for end in [nil] + ends.map(Optional.some) {
      guard let finer = finer(endpoint: endpoint, under: end), finer.between.high > rate else { continue }
      return "the busiest \(finer.noun) carries up to \(NumberText.text(finer.between.high))"
        + (end.map { " under \($0.rawValue)" } ?? "")
    }
    return ""
  }

  /// Returns the points at which the load of an endpoint, or of all endpoints, is counted, starting with the servers.
  func places(endpoint: Int?) -> [LoadPoint] { LoadPoint.all(report.run.scenario, endpoint: endpoint) }

  /// Returns a title: a noun followed by the point at which the load is counted.
  func title(_ noun: String, endpoint: Int? = nil, _ place: LoadPoint? = nil) -> String {
    (place ?? places(endpoint: endpoint)[0]).title(noun, report.run.scenario, endpoint: endpoint)
  }

  /// Returns the load chart of one endpoint, or of all endpoints. By default, the load is counted at the servers.
  /// Returns `nil` if no window fits the time step.
  func figure(endpoint: Int?, place: LoadPoint? = nil) -> LoadPlot? {
    let clock = report.run.scenario.clock
    guard let course = course(endpoint: endpoint, place) else { return nil }
    let loads = course.loads
    guard !loads.isEmpty else { return nil }
    let place = place ?? places(endpoint: endpoint)[0]
    var figure = LoadPlot(
      loads: loads, scale: course.scale, clock: clock, room: place == .phones ? [] : course.room,
      marks: EventMark.all(report.run, endpoint: endpoint), estimate: estimate(place, endpoint: endpoint))
    figure.zone = report.drawnZone
    figure.noise = report.isStandalone ? SampleNoise(course.window, Scale(of: report.run)) : nil
    if place == .servers { (figure.base, figure.edge) = (course.base, course.sent) }
    return figure
  }

  /// Returns the load over time, for drawing; `nil` if no window fits the time step.
  func course(endpoint: Int?, _ place: LoadPoint? = nil) -> LoadCourse? {
    drawn.map { LoadCourse(report.run, endpoint: endpoint, place ?? places(endpoint: endpoint)[0], window: $0) }
  }

  /// Returns the estimated peak in the headline window, even if a different window is drawn. Returns `nil` if the peak
  /// is counted instead.
  private func estimate(_ place: LoadPoint, endpoint: Int?) -> LoadPlot.FleetPeak? {
    guard let window, let row = row(.peak, endpoint: endpoint, place: place), let interval = row.estimatedInterval,
      let rate = row.value?.approximate
    else { return nil }
    return LoadPlot.FleetPeak(window: window, rate: rate, interval: interval, spans: row.busiest)
  }

  func chartTitle(endpoint: Int?, _ place: LoadPoint) -> String {
    title("Requests per second", endpoint: endpoint, place) + ", "
      + (endpoint.map { "endpoint " + report.run.scenario.endpoints[$0].name } ?? "all endpoints")
  }

  /// Returns the data of a figure for the script, with at most `budget` characters.
  func zoom(endpoint: Int?, _ figure: LoadPlot?, budget: Int) -> ZoomSeries? {
    figure.flatMap {
      ZoomSeries($0, title: chartTitle(endpoint: endpoint, places(endpoint: endpoint)[0]), budget: budget)
    }
  }

  /// Returns a clause that states when the peak may occur, such as `it comes between 19:00 and 23:00 in Berlin`. The
  /// clause is empty if the time is unknown.
  ///
  /// - Parameter ofOtherDays: whether the clause is about other days similar to the simulated one. If so, it is empty
  ///   if those days have the same peak time.
  func whenClause(_ row: SummaryRow?, of noun: String = "it", ofOtherDays: Bool = false) -> String {
    guard let spans = row?.busiest, let first = spans.first else { return "" }
    let words = FleetZone.inProse(spans, report.zones, report.run.scenario.clock)
    let isPoint = first.upperBound <= first.lowerBound + .minute && words != "at no particular time"
    guard !(ofOtherDays && isPoint && spans.count == 1) else { return "" }
    return (ofOtherDays ? "on days like this \(noun) comes " : "\(noun) comes ") + (isPoint ? "at " : "") + words
      + (ofOtherDays || !words.hasPrefix("some time between") ? "" : crestWords(row, within: first))
  }

  /// Returns a clause such as `; the busiest 5 minutes begin at 17:50`; empty if the load includes other traffic, or
  /// these minutes lie outside the period in which the peak comes.
  private func crestWords(_ row: SummaryRow?, within span: Range<Instant>) -> String {
    let scenario = report.run.scenario
    let endpoint = row.flatMap { row in scenario.endpoints.firstIndex { $0.name == row.labels.endpoint } }
    let asked = endpoint.map { [scenario.endpoints[$0]] } ?? scenario.endpoints
    guard asked.allSatisfy({ $0.baseLoad == nil && $0.cdn == nil }), let crest = Crest(endpoint, of: report.run) else {
      return ""
    }
    let begin = Instant.start + .minutes(Int64(crest.minute))
    guard span.contains(begin) else { return "" }
    return "; the busiest " + (crest.window == .minute ? "minute begins at " : "5 minutes begin at ")
      + FleetZone.inProse(begin, report.zones, scenario.clock, withPlace: false)
  }

  /// The name of the headline window, as a noun.
  var windowText: String { Self.text(window) }
  /// The name of the window used in drawings, as a noun.
  var drawnText: String { Self.text(drawn) }

  private static func text(_ window: LoadWindow?) -> String {
    switch window {
    case .second: "second"
    case .tenSeconds: "10-second window"
    case .minute: "minute"
    case .fiveMinutes: "5-minute window"
    case nil: "window"
    }
  }
}

/// Returns the section on the peak load.
func loadSection(of report: ReportContent) -> ReportSection {
  let source = LoadSource(report)
  let endpoints = report.run.scenario.endpoints
  let total = source.figure(endpoint: nil)
  let all = source.zoom(endpoint: nil, total, budget: ZoomSeries.budget)
  let ofParts = endpoints.indices.prefix(endpoints.count > 1 ? 6 : 0)
  let rest = ZoomSeries.budget - (all?.length ?? 0) + ZoomSeries.budgetOfParts
  let parts = ofParts.compactMap { drawing(source, endpoint: $0, ZoomSeries.part(of: rest, among: ofParts.count)) }
  let sent = phoneDrawings(source)
  return ReportSection(
    "load",
    answer: loadAnswer(source, total) + source.finerSentence + phonesSentence(source) + overloadSentence(report),
    warning: resolutionWarning(source),
    figures: [drawing(source, endpoint: nil, all), zonesData(report)].compactMap { $0 },
    note: "The line is the mean; the band spans the quietest to the busiest \(source.drawnText)"
      + (report.run.replications.count > 1 ? " of all replications." : ".") + sampleNote(report) + eventNote(report),
    details: (parts.isEmpty && sent.isEmpty ? [] : [.details(partsTitle(parts, sent), parts + sent)])
      + (total.map { loadTable(source, $0).details("Load over time, as a table") } ?? [])
      + endpointLists(source).flatMap { list in
        list.table(report, endpoints.map { ($0.name, Labels().with(\.endpoint, $0.name)) }, head: "Endpoint")
      }
      + busiestMinute(source).table(report, [("all widgets", Labels())]))
}

/// Returns a note that the drawn load is that of a sample; empty if every device is simulated.
private func sampleNote(_ report: ReportContent) -> String {
  guard Scale(of: report.run).isSample else { return "" }
  return report.isStandalone
    ? " The sample's extra noise is removed from the load; the fleet's peak is estimated."
    : " The load includes the sample's noise; the fleet's peak is estimated."
}

private func partsTitle(_ parts: [Markup], _ sent: [Markup]) -> String {
  if parts.isEmpty { return "Requests sent by the phones, over time" }
  return "Load of each endpoint" + (sent.isEmpty ? "" : ", and requests sent by the phones") + ", over time"
}

/// Returns the clocks of up to six time zones for the script, starting with the zone that has the most phones.
private func zonesData(_ report: ReportContent) -> Markup? {
  let clock = report.run.scenario.clock
  let zones = report.zones.filter { !$0.isUTC }.prefix(6).map { zone in
    let first = zone.table.segments.lastIndex { $0.from <= .start } ?? 0
    let offsets = zone.table.segments[first...].prefix { $0.from < clock.end }.enumerated().map { index, segment in
      JSONValue.array([
        index == 0
          ? .null : .integer(Int128(clock.startUnixMilliseconds + segment.from.millisecondsSinceStart)),
        .integer(Int128(segment.offset.milliseconds)),
      ])
    }
    return JSONValue.object([("name", .string(ZoomSeries.harmless(zone.city))), ("offsets", .array(offsets))])
  }
  guard !zones.isEmpty else { return nil }
  return .script(ZoomSeries.text(of: .array(zones)), attributes: "type=\"application/json\" id=\"zones\"")
}

private func loadAnswer(_ source: LoadSource, _ figure: LoadPlot?) -> String {
  guard let figure, let peak = figure.peak else { return "The measured period contains no complete time window." }
  guard peak.rate > 0 else { return "No requests were sent during the measured period." }
  let time = FleetZone.inProse(peak.start, source.report.zones, figure.clock)
  let ratio = source.row(.peakToMean)?.value?.approximate
  let times = BracketText.hull(source.peakRow) + (ratio.map { ", \(NumberText.text($0)) times the mean" } ?? "")
  let load = { (rate: Double?) in
    "The busiest \(source.windowText) carries " + source.title("\(NumberText.text(rate)) requests per second")
      + source.capacityWords
  }
  if let row = source.peakRow, let interval = row.estimatedInterval {
    return load(row.value?.approximate) + times + ", 95\u{A0}% interval \(interval.words()), estimated from "
      + "\(NumberText.whole(Double(source.report.run.devicesSimulated))) devices." + sentence(source.whenClause(row))
  }
  guard let row = source.peakRow, let interval = row.interval else {
    return load(peak.rate) + "\(times), at \(time)." + sentence(source.whenClause(source.peakRow, ofOtherDays: true))
  }
  return load(row.value?.approximate) + "\(times), 95\u{A0}% interval \(interval.words()) over "
    + "\(row.replications.count) replications; the highest of all is \(NumberText.text(peak.rate)) at \(time)."
    + sentence(source.whenClause(row, ofOtherDays: true))
}

/// Returns a sentence about the phones' requests if they differ from the servers' load.
private func phonesSentence(_ source: LoadSource) -> String {
  guard source.places(endpoint: nil).contains(.phones) else { return "" }
  let row = source.row(.peak, place: .phones)
  return " " + source.title("The busiest \(source.windowText)", endpoint: nil, .phones)
    + " carries \(NumberText.text(row?.value?.approximate)) requests per second\(BracketText.hull(row))"
    + (row?.estimatedInterval.map { ", 95 % interval " + $0.words() } ?? "") + "."
}

private func resolutionWarning(_ source: LoadSource) -> String {
  guard let row = source.peakRow, !row.isResolved, let interval = row.estimatedInterval else { return "" }
  return "The peak in one \(source.windowText) is uncertain (\(interval.words()) requests/s); "
    + "to narrow the range, \(SampleWords.more)."
}

/// Returns the chart of one endpoint, with at most `budget` characters of data for zooming.
private func drawing(_ source: LoadSource, endpoint: Int, _ budget: Int) -> Markup? {
  drawing(
    source, endpoint: endpoint, source.zoom(endpoint: endpoint, source.figure(endpoint: endpoint), budget: budget))
}

private func drawing(
  _ source: LoadSource, endpoint: Int?, _ zoom: ZoomSeries?, _ place: LoadPoint? = nil
) -> Markup? {
  let place = place ?? source.places(endpoint: endpoint)[0]
  guard var figure = source.figure(endpoint: endpoint, place: place), let peak = figure.peak else { return nil }
  // There are many folded figures, so they use wide slices.
  if endpoint != nil || place == .phones { figure.pixelsOfColumn = 4 }
  return figure.chart.markup(
    id: (place == .phones ? "sent-" : "load-") + (endpoint.map(String.init) ?? "all"),
    title: source.chartTitle(endpoint: endpoint, place),
    description: figure.estimate.map {
      "The peak is \(NumberText.text($0.rate)) requests per second over \(TimeText.span($0.window.length)), estimated."
    }
      ?? "The peak is \(NumberText.text(figure.peakRate)) requests per second at "
      + FleetZone.inProse(peak.start, source.report.zones, figure.clock) + ".",
    legend: [
      ("band", "quietest to busiest \(source.drawnText)"),
      ("mean", figure.estimate == nil ? "mean" : "sample mean"),
    ]
      + source.layerLegend(figure, endpoint: endpoint) + peakLegend(figure) + capacityLegend(figure),
    zoom: zoom?.text)
}

/// Returns charts of the phones' requests if they differ from the servers' load. There is one chart for all endpoints
/// together and one for each endpoint.
private func phoneDrawings(_ source: LoadSource) -> [Markup] {
  let count = source.report.run.scenario.endpoints.count
  let endpoints = [nil] + (count > 1 ? (0..<min(count, 6)).map { Optional($0) } : [])
  return endpoints.filter { source.places(endpoint: $0).contains(.phones) }.compactMap {
    drawing(source, endpoint: $0, nil, .phones)
  }
}

/// Returns a table of the load with at most 48 rows, which cover equal lengths of time.
private func loadTable(_ source: LoadSource, _ figure: LoadPlot) -> Table {
  Table(
    source.title("Requests per second") + " over time, all endpoints", figure.rows,
    [
      Column("From (UTC)") { column in
        let start = UTCTime(column.start, of: figure.clock)
        return .text(start.date + " " + start.time)
      },
      Column(number: "Lowest") { .number($0.low) }, Column(number: "Mean") { .number($0.mean) },
      Column(number: "Highest") { .number($0.high) },
    ])
}

/// Returns the load of each endpoint, both as counted at its servers and as sent by the phones.
private func endpointLists(_ source: LoadSource) -> [FigureList] {
  let scenario = source.report.run.scenario
  let window = source.window?.name ?? ""
  let places = scenario.endpoints.indices.flatMap { source.places(endpoint: $0) }
  return [LoadPoint.servers, .phones, .only].filter(places.contains).map { place in
    let figures: [(String, LoadPoint.Figure)] = [
      ("mean", .mean), ("p99", .p99), ("p99.9", .p999), ("peak", .peak), ("peak to mean", .peakToMean),
    ]
    let names = figures.compactMap { title, figure in
      place.name(figure, window: window).map { name in
        FigureColumn(title, name.metric, name.statistic) { $0.with(\.window, window) }
      }
    }
    let whose = place == .only ? "" : place == .servers ? ", at the servers" : ", as sent by the phones"
    return FigureList("Requests per second by endpoint, window \(window)" + whose, names)
  }
}

extension LoadSource {
  /// Returns the legend entries of the layers behind and below a load.
  func layerLegend(_ figure: LoadPlot, endpoint: Int?) -> [(swatch: String, text: String)] {
    var entries: [(swatch: String, text: String)] = []
    if !figure.base.isEmpty { entries += [("base-load", "base load"), ("fleet-load", "phones")] }
    if let maximum = figure.edge.max(), maximum > 0 {
      let words = LoadPoint.phones.words(report.run.scenario, endpoint: endpoint)
      let rest = figure.showsEdge ? "" : ", up to \(NumberText.text(maximum))/s, off the chart"
      entries.append(("edge-load", words + rest))
    }
    return entries
  }

  /// Returns a title: a noun followed by the point at which the phones' requests arrive.
  func phonesTitle(_ noun: String) -> String { title(noun, endpoint: nil, places(endpoint: nil).last) }

  /// The capacity as text, such as `, against a capacity of 2 500`. Empty unless a single capacity serves the whole
  /// load.
  var capacityWords: String {
    let scenario = report.run.scenario
    let capacity = LoadPoint.first(scenario, endpoint: nil).capacity(scenario, endpoint: nil)
    return capacity.map { ", against a capacity of \(NumberText.text($0))" } ?? ""
  }
}

/// Returns the legend entry of the dot that marks the fleet's peak, if a sample is drawn.
func peakLegend(_ figure: LoadPlot) -> [(swatch: String, text: String)] {
  guard let peak = figure.estimate else { return [] }
  let window = TimeText.span(peak.window.length)
  return [("peak-interval", "fleet peak over \(window): \(peak.interval.words())")]
}

/// Returns the legend entries of the capacity and of events.
func capacityLegend(_ figure: LoadPlot) -> [(swatch: String, text: String)] {
  var entries: [(swatch: String, text: String)] = []
  if let minimum = figure.room.min(), minimum.isFinite {
    entries.append(
      figure.showsCapacity
        ? ("capacity", "capacity") : ("capacity", "capacity: \(NumberText.text(minimum))/s or more, off the chart"))
  }
  if figure.marks.contains(where: { $0.to > $0.from }) { entries.append(("spell", "event")) }
  return entries
}

/// Returns a sentence that states how long endpoints exceed their capacity; empty if no endpoint has a capacity.
func overloadSentence(_ report: ReportContent) -> String {
  let names = Overload.endpoints(of: report.run.scenario).map { report.run.scenario.endpoints[$0].name }
  if let row = report.summary.row(.overloadSeconds, .total), !row.isResolved, let interval = row.estimatedInterval {
    return " Endpoints are above their capacity for \(interval.words(TimeText.seconds)). \(SampleWords.tooSmall)"
  }
  let rows = names.compactMap { report.summary.row(.overloadSeconds, .total, Labels().with(\.endpoint, $0)) }
  let seconds = { (row: SummaryRow) in row.value?.approximate ?? 0 }
  guard let worst = rows.max(by: { seconds($0) < seconds($1) }) else { return "" }
  guard seconds(worst) > 0 else {
    return rows.count == 1
      ? " Endpoint \(worst.labels.endpoint) is never above its capacity." : " No endpoint is ever above its capacity."
  }
  let sentence =
    " Endpoint \(worst.labels.endpoint) is above its capacity for \(BracketText.seconds(worst))"
    + (report.run.replications.count > 1 ? " on average" : "")
  // By chance, a sample tends to exceed the capacity for more seconds than the fleet does.
  guard let requests = report.summary.value(.overloadRequests, .total, worst.labels) else { return sentence + "." }
  return sentence + "; the phones send \(NumberText.whole(requests)) requests in that time."
}

/// Returns an explanation of the event marks in a chart; empty if there are none.
func eventNote(_ report: ReportContent) -> String {
  EventMark.all(report.run).isEmpty
    ? "" : " Dotted lines mark events; shading shows their duration."
}

/// Returns the requests in the busiest minute by cause.
func busiestMinute(_ source: LoadSource) -> FigureList {
  FigureList(
    source.phonesTitle("Requests") + " in the busiest minute by cause",
    Cause.allCases.map { $0.column(.busiestMinute) })
}
