import Scenario
import ScenarioFiles
import Studies
import Testing

/// A scenario text with settings, read together with the warnings of pilot runs.
struct PilotSample {
  var text: String
  var settings: [String] = []

  /// Returns the shortest valid scenario whose widgets use an endpoint, with 900 000 unused phones.
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

  /// Returns the pilot runs' warnings.
  func lints() throws -> [Lint] {
    try outcome().lints.filter { [.alignedDates, .meanBeyondCapacity].contains($0.rule) }
  }

  func lint(_ rule: Code) throws -> Lint {
    let lints = try lints()
    return try #require(lints.first { $0.rule == rule }, "\(rule) does not fire: \(settings)")
  }

  /// Returns the sample with a lint's values applied.
  func repaired(_ lint: Lint) -> PilotSample {
    PilotSample(text: text, settings: settings + lint.repairs.map { "\($0.path)=\($0.value)" })
  }
}

extension ScenarioReader.Outcome {
  /// The outcome with the pilot runs' warnings about its scenario.
  var withLoadLints: ScenarioReader.Outcome {
    var outcome = self
    outcome.add(scenario.map { LoadLints.all(of: $0, zones: zoneTables) } ?? [])
    return outcome
  }
}

extension Lint {
  /// Returns the number with a name; 0 if there is none.
  func number(_ name: String) -> Double { numbers.first { $0.name == name }?.value ?? 0 }

  /// The suggested jitter in minutes; `nil` if there is none.
  var jitter: Double? {
    repairs.first { $0.path.hasSuffix("jitter.up_to") }.flatMap { repair in
      let isHours = repair.value.hasSuffix("h")
      return Double(repair.value.filter(\.isNumber)).map { isHours ? $0 * 60 : $0 }
    }
  }
}
