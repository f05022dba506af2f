import FleetReports
import RequestLogs
import RequestStatistics

/// The WidgetFleetProbe records used by a command.
struct TelemetrySource {
  let settings: Settings
  let console: Console

  /// The maximum size in bytes, which is sufficient for full ring buffers of a thousand phones.
  private static let limit = 600_000_000

  /// Returns the records, grouped by phone and in chronological order for each phone; empty if no files are given.
  func records() throws(Failure) -> [TelemetryRecord] {
    let paths = settings.logs.telemetry
    var bytes: [UInt8] = []
    for path in paths {
      bytes += try InputFile.read(path, limit: Self.limit, kind: "telemetry") + [UInt8(ascii: "\n")]
    }
    let lines = TelemetryLines(bytes)
    guard let first = paths.first else { return [] }
    guard !lines.records.isEmpty else {
      throw .unsuitableInput(path: first, reason: "contains no WidgetFleetProbe records")
    }
    if lines.rejected > 0 {
      console.note("telemetry: \(lines.rejected) of \(lines.lines) lines are not records and were left out\n")
    }
    return lines.records
  }
}
