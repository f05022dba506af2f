import Scenario
import Testing

@testable import FleetReports
@testable import Studies
@testable import SyntheticResults

/// With one replication of all devices nothing has an interval: no table has a column for it, and each gives the
/// reason.
struct OneReplicationTests {
  private func example(_ replications: Int) -> ExampleReport {
    var example = ExampleReport()
    example.run.replications = Array(example.run.replications.prefix(replications))
    // Peaks of a sample are estimated and have intervals of their own.
    example.run.fleetDevices = example.run.simulated
    return example
  }

  /// Returns the names of all columns on a page.
  private func columns(_ page: String) -> [Substring] {
    page.split(separator: "<th").dropFirst().compactMap { $0.split(separator: "</th>").first }
  }

  @Test func thePageHasNoColumnsForIntervals() {
    let one = example(1).text(.page)
    #expect(!columns(one).contains { $0.contains("interval") }, "\(columns(one))")
    #expect(one.ranges(of: "(one replication, so no intervals)").count >= 3)
    let two = example(2).text(.page)
    #expect(two.ranges(of: ", with 95 % intervals</caption>").count >= 3)
    #expect(two.ranges(of: "so no intervals").isEmpty)
  }

  @Test func terminalExplainsMissingIntervals() {
    let texts = [1, 2].map { String(decoding: summaryTable(of: example($0).report), as: UTF8.self) }
    #expect(!texts[0].contains("95 % interval") && texts[0].contains("one replication, so no intervals"))
    #expect(texts[1].contains("95 % interval") && !texts[1].contains("so no intervals"))
  }

  @Test(arguments: [1, 2]) func tuneHasNoBlankColumn(replications: Int) {
    let report = example(replications).report
    let peak = FigureName(.peakRPS, .max, Labels().with(\.window, "1min"))
    let problem = TuneProblem(
      objective: .figure(peak), goals: report.goals.map(\.goal), axes: [], seed: 1, replications: replications,
      maxRuns: 1)
    let trial = TuneTrial(
      TuneRequest(stage: .check, levels: [], seed: 1, replications: replications), report.summary, nil, problem)
    let study = TuneStudy(problem: problem, trials: [trial], outcome: .found(trial))
    let tuned = TuneReport(
      study: study, keys: [], values: [[]], objective: "peak_rps", base: report.result.scenario,
      provenance: report.provenance, tunedText: nil, patch: [])
    let text = String(decoding: tuned.text(), as: UTF8.self)
    #expect(text.contains("95 %") == (replications > 1), "\(text)")
    #expect(text.contains("peak_rps{window=1min}"), "\(text)")
  }
}
