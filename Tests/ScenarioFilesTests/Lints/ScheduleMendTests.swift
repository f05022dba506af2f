import Scenario
import Testing

@testable import ScenarioFiles

/// What WF404 and WF414 advise: values at their places, with which the scenario is read again and neither is left.
@Suite struct ScheduleMendTests {
  /// Kinds and servers: 1 M phones, 278 requests/s each kind in the mean where it asks once an hour.
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

  private func file(_ name: String) throws -> Mending {
    let sample = try #require(Self.cases.first { $0.name == name })
    let kinds = sample.kinds.replacing("KIND", with: "requests: [{endpoint: api}]")
    let widgets = sample.kinds.contains("news") ? "[{kind: weather}, {kind: news}]" : "[{kind: weather}]"
    return Mending(
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

  @Test(arguments: ScheduleMendTests.cases.map(\.name)) func theAdviceMendsIt(name: String) throws {
    let file = try file(name)
    let codes: Set<Code> = [.alignedDates, .meanBeyondCapacity]
    let found = file.diagnostics.filter { codes.contains($0.code) }
    #expect(!found.isEmpty, "\(file.outcome.diagnostics.humanText)")
    for diagnostic in found {
      let help = try #require(diagnostic.advice)
      // Where no single interval decides there is nothing to write.
      #expect(help.mends.count == (name == "no constant interval" ? 0 : 1), "\(diagnostic.humanText)")
      for mend in help.mends {
        let mended = try #require(file.mended(diagnostic, by: mend).first)
        #expect(mended.outcome.scenario != nil, "\(mend): \(mended.outcome.diagnostics.humanText)")
        let left = mended.diagnostics.filter { codes.contains($0.code) }
        #expect(left.isEmpty, "\(help.text): \(left.humanText)")
      }
    }
  }
}
