import Scenario
import SchemaCheck
import SimulationKernel
import Testing

@testable import ScenarioFiles

/// A plain value instead of a mapping stands for the most common key.
@Suite struct ShorthandTests {
  private static let kinds = [
    ("jitter: 5min", "jitter: {up_to: 5min}"), ("jitter: 5 minutes", "jitter: {up_to: 5min}"),
    ("cache: 30min", "cache: {ttl: 30min}"), ("cache: never-expires", "cache: {ttl: never-expires}"),
    ("taps: 3", "taps: {per_day: 3}"), ("on_error: 20min", "on_error: {after: 20min}"),
    ("attempts: 3", "attempts: {count: 3}"), ("entries: 4", "entries: {count: 4}"),
    ("when: [{days: sat, reload: 5min}]", "when: [{days: sat, reload: {after: 5min}}]"),
  ]
  private static let endpoints = [
    ("base_load: 900 rps", "base_load: {rate: 900/s}"), ("rate_limit: 9k/s", "rate_limit: {rate: 9k/s}"),
  ]

  private func kind(_ key: String) -> String {
    Samples.minimal.replacing("reload: {after: 15min}", with: "reload: {after: 15min}\n    \(key)")
  }

  private func endpoint(_ key: String) -> String { Samples.minimal + "backend: {endpoints: {api: {\(key)}}}\n" }

  private func expectSame(_ short: String, _ long: String) throws {
    let (short, long) = (Samples.read(short), Samples.read(long))
    #expect(short.scenario != nil, "\(short.diagnostics.humanText)")
    #expect(short.scenario == long.scenario)
    #expect(short.scenario?.resolvedText == long.scenario?.resolvedText)
  }

  @Test(arguments: kinds) func ofKinds(_ short: String, _ long: String) throws {
    try expectSame(kind(short), kind(long))
  }

  @Test(arguments: endpoints) func ofEndpoints(_ short: String, _ long: String) throws {
    try expectSame(endpoint(short), endpoint(long))
  }

  @Test func reloadShorthandsEqualLongForms() throws {
    try expectSame(
      Samples.minimal.replacing("{after: 15min}", with: "30min"), Samples.minimal.replacing("15min", with: "30min"))
  }

  @Test func fleetShorthandsEqualLongForms() throws {
    func fleet(_ key: String) -> String {
      Samples.minimal.replacing("  cohorts:", with: "  \(key)\n  cohorts:")
    }
    try expectSame(fleet("day_factor: 0.1"), fleet("day_factor: {sigma: 0.1}"))
  }

  @Test func schemaAcceptsShorthands() throws {
    let schema = ScenarioSchema()
    for entry in KeyTable.standard.entries where entry.shorthand != nil {
      let numbers = ["3", "0.3"]
      let values = (numbers + ["5min", "7 hours", "900 rps", "2.5k requests/s"]).filter { TreeCheck.takes($0, entry) }
      #expect(!values.isEmpty, "\(entry.path)")
      let check = try SchemaCheck(schema.value(of: entry).json())
      for value in values {
        #expect(try check.accepts(numbers.contains(value) ? value : "\"\(value)\""), "\(entry.path): \(value)")
      }
    }
  }

  /// A setting below a shorthand adds to it; one that replaces it is itself a shorthand.
  @Test(arguments: [
    ("cache: 30min", "kinds.weather.cache.scope=instance", "cache: {ttl: 30min, scope: instance}"),
    ("cache: 30min", "kinds.weather.cache.ttl=1h", "cache: {ttl: 1h}"),
    ("jitter: {up_to: 1min}", "kinds.weather.jitter=5min", "jitter: {up_to: 5min}"),
    ("jitter: 1min", "kinds.weather.jitter=none", "jitter: none"),
    ("taps: 3", "kinds.weather.taps.burst=2", "taps: {per_day: 3, burst: 2}"),
  ]) func settings(_ short: String, _ setting: String, _ long: String) {
    let outcome = Samples.read(kind(short), set: setting)
    #expect(outcome.scenario != nil, "\(outcome.diagnostics.humanText)")
    #expect(outcome.scenario == Samples.read(kind(long)).scenario)
  }

  @Test func secondSettingExtendsTheFirst() {
    let outcome = Samples.read(Samples.minimal, set: "kinds.weather.jitter=5min", "kinds.weather.jitter.per=device")
    #expect(outcome.scenario?.kinds[0].jitter == Jitter(upTo: .minutes(5), scope: .device))
  }

  @Test func sweepsVaryShorthandValues() {
    let vary = ["kinds.weather.jitter=5min,10 minutes", "kinds.weather.taps=1..5"]
    let outcome = SweepReader.read(
      text: Array(Samples.minimal.utf8), fileName: "a.yaml", settings: [],
      options: SweepOptions(vary: vary, method: .sobol, points: 2)
    ) { _, _ in [[0, 0], [1, 1]] }
    #expect(outcome.diagnostics.isEmpty, "\(outcome.diagnostics.humanText)")
    #expect(outcome.settings.map { $0.scenario.kinds[0].jitter?.upTo } == [.minutes(5), .minutes(10)])
    #expect(outcome.settings.map { $0.scenario.kinds[0].taps?.perDay } == [1, 5])
  }

  /// Rates written in one word have steps like those with a slash.
  @Test func rangesOfRatesMayBeOneWord() {
    let outcome = SweepReader.read(
      text: Array(endpoint("capacity: 3k/s").utf8), fileName: "a.yaml", settings: [],
      options: SweepOptions(vary: ["backend.endpoints.api.capacity=2000rps..4000rps"], method: .sobol, points: 3)
    ) { _, _ in [[0], [0.5], [1]] }
    #expect(outcome.diagnostics.isEmpty, "\(outcome.diagnostics.humanText)")
    #expect(outcome.settings.map { $0.scenario.endpoints.first?.capacity } == [2_000, 3_000, 4_000])
  }

  /// A mistake in a shorthand is reported for the key as written.
  @Test(arguments: [
    ("jitter: 5m", "'jitter' has the unknown unit 'm'", "write 5min"),
    ("taps: -3", "'taps' cannot be negative", "negative values are not allowed"),
    ("cache: 30", "'cache' is a duration and needs a unit", "write 30s, 30min or 30h"),
    ("attempts: 17", "'attempts' must be at most 16", "write 16"),
  ]) func badInput(_ short: String, _ sentence: String, _ help: String) {
    let diagnostics = Samples.read(kind(short)).diagnostics
    #expect(diagnostics.map(\.sentence) == [sentence])
    #expect(diagnostics.first?.help?.hasPrefix(help) == true, "\(diagnostics.humanText)")
  }

  /// A rate without a period, with an unknown one, and with one in the wrong case.
  @Test(arguments: [
    ("capacity: 3k", "'capacity' is a rate and needs a unit", "write 3k/s; units: /s, /min, /h, /day"),
    ("capacity: 3k/fortnight", "'capacity' has the unknown unit 'k/fortnight'", "write it like 7k/s; units: /s, "),
    ("capacity: 3k per moon", "'capacity' has the unknown unit 'k per moon'", "write it like 7k/s; units: /s, "),
    ("capacity: 3K/S", "'capacity' has the unknown unit 'K/S'", "write 3k/s"),
  ]) func badRates(_ written: String, _ sentence: String, _ help: String) {
    let diagnostics = Samples.read(endpoint(written)).diagnostics
    #expect(diagnostics.map(\.sentence) == [sentence])
    #expect(diagnostics.first?.help?.hasPrefix(help) == true, "\(diagnostics.humanText)")
  }
}
