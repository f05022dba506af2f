import RequestLogs
import RequestStatistics

/// What was found in logs, in words.
enum LogSentences {
  static func sentence(_ finding: LogFinding, _ names: LogNames) -> String {
    switch finding {
    case .copies(let lines):
      "\(NumberText.whole(Double(lines))) lines stand there more than once: the copies are dropped"
    case .repeated(let lines):
      "\(NumberText.whole(Double(lines))) lines are like the one before: runs that ask several times; they stay"
    case .hole(let span): "no line at all \(text(span)): taken for a hole, and gaps that touch it for open"
    case .lostNode(let lost):
      "nothing from \(names.nodes[lost.node] ?? "a server") \(text(lost.span)), which has "
        + "\(NumberText.percent(lost.share)) of the lines: left out like a hole"
    case .skew(let node, let milliseconds):
      "the clock of \(names.nodes[node] ?? "a server") is \(TimeText.seconds(Double(abs(milliseconds)) / 1_000)) "
        + "\(milliseconds > 0 ? "fast" : "slow"): corrected" + zoneRemark(milliseconds)
    case .stuckMinute(let minute):
      "59 of 60 minutes never occur: all stamps have minute \(TimeText.two(minute)), as when a format says %m, the month, "
        + "for %M"
    case .stuckSecond(let second): "59 of 60 seconds never occur: all stamps have second \(TimeText.two(second))"
    case .tooLong: "stamps lie more than two years apart: some of them are wrong, or these are several logs"
    case .machines(let senders, let share):
      "\(count(senders, "sender")) with \(NumberText.percent(share)) of the lines ask like a clock, by day and night: "
        + "counted as other load"
    case .sharedIDs(let senders, let share):
      "\(count(senders, "id")) with \(NumberText.percent(share)) of the lines ask more often than one phone can: left out"
    case .dailyIDs: "ids live a day: no gap over midnight is known, and no number of phones but that of a day"
    }
  }

  /// A whole hour is a zone, no clock.
  private static func zoneRemark(_ milliseconds: Int64) -> String {
    let hours = (Double(milliseconds) / 3_600_000).rounded()
    let isWhole = hours != 0 && abs(Double(milliseconds) - hours * 3_600_000) <= 3_000
    return isWhole ? "; a whole hour looks like local time without its offset" : ""
  }

  static func text(_ span: Range<Int64>) -> String {
    let (from, to) = (UTCTime(unixMilliseconds: span.lowerBound), UTCTime(unixMilliseconds: span.upperBound))
    return from.date == to.date
      ? "on \(from.date) from \(from.shortTime) to \(to.shortTime) UTC"
      : "from \(from.date) \(from.shortTime) to \(to.date) \(to.shortTime) UTC"
  }

  static func count(_ count: Int, _ thing: String) -> String {
    NumberText.whole(Double(count)) + " " + thing + (count == 1 ? "" : "s")
  }

  /// Why lines were left out.
  static func text(_ reason: Rejection) -> String {
    switch reason {
    case .malformed: "not as the format has lines"
    case .noTime: "without a time"
    case .impossibleTime: "with a time that cannot be"
    case .tooLong: "too long"
    case .noRequest: "no request"
    case .tornEnd: "cut off at the end of a file"
    }
  }

  /// Why a file could not be read, or not to its end.
  static func text(_ problem: LogProblem, _ systemError: (Int32) -> String) -> String {
    switch problem {
    case .cannotOpen(let number): "cannot be opened: \(systemError(number))"
    case .cannotRead(let number): "cannot be read: \(systemError(number))"
    case .notAFile: "is no file that can be read"
    case .damaged: "is damaged: what it holds was not written by a compressor; lines up to there count"
    case .expandsTooFar: "grows more than a thousandfold beyond 1 GB when it is unpacked: not read on"
    case .windowTooLarge: "needs more than 128 MiB to be unpacked: not read"
    case .wideCharacters: "is UTF-16 or UTF-32: save it as UTF-8"
    case .unknownFormat(let looksLike):
      "has no format that is known; its first line looks like '\(looksLike)'; --format says what it is, --map where fields are"
    case .noColumns: "is a table whose columns nothing names: --map time=COLUMN and --map count=COLUMN do"
    case .tooManyRows: "has more rows of counts than ten years have minutes"
    case .noMemory: "needs more memory than there is"
    }
  }
}
