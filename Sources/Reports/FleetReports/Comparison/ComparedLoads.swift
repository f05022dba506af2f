import FleetEngine
import Scenario
import Studies

/// The loads of the compared runs, all drawn with the same window.
struct ComparedLoads {
  /// The loads, one per run, starting with the base run.
  private var sources: [LoadSource]
  let names: ComparedNames
  let window: LoadWindow?
  let scenario: Scenario
  /// The point at which the load is counted. It is the servers if their load differs from the phones' load in any run.
  let place: LoadPoint
  private let widest: Scenario

  /// Creates the loads; `nil` if no run has a known load.
  init?(_ comparisons: [RunComparison], _ names: ComparedNames) {
    guard let base = comparisons.first?.base else { return nil }
    let runs = [base] + comparisons.map(\.new)
    let loads = runs.compactMap(\.load)
    guard loads.count == runs.count else { return nil }
    let window = HeadlineWindow.of(base.scenario, runs.map(\.summary))
    self.names = names
    self.window = window
    scenario = base.scenario
    widest = runs.map(\.scenario).max { $0.loadDifference < $1.loadDifference } ?? base.scenario
    place = LoadPoint.first(widest, endpoint: nil)
    sources = zip(runs, loads).map { run, load in
      var source = LoadSource(
        ReportContent(
          run: load, summary: run.summary, goals: [],
          provenance: Provenance(version: run.version, resolvedScenario: run.resolvedScenario)))
      source.window = window
      return source
    }
    // All charts use the same window, which is the longest one that any run needs.
    let drawn = LoadWindow.all(of: base.scenario.clock).last { window in sources.contains { $0.drawn == window } }
    for index in sources.indices { sources[index].drawn = drawn }
  }

  /// The names of all endpoints, starting with those in the base run.
  var endpoints: [String] {
    sources.flatMap { $0.report.run.scenario.endpoints.map(\.name) }.withoutRepetitions
  }

  /// Returns the load of each run at one endpoint, or at all endpoints if none is given; `nil` for a run without such a
  /// load.
  func figures(endpoint: String?) -> [LoadPlot?] {
    sources.map { source in
      guard let endpoint else { return source.figure(endpoint: nil, place: place) }
      return source.report.run.scenario.endpoints.firstIndex { $0.name == endpoint }.flatMap {
        source.figure(endpoint: $0, place: place)
      }
    }
  }

  /// Returns a title: a noun followed by the point at which the load is counted.
  func title(_ noun: String) -> String { place.title(noun, widest, endpoint: nil) }

  /// Returns the name of a load figure.
  func name(_ figure: LoadPoint.Figure, endpoint: String = "") -> FigureName {
    place.name(figure, endpoint: endpoint, window: window?.name ?? "") ?? FigureName(.peakRPS, .max)
  }

  /// The name of the window used for figures, for use in sentences.
  var windowText: String { sources.first?.windowText ?? "window" }
  /// The name of the window used for charts. It is longer than the figures' window if random peaks of a sample would
  /// otherwise stand out.
  var drawnText: String { sources.first?.drawnText ?? "window" }

  /// Returns the chart of one endpoint, or of all endpoints together; `nil` if no run has such a load.
  ///
  /// - Parameter budget: the maximum number of characters of data for the script.
  func drawing(endpoint: String?, number: Int, budget: Int) -> Markup? {
    let known = zip(names.all, figures(endpoint: endpoint)).enumerated().compactMap { index, pair in
      pair.1.map { (index: index, name: pair.0, load: $0) }
    }
    guard !known.isEmpty, known.contains(where: { ($0.load.peak?.rate ?? 0) > 0 }) else { return nil }
    let title = self.title("Requests per second") + ", " + (endpoint.map { "endpoint " + $0 } ?? "all endpoints")
    let drawing = Overlay(
      runs: known.map { (name: $0.name, colour: $0.index, load: $0.load) }, title: title, budget: budget)
    let overlay = drawing.figure
    let peaks = known.compactMap { run in
      run.load.peak.map { "\(run.name): peak \(NumberText.text($0.rate)) requests per second" }
    }
    var legend: [(swatch: String, text: String)] = []
    if known.contains(where: \.load.showsCapacity) {
      legend.append(
        overlay.limitsDiffer ? ("base", "upper line: capacity, in its run's colour") : ("capacity", "capacity"))
    }
    if overlay.marks.contains(where: { $0.to > $0.from }) { legend.append(("spell", "event")) }
    return drawing.markup(id: "load-\(number)", description: peaks.joined(separator: "; ") + ".", legend: legend)
  }

  /// Returns a chart of the difference between a run's load and the base run's load, over all endpoints. Returns `nil`
  /// if either load is unknown or both are equal.
  ///
  /// - Parameter index: the index of the comparison.
  func difference(_ index: Int) -> Markup? {
    let known = figures(endpoint: nil)
    guard let base = known[0], let new = known[index + 1], let figure = LoadDifference(base, new) else {
      return nil
    }
    let largest = figure.largest
    return figure.chart.markup(
      id: "difference-\(index)",
      title: "Difference: " + names.new(index) + " minus " + names.base + ", "
        + title("requests per second") + ", all endpoints",
      description: "The largest difference in any \(drawnText) is "
        + "\(ChangeText.text(largest.rate, name(.mean))) at \(UTCTime(largest.start, of: base.clock).full).",
      legend: [
        ("more", "more than the base, on average"), ("fewer", "less than the base, on average"),
        ("spread", "range over each \(drawnText)"),
      ])
  }

  /// The custom properties of the style sheet that define the colours, in the order of the `series-...` classes.
  static let colours = [
    "--policy", "--tap", "--background", "--push", "--retry", "--foreground", "--gallery", "--location",
  ]
}

/// Returns the section on changes in load; `nil` if no load is known.
func overlaySection(_ comparisons: [RunComparison], _ names: ComparedNames) -> ReportSection? {
  guard let loads = ComparedLoads(comparisons, names) else { return nil }
  let endpoints = loads.endpoints
  let wanted: [String?] = [nil] + (endpoints.count > 1 ? endpoints.prefix(6).map { Optional($0) } : [])
  let budget = ZoomSeries.part(of: ZoomSeries.budget, among: wanted.count)
  let figures = wanted.enumerated().compactMap { number, endpoint in
    loads.drawing(endpoint: endpoint, number: number, budget: budget)
  }
  let differences = comparisons.indices.compactMap { loads.difference($0) }
  return ReportSection(
    "compare/load",
    answer: answer(comparisons, loads),
    figures: Array(figures.prefix(1)) + differences + figures.dropFirst(),
    note: "Each band spans every \(loads.drawnText) in its time slice, from the quietest to the busiest"
      + (loads.scenario.run.replications > 1 ? ", over all replications" : "")
      + "; a dot marks the peak at the top of a band. The lines are means."
      + (differences.isEmpty
        ? "" : " Differences are taken \(loads.drawnText) by \(loads.drawnText), within pairs of replications."),
    details: table(comparisons, loads).details("Peaks and means, as a table"))
}

private func answer(_ comparisons: [RunComparison], _ loads: ComparedLoads) -> String {
  let figure = loads.name(.peak)
  let base = comparisons[0].base.summary.figure(figure)?.value?.approximate
  guard let base, base > 0 else { return "The base sends no requests." }
  let parts = comparisons.indices.compactMap { index -> String? in
    let comparison = comparisons[index]
    guard let change = comparison.figures.first(where: { $0.figure == figure }) else { return nil }
    let (text, interval) = ChangeText.text(change)
    return "\(NumberText.text(change.new?.approximate)) in \(loads.names.new(index)) (\(text)"
      + (interval.isEmpty ? "" : ", 95\u{A0}% interval \(interval)") + ")"
  }
  return "The busiest \(loads.windowText) of the base carries "
    + loads.title("\(NumberText.text(base)) requests per second")
    + (parts.isEmpty ? "" : "; " + parts.joined(separator: "; ")) + "."
}

private func table(_ comparisons: [RunComparison], _ loads: ComparedLoads) -> Table {
  typealias Row = (endpoint: String, name: String, run: ComparedRun)
  let endpoints = loads.endpoints.count > 1 ? [""] + loads.endpoints : [""]
  let runs = Array(zip(loads.names.all, [comparisons[0].base] + comparisons.map(\.new)))
  let rows = endpoints.flatMap { endpoint in runs.map { (endpoint: endpoint, name: $0, run: $1) } }
  let figure = { (row: Row, figure: LoadPoint.Figure) -> Cell in
    .text(withInterval(row.run.summary.figure(loads.name(figure, endpoint: row.endpoint))))
  }
  let columns: [Column<Row>] = [
    Column("endpoint") { .text($0.endpoint.isEmpty ? "all" : $0.endpoint) }, Column("run") { .text($0.name) },
    Column(number: IntervalText.column("peak", loads.scenario.run.replications)) { figure($0, .peak) },
    Column(number: IntervalText.column("mean", loads.scenario.run.replications)) { figure($0, .mean) },
  ]
  return Table(
    loads.title("Requests per second") + ", window \(loads.window?.name ?? NumberText.unknown)", rows, columns)
}

/// A chart of several loads, with the data for its script.
struct Overlay {
  var runs: [(name: String, colour: Int, load: LoadPlot)]
  var title = "Widget requests per second, in steps of five minutes"
  /// The maximum number of characters of data for the script.
  var budget = ZoomSeries.budget

  var figure: OverlayPlot { OverlayPlot(runs: runs.map { OverlayPlot.Run(colour: $0.colour, load: $0.load) }) }

  func markup(
    id: String = "load-all", description: String, legend more: [(swatch: String, text: String)] = []
  ) -> Markup {
    let series = runs.compactMap { run in
      ZoomSeries(run.load, title: title, budget: ZoomSeries.part(of: budget, among: runs.count)).map {
        ZoomSeries.Run(
          name: run.name, colour: ComparedLoads.colours[run.colour % ComparedLoads.colours.count], series: $0)
      }
    }
    let names = runs.sorted { $0.colour < $1.colour }.map {
      (swatch: "series-\($0.colour % OverlayPlot.colours)", text: $0.name)
    }
    return figure.chart.markup(
      id: id, title: title, description: description, legend: names + more,
      zoom: ZoomSeries.text(of: series, limitsDiffer: figure.limitsDiffer))
  }
}
