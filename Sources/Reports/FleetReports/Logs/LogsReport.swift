internal import Calibration
package import RequestLogs
package import RequestStatistics
import Scenario

/// A report on access logs, with the files that were read and their combined content.
package struct LogsReport: Sendable {
  /// The log files, in the order in which the user listed them.
  package let files: [LogFileReport]
  package let picture: LogSummary
  /// Whether the user specified a field that identifies phones.
  package let hasIDs: Bool
  /// The counts in the first column of the tables, combined over all files with this column; `nil` if there are none.
  package let counted: CountedLoad?
  /// The name of the column with these counts.
  package let countedColumn: String

  /// - Parameter days: the days of a table to use, numbered from 1 (the day of the table's first step); `nil` for all
  ///   days. The days of `picture` are selected separately.
  package init(
    files: [LogFileReport], picture: LogSummary, hasIDs: Bool, days: ClosedRange<Int>? = nil
  ) {
    self.files = files
    self.picture = picture
    self.hasIDs = hasIDs
    let series = files.flatMap(\.counts)
    let first = series.first
    let own = series.filter { $0.column == first?.column && $0.step == first?.step }
    countedColumn = first?.column ?? ""
    counted = first?.step.flatMap { step in
      CountedLoad(own.flatMap(\.bins).map { (time: $0.time, count: $0.count) }, step: step, days: days)
    }
  }

  /// A report without logs.
  package static var none: LogsReport {
    LogsReport(files: [], picture: LogSummary(LogCensus(within: LogCensus.Budgets()), LogNames()), hasIDs: false)
  }

  /// The period covered by log lines or by the steps of tables, in milliseconds since 1970; `nil` if there are none.
  package var span: Range<Int64>? { picture.span ?? counted?.span }

  /// The start of the UTC day that contains the first line, in milliseconds since 1970.
  package var firstDay: Int64 { picture.census.firstDay ?? counted?.firstDay ?? 0 }

  /// The date of the UTC day that contains the last line; empty if there are no lines.
  package var lastDayText: String { span.map { UTCTime(unixMilliseconds: $0.upperBound - 1).date } ?? "" }

  /// The files that could not be read to the end.
  package var damaged: [LogFileReport] { files.filter { !$0.losses.isEmpty } }

  /// The number of files that could not be read to the end, by reason. The reasons contain no names or lines from the
  /// files.
  var losses: [(reason: String, count: Int)] {
    let reasons = damaged.compactMap { $0.losses.first.map { String($0.prefix { $0 != ":" }) } }
    return reasons.withoutRepetitions.map { reason in (reason, reasons.count { $0 == reason }) }
  }

  /// A sentence about damaged files; `nil` if all files were read.
  package var lossSentence: String? {
    guard !losses.isEmpty else { return nil }
    return "\(damaged.count) of \(files.count == 1 ? "1 file" : "\(files.count) files") "
      + "\(damaged.count == 1 ? "was" : "were") not read to the end, which --damaged accept allows: "
      + losses.map { "\($0.count) \($0.reason)" }.joined(separator: ", ") + "."
  }

  /// A sentence about outages; `nil` if there were none.
  var outageSentence: String? {
    let load = MeasuredLoad(picture, counted, requestsPerRun: 1)
    guard !load.outages.isEmpty else { return nil }
    let spans = load.outages.map { LogSentences.text(load.time($0.lowerBound)..<load.time($0.upperBound)) }
    let (outages, echoes) =
      spans.count == 1 ? ("an outage, which is", "its echo") : ("outages, which are", "their echoes")
    return "Many requests failed in \(outages) left out of the comparison together with \(echoes): "
      + spans.prefix(3).joined(separator: "; ") + (spans.count > 3 ? "; ..." : "")
  }

  /// The entry for damaged files in a manifest.
  var lossJSON: JSONValue { damaged.isEmpty ? [:] : ["damaged_files": damaged.count] }

  package var lines: Int { files.lines }
  package var parsed: Int { files.parsed }

  var isPacked: Bool { files.contains { $0.stream.compression != .none } }

  /// The fields of all files that may identify phones, sorted by number of lines, largest first.
  var candidates: [IdentityCandidate] {
    var best: [String: IdentityCandidate] = [:]
    for candidate in files.flatMap(\.candidates) {
      if let known = best[candidate.field], known.lines >= candidate.lines { continue }
      best[candidate.field] = candidate
    }
    return best.values.sorted { $0.precedes($1) }
  }

  /// Whether the logs can be used for a calibration.
  package var isReadable: Bool {
    parsed > 0 && (picture.census.lines > 0 || counted != nil) && !picture.findings.contains(where: \.isFatal)
  }
}
