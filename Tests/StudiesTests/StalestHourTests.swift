import Testing

@testable import Studies

/// In which hour most views are stale, where chance does not explain it.
struct StalestHourTests {
  /// Hours of ten views a widget and day, `share` of them stale, but of hour 7 `seven`.
  private static func hours(_ share: Double?, seven: Double?) -> [StoredHour] {
    (0..<24).map { number in
      var hour = StoredHour(kind: 0, hour: number)
      (hour.views, hour.staleShare) = (10, number == 7 ? seven : share)
      return hour
    }
  }

  /// Of 23 hours 10 % and of one 34 %: 11 % over the day.
  @Test func anHourThatStandsOutIsTold() throws {
    let worst = try #require(StalestHour(Self.hours(0.1, seven: 0.34), widgetDays: 100))
    #expect(worst.hour == 7 && worst.share == 0.34 && abs(worst.mean - 0.11) < 1e-12)
  }

  /// With 14 % in one hour the day has 10.17 %, whose standard error is 0.96 % of 1 000 views and 1.51 % of 400: 14 % lies
  /// 4.0 and 2.5 of them above.
  @Test(arguments: [(100.0, true), (40, false)]) func chanceIsNotTold(widgetDays: Double, isTold: Bool) {
    #expect((StalestHour(Self.hours(0.1, seven: 0.14), widgetDays: widgetDays) != nil) == isTold)
  }

  /// Hours with less than 400 views, shares below a hundredth, and less than a tenth above the mean say nothing.
  @Test func littleIsNotTold() {
    #expect(StalestHour(Self.hours(0.1, seven: 0.9), widgetDays: 39) == nil)
    #expect(StalestHour(Self.hours(0, seven: 0.009), widgetDays: 1e6) == nil)
    #expect(StalestHour(Self.hours(0.5, seven: 0.54), widgetDays: 1e6) == nil)
    #expect(StalestHour(Self.hours(nil, seven: nil), widgetDays: 1e6) == nil)
  }
}
