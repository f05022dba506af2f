import DeviceModel
import Scenario
import ScenarioFiles
import SimulationKernel
import Testing

@testable import DeviceModel
@testable import FleetEngine

/// A scenario file with one cohort with users, modified by a test; its widgets request nothing by themselves.
struct Crowd {
  var devices = 500
  var clock = "{start: 2027-01-18T00:00:00Z, warmup: 0s, duration: 2d}"
  var zones = "{UTC: 100%}"
  var person = ""
  var kinds = "{k: {reload: never}}"
  var widgets = "[{kind: k}]"
  var app = "{}"
  var os = "{idle: none}"
  var power = "mains"
  var network = "wifi"
  var events = "[]"
  var seed = 7
  /// Additional keys of the fleet, on a separate line.
  var fleetKeys = ""

  /// Keys for unlocks at a known mean, with short sessions of one visit and no waits.
  static let brisk = "unlocks_per_day: 60, session: 1s, home_visits: 0"

  var text: String {
    """
    schema: widgetfleet/v1
    name: crowd
    clock: \(clock)
    run: {seed: \(seed)}
    app: \(app)
    kinds: \(kinds)
    fleet:
      devices: \(devices)
      \(fleetKeys)
      cohorts:
        - {name: all, zones: \(zones), person: {\(person)}, network: \(network), power: \(power),
           widgets: \(widgets)}
    os: \(os)
    events: \(events)
    """
  }

  /// Returns an engine.
  ///
  /// - Parameter more: additional lines for the end of the file.
  func engine(adding more: String = "") throws -> Engine {
    let text = text + more
    let outcome = ScenarioReader.read(text: Array(text.utf8), fileName: "crowd.yaml")
    let scenario = try #require(outcome.scenario, "\(outcome.diagnostics.map { "\($0)" })\n\(text)")
    return try Engine(preparing: scenario, zones: zoneTables(for: scenario))
  }

  /// Simulates the life of every device, event by event.
  ///
  /// - Parameters:
  ///   - first: called at the start of a device's life.
  ///   - each: called after every event.
  func live(
    beginning first: (borrowing DeviceSimulator) -> Void = { _ in },
    _ each: (borrowing DeviceSimulator, Instant, DeviceEvent) -> Void
  ) throws {
    let engine = try engine()
    var simulator = DeviceSimulator(plan: engine.plan, shape: engine.tallyShape)
    for device in 0..<devices {
      // Devices are watched, so that every event is processed separately.
      simulator.observed = []
      simulator.begin(device: device, cohort: 0, replication: 0)
      first(simulator)
      while let (now, event) = simulator.step() { each(simulator, now, event) }
      simulator.finish()
    }
    withExtendedLifetime(engine) {}
  }
}
