import FleetReports
import RequestStatistics

/// The identity of a calibration or backtest, which depends on the scenario, the options, and the content of the logs.
struct LogStudyHash {
  private let settings: Settings

  init(_ settings: Settings) { self.settings = settings }

  /// Returns the SHA-256 hash in hexadecimal. It depends neither on the location of the logs nor on their division into
  /// files.
  ///
  /// - Parameters:
  /// - scenario: the content of the scenario file.
  /// - resolved: the scenario with `--set` applied.
  /// - records: the records from testers' phones.
  func text(_ scenario: [UInt8], resolved: String, _ logs: LogsReport, _ records: [TelemetryRecord]) -> String {
    let span = logs.span.map { "\($0.lowerBound)..\($0.upperBound)" } ?? "none"
    let counts = (logs.counted?.counts ?? []).map { "\($0)" }
    let held = ["\(logs.lines)", "\(logs.parsed)", span] + counts + records.map { "\($0.phone) \($0.number)" }
    let parts = [String(decoding: scenario, as: UTF8.self), resolved] + settings.logs.asked + held
    return SHA256.hexadecimal(of: Array(parts.joined(separator: "\0").utf8))
  }
}
