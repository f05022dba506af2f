import Scenario
import Testing

@testable import ScenarioFiles

/// Peaks of shared dates, and samples that cannot show them.
@Suite struct LoadLintTests {
  private static let base = [
    "os.idle=none", "os.budget={capacity: 50/day}", "fleet.devices=900k", "kinds.weather.requests=[{endpoint: api}]",
  ]

  private func lints(_ settings: [String]) throws -> [Lint] {
    let outcome = ScenarioReader.read(
      text: Array(Samples.minimal.utf8), fileName: "a.yaml",
      settings: (LoadLintTests.base + settings).map { SetArgument($0) })
    _ = try #require(outcome.scenario, "\(outcome.diagnostics.humanText)")
    return outcome.lints
  }

  private func numbers(_ rule: Code, _ settings: String...) throws -> [String: Double] {
    let lint = try #require(try lints(settings).first { $0.rule == rule }, "\(rule) does not fire")
    return Dictionary(uniqueKeysWithValues: lint.numbers.map { ($0.name, $0.value) })
  }

  private func rules(_ settings: String...) throws -> [Code] { try lints(settings).map(\.rule) }

  private static let midnight = "kinds.weather.reload.after={at: \"00:00\", zone: local}"

  /// N / W: 900 000 within 15 min are 1 000/s, within a minute 15 000/s.
  @Test func thePlateau() throws {
    let found = try numbers(.alignedDates, LoadLintTests.midnight)
    #expect(abs(try #require(found["plateau"]) - 1_000) < 1e-6)
    #expect(found["prompt"] == 15_000)
    #expect(found["widgets"] == 900_000)
    #expect(found["capacity"] == nil)
  }

  @Test func zonesWithOneClock() throws {
    let zones =
      "fleet.cohorts.all.zones={Europe/Berlin: 30%, Europe/Paris: 15%, Asia/Tokyo: 40%, Asia/Kolkata: 15%}"
    #expect(try numbers(.alignedDates, LoadLintTests.midnight, zones)["widgets"] == 405_000)
    // Full hours are full hours in Berlin and Tokyo, and half past in Kolkata.
    let local = "kinds.weather.reload.after={every: 1h, zone: local}"
    let widgets = try #require(try numbers(.alignedDates, local, zones)["widgets"])
    #expect(abs(widgets - 765_000) < 1e-6)
    #expect(
      try numbers(.alignedDates, "kinds.weather.reload.after={at: \"00:00\", zone: UTC}", zones)["widgets"] == 900_000)
  }

  @Test func phonesInUseAreSooner() throws {
    // 144 unlocks of 60 s are a tenth of the day: 90 % over 15 min, 10 % over 1 min.
    let people = "fleet.cohorts.all.person={unlocks_per_day: 144, session: 60s, hours: flat}"
    let plateau = try #require(try numbers(.alignedDates, LoadLintTests.midnight, people)["plateau"])
    #expect(abs(plateau - (810_000.0 / 900 + 90_000.0 / 60)) < 1e-6)
  }

  @Test func requestsOfARunAddUp() throws {
    let requests = "kinds.weather.requests=[{endpoint: a}, {endpoint: b, count: 6}, {endpoint: a, count: 2}]"
    #expect(abs(try #require(try numbers(.alignedDates, LoadLintTests.midnight, requests)["plateau"]) - 6_000) < 1e-6)
    // Where one has a capacity, it is the one that suffers.
    let capacity = "backend.endpoints.a={capacity: 2k/s}"
    let found = try numbers(.alignedDates, LoadLintTests.midnight, requests, capacity)
    #expect(abs(try #require(found["plateau"]) - 3_000) < 1e-6)
    #expect(found["capacity"] == 2_000)
  }

  @Test func whatIsSpreadIsNotBlamed() throws {
    #expect(try rules(LoadLintTests.midnight, "kinds.weather.jitter.up_to=10min") == [])
    #expect(try rules(LoadLintTests.midnight, "fleet.devices=50") == [])
    #expect(try rules(LoadLintTests.midnight, "kinds.weather.cache={ttl: 2d}") == [])
    #expect(
      try rules("kinds.weather.reload.after={every: 1h}", "os.start_delay.policy={uniform: 0s..1h}") == [])
    #expect(try rules("kinds.weather.reload.after=1h") == [])
    #expect(try rules(LoadLintTests.midnight, "kinds.weather.requests=[]") == [])
  }

  private static let hourly = "kinds.weather.reload.after={every: 1h}"

  /// What the warning about aligned dates advises, whole.
  private func help(_ settings: String...) throws -> String? {
    let outcome = ScenarioReader.read(
      text: Array(Samples.minimal.utf8), fileName: "a.yaml",
      settings: (LoadLintTests.base + settings).map { SetArgument($0) })
    return outcome.warnings.first { $0.code == .alignedDates }?.advice?.text
  }

  /// 900 000 an hour are 250/s in the mean; over J seconds 900 000 / J. 5.5 standard deviations of a second's requests
  /// are left for chance.
  @Test func aJitterIsBlamedUntilItFits() throws {
    let (capacity, jitter) = ("backend.endpoints.api.capacity=550/s", "kinds.weather.jitter.up_to")
    #expect(
      try help(LoadLintTests.hourly, capacity)?.hasPrefix("write \(jitter): 45min; that makes it about 333 ") == true)
    #expect(
      try help(LoadLintTests.hourly, capacity, "\(jitter)=20min")?.hasPrefix("write \(jitter): 45min;") == true)
    // 500 + 5.5 x 22.4 = 623.
    #expect(try help(LoadLintTests.hourly, capacity, "kinds.weather.jitter.up_to=45min") == nil)
    let enough = "backend.endpoints.api.capacity=630/s"
    #expect(
      try help(LoadLintTests.hourly, enough)?.hasPrefix("write \(jitter): 30min; that makes it about 500 ") == true)
  }

  /// The base load at the time of the herd counts: 400/s at 07:30, 302.5/s at 07:15, and 10/s from 08:30 to 06:30.
  @Test func theBaseLoadOfTheHourCounts() throws {
    let base = Array(repeating: "1", count: 24).enumerated().map { $0.offset == 7 ? "40" : $0.element }
    let hours =
      "backend.endpoints.api.base_load={rate: 26.25/s, zone: Europe/Berlin, hours: [\(base.joined(separator: ", "))]}"
    let capacity = "backend.endpoints.api.capacity=700/s"
    let jitter = "kinds.weather.jitter.up_to=1h"
    // The base load is 10/s at 6:30, 400/s at 7:30 and linear between: 302.5/s at 7:15, where 1 000/s of 07:00 end.
    // Over an hour they are 250/s, beside 205/s at eight, or 302.5/s at 7:15, at most.
    let early = try numbers(.alignedDates, "kinds.weather.reload.after={at: \"07:00\"}", hours, capacity)
    let servers = try #require(early["servers"])
    #expect(abs(servers - 1_302.5) < 1)
    #expect(try rules("kinds.weather.reload.after={at: \"08:00\"}", hours, capacity, jitter) == [])
    #expect(try rules("kinds.weather.reload.after={at: \"06:15\"}", hours, capacity, jitter) == [])
  }

  /// Several kinds at one date add up, and a jitter for one of them does not help.
  @Test func kindsAddUp() throws {
    let other = "kinds.news={reload: {after: {every: 1h}}, requests: [{endpoint: api}]}"
    let widgets = "fleet.cohorts.all.widgets=[{kind: weather}, {kind: news}]"
    let capacity = "backend.endpoints.api.capacity=700/s"
    let found = try #require(try help(LoadLintTests.hourly, other, widgets, capacity))
    #expect(
      found.hasPrefix("write kinds.weather.jitter.up_to: 1h and kinds.news.jitter.up_to: 1h; that makes it about 500 "),
      "\(found)")
  }

  /// Of 300 keys a CDN asks for each once per ttl at most, however many phones ask.
  @Test func whatACDNAnswersDoesNotCount() throws {
    let cdn = "backend.endpoints.api.cdn={keys: 300, ttl: 1min, collapsing: true}"
    #expect(try help(LoadLintTests.hourly, cdn, "backend.endpoints.api.capacity=500/s") == nil)
    let found = try numbers(.alignedDates, LoadLintTests.hourly, cdn, "backend.endpoints.api.capacity=200/s")
    #expect(try #require(found["servers"]) <= 300)
  }

  @Test func noJitterSuffices() throws {
    let base = "backend.endpoints.api.base_load={rate: 400/s, zone: UTC, hours: flat}"
    let capacity = "backend.endpoints.api.capacity=600/s"
    let found = try #require(try help(LoadLintTests.hourly, base, capacity))
    #expect(found.hasPrefix("write kinds.weather.reload.after.every: 2h and kinds.weather.jitter.up_to: "), "\(found)")
    #expect(
      found.contains(
        "; no jitter suffices alone: a mean of 250 requests/s and the base load of then, 400/s, exceed 600 "))
    let mean = try numbers(.meanBeyondCapacity, LoadLintTests.hourly, base, capacity)
    #expect(abs(try #require(mean["mean"]) - 250) < 1e-6)
    #expect(try rules(LoadLintTests.hourly, capacity, "kinds.weather.jitter.up_to=1h") == [])
  }

  /// 900 000 widgets every 67.5 min: 222/s, three times that at the peak; 90 devices send 240 in an hour, each by itself.
  @Test func theSampleIsTooSmall() throws {
    let found = try numbers(.sampleTooSmall, "kinds.weather.reload.after=1h", "run.simulate=90")
    let count = 3 * 900_000 / 4_050 * 90 / 900_000 * 3_600.0
    #expect(abs(try #require(found["count"]) - count) < 1e-6)
    #expect(abs(try #require(found["error"]) - 2 * 1.96 / count.squareRoot()) < 1e-9)
    #expect(try rules("kinds.weather.reload.after=1h", "run.simulate=900") == [])
    #expect(try rules("kinds.weather.reload.after=1h") == [])
  }

  /// Lisbon and, by an hour, Berlin live by about the hours of UTC, New York 5 h from them. What the help writes ends it.
  @Test(
    arguments: [
      ("{Europe/Lisbon: 1%, America/New_York: 99%}", "30/s", false), ("{Europe/Berlin: 100%}", "30/s", false),
      ("{America/New_York: 60%, America/Chicago: 40%}", "30/s", true),
      ("{America/New_York: 100%}", "{rate: 30/s, hours: flat}", false),
      ("{America/New_York: 100%}", "{rate: 30/s, zone: America/New_York}", false),
    ])
  func baseLoadsByTheHoursOfUTC(zones: String, load: String, isOdd: Bool) throws {
    let settings = ["fleet.cohorts.all.zones=\(zones)", "backend.endpoints.api={capacity: 5k/s, base_load: \(load)}"]
    let found = try lints(settings).first { $0.rule == .baseLoadElsewhere }
    #expect((found != nil) == isOdd)
    guard let found else { return }
    #expect(found.numbers.first { $0.name == "nearest" }?.value == 18_000.0)
    let mend = try #require(found.mend)
    #expect(try !lints(settings + ["\(mend.path)=\(mend.value)"]).contains { $0.rule == .baseLoadElsewhere })
  }
}
