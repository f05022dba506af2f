import Foundation
import Testing

/// Errors found while preparing a run are reported with their location, in `validate` as well as in `run`.
struct PreparationTests {
  private static let text = """
    schema: widgetfleet/v1
    name: unprepared
    clock: {start: 2027-01-18T00:00:00Z, duration: 1h}
    app: {opens_per_day: 2, reloads: [{when: open, kinds: all}, {when: change, per_day: 3, kinds: all}]}
    kinds:
      weather:
        reload: {after: 30min}
        requests: [{endpoint: api}]
        taps: {per_day: 4}
    fleet:
      devices: 10
      cohorts:
        - name: all
          zones: {Europe/Berlin: 100%}
          person: {unlocks_per_day: 2}
          widgets: [{kind: weather}]
    backend:
      endpoints:
        api: {}

    """

  /// Distributions of counts end at a mean of 700: an edited line, and where its value is refused.
  @Test(arguments: [("per_day: 3", "per_day: 5000", 4, 85), ("per_day: 4", "per_day: 10000", 9, 21)])
  func validateAndRunReportTheSameLocation(from: String, to: String, line: Int, column: Int) throws {
    let child = try Child()
    defer { child.remove() }
    try child.write(Self.text, to: "good.yaml")
    try child.write(Self.text.replacing(from, with: to), to: "bad.yaml")
    #expect(try child.run(["validate", "good.yaml"]).status == 0)
    for command in [
      ["validate", "bad.yaml"], ["run", "bad.yaml"], ["run", "good.yaml", "--set", Self.set(to, line)],
    ] {
      let outcome = try child.run(command)
      #expect(outcome.status == 2, "\(command): \(outcome.error)")
      let isSet = command.count > 2
      #expect(
        outcome.error.contains("cannot be")
          && outcome.error.contains(isSet ? "--set argument:1:" : "bad.yaml:\(line):\(column)"),
        "\(outcome.error)")
    }
    #expect(!child.names().contains("Reports"))
  }

  private static func set(_ change: String, _ line: Int) -> String {
    let path = [4: "app.reloads.1", 9: "kinds.weather.taps"][line] ?? ""
    return "\(path).\(change.replacing(": ", with: "="))"
  }
}
