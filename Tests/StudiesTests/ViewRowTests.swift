import Scenario
import SimulationKernel
import Testing

@testable import FleetEngine
@testable import Studies
@testable import SyntheticResults

/// Views, stale views, ages and cache savings, compared with figures computed by hand.
struct ViewRowTests {
  /// Returns half a day in which kind 0 has a limit and a cache and kind 1 has neither, with one group each in separate
  /// cohorts.
  private static func run(_ change: (inout GroupResult, inout GroupResult) -> Void = { _, _ in }) -> SyntheticRun {
    var weather = SyntheticRun.group(cohort: 0, kind: 0, instances: 4)
    weather.views = 20
    weather.staleViews = 5
    weather.staleViewsAfter = 2
    for seconds in [10, 20, 30] { weather.dataAge.record(.milliseconds(Int64(seconds))) }
    weather.saved[0].requests = 7
    weather.saved[1].requests = 14
    weather.traffic[0][Int(Cause.tap.rawValue)].requests = 3
    weather.traffic[0][Int(Cause.policy.rawValue)].requests = 9
    var news = SyntheticRun.group(cohort: 1, kind: 1, instances: 1)
    news.views = 30
    news.dataAge.record(.milliseconds(100))
    change(&weather, &news)
    var run = SyntheticRun()
    run.duration = .hours(12)
    run.staleAfter = [.hour, nil]
    run.cache = [
      Cache.with {
        $0.ttl = .hours(6)
        $0.scope = .kind
      }, nil,
    ]
    run.replications = [SyntheticRun.replication(arrivals: [[], []], groups: [weather, news])]
    return run
  }

  private let weather = Labels().with(\.kind, "weather")
  private let news = Labels().with(\.kind, "news")

  /// Half a day has figures of its period.
  @Test func viewsPerInstanceAndPeriod() {
    let summary = Summary(of: Self.run().result)
    #expect(summary.row(.viewsPerDay, .mean)?.value == .whole(10))
    #expect(summary.row(.viewsPerDay, .mean, weather)?.value == .whole(5))
    #expect(summary.row(.viewsPerDay, .mean, news)?.value == .whole(30))
  }

  @Test func staleSharesAreOfTheViewsOfKindsWithALimit() {
    let summary = Summary(of: Self.run().result)
    #expect(summary.value(.staleViews, .share, weather) == 0.25)
    #expect(summary.value(.staleViewsAfter, .share, weather) == 0.1)
    #expect(summary.value(.staleViews, .share) == 0.25)
    #expect(summary.value(.staleViews, .share, Labels().with(\.cohort, "west")) == 0.25)
    #expect(summary.row(.staleViews, .share, news) == nil)
    // The cohort has only kinds without a limit, so the row exists but is blank.
    #expect(summary.row(.staleViews, .share, Labels().with(\.cohort, "east"))?.value == nil)
    #expect(summary.row(.staleViews, .share)?.unit == "share")
  }

  @Test func withoutViewsSharesAndAgesAreBlank() {
    let run = Self.run { weather, news in
      (weather.views, weather.staleViews, weather.staleViewsAfter, news.views) = (0, 0, 0, 0)
      (weather.dataAge, news.dataAge) = (SpanHistogram(), SpanHistogram())
    }
    let summary = Summary(of: run.result)
    #expect(summary.row(.viewsPerDay, .mean)?.value == .whole(0))
    for metric in [Metric.staleViews, .staleViewsAfter] {
      let row = summary.row(metric, .share, weather)
      #expect(row != nil)
      #expect(row?.value == nil)
    }
    #expect(summary.row(.dataAge, .mean)?.value == nil)
    #expect(summary.row(.dataAge, .p95, news)?.value == nil)
  }

  @Test func agesInSeconds() {
    let summary = Summary(of: Self.run().result)
    #expect(summary.value(.dataAge, .mean, weather) == 0.02)
    #expect(summary.value(.dataAge, .p50, weather) == 0.02)
    #expect(summary.value(.dataAge, .mean) == 0.04)
    #expect(summary.value(.dataAge, .p99, news) == 0.1)
    #expect(summary.row(.dataAge, .mean)?.unit == "s")
  }

  @Test func savedRequestsAreScaledToTheFleetAndOnlyOfKindsWithACache() {
    var run = Self.run()
    run.fleetDevices = 1_000
    let summary = Summary(of: run.result)
    #expect(summary.row(.requestsSaved, .total)?.value == .whole(210))
    #expect(summary.row(.requestsSaved, .total, weather.with(\.endpoint, "images"))?.value == .whole(140))
    #expect(summary.row(.requestsSaved, .total, news) == nil)
    run.cache = [nil, nil]
    #expect(Summary(of: run.result).rows.allSatisfy { $0.metric != .requestsSaved })
  }

  @Test func sharesOfCauses() {
    let summary = Summary(of: Self.run().result)
    let tap = Labels().with(\.cause, "tap")
    #expect(summary.value(.requests, .share, tap) == 0.25)
    #expect(summary.value(.requests, .share, weather.with(\.cause, "tap")) == 0.25)
    let blank = summary.row(.requests, .share, news.with(\.cause, "tap"))
    #expect(blank != nil)
    #expect(blank?.value == nil)
    #expect(blank?.unit == "share")
  }

  @Test func intervalsOfSharesOverReplications() {
    var run = Self.run()
    let other = Self.run { weather, _ in weather.staleViews = 7 }
    run.replications += other.replications
    let row = Summary(of: run.result).row(.staleViews, .share)
    // 0.25 and 0.35: mean 0.3; Student's t with 1 degree of freedom is 12.706205: half-width 12.706205 x 0.05.
    #expect(row?.replications == [.real(0.25), .real(0.35)])
    #expect(abs((row?.value?.approximate ?? 0) - 0.3) < 1e-12)
    #expect(abs((row?.interval?.high ?? 0) - 0.935_310_236) < 1e-6)
  }
}
