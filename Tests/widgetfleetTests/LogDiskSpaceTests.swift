import FleetReports
import Foundation
import ScenarioFiles
import Testing

@testable import WidgetFleetCommand

/// A log that does not fit on the disk is announced before the simulation and refused before it is written.
struct LogDiskSpaceTests {
  private static let text = """
    schema: widgetfleet/v1
    name: room
    clock: {start: 2027-01-18T00:00:00Z, settle: 0s, warmup: 0s}
    kinds: {weather: {reload: {after: 30min}, attempts: 1, requests: [{endpoint: forecast, down: 8kB}]}}
    fleet:
      devices: 50
      cohorts:
        - {name: all, zones: {UTC: 100%}, person: {unlocks_per_day: 0}, network: wifi, widgets: [{kind: weather}]}
    os: {idle: none, budget: {model: off}}

    """

  /// To within a third, a file has the size assumed for its format, with at most 48 lines per phone.
  @Test(arguments: RequestLogFormat.allCases)
  func logLineHasTheAssumedSize(_ format: RequestLogFormat) throws {
    let child = try Child()
    defer { child.remove() }
    try child.write(Self.text, to: "room.yaml")
    let outcome = try child.run([
      "run", "room.yaml", "--no-bracket", "--no-trials", "--requests", "log", "--requests-as", format.rawValue,
    ])
    #expect(outcome.status == 0, "\(outcome.error)")
    let log = child.read("log")
    let lines = log.split(separator: "\n").count
    #expect(lines > 1_500)
    let scenario = try #require(ScenarioReader.read(text: Array(Self.text.utf8), fileName: "room.yaml").scenario)
    #expect(Double(lines) <= scenario.maxRequestsSimulated)
    // This is an upper bound: a warning that comes three times too early is acceptable, a late one is not.
    #expect(Double(lines) >= scenario.maxRequestsSimulated / 3)
    let measured = Double(log.utf8.count) / Double(lines)
    #expect(abs(measured / Double(format.bytesPerLine) - 1) < 1 / 3, "\(measured)")
  }

  /// A thousand requests in nginx's format take 180 kB, plus 32 bytes each while being sorted.
  @Test func logThatDoesNotFitIsRefused() throws {
    let tight = LogDiskSpace(path: "access.log", format: .nginx, free: 106_000)
    #expect(tight.bytesPerRequest == 212)
    let warning = try #require(tight.warning(requestsAtMost: 1_000, phones: 100))
    #expect(warning.contains("'access.log' may take up to 0.2 MB, but only 0.1 MB is free there"))
    #expect(warning.contains("about 45 phones fit: --set run.simulate=45\n"))
    let error = #expect(throws: Failure.self) { try tight.check(requests: 1_000, phones: 100) }
    #expect(error?.exitCode == .inputOutput)
    #expect(error?.text.contains("about 45 simulated phones fit: --set run.simulate=45\n") == true)
    let roomy = LogDiskSpace(path: "access.log", format: .nginx, free: 212_000)
    #expect(roomy.warning(requestsAtMost: 1_000, phones: 100) == nil)
    try roomy.check(requests: 1_000, phones: 100)
    #expect(LogDiskSpace(path: "-", format: nil, free: 1).bytesPerRequest == 32)
  }
}
