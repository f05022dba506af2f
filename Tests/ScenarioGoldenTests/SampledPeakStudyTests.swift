import Foundation
import Scenario
import Studies
import Testing

/// Peaks and quantiles of the load that samples estimate, against fleets all of whose devices were simulated (MODEL.md
/// 8.1).
@Suite struct SampledPeakStudyTests {
  private static let scenarios =
    StudySample.isLong
    ? [
      "ivi-continue-watching", "wikipedia-midnight", "morning-unlock", "weather-hourly", "sports-match", "stocks-open",
      "jitter-sweep", "news-background", "weather-jitter", "yandex-weather",
    ] : ["jitter-sweep", "stocks-open"]
  private static let devices = StudySample.isLong ? 20_000 : 2_000
  private static let samples = StudySample.isLong ? [500, 2_000, 8_000] : [400]
  private static let seeds: [UInt64] = StudySample.isLong ? [1, 2, 3, 4] : [1, 2]

  private struct Tally {
    var figures = 0
    var inside = 0
    var resolved = 0
    var near = 0
  }

  /// About 95 % of the intervals hold what the whole fleet does, and of figures that call themselves resolved about as
  /// many are within 5 %. Figures of one run hang together: a run counts as one figure of four in the tolerance.
  @Test func intervalsHoldTheFleet() throws {
    var all = Tally()
    for name in Self.scenarios {
      let file = Trial.scenarioFolder.appending(path: name + ".yaml")
      let text = try String(contentsOf: file, encoding: .utf8)
      let whole = try StudySample(text, "fleet.devices=\(Self.devices)", "run.simulate=\(Self.devices)")
      for sample in Self.samples {
        let part = try StudySample(text, "fleet.devices=\(Self.devices)", "run.simulate=\(sample)")
        var tally = Tally()
        for seed in Self.seeds {
          count(try part.summary(seed: seed, replications: 1), try whole.summary(seed: seed, replications: 1), &tally)
        }
        if StudySample.isLong {
          print("\(name), \(sample): \(tally.inside) of \(tally.figures), resolved \(tally.near) of \(tally.resolved)")
        }
        all.figures += tally.figures
        all.inside += tally.inside
        all.resolved += tally.resolved
        all.near += tally.near
      }
    }
    #expect(isPlausible(all.inside, of: all.figures), "\(all)")
    #expect(isPlausible(all.near, of: all.resolved), "\(all)")
  }

  private func count(_ part: Summary, _ whole: Summary, _ tally: inout Tally) {
    for row in part.rows where row.metric == .peakRPS && row.labels.endpoint.isEmpty {
      guard let truth = whole.value(row.metric, row.statistic, row.labels), let value = row.value?.approximate,
        let interval = row.interval
      else { continue }
      tally.figures += 1
      tally.inside += interval.low <= truth && truth <= interval.high ? 1 : 0
      guard row.isResolved else { continue }
      tally.resolved += 1
      tally.near += abs(value - truth) <= 0.05 * truth ? 1 : 0
    }
  }

  /// Whether so many of independent quarters have a chance of 95 %, or more: three standard errors.
  private func isPlausible(_ count: Int, of all: Int) -> Bool {
    guard all > 0 else { return true }
    let error = (0.95 * 0.05 / (Double(all) / 4)).squareRoot()
    return Double(count) / Double(all) >= 0.95 - 3 * error
  }
}
