import Scenario
import SimulationKernel
import Studies
import Testing

@testable import FleetEngine
@testable import FleetReports
@testable import SyntheticResults

/// The report's text about views, caches, causes and budgets, from handmade counts.
struct PeopleReportTests {
  /// Returns two kinds in one cohort each; weather has a cache and a limit, and 2 days are measured.
  private static func report(_ change: (inout GroupResult, inout GroupResult) -> Void = { _, _ in }) -> ExampleReport {
    var weather = SyntheticRun.group(cohort: 0, kind: 0, instances: 10)
    weather.runs[Int(Cause.policy.rawValue)] = 60
    weather.runs[Int(Cause.tap.rawValue)] = 140
    weather.cacheHits = 180
    weather.traffic[0][Int(Cause.policy.rawValue)].requests = 15
    weather.traffic[0][Int(Cause.tap.rawValue)].requests = 5
    weather.saved[0].requests = 60
    weather.saved[1].requests = 120
    weather.views = 100
    weather.staleViews = 20
    weather.staleViewsAfter = 5
    for minute in 1...100 { weather.dataAge.record(.minutes(Int64(minute))) }
    weather.budgetExhausted = CountHistogram(counts: Array(repeating: 0, count: 21 * 60) + [10])
    var news = SyntheticRun.group(cohort: 1, kind: 1, instances: 10)
    news.runs[Int(Cause.policy.rawValue)] = 100
    news.traffic[1][Int(Cause.policy.rawValue)].requests = 40
    change(&weather, &news)
    var example = ExampleReport()
    example.run.fleetDevices = 100
    example.run.duration = .days(2)
    example.run.staleAfter = [.minutes(80)]
    example.run.cache = [
      Cache.with {
        $0.ttl = .hour
        $0.scope = .kind
      }
    ]
    example.run.replications = [
      SyntheticRun.replication(arrivals: [[1, 1], [1, 1]], groups: [weather, news])
    ]
    return example
  }

  private func plain(_ text: String) -> String { text.replacing("\u{A0}", with: " ").replacing("\u{202F}", with: "") }

  /// 180 of 200 requests are saved; taps send a quarter of the rest.
  @Test func savingsOfACacheAreAShare() throws {
    let section = try #require(cacheSection(of: Self.report().report.content))
    #expect(plain(section.answer).contains("saved by the cache 90 %") && plain(section.answer).contains("to taps 25 %"))
    var without = Self.report()
    without.run.cache = []
    #expect(cacheSection(of: without.report.content) == nil)
  }

  @Test func agesAndStaleViews() throws {
    let section = try #require(ageSection(of: Self.report().report.content))
    for claim in ["at the view 20 %", "after the refresh it triggers 5 %", "median 50.5 min", "p95 1.6 h"] {
      #expect(plain(section.answer).contains(claim), "\(section.answer)")
    }
    #expect(section.figures.count == 2)
    let nobody = Self.report { weather, _ in (weather.views, weather.dataAge) = (0, SpanHistogram()) }
    #expect(ageSection(of: nobody.report.content) == nil)
  }

  @Test func theCurveIsTheShareOfViewsUpToAnAge() {
    var ages = SpanHistogram()
    for seconds in [10, 20, 20, 40] { ages.record(.milliseconds(Int64(seconds))) }
    #expect(SpanBins(ages).shares(upTo: [0.005, 0.0105, 0.011, 0.021, 0.041, 1_000]) == [0, 0.125, 0.25, 0.75, 1, 1])
    let axis = Axis.spans(over: [30, 4_000], title: "")
    #expect(axis.ticks.map(\.value) == [10, 60, 600, 3_600, 21_600])
    #expect(axis.fraction(10) == 0)
    #expect(axis.fraction(5) == 0)
    #expect(abs(axis.value(at: axis.fraction(600)) - 600) < 1e-9)
    #expect(axis.fraction(1e9) == 1)
  }

  @Test(arguments: [(0.0, 0.0), (1, 1), (0.3, 31_536_000), (86_400, 86_400), (1e9, 1e10)])
  func everyRangeHasAnAxis(_ from: Double, _ to: Double) {
    let axis = Axis.spans(over: [from, to], title: "")
    #expect(axis.ticks.count >= 2)
    #expect((0...1).contains(axis.fraction(from)))
  }

  /// 160 of 300 refreshes come from the policy, 140 from taps.
  @Test func causesOfRefreshesAreShares() {
    let section = causesSection(of: Self.report().report.content)
    let table = section.details.map(\.plainText).joined(separator: " ")
    #expect(plain(table).contains("53 %") && plain(table).contains("47 %"), "\(table)")
  }

  /// 16 times in 40 widget-days, all in the quarter hour after 21:00.
  @Test func budgetsRunOutAtAnHour() throws {
    let many = Self.report { weather, _ in weather.budgetExhausted.counts[21 * 60] = 16 }
    let section = try #require(budgetSection(of: many.report.content))
    for claim in ["mean 0.4", "median 21:00"] { #expect(plain(section.answer).contains(claim), "\(section.answer)") }
    #expect(section.figures.count == 2)
  }

  @Test func filesAndTableContainTheViews() {
    let example = Self.report()
    #expect(example.lines(.devices)[0].contains(",cache_hits,views,stale_views,waits_"))
    #expect(example.lines(.distribution).contains { $0.hasPrefix("1,data_age,west,weather,,,s,") })
    let table = String(decoding: summaryTable(of: example.report), as: UTF8.self)
    for line in [
      "views per widget per day", "  stale   ", "  stale after the reload", "data age at view", "cache hits per widget",
      "  requests saved", "requests due to taps",
    ] { #expect(table.contains("\n" + line)) }
    #expect(table.contains("20 %"))
    #expect(table.contains("50.5 min"))
    let nobody = Self.report { weather, _ in
      (weather.views, weather.dataAge, weather.cacheHits) = (0, SpanHistogram(), 0)
    }
    #expect(!String(decoding: summaryTable(of: nobody.report), as: UTF8.self).contains("views per widget"))
  }
}
