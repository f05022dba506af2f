import Scenario
import SimulationKernel
import Studies
import Testing

@testable import FleetEngine
@testable import FleetReports
@testable import SyntheticResults

/// Figures with the bracket that undocumented constants make around them.
struct BracketTextTests {
  private func row(_ own: [Double], _ prompt: Double?, _ lazy: Double?) -> SummaryRow {
    var row = SummaryRow(.runsPerDay, Labels(), .mean, replications: own.map { .real($0) })
    (row.prompt, row.lazy) = (prompt.map { .real($0) }, lazy.map { .real($0) })
    return row
  }

  /// From the least to the most of all three, wherever the own one lies; nothing where they read alike or are unknown.
  @Test(arguments: [
    (5.0, 4.0, 8.0, " (bracket 4 to 8)"), (5, 7, 8, " (bracket 5 to 8)"), (5, 3, 2, " (bracket 2 to 5)"), (5, 5, 5, ""),
    (123.2, 123.4, 122.9, ""), (5, nil, nil, ""), (5, nil, 6, " (bracket 5 to 6)"),
  ])
  func theHullHoldsTheFigure(_ own: Double, _ prompt: Double?, _ lazy: Double?, _ text: String) {
    #expect(BracketText.hull(row([own], prompt, lazy)) == text)
  }

  /// Both push it one way by the draws that they share; by the mean over replications 5 lies below both of the last pair.
  @Test(
    arguments: [
      ([5.0], 7.0, 8.0, BracketText.Push.up), ([5], 3, 4, .down), ([5], 4, 8, nil), ([5], 5.01, 8, nil),
      ([5], 5.2, 5.2, nil), ([7, 3], 6, 8, nil),
    ] as [([Double], Double, Double, BracketText.Push?)])
  func bothEndsPushOneWay(_ own: [Double], _ prompt: Double, _ lazy: Double, _ push: BracketText.Push?) {
    #expect(BracketText.push(row(own, prompt, lazy)) == push)
  }

  /// 2 of 10, 3 of 10 under prompt, 1 of 20 under lazy.
  @Test func aShareIsMadeUnderEachEnd() {
    let (part, whole) = (row([2], 3, 1), row([10], 10, 20))
    #expect(BracketText.shareHull([part], of: [whole]) == " (bracket 5\u{A0}% to 30\u{A0}%)")
    // A row that there is not is nothing under every end; one that an end lacks makes that end unknown.
    #expect(BracketText.shareHull([part, nil], of: [whole]) == " (bracket 5\u{A0}% to 30\u{A0}%)")
    #expect(BracketText.shareHull([row([2], nil, 1)], of: [whole]) == " (bracket 5\u{A0}% to 20\u{A0}%)")
    #expect(BracketText.shareHull([part], of: [row([10], 0, nil)]) == "")
    #expect(BracketText.hull([part, whole]) { $0[0] + $0[1] } == " (bracket 12 to 21)")
  }

  /// Half as much of everything of one cause or saved, under prompt; the rest as it is.
  @Test func sharesInSentencesCarryTheirBracket() throws {
    var report = ExampleReport().report
    report.summary = Summary(
      rows: report.summary.rows.map { row in
        var row = row
        let isLess = row.labels.cause == Cause.policy.name || [.requestsSaved, .cacheHitsPerDay].contains(row.metric)
        row.prompt = row.value.map { .real($0.approximate * (isLess || row.metric == .herd ? 0.5 : 1)) }
        row.lazy = row.value
        return row
      })
    let content = report.content
    let herd = try #require(herdSection(of: content)).answer
    let cache = try #require(cacheSection(of: content)).answer
    // Of the refreshes 300 of 600 come from the policy, and 150 of 600 under prompt.
    let half = " (bracket 25\u{A0}% to 50\u{A0}%)"
    #expect(reasonsSection(of: content).answer.contains("Of the refreshes, 50\u{A0}%" + half), "\(content)")
    #expect(causesSection(of: content).answer.ranges(of: "(bracket").count == 1)
    #expect(herd.contains("(bracket") || herd.hasPrefix("That cannot be said"), "\(herd)")
    // The ratio, and what would be sent; what is sent is the same under both ends.
    #expect(cache.ranges(of: "(bracket").count == 3, "\(cache)")
  }

  /// Every figure doubled under prompt and half of it under lazy: each headline says so.
  @Test func headlinesCarryTheirBracket() {
    var example = ExampleReport()
    example.run.replications = Array(example.run.replications.prefix(1))
    var report = example.report
    report.summary = Summary(
      rows: report.summary.rows.map { row in
        var row = row
        row.prompt = row.value.map { .real(2 * $0.approximate) }
        row.lazy = row.value.map { .real($0.approximate / 2) }
        return row
      })
    let content = report.content
    let summary = content.summary
    let source = LoadSource(content)
    let seconds = { (value: Double) in TimeText.seconds(value) }
    let headlines: [(ReportSection, [String])] = [
      (loadSection(of: content), [BracketText.hull(source.peakRow)]),
      (capacitySection(of: content), [BracketText.hull(source.peakRow)]),
      (refreshSection(of: content), [BracketText.hull(summary.row(.runsPerDay, .mean))]),
      (
        waitsSection(of: content),
        [
          BracketText.hull(summary.row(.waitsPerDay, .mean)),
          BracketText.hull(summary.row(.lateness, .mean), seconds),
        ]
      ),
      (
        ageSection(of: content),
        [
          BracketText.hull(summary.row(.dataAge, .p50), seconds),
          BracketText.hull(summary.row(.staleViews, .share), NumberText.percent),
        ]
      ),
      (
        budgetSection(of: content),
        [" (bracket " + BracketText.range(summary.row(.budgetExhaustedPerDay, .mean)) + " times a day)"]
      ),
    ]
    for (section, brackets) in headlines {
      for bracket in brackets {
        #expect(bracket.count > 12 && section.answer.contains(bracket), "\(section.id): \(section.answer)")
      }
    }
    let page = String(decoding: reportPage(of: content), as: UTF8.self)
    #expect(page.components(separatedBy: "<p class=\"unit\">bracket ").count == 6)
    // Without a bracket no word of it in the sentences and tiles.
    let plain = example.report.content
    #expect(!refreshSection(of: plain).answer.contains("bracket"))
    #expect(!String(decoding: reportPage(of: plain), as: UTF8.self).contains("<p class=\"unit\">bracket "))
  }

  /// Here without a reason: phones that nobody uses have no cap.
  @Test func aFigureAtTheEndOfItsBracketIsExplained() {
    let example = ExampleReport()
    var report = example.report
    report.summary = Summary(
      rows: report.summary.rows.map { row in
        var row = row
        row.prompt = row.value.map { .real(2 * $0.approximate) }
        row.lazy = row.value.map { .real(3 * $0.approximate) }
        return row
      })
    let content = report.content
    #expect(ageSection(of: content).answer.contains(" Both ends of the bracket raise the share of stale views."))
    #expect(budgetSection(of: content).answer.contains(" Both ends of the bracket raise how often budgets run out."))
  }
}
