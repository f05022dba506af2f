import Scenario
import SimulationKernel
import Studies
import Testing

@testable import FleetEngine
@testable import FleetReports
@testable import SyntheticResults

/// What a report says of views, caches, causes and budgets, from counts made by hand.
struct PeopleReportTests {
  /// Two kinds in one cohort each; weather has a cache and a limit, and 2 days are measured.
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

  @Test func theCacheIsComparedWithNone() throws {
    // 20 sent and 180 saved: 10 times fewer; of all 60, with 240 without: 4 times.
    let section = try #require(cacheSection(of: Self.report().report.content))
    #expect(
      plain(section.answer)
        == "The cache answered 9 of 10 refreshes (90 %); 25 % of the requests left were started by taps. That is 10 "
        + "times fewer requests than without the cache: 20 instead of about 200. With the kinds that have no cache it "
        + "is 4 times fewer.")
    #expect(section.figures.count == 1)
  }

  @Test func cachesThatSaveNothingOrEverything() throws {
    let none = Self.report { weather, _ in
      weather.cacheHits = 0
      weather.saved = weather.saved.map { _ in Traffic() }
    }
    let noneSection = try #require(cacheSection(of: none.report.content))
    #expect(noneSection.answer == "Nothing: no refresh found its data in the cache.")
    let all = Self.report { weather, _ in
      for cause in Cause.allCases { weather.traffic[0][Int(cause.rawValue)].requests = 0 }
    }
    let allSection = try #require(cacheSection(of: all.report.content))
    #expect(plain(allSection.answer).hasSuffix("(90 %); no request was left."))
    var without = Self.report()
    without.run.cache = []
    #expect(cacheSection(of: without.report.content) == nil)
    #expect(!without.text(.page).contains("What does the cache save?"))
  }

  @Test func savingsAreScaledToTheFleet() throws {
    var example = Self.report()
    example.run.fleetDevices = 1_000
    let savings = try #require(CacheSavings(of: example.report.content, kinds: [0], name: "weather"))
    #expect(savings.sent == 200)
    #expect(savings.saved == 1_800)
    #expect(savings.times == 10)
    #expect(savings.taps == 0.25)
  }

  @Test func agesAndStaleViews() {
    let section = ageSection(of: Self.report().report.content)
    #expect(
      plain(section.answer)
        == "Half of the views show data younger than 50.5 min, one in twenty shows data older than 1.6 h. Stale data "
        + "is shown at 20 % of the views, still at 5 % after the refresh that the view starts.")
    #expect(section.figures.count == 2)
    let nobody = Self.report { weather, _ in (weather.views, weather.dataAge) = (0, SpanHistogram()) }
    #expect(ageSection(of: nobody.report.content).answer == "Nobody looked at a widget in the measured period.")
    #expect(ageSection(of: nobody.report.content).figures.isEmpty)
    let empty = Self.report { weather, _ in weather.dataAge = SpanHistogram() }
    #expect(ageSection(of: empty.report.content).answer == "No widget had anything to show when it was looked at.")
  }

  @Test func theCurveIsTheShareOfViewsUpToAnAge() {
    var ages = SpanHistogram()
    for seconds in [10, 20, 20, 40] { ages.record(.milliseconds(Int64(seconds))) }
    #expect(SpanBins(ages).shares(upTo: [0.005, 0.0105, 0.011, 0.021, 0.041, 1_000]) == [0, 0.125, 0.25, 0.75, 1, 1])
    let axis = SpanAxis(from: 30, to: 4_000)
    #expect(axis.ticks == [10, 60, 600, 3_600, 21_600])
    #expect(axis.fraction(10) == 0)
    #expect(axis.fraction(5) == 0)
    #expect(abs(axis.seconds(axis.fraction(600)) - 600) < 1e-9)
    #expect(axis.fraction(1e9) == 1)
  }

  @Test(arguments: [(0.0, 0.0), (1, 1), (0.3, 31_536_000), (86_400, 86_400), (1e9, 1e10)])
  func everyRangeHasAnAxis(_ from: Double, _ to: Double) {
    let axis = SpanAxis(from: from, to: to)
    #expect(axis.ticks.count >= 2)
    #expect((0...1).contains(axis.fraction(from)))
  }

  @Test func whyWidgetsRefresh() {
    let section = reasonsSection(of: Self.report().report.content)
    // 160 of 300 policy, 140 tap; weather 200 in 20 widget-days, news 100.
    #expect(
      plain(section.answer)
        == "Of the refreshes, 53 % come from the widgets' own reload policy, 47 % from taps on buttons and toggles. The "
        + "busiest kind is weather with 10 refreshes per widget and day, 70 % of them from taps on buttons and toggles."
    )
    let none = Self.report { weather, news in
      weather.runs = weather.runs.map { _ in 0 }
      news.runs = weather.runs
    }
    #expect(reasonsSection(of: none.report.content).answer == "No widget was refreshed in the measured period.")
  }

  @Test func whoRunsOutOfBudget() {
    // 16 times in 40 widget-days, all of the 10 widgets of kind weather: 0.8 a day and 0, with a standard error of
    // sqrt(0.4 x 0.6 x 2 / 10) = 0.22.
    let many = Self.report { weather, _ in weather.budgetExhausted.counts[21 * 60] = 16 }
    let section = budgetSection(of: many.report.content)
    #expect(
      plain(section.answer)
        == "A widget's budget runs out once in 2.50 days on average, half of the times before 21:00 local time. It does "
        + "so most often for kind weather: once in 1.25 days.")
    #expect(section.figures.count == 2)
    let nobody = Self.report { weather, _ in weather.budgetExhausted = CountHistogram() }
    #expect(
      budgetSection(of: nobody.report.content).answer == "Nobody: no refresh was held back because a budget was spent.")
  }

  /// Cohorts that differ by chance alone are not ranked: 10 of 20 widget-days against 6.
  @Test func chanceIsNotRanked() {
    let alike = Self.report { weather, news in
      news.budgetExhausted = weather.budgetExhausted
      news.budgetExhausted.counts[21 * 60] = 6
    }
    #expect(
      budgetSection(of: alike.report.content).answer
        .hasSuffix("None of the kinds or cohorts does so more often than the others beyond chance."))
  }

  @Test func filesAndTableHoldTheViews() {
    let example = Self.report()
    #expect(example.lines(.devices)[0].contains(",cache_hits,views,stale_views,waits_"))
    #expect(example.lines(.distribution).contains { $0.hasPrefix("1,data_age,west,weather,,,s,") })
    let table = String(decoding: summaryTable(of: example.report), as: UTF8.self)
    for line in [
      "views per widget and day", "  stale   ", "  stale after the reload", "data age at view", "cache hits per widget",
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
