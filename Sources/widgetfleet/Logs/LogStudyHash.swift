import FleetReports
import RequestStatistics

/// What tells one calibration or back-test from another: the scenario, what is asked, and what the logs hold.
struct LogStudyHash {
  private let settings: Settings

  init(_ settings: Settings) { self.settings = settings }

  /// SHA-256, hexadecimal: the same wherever the logs lie, in as many files as they may come.
  ///
  /// - Parameters:
  ///   - scenario: the file.
  ///   - resolved: the scenario with what `--set` changes.
  ///   - records: of testers.
  func text(_ scenario: [UInt8], resolved: String, _ logs: LogsReport, _ records: [TelemetryRecord]) -> String {
    let span = logs.span.map { "\($0.lowerBound)..\($0.upperBound)" } ?? "none"
    let counts = (logs.counted?.counts ?? []).map { "\($0)" }
    let held = ["\(logs.lines)", "\(logs.parsed)", span] + counts + records.map { "\($0.phone) \($0.number)" }
    let parts = [String(decoding: scenario, as: UTF8.self), resolved] + settings.logs.asked + held
    return SHA256.hexadecimal(of: Array(parts.joined(separator: "\0").utf8))
  }
}
