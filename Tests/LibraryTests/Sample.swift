import Foundation
import WidgetFleet
import WidgetFleetFiles

/// A scenario built in Swift: phones without users, whose widgets only their policy reloads.
enum Sample {
  static func hourly(devices: Int = 200) throws -> Scenario {
    try Scenario([
      "schema": "widgetfleet/v1", "name": "sample",
      "clock": ["start": "2027-01-18T00:00:00Z", "settle": "0s", "warmup": "1d", "duration": "1d"],
      "kinds": ["k": ["reload": ["after": "1h"], "cpu": "0s", "requests": [["endpoint": "api"]]]],
      "fleet": [
        "devices": "\(devices)",
        "cohorts": [
          [
            "name": "all", "zones": ["Europe/Berlin": "100%"], "person": ["unlocks_per_day": 0], "network": "wifi",
            "power": "mains", "widgets": [["kind": "k"]],
          ]
        ],
      ],
      "os": ["idle": "none", "budget": ["model": "off"], "start_delay": ["policy": "0s"]],
      "backend": ["endpoints": ["api": [:]]],
    ])
  }

  /// The same as YAML.
  static let hourlyText = """
    schema: widgetfleet/v1
    name: sample
    clock: {start: 2027-01-18T00:00:00Z, settle: 0s, warmup: 1d, duration: 1d}
    kinds:
      k: {reload: {after: 1h}, cpu: 0s, requests: [{endpoint: api}]}
    fleet:
      devices: 200
      cohorts:
        - name: all
          zones: {Europe/Berlin: 100%}
          person: {unlocks_per_day: 0}
          network: wifi
          power: mains
          widgets: [{kind: k}]
    os: {idle: none, budget: {model: off}, start_delay: {policy: 0s}}
    backend: {endpoints: {api: {}}}
    """

  /// The path of a scenario that is shipped.
  static func path(of name: String) -> String {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return tests.deletingLastPathComponent().appending(path: "Scenarios/\(name).yaml").path
  }
}
