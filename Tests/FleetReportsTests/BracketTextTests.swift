import Scenario
import SimulationKernel
import Studies
import Testing

@testable import FleetEngine
@testable import FleetReports
@testable import SyntheticResults

/// Figures shown with their bracket over undocumented constants.
struct BracketTextTests {
  private func row(_ own: [Double], _ prompt: Double?, _ lazy: Double?) -> SummaryRow {
    var row = SummaryRow(.runsPerDay, Labels(), .mean, replications: own.map { .real($0) })
    (row.prompt, row.lazy) = (prompt.map { .real($0) }, lazy.map { .real($0) })
    return row
  }

  /// The range covers all three values, wherever the scenario's own value lies; empty if they look alike or are
  /// unknown.
  @Test(arguments: [
    (5.0, 4.0, 8.0, " (bracket 4 to 8)"), (5, 7, 8, " (bracket 5 to 8)"), (5, 3, 2, " (bracket 2 to 5)"), (5, 5, 5, ""),
    (123.2, 123.4, 122.9, ""), (5, nil, nil, ""), (5, nil, 6, " (bracket 5 to 6)"),
  ])
  func bracketRangeIncludesTheFigure(_ own: Double, _ prompt: Double?, _ lazy: Double?, _ text: String) {
    #expect(BracketText.hull(row([own], prompt, lazy)) == text)
  }

  /// Under prompt, one cause's shares and the savings are halved; the rest is unchanged.
  @Test func sharesInSentencesShowTheirBracket() throws {
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
    let cache = try #require(cacheSection(of: content)).answer
    // 300 of 600 refreshes come from the policy; under prompt the share itself is halved.
    #expect(causesSection(of: content).answer.contains("policy 50\u{A0}% (bracket 25\u{A0}% to 50\u{A0}%)"))
    #expect(cache.contains("(bracket"), "\(cache)")
  }

  /// Every figure is doubled under prompt and halved under lazy, which each headline shows.
  @Test func headlinesShowTheirBracket() throws {
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
    let trimmed = { (value: Double) in NumberText.trimmed(NumberText.text(value)) }
    let headlines: [(ReportSection, [String])] = [
      (loadSection(of: content), [BracketText.hull(source.peakRow)]),
      (capacitySection(of: content), [BracketText.hull(source.peakRow)]),
      (refreshSection(of: content), [BracketText.hull(summary.row(.phoneRunsPerDay, .p50), trimmed)]),
      (
        waitsSection(of: content),
        [
          BracketText.hull(summary.row(.waitsPerDay, .mean), trimmed),
          BracketText.hull(summary.row(.lateness, .mean), seconds),
        ]
      ),
      (
        try #require(ageSection(of: content)),
        [
          BracketText.hull(summary.row(.dataAge, .p50), seconds),
          BracketText.hull(summary.row(.staleViews, .share), NumberText.percent),
        ]
      ),
      (
        try #require(budgetSection(of: content)),
        [BracketText.hull(summary.row(.budgetExhaustedPerDay, .mean), trimmed)]
      ),
    ]
    for (section, brackets) in headlines {
      for bracket in brackets {
        #expect(bracket.count > 12 && section.answer.contains(bracket), "\(section.id): \(section.answer)")
      }
    }
    let page = String(decoding: reportPage(of: content), as: UTF8.self)
    #expect(page.components(separatedBy: "<p class=\"unit\">bracket ").count == 6)
    // Without a bracket, no sentence or tile mentions one.
    let plain = example.report.content
    #expect(!refreshSection(of: plain).answer.contains("bracket"))
    #expect(!String(decoding: reportPage(of: plain), as: UTF8.self).contains("<p class=\"unit\">bracket "))
  }
}
