import Scenario
import ScenarioFiles
import Studies
import Testing

/// Dates that make phones send together, and mean loads above capacity, in pilot runs of 300 phones (MODEL.md 8.5, 9).
///
/// The mean of r requests on a plateau has the standard error 1 / sqrt(r): 2 % for a day of 24 herds of 300 phones, 6 %
/// for a single herd. The tolerance is three of these, plus rounding.
@Suite struct PilotLintTests {
  private static let midnight = "kinds.weather.reload.after={at: \"00:00\", zone: local}"
  private static let hourly = "kinds.weather.reload.after={every: 1h}"
  private static let jitter = "kinds.weather.jitter.up_to"
  private static let once = 0.2
  private static let often = 0.06

  private func lints(_ settings: String...) throws -> [Lint] { try PilotSample.minimal(settings).lints() }

  private func lint(_ rule: Code, _ settings: String...) throws -> Lint { try PilotSample.minimal(settings).lint(rule) }

  private func expect(_ value: Double, _ truth: Double, within share: Double, _ words: String = "") {
    #expect((value / truth - 1).magnitude < share, "\(value) for \(truth) \(words)")
  }

  /// N / W: 900 000 within 15 min are 1 000/s, within a minute 15 000/s.
  @Test func thePlateau() throws {
    let once = try lint(.alignedDates, Self.midnight)
    expect(once.number("plateau"), 1_000, within: Self.once)
    expect(once.number("prompt"), 15_000, within: Self.once)
    #expect(once.number("widgets") == 900_000 && !once.numbers.contains { $0.name == "capacity" })
    let hourly = try lint(.alignedDates, Self.hourly)
    expect(hourly.number("plateau"), 1_000, within: Self.often)
    // Half is the system's own, so twice its 15 min.
    #expect(once.jitter == 30 && hourly.jitter == 30, "\(once.help) \(hourly.help)")
  }

  /// Three hourly entries on the clock last two hours: half of the widgets are due at each full hour, 500/s.
  @Test func alignedEntriesHaveSharedDates() throws {
    let entries = { (align: String) in "kinds.weather.entries={count: 3, every: 1h, align: \(align)}" }
    let found = try lint(.alignedDates, "kinds.weather.reload=at-end", entries("wall"))
    expect(found.number("plateau"), 500, within: Self.once)
    #expect(found.number("widgets") == 450_000 && found.sentence.contains("at each multiple of 1h"), "\(found)")
    #expect(try lints("kinds.weather.reload=at-end", entries("run")).isEmpty)
  }

  /// Without a queue limit, requests above the capacity wait until they time out.
  @Test(arguments: [("", true), (", queue: 5k", false)]) func missingQueueIsNamed(_ queue: String, isNamed: Bool) throws
  {
    let found = try lint(.alignedDates, Self.hourly, "backend.endpoints.api={capacity: 800/s\(queue)}")
    #expect(found.help.contains("no queue is set (backend.endpoints.api.queue)") == isNamed, "\(found.help)")
  }

  /// Full hours coincide in Berlin and Tokyo, but fall at half past in Kolkata.
  @Test func zonesWithOneClock() throws {
    let zones = "fleet.cohorts.all.zones={Europe/Berlin: 30%, Europe/Paris: 15%, Asia/Tokyo: 40%, Asia/Kolkata: 15%}"
    let local = try lint(.alignedDates, "kinds.weather.reload.after={every: 1h, zone: local}", zones)
    expect(local.number("plateau"), 850, within: Self.often)
    let one = try lint(.alignedDates, "kinds.weather.reload.after={at: \"00:00\", zone: UTC}", zones)
    expect(one.number("plateau"), 1_000, within: Self.once)
  }

  @Test func requestsOfARunAddUp() throws {
    let requests = "kinds.weather.requests=[{endpoint: a}, {endpoint: b, count: 6}, {endpoint: a, count: 2}]"
    expect(try lint(.alignedDates, Self.hourly, requests).number("plateau"), 6_000, within: Self.often)
    // The endpoint with a capacity is the one affected.
    let found = try lint(.alignedDates, Self.hourly, requests, "backend.endpoints.a={capacity: 2k/s}")
    expect(found.number("plateau"), 3_000, within: Self.often)
    #expect(found.number("capacity") == 2_000)
  }

  @Test(arguments: [
    [midnight, "\(jitter)=10min"], [midnight, "fleet.devices=50"], [midnight, "kinds.weather.cache={ttl: 2d}"],
    [hourly, "os.start_delay.policy={uniform: 0s..1h}"], ["kinds.weather.reload.after=1h"],
    [midnight, "kinds.weather.requests=[]"], [hourly, "backend.endpoints.api.capacity=20k/s"],
  ]) func spreadLoadIsNotReported(_ settings: [String]) throws {
    #expect(try PilotSample.minimal(settings).lints().map(\.rule) == [], "\(settings)")
  }

  /// 900 000 an hour are 250/s on average and, over J seconds, 900 000 / J. With 4.5 standard deviations of a second's
  /// requests, this is 415/s over 45 min and 600/s over 30 min.
  @Test func jitterIsReportedUntilItFits() throws {
    let capacity = "backend.endpoints.api.capacity=550/s"
    #expect(try lint(.alignedDates, Self.hourly, capacity).jitter == 45)
    #expect(try lint(.alignedDates, Self.hourly, capacity, "\(Self.jitter)=20min").jitter == 45)
    #expect(try lints(Self.hourly, capacity, "\(Self.jitter)=45min") == [])
    #expect(try lint(.alignedDates, Self.hourly, "backend.endpoints.api.capacity=700/s").jitter == 30)
  }

  /// What counts is the base load at the time of the herd: 400/s at 07:30, 302.5/s at 07:15, and 10/s from 08:30 to
  /// 06:30.
  @Test func baseLoadAtTheHerdHourCounts() throws {
    let base = Array(repeating: "1", count: 24).enumerated().map { $0.offset == 7 ? "40" : $0.element }
    let hours =
      "backend.endpoints.api.base_load={rate: 26.25/s, zone: Europe/Berlin, hours: [\(base.joined(separator: ", "))]}"
    let capacity = "backend.endpoints.api.capacity=750/s"
    // Over an hour it is 250/s, in addition to 300/s at seven and 690/s at eight.
    let early = try lint(.alignedDates, "kinds.weather.reload.after={at: \"07:00\"}", hours, capacity)
    expect(early.number("servers"), 1_302.5, within: Self.once)
    for time in ["08:00", "06:00"] {
      #expect(
        try lints("kinds.weather.reload.after={at: \"\(time)\"}", hours, capacity, "\(Self.jitter)=1h") == [], "\(time)"
      )
    }
  }

  /// Several kinds at the same date add up, and a jitter for one of them does not help.
  @Test func kindsAddUp() throws {
    let other = "kinds.news={reload: {after: {every: 1h}}, requests: [{endpoint: api}]}"
    let widgets = "fleet.cohorts.all.widgets=[{kind: weather}, {kind: news}]"
    let sample = PilotSample.minimal([Self.hourly, other, widgets, "backend.endpoints.api.capacity=800/s"])
    let found = try sample.lint(.alignedDates)
    #expect(found.repairs.map(\.path) == ["kinds.weather.jitter.up_to", "kinds.news.jitter.up_to"], "\(found.help)")
    #expect(try sample.repaired(found).lints() == [])
  }

  /// A CDN fetches each of 300 keys at most once per ttl, however many phones there are.
  @Test func requestsServedByACDNDoNotCount() throws {
    let cdn = "backend.endpoints.api.cdn={keys: 300, ttl: 1min, collapsing: true}"
    #expect(try lints(Self.hourly, cdn, "backend.endpoints.api.capacity=500/s") == [])
    let found = try lint(.alignedDates, Self.hourly, cdn, "backend.endpoints.api.capacity=200/s")
    #expect(found.number("servers") <= 300)
  }

  /// The mean of 250/s and the 400/s of others exceed 600/s, whatever the spread.
  @Test func noJitterSuffices() throws {
    let base = "backend.endpoints.api.base_load={rate: 400/s, zone: UTC, hours: flat}"
    let capacity = "backend.endpoints.api.capacity=600/s"
    let found = try lint(.alignedDates, Self.hourly, base, capacity)
    #expect(found.repairs.first?.path == "kinds.weather.reload.after.every", "\(found.help)")
    #expect(found.help.hasPrefix("no jitter suffices by itself: a mean of "), "\(found.help)")
    let mean = try lint(.meanBeyondCapacity, Self.hourly, base, capacity)
    // A late phone skips its date, so an hour of jitter does not spread it quite evenly.
    expect(mean.number("mean"), 250, within: Self.once)
    #expect(mean.number("base") == 400)
    #expect(try lints(Self.hourly, capacity, "\(Self.jitter)=1h") == [])
  }

  /// Scenarios whose lints name loads.
  private static let cases = [
    [hourly], [hourly, "backend.endpoints.api.capacity=2k/s"],
    // All at the same instant: the load of a second, not of a step.
    [hourly, "fleet.devices=20k", "os.start_delay={policy: 0s, in_use: 0s}", "backend.endpoints.api.capacity=100/s"],
    [hourly, "\(jitter)=5min", "backend.endpoints.api.capacity=1k/s"],
    [hourly, "backend.endpoints.api={capacity: 100/s, cdn: {ttl: 10min, keys: 20k, collapsing: true}}"],
    ["kinds.weather.reload.after=1h", "backend.endpoints.api.capacity=100/s"],
  ]

  /// A capacity is per second, so a lint's advice must not depend on the simulation's time step.
  @Test(arguments: cases) func theStepChangesNoLint(_ settings: [String]) throws {
    let expected = try PilotSample.minimal(settings).lints()
    #expect(!expected.isEmpty, "\(settings)")
    for step in ["100ms", "10s"] {
      #expect(try PilotSample.minimal(settings + ["clock.step=\(step)"]).lints() == expected, "\(step)")
    }
  }

  /// Phones that never rest are too much for a pilot run, so there is no lint, and no delay.
  @Test func extremelyActivePhonesSkipThePilot() throws {
    let settings = ["kinds.weather.reload.after=1s", "os.min_spacing=0s", "os.start_delay={policy: 0s, in_use: 0s}"]
    #expect(
      try lints(settings[0], settings[1], settings[2], "os.budget.model=off", "backend.endpoints.api.capacity=1/s")
        == [])
  }

  /// Counted from Friday evening, the date is on the third day, Monday in New York.
  @Test func pilotCoversTheDayWithTheDate() throws {
    let date = "kinds.weather.reload.after={at: \"09:30\", zone: America/New_York, days: mon-fri}"
    let clock = "clock={start: 2027-01-22T22:00:00Z, warmup: 1d, duration: 3d}"
    expect(try lint(.alignedDates, date, clock).number("plateau"), 1_000, within: Self.once)
  }
}
