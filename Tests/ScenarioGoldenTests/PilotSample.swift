import Scenario
import ScenarioFiles
import Studies
import Testing

/// A scenario text with settings, read with what pilots say of it.
struct PilotSample {
  var text: String
  var settings: [String] = []

  /// The shortest valid scenario whose widgets ask an endpoint: 900 000 phones that nobody uses.
  static func minimal(_ settings: [String]) -> PilotSample {
    PilotSample(
      text: """
        schema: widgetfleet/v1
        name: sample
        clock: {start: 2027-01-18T00:00:00Z}
        kinds:
          weather: {reload: {after: 15min}, requests: [{endpoint: api}]}
        fleet:
          devices: 900k
          cohorts:
            - name: all
              zones: {Europe/Berlin: 100%}
              person: {unlocks_per_day: 0}
              network: wifi
              widgets: [{kind: weather}]
        os: {idle: none, budget: {capacity: 50/day}}

        """, settings: settings)
  }

  func outcome() throws -> ScenarioReader.Outcome {
    let read = ScenarioReader.read(
      text: Array(text.utf8), fileName: "a.yaml", settings: settings.map { SetArgument($0) })
    _ = try #require(read.scenario, "\(read.diagnostics.humanText)")
    return read.withLoadLints
  }

  /// What pilots say.
  func lints() throws -> [Lint] {
    try outcome().lints.filter { [.alignedDates, .meanBeyondCapacity].contains($0.rule) }
  }

  func lint(_ rule: Code) throws -> Lint {
    let lints = try lints()
    return try #require(lints.first { $0.rule == rule }, "\(rule) does not fire: \(settings)")
  }

  /// With what a lint writes.
  func mended(_ lint: Lint) -> PilotSample {
    PilotSample(text: text, settings: settings + lint.mends.map { "\($0.path)=\($0.value)" })
  }
}

extension ScenarioReader.Outcome {
  /// This outcome with what pilots say of its scenario.
  var withLoadLints: ScenarioReader.Outcome {
    var outcome = self
    outcome.add(scenario.map { LoadLints.all(of: $0, zones: zoneTables) } ?? [])
    return outcome
  }
}

extension Lint {
  /// The number of a name; 0 where there is none.
  func number(_ name: String) -> Double { numbers.first { $0.name == name }?.value ?? 0 }

  /// The value that it writes for a jitter, in minutes; nil: none.
  var jitter: Double? {
    mends.first { $0.path.hasSuffix("jitter.up_to") }.flatMap { mend in
      let isHours = mend.value.hasSuffix("h")
      return Double(mend.value.filter(\.isNumber)).map { isHours ? $0 * 60 : $0 }
    }
  }
}
