import Scenario
import Testing

@testable import ScenarioFiles

/// Lints about samples that cannot show a peak, and about base loads that follow another zone's hours.
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

  /// 900 000 widgets every 67.5 min send 222/s, and three times that at the peak; 90 devices send 240 in an hour,
  /// uncorrelated.
  @Test func theSampleIsTooSmall() throws {
    let found = try numbers(.sampleTooSmall, "kinds.weather.reload.after=1h", "run.simulate=90")
    let count = 3 * 900_000 / 4_050 * 90 / 900_000 * 3_600.0
    #expect(abs(try #require(found["count"]) - count) < 1e-6)
    #expect(abs(try #require(found["error"]) - 2 * 1.96 / count.squareRoot()) < 1e-9)
    #expect(try rules("kinds.weather.reload.after=1h", "run.simulate=900") == [])
    #expect(try rules("kinds.weather.reload.after=1h") == [])
    // Simultaneous requests have no meaningful mean load.
    #expect(try rules("kinds.weather.reload.after={every: 1h}", "run.simulate=90") == [])
  }

  /// A misspelled endpoint has no limits, and the listed one no requests. The suggested name clears the lint.
  @Test(arguments: ["requests", "taps.requests"]) func endpointWithoutRequestsIsReported(key: String) throws {
    let listed = "backend.endpoints.api={capacity: 5k/s}"
    let misspelled = [
      listed, "kinds.weather.requests=[]", "kinds.weather.taps={per_day: 1}", "kinds.weather.\(key)=[{endpoint: ap}]",
    ]
    let lint = try #require(try lints(misspelled).first { $0.rule == .endpointWithoutRequests })
    #expect(lint.repairs == [Lint.Repair(path: "kinds.weather.\(key).0.endpoint", value: "api")])
    let repairs = lint.repairs.map { "\($0.path)=\($0.value)" }
    #expect(try lints(misspelled + repairs).allSatisfy { $0.rule != lint.rule })
    #expect(try lints([listed]).allSatisfy { $0.rule != lint.rule })
  }

  /// Lisbon and, to within an hour, Berlin follow the hours of UTC; New York is 5 h away. The suggested text clears the
  /// lint.
  @Test(
    arguments: [
      ("{Europe/Lisbon: 1%, America/New_York: 99%}", "30/s", false), ("{Europe/Berlin: 100%}", "30/s", false),
      ("{America/New_York: 60%, America/Chicago: 40%}", "30/s", true),
      ("{America/New_York: 100%}", "{rate: 30/s, hours: flat}", false),
      ("{America/New_York: 100%}", "{rate: 30/s, zone: America/New_York}", false),
    ])
  func baseLoadFollowingUTCHoursIsReported(zones: String, load: String, isOdd: Bool) throws {
    let settings = ["fleet.cohorts.all.zones=\(zones)", "backend.endpoints.api={capacity: 5k/s, base_load: \(load)}"]
    let found = try lints(settings).first { $0.rule == .baseLoadElsewhere }
    #expect((found != nil) == isOdd)
    guard let found else { return }
    #expect(found.numbers.first { $0.name == "nearest" }?.value == 18_000.0)
    let repair = try #require(found.repairs.first)
    #expect(try !lints(settings + ["\(repair.path)=\(repair.value)"]).contains { $0.rule == .baseLoadElsewhere })
  }
}
