import Scenario
import SimulationKernel
import Testing

@testable import FleetReports
@testable import Studies
@testable import SyntheticResults

/// The first sentence on a sweep's page, from handmade figures; spaces in the texts below are plain.
struct SweepAnswerTests {
  private typealias Row = (value: SweepValue, figures: [FigureName: [Double]])

  private let peak = FigureName(.serverPeakRPS, .max, Labels().with(\.endpoint, "api").with(\.window, "1s"))
  private let stale = FigureName(.staleViews, .share)
  private let battery = FigureName(.batteryPercentPerDay, .mean)

  private func goal(_ figure: FigureName, _ limit: Double, _ comparison: Comparison = .atMost) -> Goal {
    Goal(
      id: figure == peak ? "peak" : "fresh", text: "", figure: figure, comparison: comparison, limit: .value(limit),
      severity: .error)
  }

  private func minutes(_ count: Int) -> SweepValue { SweepValue("\(count)min", amount: Double(60 * count)) }

  private func study(_ rows: [Row], _ goals: [Goal], key: String = "kinds.a.jitter.up_to") -> SweepStudy {
    let amounts = rows.compactMap(\.value.amount)
    let scale: SweepAxis.Scale =
      amounts.count == rows.count && rows.count > 1
      ? .numeric(low: amounts.min() ?? 0, high: amounts.max() ?? 1) : .categorical
    let axis = SweepAxis(path: key, scale: scale, unit: "s", values: rows.map(\.value))
    return SweepStudy(axes: [axis], goals: goals, runs: rows.map { run([$0.value], $0.figures, goals) })
  }

  private func run(_ values: [SweepValue], _ figures: [FigureName: [Double]], _ goals: [Goal]) -> SweepRun {
    let rows = figures.sorted { $0.key.text < $1.key.text }.map { name, values in
      SummaryRow(name.metric, name.labels, name.statistic, replications: values.map { .real($0) })
    }
    return SweepRun(
      values: values, replications: figures.first?.value.count ?? 1, summary: Summary(rows: rows), goals: goals)
  }

  private func answer(_ study: SweepStudy) -> Answer { SweepAnswer(study).answer }

  private func line(_ study: SweepStudy) -> String { plain(answer(study).line) }

  private func peaks(_ values: [[Double]], _ limit: Double?) -> SweepStudy {
    let rows = values.enumerated().map { (value: minutes(5 * ($0.offset + 1)), figures: [peak: $0.element]) }
    return study(rows, limit.map { [goal(peak, $0)] } ?? [])
  }

  // MARK: One key with amounts

  /// 92 compared with 60 misses by 53 %; 25 is half of 50 in every replication, and stale views do not clearly change.
  @Test func smallestPassingSettingNamesAnAlternative() {
    let rows: [Row] = [
      (minutes(1), [peak: [91, 93], stale: [0.1, 0.2]]), (minutes(5), [peak: [50, 50.2], stale: [0.1, 0.2]]),
      (minutes(25), [peak: [25, 25.1], stale: [0.12, 0.19]]),
    ]
    let study = study(rows, [goal(peak, 60)])
    #expect(
      line(study)
        == "5 min is the lowest jitter.up_to that passes: 1 min misses peak by 53 %. 25 min lowers the peak load at api by a "
        + "further 50 % (95 % interval 49 % to 51 %). It costs nothing in share of stale views.")
    #expect(answer(study).tone == .good)
    #expect(answer(study).claims.map(\.value?.approximate) == [50.1] && answer(study).claims.map(\.limit) == [60])
  }

  /// Stale views rise by 0.2 in both replications: that is a cost, so nothing is called free.
  @Test func clearCostIsNamed() {
    let rows: [Row] = [
      (minutes(1), [peak: [91, 93], stale: [0.1, 0.2]]), (minutes(5), [peak: [50, 50.2], stale: [0.1, 0.2]]),
      (minutes(25), [peak: [40, 40.2], stale: [0.3, 0.4]]),
    ]
    let line = line(study(rows, [goal(peak, 60)]))
    #expect(
      line.contains(
        " 25 min lowers the peak load at api by a further 20 % (95 % interval 20 % to 20 %). It costs +20 pp"))
    #expect(!line.contains("nothing"))
  }

  @Test func maximumThatPasses() {
    #expect(
      line(peaks([[30], [50], [150]], 60))
        == "10 min is the highest jitter.up_to that passes: 15 min puts peak at 2.5 times its limit. 5 min lowers the "
        + "peak load at api by a further 40 %.")
  }

  // MARK: None, all, some

  @Test func sweepWithoutPassingSettingIsReported() {
    let none = peaks([[90], [75], [66]], 60)
    #expect(line(none) == "No setting passes: 15 min comes closest and misses peak by 10 %.")
    #expect(answer(none).tone == .bad)
    // 5 and 9 around 6 are inconclusive.
    let open = peaks([[90, 90], [50, 70]], 60)
    #expect(
      line(open).hasPrefix("No setting is certain to pass: 10 min comes closest and is inconclusive on peak, because"))
    #expect(answer(open).tone == .open)
    #expect(
      line(study([(minutes(1), [:]), (minutes(2), [:])], [goal(peak, 6)])).hasPrefix(
        "No setting passes: the goal figures are unknown"))
  }

  @Test func singlePassingSettingIsReported() {
    #expect(
      line(peaks([[50], [40], [30]], 60)) == "All 3 settings pass: 15 min has the lowest peak load at api, 30/s.")
    #expect(
      line(peaks([[50, 51], [51, 50]], 60))
        == "Both settings pass: none clearly differs from 5 min in peak load at api.")
    #expect(line(peaks([[50]], 60)) == "The only setting passes.")
    #expect(line(peaks([[66]], 60)) == "No setting passes: 5 min comes closest and misses peak by 10 %.")
  }

  @Test func categoricalSettingsHaveNoOrder() {
    let rows: [Row] = [
      (SweepValue("prompt"), [peak: [90]]), (SweepValue("own"), [peak: [50]]), (SweepValue("lazy"), [peak: [40]]),
    ]
    #expect(
      line(study(rows, [goal(peak, 60)], key: "os.preset"))
        == "2 of 3 settings pass: lazy has the lowest peak load at api, 40/s.")
    #expect(line(study(rows, [goal(peak, 45)], key: "os.preset")) == "Only lazy passes: 1 of 3 settings.")
  }

  /// With two keys, settings are named by both.
  @Test func severalKeysAreNamed() {
    let axes = ["kinds.a.jitter.up_to", "kinds.a.reload.after"].map { path in
      SweepAxis(path: path, scale: .numeric(low: 60, high: 120), unit: "s", values: [minutes(1), minutes(2)])
    }
    let goals = [goal(peak, 60), goal(stale, 0.5)]
    let runs = [(1, 1, 90.0, 0.1), (1, 2, 50, 0.2), (2, 1, 40, 0.2), (2, 2, 20, 0.6)].map { row in
      run([minutes(row.0), minutes(row.1)], [peak: [row.2], stale: [row.3]], goals)
    }
    #expect(
      line(SweepStudy(axes: axes, goals: goals, runs: runs))
        == "2 of 4 settings pass: jitter.up_to 2 min, reload.after 1 min has the best balance of peak load at api (40/s) "
        + "and share of stale views (20 %).")
  }

  // MARK: Without goals

  @Test func sweepWithoutGoalsReportsFigures() {
    #expect(
      line(peaks([[100, 101], [60, 60], [25, 26]], nil))
        == "No goals are set: as jitter.up_to rises from 5 min to 15 min, the peak load at api "
        + "goes from 101/s to 25.5/s (-74.6 %)."
    )
    #expect(
      line(study([(minutes(1), [:]), (minutes(2), [:])], []))
        == "No goals are set: no measured figure allows settings to be compared.")
  }

  /// If a figure differs by less than its text shows, a sentence does not give two equal values.
  @Test func equalLookingValuesAreShownOnce() {
    let rows: [Row] = [(minutes(5), [stale: [0.001_26]]), (minutes(10), [stale: [0.001_24]])]
    let study = study(rows, [goal(stale, 0.04)])
    let page = String(decoding: sweepPage(of: study, SweepEffects(of: study), manifest()), as: UTF8.self)
    #expect(page.replacing("\u{A0}", with: " ").contains("The share of stale views is 0.1 % with every setting."))
  }

  // MARK: Places

  private func manifest() -> SweepManifest {
    SweepManifest(provenance: Provenance(version: "1", resolvedScenario: "x"), method: "grid", scenario: "x", seed: 1)
  }

  /// The page starts with the sentence that ends the table.
  @Test func pageStartsWithTheTerminalAnswer() throws {
    for study in [peaks([[90, 91], [50, 51], [25, 26]], 60), peaks([[90], [80]], 60), peaks([[90], [80]], nil)] {
      let page = String(
        decoding: SweepFile.page.bytes(of: study, SweepEffects(of: study), manifest()) ?? [], as: UTF8.self)
      let answer = answer(study)
      #expect(page.contains("<span class=\"word\">\(answer.word)</span>"))
      let table = String(decoding: study.text(), as: UTF8.self)
      #expect(table.hasSuffix("\n\n" + folded(answer.line).joined(separator: "\n") + "\n"))
      #expect(PageStructure(page) != nil)
    }
  }

  // MARK: Charts

  /// The 960 wide canvas has a plot from 66 to 942 and from 202 up to 30, with three points at 5, 50 and 95 % of its
  /// width. A limit of 60 on a scale from 0 to 100 is at 98.8, and everything above it is shaded.
  @Test func forbiddenAreaIsShaded() throws {
    let study = peaks([[100], [50], [20]], 60)
    let drawn = try #require(DrawnMetric.all(of: study).first)
    let figure = CoursePlot(drawn, study, axis: 0, chosen: 1)
    #expect(figure.dots.map(\.style) == ["bad", "good", "good"])
    let text = text(figure.chart.draw(.wide))
    #expect(text.contains("class=\"forbidden\" d=\"M66 98.8L") && text.contains("L942 98.8L942 30L66 30Z\""))
    #expect(text.contains("class=\"chosen\" cx=\"504\" cy=\"116\"") && text.contains(">10\u{A0}min<"))
  }

  /// Peaks of 90, 50 and 20 against stale shares of 10, 20 and 90 %: the goal allows half, the capacity serves 100/s.
  /// The area beyond each is shaded, whether 100/s is inside the drawing or not, and the choice is marked.
  @Test func aTradeoffHasLimitsAndTheChoice() throws {
    let rows: [Row] = [
      (minutes(1), [peak: [90], stale: [0.1]]), (minutes(5), [peak: [50], stale: [0.2]]),
      (minutes(25), [peak: [20], stale: [0.9]]),
    ]
    var study = study(rows, [goal(stale, 0.5), goal(peak, 95)])
    #expect(SweepChoice(of: study)?.setting == 1)
    let figure = ParetoPlot(study, chosen: 1)
    #expect(figure.plane.dots.map(\.x) == [0.1, 0.2, 0.9] && figure.plane.dots.map(\.y) == [90, 50, 20])
    #expect(figure.plane.x.limit == 0.5 && figure.plane.x.forbidden == .above)
    #expect(figure.plane.y.limit == 95 && figure.plane.y.limitName == "goal peak" && figure.plane.chosen == 1)
    #expect(figure.plane.region == [0, 1])
    #expect(figure.legend.map(\.swatch) == ["good", "free", "forbidden", "chosen"])
    let page = String(decoding: sweepPage(of: study, SweepEffects(of: study), manifest()), as: UTF8.self)
    #expect(page.contains("id=\"front-plane-wide-title\"") && page.contains("--set kinds.a.jitter.up_to=5min"))
    // Without a goal, the endpoint's capacity is used, unless it varies.
    var scenario = SyntheticRun().scenario
    (scenario.endpoints[0].name, scenario.endpoints[0].capacity) = ("api", 100)
    study = self.study(rows, [goal(stale, 0.5)])
    study.scenario = scenario
    let limit = ParetoPlot.direction(peak, study)
    #expect(limit.limit == 100 && limit.limitName == "capacity" && limit.forbidden == .above)
    study = self.study(rows, [goal(stale, 0.5)], key: "backend.endpoints.api.capacity")
    study.scenario = scenario
    #expect(ParetoPlot.direction(peak, study).limit == nil && ParetoPlot.direction(stale, study).limit == 0.5)
  }

  /// Some figures should be high: the area below the limit is shaded.
  @Test func areaBelowALowerLimitIsShaded() {
    let study = study([(minutes(1), [stale: [0.2]])], [goal(stale, 0.5, .atLeast)])
    #expect(ParetoPlot.direction(stale, study).forbidden == .below)
  }

  /// Figures that no setting clearly changes are named but not drawn.
  @Test func constantFiguresAreNotDrawn() throws {
    let rows: [Row] = [
      (minutes(1), [peak: [90, 92], stale: [0.14, 0.16]]), (minutes(5), [peak: [50, 52], stale: [0.16, 0.14]]),
    ]
    let section = try #require(mapSection(study(rows, [goal(peak, 60), goal(stale, 0.5)]), chosen: 1))
    #expect(text(section.figures).ranges(of: "<figure").count == 1)
    #expect(
      plain(section.note).contains(
        "Not drawn, because no setting clearly changes it: share of stale views 15 % (fresh: pass)."))
  }

  // MARK: Patches

  @Test func patchesAreQuotedAndNested() throws {
    let axes = ["kinds.a.reload.after", "fleet.devices", "kinds.a.jitter"].map {
      SweepAxis(path: $0, scale: .categorical, values: [SweepValue("x")])
    }
    let values = ["1h", "2M", "{uniform: 0s..5min}"].map { SweepValue($0) }
    let patch = SettingPatch(SweepStudy(axes: axes, goals: [], runs: [run(values, [peak: [1]], [])]), 0)
    #expect(
      patch.arguments
        == "--set kinds.a.reload.after=1h --set fleet.devices=2M --set 'kinds.a.jitter={uniform: 0s..5min}'")
    #expect(
      patch.yaml
        == """
        fleet:
          devices: 2M
        kinds:
          a:
            jitter: {uniform: 0s..5min}
            reload:
              after: 1h
        """)
    let listed = SweepAxis(path: "kinds.a.requests.0.down", scale: .categorical, values: [SweepValue("it's")])
    let other = SettingPatch(
      SweepStudy(axes: [listed], goals: [], runs: [run([SweepValue("it's")], [peak: [1]], [])]), 0)
    #expect(other.yaml == nil && other.arguments == "--set 'kinds.a.requests.0.down=it'\\''s'")
  }

  @Test(arguments: [("2h30min", "2 h 30 min"), ("5min", "5 min"), ("1.5kB", "1.5 kB"), ("90s", "90 s")])
  func amountsAreWrittenWithSpaces(_ text: String, _ words: String) {
    let axis = SweepAxis(path: "a", scale: .numeric(low: 0, high: 1), unit: "s")
    #expect(plain(axis.words(SweepValue(text, amount: 1))) == words)
    #expect(axis.words(SweepValue(text)) == text)
  }

  private func text(_ markup: [Markup]) -> String {
    var buffer = TextBuffer()
    for part in markup { part.write(to: &buffer) }
    return String(decoding: buffer.bytes, as: UTF8.self)
  }
}
