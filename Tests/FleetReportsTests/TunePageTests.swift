import Scenario
import SimulationKernel
import Testing

@testable import FleetReports
@testable import Studies
@testable import SyntheticResults

/// The answer of a tuning in words, and its page.
struct TunePageTests {
  private static let stale = FigureName(.staleViews, .share)
  private static let peak = FigureName(.peakRPS, .max, Labels().with(\.window, "1s"))

  /// Returns levels 0 to 10 of an amount. At each, the peak is 100 minus ten times the level, and 5 % of views are
  /// stale.
  private func report(
    limit: Double = 65, objective: TuneObjective = .key(0), text: String = "kinds.a.jitter.up_to", word: String? = nil,
    found: Int = 4, peaks: ((Int) -> [Double])? = nil, isFeasible: Bool = true
  ) -> TuneReport {
    let goal = Goal(
      id: word ?? "api-peak", text: "peak_rps <= \(limit)/s", figure: Self.peak, comparison: .atMost,
      limit: .value(limit), severity: .error)
    let axes = [TuneAxis(levels: 11, isOrdered: true)] + (word == nil ? [] : [TuneAxis(levels: 2, isOrdered: false)])
    let problem = TuneProblem(
      objective: objective, goals: [goal], axes: axes, seed: 1, replications: 1, maxRuns: 60)
    func trial(_ stage: TuneTrial.Stage, _ level: Int, _ seed: UInt64) -> TuneTrial {
      let values = peaks?(level) ?? [100 - 10 * Double(level)]
      let rows = [
        SummaryRow(Self.peak.metric, Self.peak.labels, .max, replications: values.map { .real($0) }),
        SummaryRow(.staleViews, Labels(), .share, replications: values.map { _ in .real(0.05) }),
      ]
      return TuneTrial(
        TuneRequest(
          stage: stage, levels: word == nil ? [level] : [level, 1], seed: seed, replications: values.count),
        Summary(rows: rows), nil, problem)
    }
    let trials = [0, 10, 5, 3, 4].map { trial(.search, $0, 1) } + [trial(.check, found, 2)]
    let outcome: TuneStudy.Outcome = isFeasible ? .found(trials[5]) : .infeasible(trials[5])
    let keys =
      [
        TunedKey(
          path: text, ticks: [0, 5, 10].map { .init(level: $0, text: "\($0)min") }, before: "0min")
      ]
      + (word.map { word in
        [TunedKey(path: "kinds.\(word).b", ticks: [0, 1].map { .init(level: $0, text: word + "\($0)") })]
      } ?? [])
    let scenario = SyntheticRun().scenario
    return TuneReport(
      study: TuneStudy(problem: problem, trials: trials, outcome: outcome), keys: keys,
      values: trials.map { ["\($0.levels[0])min"] + (word.map { [$0] } ?? []) }, objective: text, base: scenario,
      provenance: Provenance(version: "1", resolvedScenario: "{}"), tunedText: Array("new: 1\n".utf8),
      patch: Array("--- a\n+++ a\n@@ -1 +1 @@\n-old: \(word ?? "0")\n+new: 1\n".utf8))
  }

  private func line(_ report: TuneReport) -> String { plain(report.answer.line) }
  private func plain(_ text: String) -> String {
    text.replacing("\u{202F}", with: " ").replacing("\u{A0}", with: " ").replacing("−", with: "-")
  }
  private func page(_ report: TuneReport) -> String { plain(String(decoding: tunePage(of: report), as: UTF8.self)) }

  /// A peak of 60 under a limit of 65 leaves 5 of 65: 7.7 %.
  @Test func smallestKeyIsReported() {
    #expect(
      line(report())
        == "FOUND: kinds.a.jitter.up_to=4min is the lowest value that holds. Goal api-peak has the smallest "
        + "margin, 7.7 % of its "
        + "limit. Judged by the scenario alone. 5 settings tried in 6 runs.")
  }

  @Test func smallestFigureIsReportedWithItsSetting() {
    let text = line(report(objective: .figure(Self.stale), text: "stale_views"))
    #expect(
      text.hasPrefix(
        "FOUND: stale_views=4min gives the lowest stale_views, 5 %. Goal api-peak has the smallest margin"),
      "\(text)")
    // Five equal replications have an interval of zero width.
    let five = line(report(objective: .figure(Self.stale), text: "k", peaks: { _ in [60, 60, 60, 60, 60] }))
    #expect(five.contains("5 %, 95 % interval 5 % to 5 %"), "\(five)")
  }

  /// 60 +- 12 lies on both sides of 65.
  @Test func inconclusiveGoalIsReported() {
    let text = line(report(peaks: { _ in [50, 60, 70] }))
    #expect(
      text.hasPrefix("FOUND, BUT CANNOT TELL: kinds.a.jitter.up_to=4min is the lowest value that holds. Goal "))
    #expect(page(report(peaks: { _ in [50, 60, 70] })).contains("class=\"verdict is-open\""))
  }

  /// 60 misses 50 by 20 %.
  @Test func closestSettingIsReportedWithItsMiss() {
    let text = line(report(limit: 50, isFeasible: false))
    #expect(
      text == "NOT FOUND: no setting meets every goal. The closest, kinds.a.jitter.up_to=4min, misses api-peak by 20 % "
        + "of its limit. 5 settings tried in 6 runs.")
    let page = page(report(limit: 50, isFeasible: false))
    #expect(page.contains("class=\"verdict is-bad\"") && !page.contains("id=\"take\""))
  }

  /// The answer comes first on the page and last on the terminal; every name that is referenced exists once.
  @Test func thePageBeginsWithTheAnswer() throws {
    let page = page(report())
    let structure = try #require(PageStructure(page))
    let order = ["verdict", "found", "take", "region", "path", "trials"]
    #expect(structure.ids.filter(order.contains) == order)
    #expect(Set(structure.ids).count == structure.ids.count)
    #expect(structure.references.allSatisfy(Set(structure.ids).contains))
    #expect(page.contains("<span class=\"word\">FOUND</span>: kinds.a.jitter.up_to=4min is the lowest value"))
    #expect(page.contains("--set &#39;kinds.a.jitter.up_to=4min&#39;") && page.contains("+new: 1"))
    #expect(page.contains("In the scenario") && page.contains(">0min<"))
    let terminal = plain(String(decoding: report().text(), as: UTF8.self))
    let last = terminal.split(separator: "\n\n").last.map { $0.replacing("\n  ", with: " ") }
    #expect(last?.hasPrefix("FOUND: kinds.a.jitter.up_to=4min is the lowest value that holds") == true, "\(terminal)")
  }

  /// Levels 4, 5 and 10 hold, 0 and 3 do not: one band from 4 to 10.
  @Test func feasibleRangeIsMarked() {
    let figures = TuneFigures(report: report())
    let bands = figures.bands(along: 0, at: nil)
    #expect(bands.map(\.range) == [0.4...1.0])
    // A hole at 5 makes two bands.
    let holed = TuneFigures(report: report(peaks: { [$0 == 5 ? 90 : 100 - 10 * Double($0)] }))
    #expect(holed.bands(along: 0, at: nil).map(\.range) == [0.4...0.4, 1.0...1.0])
    #expect(page(report()).ranges(of: "class=\"holds-here\"").count == 2)
    // One check passed at once; a second one shows that the first did not.
    #expect(!page(report()).contains("An earlier winner"))
    var twice = report()
    twice.study.trials.append(twice.study.trials[5])
    twice.values.append(twice.values[5])
    #expect(page(twice).contains("An earlier winner"))
    #expect(page(report()).contains("3 of 5 settings tried pass every goal."))
  }

  /// With an additional word there is a plane, and the stretch is in the word's row.
  @Test func wordsAreDrawnAsRows() {
    let two = report(word: "w")
    #expect(TuneFigures(report: two).bands(along: 0, at: (1, 1)).map(\.y) == [0.75])
    #expect(TuneFigures(report: two).bands(along: 0, at: (1, 0)).isEmpty)
    #expect(page(two).contains("Where it holds: kinds.a.jitter.up_to and kinds.w.b"))
  }

  @Test(arguments: [
    "</title><script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "]]><svg onload=alert(1)>",
    "'; rm -rf /", "\u{202E}gnp.exe",
  ])
  func hostileTextIsEscapedOnTunePages(_ text: String) throws {
    let harmless = try #require(PageStructure(page(report(text: "harmless", word: "harmless"))))
    let page = page(report(text: text, word: text))
    let attacked = try #require(PageStructure(page))
    #expect(attacked.elements == harmless.elements)
    #expect(!page.contains("<img") && !page.contains("<script"))
    #expect(!attacked.attributeNames.contains { $0.hasPrefix("on") })
  }
}
