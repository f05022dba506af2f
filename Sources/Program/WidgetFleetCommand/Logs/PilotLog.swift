import Calibration
import FleetEngine
import FleetReports
import RequestStatistics
import Scenario
import SimulationKernel

/// The details of requests that a log contains, so that simulated requests can be read with the same level of detail.
struct LogFields: Sendable {
  var hasIDs = true
  /// Whether each phone gets a new ID every day.
  var isDaily = false
  /// Whether each line contains the name of the kind.
  var hasKinds = true
  /// The resolution of the timestamps in milliseconds.
  var resolution: Int64 = 1

  private static let day: Int64 = 86_400_000

  func applied(to request: LoggedRequest) -> LoggedRequest {
    var request = request
    if !hasKinds { request.kind = .none }
    if resolution > 1 {
      // Requests that are equal within a step correspond to equal lines of the log, which count as copies.
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
  /// Returns the resolution of the timestamps in a log, in milliseconds.
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

/// Simulated logs that test a contradiction found in a log. It counts only if the scenario's own requests do not show
/// it when they are read in the same way.
struct PilotLog {
  let simulated: SimulatedLog
  let logFields: LogFields
  /// The number of phones that appear in the log; `nil` if unknown.
  let phones: Int?
  let clocks: [ZoneClock]
  let control: RunControl

  /// The maximum number of phone-days in a simulation. With this many, random variation is about as large as in a small
  /// log.
  private static let maxPhoneDays = 14_000
  private static let fewestPhones = 300
  /// The number of simulations of the file in which a contradiction must not appear before it counts.
  static let rounds = 3

  /// Returns the comparison of the log with one simulated log of a scenario; `nil` if the scenario cannot be simulated.
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
