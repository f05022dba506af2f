import Testing

@testable import Studies

/// The hours with the most stale views and with the highest proportion of them, unless chance explains them (MODEL.md
/// 8.3).
struct StaleHoursTests {
  /// Returns hours with ten views per widget per day, a proportion `share` of them stale, and `seven` in hour 7.
  private static func hours(_ share: Double?, seven: Double?) -> [StoredHour] {
    (0..<24).map { number in
      var hour = StoredHour(kind: 0, hour: number)
      (hour.views, hour.staleShare) = (10, number == 7 ? seven : share)
      return hour
    }
  }

  /// 23 hours with 10 % and one with 34 %: 11 % over the day, and 0.34 / 2.64 of the stale views.
  @Test func outstandingHourIsNamed() throws {
    let found = try #require(StaleHours(Self.hours(0.1, seven: 0.34), widgetDays: 100))
    #expect(abs(found.mean - 0.11) < 1e-12)
    let (maximum, densest) = (try #require(found.maximum), try #require(found.densest))
    #expect(densest.hour == 7 && abs(densest.share - 0.34) < 1e-12)
    #expect(maximum.hour == 7 && abs(maximum.share - 0.34 / 2.64) < 1e-12)
  }

  /// In hour 5, 60 of 1 000 views are stale, in hour 6, 400 of 10 000, and in every other hour 10 of 10 000, which is
  /// below 1 %.
  @Test func hourWithMaxStaleViewsNeedNotHaveTheMaxShare() throws {
    let hours = (0..<24).map { number in
      var hour = StoredHour(kind: 0, hour: number)
      (hour.views, hour.staleShare) = number == 5 ? (10, 0.06) : number == 6 ? (100, 0.04) : (100, 0.001)
      return hour
    }
    let found = try #require(StaleHours(hours, widgetDays: 100))
    #expect(found.maximum?.hour == 6 && found.densest?.hour == 5)
    #expect(abs((found.maximum?.share ?? 0) - 400.0 / 680) < 1e-12)
  }

  /// The proportions are equal in every hour, with six times the views in hour 20: it has 6 / 29 of the stale views,
  /// and no hour has a higher proportion.
  @Test func busiestHourHasTheMostStaleViews() throws {
    var hours = Self.hours(0.1, seven: 0.1)
    hours[20].views = 60
    let found = try #require(StaleHours(hours, widgetDays: 1_000))
    #expect(found.maximum?.hour == 20 && abs((found.maximum?.share ?? 0) - 6.0 / 29) < 1e-12)
    #expect(found.densest == nil)
  }

  /// With 14 % in one hour the day has 10.17 %. Its standard error is 0.96 % for 1 000 views and 1.51 % for 400: 14 %
  /// is 4.0 and 2.5 standard errors above.
  @Test(arguments: [(100.0, true), (40, false)]) func chanceHoursAreNotNamed(widgetDays: Double, isNamed: Bool) {
    #expect((StaleHours(Self.hours(0.1, seven: 0.14), widgetDays: widgetDays)?.densest != nil) == isNamed)
  }

  /// Hours with fewer than 400 views, proportions below 1 %, and those less than 10 % above the mean are not named.
  @Test func negligibleHoursAreNotNamed() {
    #expect(StaleHours(Self.hours(0.1, seven: 0.9), widgetDays: 39) == nil)
    #expect(StaleHours(Self.hours(0, seven: 0.009), widgetDays: 1e6) == nil)
    #expect(StaleHours(Self.hours(0.5, seven: 0.54), widgetDays: 1e6) == nil)
    #expect(StaleHours(Self.hours(nil, seven: nil), widgetDays: 1e6) == nil)
  }
}
