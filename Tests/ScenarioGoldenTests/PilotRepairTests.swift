import Scenario
import ScenarioFiles
import Studies
import Testing

/// The advice of WF404 and WF414: values for certain keys, with which the scenario is read again without either
/// warning.
@Suite struct PilotRepairTests {
  /// Kinds and servers: 1 M phones, each kind with one request per hour, 278 requests/s on average.
  private static let cases: [(name: String, kinds: String, server: String)] = [
    ("a jitter", "weather: {reload: {after: {every: 1h}}, KIND}", "capacity: 550/s"),
    ("a longer jitter", "weather: {reload: {after: {every: 1h}}, jitter: 5min, KIND}", "capacity: 550/s"),
    ("no capacity", "weather: {reload: {after: {at: \"07:00\"}}, KIND}", ""),
    (
      "two kinds", "weather: {reload: {after: {every: 1h}}, KIND}, news: {reload: {after: {every: 1h}}, KIND}",
      "capacity: 900/s"
    ),
    ("a longer interval, short form", "weather: {reload: 30min, KIND}", "capacity: 300/s"),
    ("a longer interval and a jitter", "weather: {reload: {after: {every: 30min}}, KIND}", "capacity: 300/s"),
    (
      "its zone", "weather: {reload: {after: {every: 30min, zone: Europe/Berlin}}, KIND}",
      "capacity: 500/s, base_load: {rate: 200/s, zone: UTC, hours: flat}"
    ),
    ("no constant interval", "weather: {reload: {after: {uniform: 10min..20min}}, KIND}", "capacity: 99/s"),
  ]

  private func sample(_ name: String) throws -> PilotSample {
    let sample = try #require(Self.cases.first { $0.name == name })
    let kinds = sample.kinds.replacing("KIND", with: "requests: [{endpoint: api}]")
    let widgets = sample.kinds.contains("news") ? "[{kind: weather}, {kind: news}]" : "[{kind: weather}]"
    return PilotSample(
      text: """
        schema: widgetfleet/v1
        name: sample
        clock: {start: 2027-01-18T00:00:00Z}
        kinds: {\(kinds)}
        fleet:
          devices: 1M
          cohorts:
            - {name: all, zones: {Europe/Berlin: 100%}, network: wifi, widgets: \(widgets)}
        os: {idle: none, budget: {model: off}}
        backend: {endpoints: {api: {\(sample.server)}}}

        """)
  }

  @Test(arguments: PilotRepairTests.cases.map(\.name)) func adviceClearsTheLint(name: String) throws {
    let sample = try sample(name)
    let found = try sample.lints()
    #expect(!found.isEmpty)
    for lint in found {
      // Without a single interval there is nothing to write.
      #expect(lint.repairs.isEmpty == (name == "no constant interval"), "\(lint.help)")
      guard !lint.repairs.isEmpty else { continue }
      let left = try sample.repaired(lint).lints()
      #expect(left == [], "\(lint.repairs)")
    }
  }

  /// A warning's location in the file, its note and its help.
  @Test func warningHasALocation() throws {
    let warning = try #require(try sample("a jitter").outcome().warnings.first { $0.code == .alignedDates })
    #expect(warning.line == 4 && warning.note == "capacity 550 requests/s: too little", "\(warning.humanText)")
    #expect(warning.advice?.repairs.count == 1)
    #expect(warning.advice?.text.hasPrefix("write kinds.weather.jitter.up_to: ") == true, "\(warning.humanText)")
  }
}
