import RequestLogs
import RequestStatistics
import Scenario
import SimulationKernel

/// Sentences about findings in logs.
enum LogSentences {
  static func sentence(_ finding: LogFinding, _ picture: LogSummary?) -> String {
    switch finding {
    case .copies(let lines):
      "\(NumberText.whole(Double(lines))) duplicate lines were dropped"
    case .repeated(let lines):
      "\(NumberText.whole(Double(lines))) lines repeat the previous line, from runs that send several requests: kept"
    case .hole(let span): "no lines \(text(span)): treated as a hole, and gaps that touch it as open-ended"
    case .lostNode(let lost):
      "nothing \(text(lost.span)) from \(picture?.shownNode(lost.node) ?? "a server"), which normally sends "
        + "\(NumberText.percent(lost.share)) of the lines: excluded like a hole"
    case .shift(let shift):
      "\(NumberText.percent(shift.level)) of the usual lines \(text(shift.span)), in every class"
        + (shift.servers.map { ", as if only \($0.left) of \($0.all) servers were logged" } ?? "")
        + ": excluded like a hole"
    case .skew(let node, let milliseconds):
      "the clock of \(picture?.shownNode(node) ?? "a server") is \(TimeText.seconds(TimeAmount.milliseconds(abs(milliseconds)).seconds)) "
        + "\(milliseconds > 0 ? "fast" : "slow"): corrected"
        + (ClockSkew.isWrongZone(milliseconds) ? "; whole hours suggest local time without an offset" : "")
    case .stuckMinute(let minute):
      "59 of 60 minutes never occur: all timestamps have minute \(TimeText.two(minute)); the format may use %m (month) "
        + "instead of %M"
    case .stuckSecond(let second): "59 of 60 seconds never occur: all timestamps have second \(TimeText.two(second))"
    case .tooLong: "timestamps span more than two years: some are wrong, or several logs are mixed"
    case .machines(let senders, let share):
      "\(counted(senders, "sender")) with \(NumberText.percent(share)) of the lines send like clockwork, day and night: "
        + "counted as other load"
    case .sharedIDs(let senders, let share):
      "\(counted(senders, "id")) with \(NumberText.percent(share)) of the lines send more than one phone can: excluded"
    case .dailyIDs: "ids change daily: gaps across midnight are unknown, and phones can be counted only per day"
    }
  }

  static func text(_ span: Range<Int64>) -> String {
    let (from, to) = (UTCTime(unixMilliseconds: span.lowerBound), UTCTime(unixMilliseconds: span.upperBound))
    return from.date == to.date
      ? "on \(from.date) from \(from.shortTime) to \(to.shortTime) UTC"
      : "from \(from.date) \(from.shortTime) to \(to.date) \(to.shortTime) UTC"
  }
}
