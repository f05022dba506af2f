/// What was read of a file.
package struct LogFileReport: Sendable {
  package let path: String
  /// nil: it was not read as far as that.
  package internal(set) var format: LogFormat?
  /// How the format is called and why it was chosen: `nginx or Apache combined: 62 of 64 lines`.
  package internal(set) var reason = ""
  package internal(set) var stream = StreamFacts()
  /// Bytes of the file as it lies on the disk.
  package internal(set) var bytes = 0
  /// Bytes of its text.
  package internal(set) var textBytes = 0
  /// Lines that are neither empty nor comments nor names of columns.
  package internal(set) var lines = 0
  /// Lines that became requests or counts.
  package internal(set) var parsed = 0
  package internal(set) var comments = 0
  private var rejections = [Int](repeating: 0, count: Rejection.allCases.count)
  /// Why it could not be read, or not to its end.
  package internal(set) var problem: LogProblem?
  /// The file before it that has the same bytes; this one was not read then.
  package internal(set) var duplicateOf: String?
  /// What a table of counts holds.
  package internal(set) var counts: [CountSeries] = []
  /// Fields that look as if they told who sends; none of them is used unless it is named.
  package internal(set) var candidates: [IdentityCandidate] = []

  init(_ path: String) { self.path = path }

  /// How many lines were left out for a reason.
  package func rejected(_ reason: Rejection) -> Int { rejections[reason.rawValue] }
  package var rejected: Int { rejections.reduce(0, +) }

  mutating func add(_ tally: LineReader.Tally) {
    lines += tally.lines
    parsed += tally.parsed
    comments += tally.comments
    for reason in Rejection.allCases { rejections[reason.rawValue] += tally.rejected[reason.rawValue] }
  }

  /// Lines that never were whole enough to be read.
  mutating func add(_ count: Int, _ reason: Rejection) {
    lines += count
    rejections[reason.rawValue] += count
  }
}

/// What reading brought: a sink for each thread, and a report for each file.
package struct LogReading<Sink: Sendable>: Sendable {
  package private(set) var sinks: [Sink]
  /// In the order of the inputs.
  package let files: [LogFileReport]
  /// Whether it was stopped before the end.
  package let isCancelled: Bool

  /// Hands out the sinks, which are large, and keeps none.
  package mutating func takeSinks() -> [Sink] {
    defer { sinks = [] }
    return sinks
  }

  package var lines: Int { files.reduce(0) { $0 + $1.lines } }
  package var parsed: Int { files.reduce(0) { $0 + $1.parsed } }
  package func rejected(_ reason: Rejection) -> Int { files.reduce(0) { $0 + $1.rejected(reason) } }
}
