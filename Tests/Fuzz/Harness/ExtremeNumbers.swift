import Calibration
import FleetReports
import Foundation
import RequestLogs
import RequestStatistics
import Scenario
import ScenarioFiles

/// Tables of counts, logs and telemetry whose bytes choose among extreme numbers, and everything derived from them.
struct ExtremeNumbers {
  private static let ends = [
    "0", "1", "-1", "0.5", "60", "65535", "65536", "2147483647", "2147483648", "4294967296", "1e12", "1000000000001",
    "9007199254740993", "4611686018427387904", "9e18", "9223372036854775807", "-9223372036854775808",
    "9223372036854775808", "18446744073709551615", "1e308", "1e999", "-1e399", "1e-399", "631152000", "4102444799",
    "4102444799999", "nan", "inf", "", "999999999999999999",
  ]
  /// The time of the first row, 2027-01-18T00:00:00Z.
  private static let start = 1_800_230_400
  /// Six days in five-minute steps.
  private static let rows = 6 * 288

  private let scenario: Scenario
  private let path: String

  init(path: String) throws {
    self.path = path
    scenario = try SmallFolder.scenario { text in
      text.replacing(", {endpoint: edge}", with: "").replacing(
        "api: {capacity: 1/s, queue: 20}", with: "api: {capacity: 1/s}"
      )
      .replacing("        edge: {cdn: {keys: 3, ttl: 2min}}\n", with: "").replacing(
        "replications: 2", with: "replications: 1")
    }
  }

  /// Returns a broken promise: the first byte chooses what is read, the second how often a row's time is extreme, the
  /// rest the numbers.
  func broken(_ bytes: [UInt8]) -> String? {
    guard bytes.count > 2 else { return nil }
    let numbers = bytes.dropFirst(2).map { Self.ends[Int($0) % Self.ends.count] }
    let (kind, oddity) = (bytes[0] % 4, Int(bytes[1]))
    let lines = (0..<Self.rows).map { row in
      let number = { (offset: Int) in numbers[(row * 3 + offset) % numbers.count] }
      let isOdd = oddity > 0 && row % (oddity + 8) == oddity
      return Self.line(kind, time: isOdd ? number(3) : String(Self.start + 300 * row), number)
    }
    let text = (kind == 0 ? "timestamp,value\n" : "") + lines.joined(separator: "\n") + "\n"
    do {
      return kind == 1 ? telemetry(Array(text.utf8)) : try log(Array(text.utf8))
    } catch { return "\(error)" }
  }

  private static func line(_ kind: UInt8, time: String, _ number: (Int) -> String) -> String {
    switch kind {
    case 0: "\(time),\(number(0))"
    case 1:
      #"{"version":1,"phone":"a","number":\#(number(0)),"at":\#(time)000,"event":"run","widget":"w","kind":"weather","#
        + #""sequence":\#(number(1)),"outcome":"network","cause":"scheduled","due":\#(number(2)),"end":\#(time)000}"#
    case 2:
      #"{"ts":\#(time),"path":"/api","status":\#(number(0)),"bytes":\#(number(1)),"duration":"\#(number(2))ms","#
        + #""install":"\#(number(0))"}"#
    default:
      #"1.2.3.4 - - [18/Jan/2027:00:00:00 +0000] "GET /api?install=\#(number(0)) HTTP/1.1" \#(number(1)) \#(number(2)) "#
        + #""-" "Widget/1 CFNetwork/1 Darwin/\#(number(0))""#
    }
  }

  private func telemetry(_ bytes: [UInt8]) -> String? {
    let lines = TelemetryLines(bytes)
    var report = CalibrationReport(
      base: scenario, logs: .none, evidence: LogEvidence(LogsReport.none.picture, scenario, clocks: []), findings: [],
      provenance: Provenance(version: "1", resolvedScenario: ""))
    let evidence = TelemetryEvidence(lines.records, scenario, clocks: [])
    report.telemetry = evidence
    report.findings = evidence.joined(with: [])
    return Self.drawn(report)
  }

  private func log(_ bytes: [UInt8]) throws -> String? {
    guard FileManager.default.createFile(atPath: path, contents: Data(bytes)) else { return "cannot write \(path)" }
    defer { unlink(path) }
    var options = LogOptions()
    try options.identify(by: bytes[0] == UInt8(ascii: "{") ? "install" : "query.install")
    let names = LogNames()
    let budgets = LogCensus.Budgets()
    var reading = try LogReader(options).read(LogInput.find([path]).inputs, names: names) {
      LogCensus(within: budgets)
    }
    guard let census = reading.takeSinks().first else { return "no sink" }
    // The same table twice: its sums are those of two files.
    let logs = LogsReport(
      files: reading.files + reading.files, picture: LogSummary(census, names, recorded: 1e-6), hasIDs: true)
    guard !logs.text.isEmpty, !logs.document.isEmpty else { return "nothing is shown" }
    guard logs.isReadable else { return nil }
    let counted = logs.picture.census.lines == 0 ? logs.counted : nil
    let evidence =
      counted.map { LogEvidence($0, logs.picture, scenario) } ?? LogEvidence(logs.picture, scenario, clocks: [])
    let report = CalibrationReport(
      base: scenario, logs: logs, evidence: evidence, findings: ScenarioKeys(evidence, scenario).findings,
      provenance: Provenance(version: "1", resolvedScenario: ""))
    return try Self.drawn(report) ?? forecast(report)
  }

  private static func drawn(_ report: CalibrationReport) -> String? {
    report.files.first { $0.bytes(of: report).isEmpty && $0 != .patch }.map { "\($0) is empty" }
  }

  /// Fits on three days and backtests the others.
  private func forecast(_ report: CalibrationReport) throws -> String? {
    let measured = MeasuredLoad(report.logs.picture, report.logs.counted, requestsPerRun: 1)
    let days = (1...6).map { day in
      let steps = (0..<288).map { report.logs.firstDay + Int64((day - 1) * 288 + $0) * 300_000 }
      return BacktestDay(
        number: day, measured: steps.map(measured.count), expected: Array(repeating: 1, count: steps.count))
    }
    let training = Array(days.prefix(3))
    guard let forecaster = try LoadForecaster(training, spread: 1) else { return nil }
    let tests = days.dropFirst(3).filter { $0.measured.contains { $0 != nil } }
    let forecasts = try tests.map { try ForecastDay($0, training: training, forecaster) }
    guard !forecasts.isEmpty else { return nil }
    let backtest = try BacktestReport(
      report, logs: report.logs, trained: 1...3, forecasts: forecasts, forecaster, changes: [])
    return backtest.files.first { $0.bytes(of: backtest).isEmpty }.map { "\($0) is empty" }
  }
}
