import FleetEngine
import Scenario
import SimulationKernel
import Testing

@testable import FleetReports
@testable import Studies
@testable import SyntheticResults

/// The changes that matter, as sentences, and the charts of a comparison.
struct ComparisonVerdictTextTests {
  private static let peak = FigureName(.peakRPS, .max, Labels().with(\.window, "1s"))
  private static let stale = FigureName(.staleViews, .share)
  private static let battery = FigureName(.batteryPercentPerDay, .mean)

  private static func run(
    _ figures: [(FigureName, [Double])], _ goals: [Goal] = [], load: [UInt32]? = nil
  ) -> ComparedRun {
    var synthetic = SyntheticRun()
    synthetic.endpoints = ["api"]
    if let load { synthetic.replications = [SyntheticRun.replication(arrivals: [load])] }
    var result = synthetic.result
    result.scenario.goals = goals
    result.scenario.run.replications = figures.map(\.1.count).max() ?? 1
    var run = ComparedRun(
      name: "x", version: "1", scenario: result.scenario, resolvedScenario: "{}", devicesSimulated: 100,
      summary: Summary(
        rows: figures.map { name, values in
          SummaryRow(name.metric, name.labels, name.statistic, replications: values.map { .real($0) })
        }), distributions: Distributions())
    if load != nil { run.load = StoredRun(of: result) }
    return run
  }

  private func comparison(
    _ base: [(FigureName, [Double])], _ new: [(FigureName, [Double])], goals: [Goal] = [],
    conditions: [ChangeCondition] = []
  ) throws -> RunComparison {
    RunComparison(Self.run(base, goals), Self.run(new, goals), conditions: conditions, minimum: 0.01)
  }

  private func line(_ comparison: RunComparison) -> String { Self.plain(ComparisonAnswer(comparison).answer.line) }

  private static func plain(_ text: String) -> String {
    text.replacing("\u{202F}", with: " ").replacing("\u{A0}", with: " ").replacing("−", with: "-")
  }

  /// (1 210 - 2 068) / 2 068 = -41.5 %; 6.1 % - 3.1 % = 3 percentage points.
  @Test func tradeOffIsReportedWithItsFigures() throws {
    let text = try line(
      comparison(
        [(Self.peak, [2_068]), (Self.stale, [0.031]), (Self.battery, [0.5])],
        [(Self.peak, [1_210]), (Self.stale, [0.061]), (Self.battery, [0.5])]))
    #expect(
      text
        == "TRADE-OFF: the peak at your servers is 1 210/s instead of 2 068/s (-41.5 %). The share of stale views is "
        + "6.1 % instead of 3.1 % (+3 pp). The widgets' daily battery use is the same. With one replication, chance cannot "
        + "be ruled out."
    )
  }

  /// Differences of 19, 20 and 21 on a base of 100: 20 +- 2.484.
  @Test func changesAreShownWithIntervals() throws {
    let text = try line(
      comparison([(Self.peak, [100, 100, 100])], [(Self.peak, [119, 120, 121])]))
    #expect(
      text
        == "WORSE: the peak at your servers is 120/s instead of 100/s (+20 %, 95 % between +17.5 % and +22.5 %).")
    let stale = try line(
      comparison([(Self.stale, [0.1, 0.1, 0.1])], [(Self.stale, [0.29, 0.3, 0.31])]))
    #expect(
      stale
        == "WORSE: the share of stale views is 30 % instead of 10 % (+20 pp, 95 % between +17.5 pp and +22.5 pp).")
  }

  /// The kind is named if there are others: the synthetic run has weather and news, but only one endpoint.
  @Test func kindIsNamedOnlyIfThereAreOthers() throws {
    let weather = FigureName(.staleViews, .share, Labels().with(\.kind, "weather"))
    let goal = Goal(
      id: "fresh", text: "", figure: weather, comparison: .atMost, limit: .value(0.5), severity: .error)
    let text = try line(comparison([(weather, [0.1])], [(weather, [0.2])], goals: [goal]))
    #expect(text.hasPrefix("WORSE: the share of stale views of weather is 20 % instead of 10 %"), "\(text)")
    let api = FigureName(.peakRPS, .max, Labels().with(\.window, "1s").with(\.endpoint, "api"))
    let limit = Goal(id: "p", text: "", figure: api, comparison: .atMost, limit: .value(900), severity: .error)
    let load = try line(comparison([(api, [100])], [(api, [120])], goals: [limit]))
    #expect(load.hasPrefix("WORSE: the peak at your servers is 120/s"), "\(load)")
  }

  @Test func batteryChangeIsThatOfTheWidgets() throws {
    let text = try line(comparison([(Self.battery, [0.5])], [(Self.battery, [0.4])]))
    #expect(
      text.hasPrefix("BETTER: the widgets' daily battery use is 0.4 % instead of 0.5 % (-20 %)"), "\(text)")
  }

  @Test func goalsAndConditionsAreNamed() throws {
    let goal = Goal(
      id: "api-peak", text: "", figure: Self.peak, comparison: .atMost, limit: .value(110), severity: .error)
    let broken = try line(comparison([(Self.peak, [100])], [(Self.peak, [120])], goals: [goal]))
    #expect(
      broken.hasPrefix(
        "WORSE: the peak at your servers is 120/s instead of 100/s (+20 %), so goal api-peak is now missed"),
      "\(broken)")
    let condition = ChangeCondition(
      text: "peak_rps > +5%", figure: Self.peak, comparison: .more, change: .relative(0.05))
    let refused = try line(comparison([(Self.peak, [100])], [(Self.peak, [120])], conditions: [condition]))
    #expect(
      refused.hasPrefix("REGRESSION: the peak at your servers is 120/s instead of 100/s (+20 %), which --fail-on"))
    #expect(refused.contains("'peak_rps > +5%' forbids"))
  }

  /// An inconclusive figure is shown with its threshold and interval: 2 +- 2.484138 * 3 on a base of 100.
  @Test func inconclusiveFigureShowsItsThreshold() throws {
    let text = try line(comparison([(Self.peak, [100, 100, 100])], [(Self.peak, [99, 102, 105])]))
    #expect(
      text == "CANNOT TELL: the peak at your servers may have changed by 5 % or more (+2 %, 95 % between -5.45 % and "
        + "+9.45 %). More replications (-n) narrow the intervals.")
  }

  /// An unchanged figure becomes a claim with its threshold.
  @Test func unchangedFigureIsAClaimWithItsThreshold() throws {
    let text = try line(
      comparison(
        [(Self.peak, [100, 100, 100]), (Self.stale, [0.1, 0.1, 0.1])],
        [(Self.peak, [100, 101, 102]), (Self.stale, [0.1, 0.1, 0.1])]))
    #expect(
      text == "NOTHING THAT MATTERS CHANGED: the peak at your servers changed by less than 5 % (+1 %, 95 % between "
        + "-1.48 % and +3.48 %). The share of stale views is the same.")
    #expect(
      try line(comparison([(Self.peak, [7])], [(Self.peak, [7])]))
        == "NOTHING THAT MATTERS CHANGED: every figure is the same.")
    // One request per second is more than 5 % of anything below 20/s.
    let few = try line(comparison([(Self.peak, [4])], [(Self.peak, [4.5])]))
    #expect(few.contains("changed by less than 1/s (+12.5 %)"), "\(few)")
  }

  /// The verdict comes first on the page and in Markdown, last on the terminal, and is in the JSON.
  @Test func comparisonVerdictComesFirstOnThePage() throws {
    let comparison = try comparison([(Self.peak, [100])], [(Self.peak, [120])])
    let said = "the peak at your servers is 120/s instead of 100/s"
    let terminal = Self.plain(String(decoding: comparisonTable(of: [comparison]), as: UTF8.self))
    let last = terminal.split(separator: "\n\n").last.map { $0.replacing("\n  ", with: " ") } ?? ""
    #expect(last.hasPrefix("WORSE: " + said), "\(last)")
    let markdown = Self.plain(String(decoding: comparisonMarkdown(of: [comparison]), as: UTF8.self))
    #expect(markdown.split(separator: "\n\n")[1].hasPrefix("**WORSE**: " + said), "\(markdown)")
    let json = String(decoding: comparisonJSON(of: [comparison], version: "1"), as: UTF8.self)
    #expect(json.contains("\"word\": \"WORSE\""))
    let page = Self.plain(String(decoding: comparisonPage(of: [comparison], version: "1"), as: UTF8.self))
    #expect(page.contains("<section id=\"verdict\" class=\"verdict is-bad\""))
    #expect(page.contains("<span class=\"word\">WORSE</span>: " + said))
    #expect(PageStructure(page)?.ids.contains("verdict") == true)
  }

  // MARK: - The difference of loads

  private func figure(_ loads: [[Int64]]) -> LoadPlot {
    let window = LoadWindow.second
    var clock = SyntheticRun().scenario.clock
    clock.duration = .seconds(6)
    return LoadPlot(
      loads: loads.compactMap { WindowedLoad($0, window: window, clock: clock) }, scale: Scale(fleet: 10, simulated: 1),
      clock: clock)
  }

  /// A 10 % sample whose own busiest second exceeds the estimate of 400: its load is drawn over 10 s, but the figures
  /// are still those of seconds.
  @Test func figuresNameTheHeadlineWindow() throws {
    var load = Array(repeating: UInt32(10), count: 86_400)
    load[3_600] = 80
    var run = Self.run([], load: load)
    run.load?.scenario.fleet.devices = 1_000
    run.summary = Summary(
      rows: [Metric.peakRPS, .serverPeakRPS].map { metric in
        SummaryRow(
          metric, Labels().with(\.window, "1s"), .max, replications: [.real(400)],
          bounds: [Interval(low: 399, high: 401)])
      })
    let comparison = RunComparison(run, run, conditions: [], minimum: 0.01)
    let section = try #require(overlaySection([comparison], ComparedNames([comparison])))
    #expect(Self.plain(section.answer).hasPrefix("The busiest second of the base carries 400 requests per second"))
    let note = section.note
    #expect(note.hasPrefix("Each band spans every 10-second window in its time slice"), "\(note)")
    #expect(ComparisonTables(comparison: comparison).pairing.hasSuffix("no intervals except for loads."))
  }

  /// A fleet ten times the sample: differences by window and pair, with the mean of a slice between its bounds.
  @Test func differencesArePairedWindowByWindow() throws {
    let base = figure([[1, 1, 1, 1, 1, 1], [2, 2, 2, 2, 2, 2]])
    let new = figure([[1, 3, 1, 0, 1, 1], [2, 2, 2, 0, 2, 2]])
    let difference = try #require(LoadDifference(base, new))
    let columns = difference.columns(atMost: 3)
    #expect(columns.map(\.low) == [0, -20, 0])
    #expect(columns.map(\.high) == [20, 0, 0])
    #expect(columns.map(\.mean) == [5, -7.5, 0])
    // The fourth second: -10 and -20.
    #expect(difference.largest.rate == -15 && difference.largest.start == .start + .seconds(3))
    #expect(difference.chart.readings?.rows.count == 6)
  }

  @Test func equalLoadsHaveNoDifference() {
    #expect(LoadDifference(figure([[1, 2]]), figure([[1, 2]])) == nil)
    #expect(LoadDifference(figure([[1, 2]]), figure([[1, 2, 3]])) == nil)
  }

  @Test func loadDifferenceIsDrawnOnThePage() throws {
    let loads = [Array(repeating: UInt32(5), count: 86_400), Array(repeating: UInt32(8), count: 86_400)]
    let runs = loads.map { Self.run([(Self.peak, [Double($0[0])])], load: $0) }
    let page = String(
      decoding: comparisonPage(
        of: [RunComparison(runs[0], runs[1], conditions: [], minimum: 0.01)], version: "1"), as: UTF8.self)
    #expect(page.contains("id=\"figure-difference-0\""))
    let same = String(
      decoding: comparisonPage(
        of: [RunComparison(runs[0], runs[0], conditions: [], minimum: 0.01)], version: "1"), as: UTF8.self)
    #expect(!same.contains("figure-difference-0"))
  }

  // MARK: - Distributions

  private func histogram(_ low: Int64, _ high: Int64) -> RunHistogram {
    var histogram = RunHistogram()
    histogram.add(from: 0, to: 1, count: low)
    histogram.add(from: 1, to: 2, count: high)
    return histogram
  }

  /// 10 000 phones: 500 and 520 of 1 000 are 2 points apart, 500 and 540 are 4. A distance of 3 is visible.
  @Test func curvesAreDrawnOnlyIfVisiblyDifferent() throws {
    let names = [DistributionName(.runsPerDay, Labels()), DistributionName(.lateness, Labels())]
    var (base, new) = (Self.run([(Self.peak, [1])]), Self.run([(Self.peak, [1])]))
    (base.devicesSimulated, new.devicesSimulated) = (10_000, 10_000)
    for name in names { base.distributions.histograms[name] = histogram(50_000, 50_000) }
    new.distributions.histograms[names[0]] = histogram(52_000, 48_000)
    new.distributions.histograms[names[1]] = histogram(54_000, 46_000)
    let page = Self.plain(
      String(
        decoding: comparisonPage(
          of: [RunComparison(base, new, conditions: [], minimum: 0.01)], version: "1"), as: UTF8.self))
    #expect(page.contains("One distribution differs by 3 % or more of the values."))
    #expect(page.ranges(of: "<figure id=\"figure-distribution-").count == 1)
    #expect(page.contains("Distribution of lateness"))
    #expect(page.contains("or would not fit: runs_per_day (2 %)."))
  }
}
