package import RequestLogs
package import RequestStatistics

/// What is told of some logs: what was read, and what is in it.
package struct LogsReport: Sendable {
  /// In the order of the inputs.
  package let files: [LogFileReport]
  package let picture: LogPicture
  /// Whether a field was named that tells phones apart.
  package let hasIDs: Bool
  /// What tables of counts hold: of several columns the first, over all files that have it; nil: none was read.
  package let counted: CountedLoad?
  /// The column that was taken.
  package let countedColumn: String

  /// - Parameter days: of a table to take, counted from 1, the day of its first step; nil: all. A picture has its own.
  package init(
    files: [LogFileReport], picture: LogPicture, hasIDs: Bool, days: ClosedRange<Int>? = nil
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

  /// No log at all.
  package static var none: LogsReport {
    LogsReport(files: [], picture: LogPicture(LogCensus(within: LogCensus.Budgets()), LogNames()), hasIDs: false)
  }

  package var lines: Int { files.reduce(0) { $0 + $1.lines } }
  package var parsed: Int { files.reduce(0) { $0 + $1.parsed } }
  var bytes: Int { files.reduce(0) { $0 + $1.bytes } }
  var textBytes: Int { files.reduce(0) { $0 + $1.textBytes } }

  var isPacked: Bool { files.contains { $0.stream.compression != .none } }

  /// Files that were not read to their end.
  package var damaged: [LogFileReport] { files.filter { !$0.losses.isEmpty } }

  /// How many files were not read to their end for a reason, without a name or a line of them.
  var losses: [(reason: String, count: Int)] {
    let reasons = damaged.compactMap { $0.losses.first.map { String($0.prefix { $0 != ":" }) } }
    return reasons.withoutRepetitions.map { reason in (reason, reasons.count { $0 == reason }) }
  }

  /// A sentence that says so; `nil` if all files were.
  package var lossSentence: String? {
    guard !losses.isEmpty else { return nil }
    return "\(damaged.count) of \(files.count == 1 ? "1 file" : "\(files.count) files") "
      + "\(damaged.count == 1 ? "was" : "were") not read to the end, which --damaged accept allows: "
      + losses.map { "\($0.count) \($0.reason)" }.joined(separator: ", ") + "."
  }

  /// What a manifest has of it.
  var lossJSON: JSONValue { damaged.isEmpty ? [:] : ["damaged_files": damaged.count] }

  func rejected(_ reason: Rejection) -> Int { files.reduce(0) { $0 + $1.rejected(reason) } }

  /// Fields that may tell phones apart, over all files: the ones with the most lines first.
  var candidates: [IdentityCandidate] {
    var best: [String: IdentityCandidate] = [:]
    for candidate in files.flatMap(\.candidates) {
      if let known = best[candidate.field], known.lines >= candidate.lines { continue }
      best[candidate.field] = candidate
    }
    return best.values.sorted { ($1.lines, $0.field) < ($0.lines, $1.field) }
  }

  /// Whether a calibration has something to begin with.
  package var isReadable: Bool { parsed > 0 && !picture.findings.contains(where: \.isFatal) }

  /// Minutes since 1970 and lines of the busiest minute.
  var busiestMinute: (start: Int64, lines: Int64)? {
    guard let span = picture.span, !picture.isTooLong else { return nil }
    let counts = picture.census.loads.counts(in: span, of: 0..<LoadSeries.count)
    guard let place = counts.indices.max(by: { counts[$0] < counts[$1] }) else { return nil }
    return (span.lowerBound + Int64(place) * 60_000, counts[place])
  }
}
