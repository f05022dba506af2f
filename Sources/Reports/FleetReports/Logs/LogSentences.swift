import RequestLogs
import RequestStatistics
import SimulationKernel

/// The findings about logs, in words.
enum LogSentences {
  static func sentence(_ finding: LogFinding, _ picture: LogPicture?) -> String {
    switch finding {
    case .copies(let lines):
      "\(NumberText.whole(Double(lines))) lines stand there more than once: the copies are dropped"
    case .repeated(let lines):
      "\(NumberText.whole(Double(lines))) lines are like the one before: runs that ask several times; they stay"
    case .hole(let span): "no line at all \(text(span)): taken for a hole, and gaps that touch it for open"
    case .lostNode(let lost):
      "nothing from \(picture?.shownNode(lost.node) ?? "a server") \(text(lost.span)), which has "
        + "\(NumberText.percent(lost.share)) of the lines: left out like a hole"
    case .shift(let shift):
      "\(NumberText.percent(shift.level)) of the usual lines \(text(shift.span)), of every class alike"
        + (shift.servers.map { ", as if \($0.left) of \($0.all) servers were logged" } ?? "")
        + ": left out like a hole"
    case .skew(let node, let milliseconds):
      "the clock of \(picture?.shownNode(node) ?? "a server") is \(TimeText.seconds(TimeAmount.milliseconds(abs(milliseconds)).seconds)) "
        + "\(milliseconds > 0 ? "fast" : "slow"): corrected"
        + (ClockSkew.isWrongZone(milliseconds) ? "; a whole hour looks like local time without its offset" : "")
    case .stuckMinute(let minute):
      "59 of 60 minutes never occur: all stamps have minute \(TimeText.two(minute)), as when a format has %m, the month, "
        + "for %M"
    case .stuckSecond(let second): "59 of 60 seconds never occur: all stamps have second \(TimeText.two(second))"
    case .tooLong: "stamps lie more than two years apart: some of them are wrong, or these are several logs"
    case .machines(let senders, let share):
      "\(counted(senders, "sender")) with \(NumberText.percent(share)) of the lines ask like a clock, by day and night: "
        + "counted as other load"
    case .sharedIDs(let senders, let share):
      "\(counted(senders, "id")) with \(NumberText.percent(share)) of the lines ask more often than one phone can: left out"
    case .dailyIDs: "ids live a day: no gap over midnight is known, and no number of phones but that of a day"
    }
  }

  static func text(_ span: Range<Int64>) -> String {
    let (from, to) = (UTCTime(unixMilliseconds: span.lowerBound), UTCTime(unixMilliseconds: span.upperBound))
    return from.date == to.date
      ? "on \(from.date) from \(from.shortTime) to \(to.shortTime) UTC"
      : "from \(from.date) \(from.shortTime) to \(to.date) \(to.shortTime) UTC"
  }
}
