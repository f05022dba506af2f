import DeviceModel
import Scenario
import ScenarioFiles
import SimulationKernel
import Testing

@testable import FleetEngine

/// A scenario file with one cohort without users, modified by a test.
struct FleetSample {
  var devices = 200
  var clock = "{start: 2027-01-18T00:00:00Z, settle: 0s, warmup: 1d, duration: 1d}"
  var run = "{seed: 1}"
  var kinds = "{k: {reload: {after: 15min}, cpu: 0s, requests: [{endpoint: api}]}}"
  var zones = "{Europe/Berlin: 100%}"
  var power = "mains"
  var widgets = "[{kind: k}]"
  var app = "{}"
  var os = "{idle: none, budget: {model: off}}"
  var endpoints = "{api: {}}"
  var events = "none"
  /// The cohorts that replace the single one.
  var cohorts: String?
  /// Additional keys of the fleet.
  var fleetKeys = ""

  var text: String {
    let cohort = """
      [{name: all, zones: \(zones), person: {unlocks_per_day: 0}, network: wifi, power: \(power), widgets: \(widgets)}]
      """
    return """
      schema: widgetfleet/v1
      name: sample
      clock: \(clock)
      run: \(run)
      app: \(app)
      kinds: \(kinds)
      fleet: {devices: \(devices), \(fleetKeys.isEmpty ? "" : fleetKeys + ", ")cohorts: \(cohorts ?? cohort)}
      os: \(os)
      backend: {endpoints: \(endpoints)}
      events: \(events)
      """
  }

  /// Returns an engine.
  ///
  /// - Parameter more: additional lines for the file.
  /// - Parameter change: a change of the scenario after it was read, to values that no file may have.
  func engine(adding more: String = "", changing change: (inout Scenario) -> Void = { _ in }) throws -> Engine {
    let text = text + "\n" + more
    let outcome = ScenarioReader.read(text: Array(text.utf8), fileName: "sample.yaml")
    var scenario = try #require(outcome.scenario, "\(outcome.diagnostics.map { "\($0)" })\n\(text)")
    change(&scenario)
    return try Engine(preparing: scenario, zones: zoneTables(for: scenario))
  }

  func result(threads: Int = 1) throws -> RunResult {
    try #require(try engine().run(threads: threads, control: RunControl()))
  }

  /// Returns the result of the first replication.
  func replication(threads: Int = 1) throws -> ReplicationResult {
    try #require(try result(threads: threads).replications.first)
  }
}

extension ReplicationResult {
  /// The runs of the measured period.
  var runs: Int64 { groups.reduce(0) { $0 + $1.runs.reduce(0, +) } }
  func runs(_ cause: Cause) -> Int64 { groups.reduce(0) { $0 + $1.runs[Int(cause.rawValue)] } }
  var requests: Int64 { load.reduce(0) { $0 + $1.arrivals.reduce(0) { $0 + Int64($1) } } }
  /// The requests of the first endpoint by minute.
  var requestsPerMinute: [Int] {
    var minutes: [Int] = []
    for (step, count) in load[0].arrivals.enumerated() {
      if step % 60 == 0 { minutes.append(0) }
      minutes[minutes.count - 1] += Int(count)
    }
    return minutes
  }
}

extension DeviceTable {
  func sum(_ column: Column) -> Int64 { rows.reduce(0) { $0 + $1[column] } }
}

/// Returns whether a value is within 4.5 standard errors of the expected one: one false alarm in 150 000.
func isWithin(_ found: Double, of expected: Double, deviation: Double, count: Int) -> Bool {
  abs(found - expected) <= 4.5 * deviation / Double(count).squareRoot()
}
