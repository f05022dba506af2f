import RequestStatistics
import Scenario
import SimulationKernel

@testable import Calibration
@testable import FleetReports
@testable import RequestLogs
@testable import SyntheticResults

/// A handmade calibration: phones with one widget each, which send a request every half hour plus a delay.
struct ExampleCalibration {
  var kind = "weather"
  var phones = 40
  var days = 3
  var hasIDs = true
  /// The milliseconds from a request to the earliest next one; half of that is the longest delay.
  var interval = 1_800_000.0
  /// The period without lines, in milliseconds since the start of the log.
  var hole: Range<Int64> = 0..<0
  /// The server that wrote all lines.
  var node = "secret-node"
  var findings = [Self.finding("fleet.devices", written: "40", known: 40, 40)]
  /// The number of simulated requests, relative to the log's.
  var level = 1.0

  /// 2027-01-18T00:00:00Z, a Monday.
  static let start: Int64 = 1_800_230_400_000
  private static let day: Int64 = 86_400_000

  /// Returns a finding about a key, to within 1 % on either side.
  static func finding(
    _ path: String, written: String, known: Double?, _ value: Double, verdict: Estimate.Verdict = .identified,
    reason: Estimate.Reason? = nil, _ measure: KeyMeasure = .count, isOtherPolicy: Bool = false
  ) -> KeyFinding {
    let estimate =
      verdict == .notFromThisLog
      ? Estimate.unknown(reason ?? .noEdge)
      : Estimate(value, low: value * 0.99, high: value * 1.01, verdict: verdict, count: 100, reason: reason)
    return KeyFinding(path, written: written, known: known, estimate, measure, isOtherPolicy: isOtherPolicy)
  }

  /// An interval in the team's own code that the log contradicts.
  static let contradiction = finding("kinds.weather.reload.after", written: "1h", known: 3_600, 1_800, .span)

  var scenario: Scenario {
    var run = SyntheticRun()
    (run.name, run.kinds, run.endpoints) = (kind, [kind], ["forecast"])
    (run.cohorts, run.fleetDevices) = (["all"], phones)
    var scenario = run.scenario
    scenario.kinds[0].phases[0].reload = .after(.constant(.minutes(30)))
    scenario.kinds[0].requests = [Request()]
    return scenario
  }

  /// Returns a uniform value between 0 and 1.
  private static func draw(_ phone: Int, _ number: Int, seed: UInt64) -> Double {
    let block = Philox.block(counter: Philox.Block(UInt32(number), UInt32(phone), 0, 0), key: seed)
    return (Double(block.first >> 11) + 0.5) * 0x1p-53
  }

  /// Returns the times of a phone's requests, in milliseconds since the start.
  private func times(_ phone: Int, seed: UInt64) -> [Int64] {
    var time = 1.5 * interval * Self.draw(phone, 0, seed: seed)
    var times: [Int64] = []
    while time < Double(Int64(days) * Self.day) {
      times.append(Int64(time))
      time += interval * (1 + Self.draw(phone, times.count, seed: seed) / 2)
    }
    return times
  }

  private func picture(seed: UInt64, isLog: Bool) -> LogSummary {
    let names = LogNames()
    let path = names.paths.index(of: Array("forecast".utf8))
    let node = names.nodes.index(of: Array(self.node.utf8))
    var census = LogCensus(within: LogCensus.Budgets())
    for phone in 0..<phones {
      for time in times(phone, seed: seed) where !(isLog && hole.contains(time)) {
        var request = LoggedRequest(at: Self.start + time)
        request.sender = hasIDs ? UInt64(phone + 1) << 32 | UInt64(phone * 3) : 0
        request.line = UInt64(phone) << 40 | UInt64(time)
        (request.path, request.node, request.requestClass, request.status) = (path, node, .widget, 200)
        census.add(request)
      }
    }
    return LogSummary(census, names)
  }

  var report: CalibrationReport {
    let scenario = scenario
    let (log, simulated) = (picture(seed: 1, isLog: true), picture(seed: 2, isLog: false))
    var file = LogFileReport("/home/secret-file.log")
    (file.format, file.lines, file.parsed) = (.nginx, Int(log.census.lines), Int(log.census.lines))
    let logs = LogsReport(files: [file], picture: log, hasIDs: hasIDs)
    var report = CalibrationReport(
      base: scenario, logs: logs, evidence: LogEvidence(log, scenario, clocks: []), findings: findings,
      provenance: Provenance(version: "1.2.3", resolvedScenario: "schema: widgetfleet/v1\n"))
    let range = Self.start..<Self.start + Int64(days) * Self.day
    let minutes = simulated.census.loads.counts(in: range, of: LoadSeries.of(.widget))
    let counts = stride(from: 0, to: minutes.count, by: 5).map { level * Double(minutes[$0..<$0 + 5].reduce(0, +)) }
    let load = SimulatedLoad(counts: counts, evidence: LogEvidence(simulated, scenario, clocks: []))
    (report.asWritten, report.simulated) = (load, load)
    report.calibratedText = Array("name: \(kind)\n".utf8)
    return report
  }

  var page: String { String(decoding: calibrationPage(of: report), as: UTF8.self) }
  var answer: Answer { CalibrationAnswer(report).answer }
}
