import Foundation
import Scenario
import Studies
import Testing

/// Estimates of the load from samples, compared with fleets in which all devices are simulated (MODEL.md 8.1).
@Suite struct SampledPeakStudyTests {
  private static let scenarios =
    StudySample.isLong
    ? [
      "ivi-continue-watching", "wikipedia-midnight", "morning-unlock", "weather-hourly", "sports-match", "stocks-open",
      "jitter-sweep", "news-background", "weather-jitter", "yandex-weather",
    ] : ["jitter-sweep", "stocks-open"]
  private static let devices = StudySample.isLong ? 20_000 : 2_000
  private static let samples = StudySample.isLong ? [500, 2_000, 8_000] : [400]
  private static let seeds: [UInt64] = StudySample.isLong ? [1, 2] : [1]
  private static let metrics: [Metric] = [.peakRPS, .p99RPS, .p999RPS, .overloadSeconds]

  private struct Tally {
    var figures = 0
    var inside = 0
    var resolved = 0
    var near = 0

    mutating func add(_ row: SummaryRow, _ truth: Double) {
      guard let value = row.value?.approximate, let interval = row.interval else { return }
      figures += 1
      inside += interval.low <= truth && truth <= interval.high ? 1 : 0
      guard row.isResolved else { return }
      resolved += 1
      near += abs(value - truth) <= 0.05 * truth ? 1 : 0
    }
  }

  /// About 95 % of the intervals contain the whole fleet's value, and at least about as many of the resolved figures
  /// are within 5 %. A seed's windows and samples depend on each other, so four figures count as one.
  @Test func intervalsHoldTheFleet() throws {
    var tallies: [Metric: Tally] = [:]
    for name in Self.scenarios {
      for seed in Self.seeds {
        let whole = try summary(name, seed, of: Self.devices)
        for sample in Self.samples {
          count(try summary(name, seed, of: sample), whole, &tallies)
        }
      }
    }
    try check(tallies, [.peakRPS, .p99RPS, .p999RPS])
  }

  /// The time above a capacity of half and of four fifths of the busiest second, with the same tolerance.
  @Test func intervalsHoldTheOverload() throws {
    var tallies: [Metric: Tally] = [:]
    let names =
      StudySample.isLong ? ["jitter-sweep", "weather-hourly", "stocks-open", "wikipedia-midnight"] : ["jitter-sweep"]
    for name in names {
      for seed in Self.seeds {
        let plain = try summary(name, seed, of: Self.devices)
        let endpoint = try #require(plain.rows.first { $0.metric == .peakRPS && !$0.labels.endpoint.isEmpty }).labels
        let peak = try #require(plain.value(.peakRPS, .max, endpoint.with(\.window, "1s")))
        for share in StudySample.isLong ? [0.5, 0.8] : [0.8] {
          let capacity = "backend.endpoints.\(endpoint.endpoint).capacity=\(Int(share * peak))/s"
          let whole = try summary(name, seed, of: Self.devices, capacity)
          for sample in Self.samples {
            count(try summary(name, seed, of: sample, capacity), whole, &tallies)
          }
        }
      }
    }
    try check(tallies, [.overloadSeconds])
  }

  private func summary(_ name: String, _ seed: UInt64, of simulated: Int, _ settings: String...) throws -> Summary {
    let file = Trial.scenarioFolder.appending(path: name + ".yaml")
    let text = try String(contentsOf: file, encoding: .utf8)
    let sizes =
      ["fleet.devices=\(Self.devices)", "run.simulate=\(simulated)"]
      + (StudySample.isLong ? [] : ["clock.warmup=1h"])
    return try StudySample(text, settings: sizes + settings).summary(seed: seed, replications: 1)
  }

  private func count(_ part: Summary, _ whole: Summary, _ tallies: inout [Metric: Tally]) {
    for row in part.rows where Self.metrics.contains(row.metric) && row.labels.endpoint.isEmpty {
      guard let truth = whole.value(row.metric, row.statistic, row.labels) else { continue }
      tallies[row.metric, default: Tally()].add(row, truth)
    }
  }

  private func check(_ tallies: [Metric: Tally], _ metrics: [Metric]) throws {
    for metric in metrics {
      let tally = try #require(tallies[metric])
      if StudySample.isLong {
        print(
          "\(metric.rawValue): \(tally.inside) of \(tally.figures) inside; of \(tally.resolved) resolved \(tally.near) near"
        )
      }
      #expect(isPlausible(tally.inside, of: tally.figures), "\(metric): \(tally)")
      #expect(isPlausible(tally.near, of: tally.resolved), "\(metric): \(tally)")
    }
  }

  /// Returns whether this many independent quarters are plausible for a probability of at least 95 %: three standard
  /// errors.
  private func isPlausible(_ count: Int, of all: Int) -> Bool {
    guard all > 0 else { return true }
    let error = (0.95 * 0.05 / (Double(all) / 4)).squareRoot()
    return Double(count) / Double(all) >= 0.95 - 3 * error
  }
}
