import Scenario
import SimulationKernel
import Studies
import Testing

@testable import FleetReports

/// The page's sections on requested refreshes, on hours of the day, and on the time from push to screen.
struct FollowedSectionTests {
  private static let day = 86_400.0

  /// Returns a kind's day: requested, lost and completed refreshes.
  private static func asked(_ perDay: [AskedRow: Double], kind: Int = 0, widgets: Double = 1_000) -> StoredAsked {
    StoredAsked(kind: kind, perDay: AskedRow.allCases.map { perDay[$0] ?? 0 }, seconds: widgets * day)
  }

  private static func content(asked: [StoredAsked] = [], hours: [StoredHour] = []) -> ReportContent {
    var content = ExampleReport().report.content
    let kinds = content.run.scenario.kinds
    let rows = asked.flatMap { asked in
      AskedRow.allCases.map { row in
        let labels = Labels().with(\.kind, kinds[asked.kind].name).with(\.reason, row.reason)
        return SummaryRow(.askedPerDay, labels, .mean, replications: [asked[row].map { .real($0) }])
      }
    }
    content.summary = Summary(rows: content.summary.rows + rows)
    content.run.asked = asked
    content.run.hours = hours
    return content
  }

  private static func hours(kind: Int = 0, _ change: (inout StoredHour) -> Void) -> [StoredHour] {
    (0..<24).map { hour in
      var row = StoredHour(kind: kind, hour: hour)
      (row.refreshes, row.views, row.dataAge, row.lowBalance, row.balance) = (2, 3, 600, 20, 30)
      change(&row)
      return row
    }
  }

  // MARK: Requested and run

  @Test func theFirstSentenceIsTheAnswer() throws {
    let asked = Self.asked([
      .asks: 96, .part(.idle): 22.1, .part(.startDelay): 12.3, .policy: 61.6, .other: 3.4,
    ])
    let section = try #require(askedSection(of: Self.content(asked: [asked])))
    for claim in ["requests 96 refreshes", "61.6 run; most of the rest are lost to idle phones (22.1)", "3.40 more"] {
      #expect(section.answer.contains(claim))
    }
    #expect(section.figures.count == 1)
  }

  /// A loss of less than half is not called 'most', and a loss of 0 gets no sentence.
  @Test func smallLargestLossIsNotCalledMost() throws {
    let several = Self.asked([
      .asks: 96, .part(.idle): 14, .part(.startDelay): 12, .part(.budget): 10, .policy: 60,
    ])
    let section = try #require(askedSection(of: Self.content(asked: [several])))
    #expect(section.answer.contains("the largest loss is due to idle phones (14)."))
    let whole = Self.asked([.asks: 24, .part(.startDelay): 3, .part(.caughtUp): -3, .policy: 24])
    #expect(try #require(askedSection(of: Self.content(asked: [whole]))).answer.contains("requests 24 refreshes"))
  }

  /// Without any policy request, or without followed widgets, there is no section.
  @Test func sectionIsOmittedWithoutFigures() {
    #expect(askedSection(of: Self.content()) == nil)
    let unknown = StoredAsked(kind: 0, perDay: AskedRow.allCases.map { _ in nil }, seconds: Self.day)
    #expect(askedSection(of: Self.content(asked: [unknown])) == nil)
    #expect(hoursSection(of: Self.content(asked: [unknown])) == nil)
    #expect(pushSection(of: Self.content()) == nil)
  }

  /// Each bar of a waterfall starts where the previous one ends, down to the runs.
  @Test func waterfallBarsConnect() {
    var second = BarRow("b", -4, "-4", style: "ghost")
    second.parts = [(10, 6, "ghost")]
    var buffer = TextBuffer()
    for shape in Chart.bars([BarRow("a", 10, "10"), second]).draw(.wide) { shape.write(to: &buffer) }
    let text = String(decoding: buffer.bytes, as: UTF8.self)
    #expect(text.contains("class=\"bar\" x=\"4\" y=\"23\" width=\"952\""))
    #expect(text.contains("class=\"ghost\" x=\"575.2\" y=\"61\" width=\"380.8\""))
  }

  // MARK: Hours

  @Test func evenDaysReportNoStaleHours() throws {
    let hours = Self.hours { _ in }
    let section = try #require(hoursSection(of: Self.content(asked: [Self.asked([:])], hours: hours)))
    #expect(!section.answer.contains("stale"))
  }

  @Test func staleHoursAreNamed() throws {
    let hours = Self.hours { row in
      row.staleShare = row.hour == 19 ? 0.12 : 0.02
      if row.hour == 4 { row.refreshes = 0.5 }
      if row.hour == 18 { row.refreshes = 5 }
      if row.hour == 23 { (row.lowBalance, row.balance) = (0.4, 6) }
    }
    let section = try #require(hoursSection(of: Self.content(asked: [Self.asked([:])], hours: hours)))
    for claim in ["21\u{A0}% of the day's stale views come between 19:00 and 20:00", "12\u{A0}%, in that hour"] {
      #expect(section.answer.contains(claim))
    }
  }

  /// With few views, the hour may be due to chance.
  @Test(arguments: [(100.0, false), (100_000.0, true)])
  func staleHoursBeyondChance(widgets: Double, isEstimated: Bool) throws {
    let hours = Self.hours { $0.staleShare = $0.hour == 19 ? 0.024 : 0.02 }
    let content = Self.content(asked: [Self.asked([:], widgets: widgets)], hours: hours)
    #expect(try #require(hoursSection(of: content)).answer.contains("share of stale views") == isEstimated)
  }

  /// Ticks are round on both sides of 0.
  @Test func roundTicksBelowZero() {
    let values = [-0.09, 70, nil, 5] + Array(repeating: nil, count: 20)
    let chart = Chart.hours([("k", "series-0", values)], unit: "refreshes")
    var buffer = TextBuffer()
    for shape in chart.draw(.wide) { shape.write(to: &buffer) }
    let text = String(decoding: buffer.bytes, as: UTF8.self)
    for tick in ["−20", "0", "20", "40", "60", "80"] { #expect(text.contains(">\(tick)</text>"), "\(tick)") }
    // Unknown values leave a gap.
    #expect(text.contains("class=\"curve series-0\" d=\"M") && text.split(separator: "M").count >= 3)
  }

  /// A clock of only a few hours has no whole day.
  @Test func clockOfAFewHoursHasNoHoursSection() {
    let hours = Self.hours { if $0.hour == 5 { $0.refreshes = nil } }
    #expect(hoursSection(of: Self.content(asked: [Self.asked([:])], hours: hours)) == nil)
  }

  // MARK: Pushes

  private static func pushes(_ values: [(Statistic, Double?)]) -> Summary {
    Summary(
      rows: values.map { SummaryRow(.pushToView, Labels(), $0.0, replications: [$0.1.map { .real($0) }]) })
  }

  @Test func pushSentences() {
    let known = Self.pushes([(.p50, 840), (.p95, 7_200), (.share, 0.97)])
    let answer = pushAnswer(known, 0.97)
    for figure in ["14\u{A0}min", "95\u{A0}% within 2\u{A0}h", "3\u{A0}% do not"] { #expect(answer.contains(figure)) }
    let rare = Self.pushes([(.p50, nil), (.p95, nil), (.share, 0.3)])
    #expect(pushAnswer(rare, 0.3).hasPrefix("30\u{A0}% of the phones"))
    let sure = Self.pushes([(.p50, 60), (.p95, nil), (.share, 1)])
    #expect(pushAnswer(sure, 1).hasSuffix("within 60\u{A0}s."))
  }

  /// 90 % after 45 min and 1 s, for a push in January, from the start of the clock and from 21:30 on several clocks.
  @Test(arguments: clocks) func seenTimeUsesTheFleetsClock(_ timing: EventTiming, _ time: String) throws {
    let seen = try #require(SeenText.all(Self.seen(timing, p90: 2_701, share: 0.97)).first)
    #expect(
      seen.sentence == "90\u{A0}% of the phones have seen 'goal' by \(time), 45\u{A0}min after its start.")
    var buffer = TextBuffer()
    for tile in keyFigures(of: Self.seen(timing, p90: 2_701, share: 0.97)) { tile.write(to: &buffer) }
    let tiles = String(decoding: buffer.bytes, as: UTF8.self).replacing("&#39;", with: "'")
    #expect(tiles.contains("after 'goal' starts, by \(time)"), "\(tiles)")
  }

  private static let clocks: [(EventTiming, String)] = [
    (.once(.start + .minutes(1_230)), "22:16 in Berlin"),
    (.once(.start + .seconds(73_799)), "22:15 in Berlin"),
    (daily(1_290, .local), "22:16 local time"),
    (daily(1_400, .named("America/New_York")), "00:06 in New York the next day"),
    (daily(0, .named("UTC")), "00:46\u{A0}UTC"),
  ]

  private static func daily(_ minutes: Int64, _ zone: ZoneChoice) -> EventTiming {
    .daily(TimeOfDay(sinceMidnight: .minutes(minutes)), zone)
  }

  /// Too few see it, it reached no phone, or phones have their own times.
  @Test func fewViewersGiveNoSeenSentence() throws {
    let few = try #require(SeenText.all(Self.seen(.once(.start), p90: nil, share: 0.83)).first)
    #expect(few.sentence == "Fewer than 90\u{A0}% of the phones see 'goal' within the measured period: 83\u{A0}%.")
    let nobody = try #require(SeenText.all(Self.seen(.once(.start), p90: nil, share: nil)).first)
    #expect(nobody.sentence.isEmpty && nobody.maximum == nil)
    #expect(SeenText.all(Self.seen(.perDevicePerDay(1), p90: 60, share: 1)).isEmpty)
  }

  /// Returns a report with one push event, for a fleet in Berlin, an hour ahead of UTC.
  private static func seen(_ timing: EventTiming, p90: Double?, share: Double?) -> ReportContent {
    var content = content()
    content.run.scenario.events = [Event(name: "goal", timing: timing, action: .push(Push()))]
    let table = ZoneTable(name: "Europe/Berlin", segments: [.init(from: .longAgo, offset: .hours(1))])
    content.zones = [FleetZone(table: table, share: 1)]
    let labels = Labels().with(\.event, "goal")
    let figures: [(Statistic, Double?)] = [(.p90, p90), (.share, share)]
    content.summary = Summary(
      rows: content.summary.rows
        + figures.map { SummaryRow(.eventToView, labels, $0.0, replications: [$0.1.map { .real($0) }]) })
    return content
  }
}
