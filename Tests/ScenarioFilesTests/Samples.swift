import Scenario

@testable import ScenarioFiles

/// The texts that tests start from.
enum Samples {
  /// The shortest valid scenario.
  static let minimal = """
    schema: widgetfleet/v1
    name: game-status
    clock: {start: 2027-01-18T00:00:00Z}
    kinds:
      weather:
        reload: {after: 15min}
    fleet:
      devices: 1k
      cohorts:
        - name: all
          zones: {Europe/Berlin: 100%}
          person: {unlocks_per_day: 0}
          network: wifi
          widgets: [{kind: weather}]

    """

  static func read(_ text: String, set settings: String...) -> ScenarioReader.Outcome {
    ScenarioReader.read(text: Array(text.utf8), fileName: "a.yaml", settings: settings.map { SetArgument($0) })
  }
}
