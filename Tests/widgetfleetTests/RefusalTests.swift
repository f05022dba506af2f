import Foundation
import Testing

@testable import FleetEngine
@testable import WidgetFleetCommand

/// Scenarios that would never end or never fit, and results that would be wrong.
struct RefusalTests {
  private static let loop = Child.scenario(devices: 300)
    .replacing("reload: {after: 15min}", with: "reload: {after: 0s}\n    cpu: 0s")
    .replacing(
      "os: {idle: {after: 2h, give_up: 0s}}",
      with: "os: {idle: none, min_spacing: 0s, start_delay: {policy: 0s}, budget: {model: off}}"
    )
    .replacing("requests: [{endpoint: api, up: 1kB, down: 20kB}]", with: "requests: []")

  /// The engine's refusal of endless events at one instant is tested in FleetEngineTests: no accepted file gets there
  /// through its policy.
  @Test func endlessInstantsAreRefusedBeforeTheRun() throws {
    let child = try Child()
    defer { child.remove() }
    try child.write(Self.loop, to: "loop.yaml")
    let outcome = try child.run(["run", "loop.yaml"])
    #expect(outcome.status == 2)
    #expect(outcome.error.contains("error[WF315]: a phone in cohort 'all' has about"))
    #expect(outcome.error.contains("= help: "))
    #expect(!child.names(in: "Reports").contains("small"))
  }

  @Test func minuteOfATenthOfASecondIsAccepted() throws {
    let child = try Child()
    defer { child.remove() }
    let scenario = Self.loop.replacing("cpu: 0s", with: "cpu: 100ms").replacing("duration: 1h", with: "duration: 10s")
      .replacing("devices: 300", with: "devices: 2")
    try child.write(scenario, to: "busy.yaml")
    let outcome = try child.run(["run", "busy.yaml"])
    #expect(outcome.status == 0, "\(outcome.error)")
  }

  private static let manyDevices = ["--no-bracket", "--set", "fleet.devices=300k"]
  private static let limits = ["--set", "backend.endpoints={api: {capacity: 100k/s}}"]

  /// Settings and scenario: device rows for both paths, and resting devices without rows.
  private static let forecasts: [([String], String)] = [
    (["--set", "clock.duration=10d"], "small.yaml"),
    (["--set", "run.replications=3", "--set", "clock.duration=2d"], "people.yaml"),
    (manyDevices, "small.yaml"), ([], "many.yaml"),
    (manyDevices + ["--set", "run.device_rows=250k"], "small.yaml"),
    (manyDevices + limits, "small.yaml"),
    (manyDevices + limits + ["--only", "load.csv"], "small.yaml"),
  ]

  @Test func tooLargeScenarioIsRefusedWithNumbersAndHelp() throws {
    let child = try Child()
    defer { child.remove() }
    let outcome = try child.run([
      "run", "small.yaml", "--set", "clock.duration=400d", "--set", "run.replications=10000",
    ])
    #expect(outcome.status == 2)
    for text in ["GB of memory, but", "results", "counting", "clock.step", "run.simulate"] {
      #expect(outcome.error.contains(text))
    }
    #expect(!child.names().contains("Reports") && !outcome.error.contains("each cohort takes"))
    try child.write(Self.manyCohorts, to: "many.yaml")
    let many = try child.run(["run", "many.yaml", "--set", "run.replications=10000"])
    #expect(many.status == 2 && many.error.contains("= help: each cohort takes about"), "\(many.error)")
  }

  /// 300 cohorts, each with its own histograms and minutes in each thread and result.
  private static let manyCohorts =
    """
    schema: widgetfleet/v1
    name: many
    clock: {start: 2027-01-18T00:00:00Z, settle: 0s, duration: 1d}
    kinds: {k: {reload: {after: 30min}, requests: [{endpoint: api}]}}
    backend: {endpoints: {api: {}}}
    fleet:
      devices: 3000
      cohorts:

    """
    + (0..<300).map {
      "    - {name: c\($0), share: \($0 == 0 ? "70.1" : "0.1")%, zones: {Europe/Berlin: 100%}, widgets: [{kind: k}]}\n"
    }.joined()

  @Test(arguments: forecasts)
  func theForecastIsWithinAFifthOfThePeak(_ settings: [String], _ scenario: String) throws {
    let child = try Child()
    defer { child.remove() }
    try child.write(PeopleScenario.text(cache: "cache: {ttl: 6h}", devices: 30), to: "people.yaml")
    try child.write(Self.manyCohorts, to: "many.yaml")
    let outcome = try child.run(["run", scenario, "-v", "--jobs", "2"] + settings)
    #expect(outcome.status == 0)
    let megabytes = outcome.error.split(separator: "\n").compactMap { line -> (Double, Double)? in
      let words = line.split(separator: " ")
      guard line.contains("MB of memory expected"), words.count > 6 else { return nil }
      return Double(words[1]).flatMap { expected in Double(words[6]).map { (expected, $0) } }
    }
    let (expected, used) = try #require(megabytes.first)
    #expect(abs(expected / used - 1) <= 0.2, "\(expected) MB expected, \(used) MB used")
  }

  @Test(arguments: [
    (
      "0::/user/job\n",
      ["/sys/fs/cgroup/user/job/memory.max", "/sys/fs/cgroup/user/memory.max", "/sys/fs/cgroup/memory.max"]
    ),
    (
      "9:name=systemd:/\n4:cpu,memory:/a\n",
      ["/sys/fs/cgroup/memory/a/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]
    ),
    ("", []), ("nonsense", []),
  ])
  func controlGroups(_ membership: String, _ files: [String]) {
    #expect(MachineMemory.limitFiles(membership: membership) == files)
  }

  @Test(arguments: [("max\n", nil), ("1073741824\n", 1_073_741_824), ("", nil)])
  func limitsOfControlGroups(_ text: String, _ limit: Int?) { #expect(MachineMemory.limit(text) == limit) }

  @Test func contradictionsAreReportedAsABug() {
    let failure = Failure.bug("counts in replication 1 contradict each other: runs: 3 and 4", seed: 42)
    #expect(failure.exitCode == .bug)
    for text in [Version.current, "seed 42", "no result was written", "report this", "runs: 3 and 4"] {
      #expect(failure.text.contains(text))
    }
  }
}
