import Calibration
import FleetEngine
import FleetReports
import RequestStatistics
import Scenario
import SimulationKernel

/// The level of detail of requests in a log, which is also applied to simulated requests.
struct LogFields: Sendable {
  var hasIDs = true
  /// Whether the ID of each phone changes every day.
  var isDaily = false
  /// Whether each line contains the name of the kind.
  var hasKinds = true
  /// The resolution of the timestamps, in milliseconds.
  var resolution: Int64 = 1

  private static let day: Int64 = 86_400_000

  func applied(to request: LoggedRequest) -> LoggedRequest {
    var request = request
    if !hasKinds { request.kind = .none }
    if resolution > 1 {
      // Requests that are equal within a step correspond to identical lines in the log, which are counted as copies.
      request.line = StableHash.of(
        (
          UInt32(truncatingIfNeeded: request.time / resolution), UInt32(request.path.number), UInt32(request.status),
          UInt32(truncatingIfNeeded: request.sender), UInt32(truncatingIfNeeded: request.sender >> 32), 0
        ))
    }
    if isDaily { request.sender = request.sender ^ StableHash.of(UInt32(truncatingIfNeeded: request.time / Self.day)) }
    if !hasIDs { request.sender = 0 }
    request.time -= request.time % resolution
    return request
  }
}

extension LogFields {
  /// Returns the resolution of a log's timestamps, in milliseconds.
  static func resolution(of logs: LogsReport) -> Int64 {
    let census = logs.picture.census
    return census.lines > 0 && census.digits.resolution > 1 ? 1_000 : 1
  }

  init(_ logs: LogsReport, _ evidence: LogEvidence) {
    let census = logs.picture.census
    hasIDs = evidence.history != nil
    isDaily = evidence.lifetime == .oneDay
    hasKinds = census.kinds.rows.dropFirst().contains { $0.lines > 0 }
    resolution = Self.resolution(of: logs)
  }
}

/// Simulated logs for testing a contradiction found in a log. The contradiction is valid only if it does not appear in
/// the simulated requests of the scenario, read in the same way.
struct PilotLog {
  let simulated: SimulatedLog
  let logFields: LogFields
  /// The number of phones in the log; `nil` if unknown.
  let phones: Int?
  let clocks: [ZoneClock]
  let control: RunControl

  /// The maximum number of phone-days per simulation. At this size, the random variation is about as large as in a
  /// small log.
  private static let maxPhoneDays = 14_000
  private static let fewestPhones = 300
  /// The number of simulations of the file in which a contradiction must not appear in order to be valid.
  static let rounds = 3

  /// Returns a comparison of the log with one simulated log of a scenario; `nil` if the scenario cannot be simulated.
  func comparison(with base: Scenario, round: Int) throws(Failure) -> PilotComparison? {
    var scenario = simulated.scenario(base)
    let days = Int(scenario.clock.duration.milliseconds / 86_400_000) + 1
    let fleet = phones ?? base.fleet.devices
    let count = min(fleet, max(Self.maxPhoneDays / days, Self.fewestPhones))
    scenario.fleet.devices = fleet
    scenario.run.simulate = .count(count)
    scenario.run.seed &+= UInt64(round + 1) << 24
    guard let (picture, _) = try simulated.picture(of: scenario, in: logFields, control) else { return nil }
    let evidence = LogEvidence(picture, scenario, clocks: clocks)
    return PilotComparison(ScenarioKeys(evidence, scenario).findings, phones: count, of: base.fleet.devices)
  }
}
