import Calibration
import RequestStatistics
import Scenario

/// What should the log say next time?
func nextLogSection(_ report: CalibrationReport) -> ReportSection {
  let advice = LogAdvice(report: report).all
  let table = DataTable(
    caption: "What would show more, the most useful first", columns: ["Add", "It would show"],
    rows: advice.map { [$0.what, $0.tells] }, textColumns: 2, stacks: true)
  return ReportSection(
    id: "next", short: "Log next", question: "What should be logged next?",
    answer: advice.isEmpty
      ? "Nothing: what this calibration can tell, this log told."
      : "\(advice[0].what)." + (advice.count > 1 ? " What else would help is below." : ""),
    figures: advice.isEmpty ? [] : [table.markup])
}

/// What a log lacks, and what it would tell with it; nothing that would not help here.
struct LogAdvice {
  let report: CalibrationReport

  struct Item: Hashable {
    let what: String
    let tells: String
  }

  /// The most useful first.
  var all: [Item] { [identity, lastingIdentity, parameter, days, durations, requestIDs, outage].compactMap { $0 } }

  private var reasons: Set<Estimate.Reason> {
    Set(report.findings.filter { !$0.isTold || $0.estimate.verdict != .identified }.compactMap(\.estimate.reason))
  }

  private var hasIDs: Bool { report.evidence.fleet != nil }

  private var identity: Item? {
    guard !hasIDs else { return nil }
    let field =
      report.logs.candidates.first.map { ", such as the field \($0.field) that is there: --id \($0.field)" } ?? ""
    return Item(
      what: "An id of the installation" + field,
      tells: "how many phones there are, each interval to the second, start delays, zones and the hours of people, and "
        + "several kinds apart")
  }

  private var lastingIdentity: Item? {
    guard report.evidence.lifetime == .oneDay else { return nil }
    return Item(
      what: "An id that outlives the day",
      tells: "waits over midnight, how many phones there are, and how people differ")
  }

  /// What only the widget itself knows.
  private static let hidden: Set<Estimate.Reason> = [
    .cacheHidesInterval, .minimumSpacingHidesInterval, .severalIntervals, .onlyProduct, .demandBelowBudget, .noEdge,
    .notUniform,
  ]

  private var parameter: Item? {
    let mixed = report.evidence.traffic.isAlone.contains(false)
    let asked = report.evidence.kinds.map(\.kind)
    let hasJitter = asked.contains { report.base.kinds[$0].jitter != nil }
    guard mixed || hasJitter || !reasons.isDisjoint(with: Self.hidden) else { return nil }
    var told = ["why a run came and how late it was"]
    if mixed { told.append("which kind asked") }
    if hasJitter { told.append("jitter and start delay apart") }
    if !reasons.isDisjoint(with: [.cacheHidesInterval, .minimumSpacingHidesInterval, .noEdge, .severalIntervals]) {
      told.append("the interval that the code asked for")
    }
    if reasons.contains(.demandBelowBudget) { told.append("runs that the cache or a dead network swallowed") }
    return Item(
      what: "The widget's own parameter on its requests, w=<kind>.<instance hash>.<seq>.<due minute>.<why>",
      tells: told.joined(separator: ", "))
  }

  private var days: Item? {
    guard reasons.contains(.tooFewDays), let span = report.logs.picture.span else { return nil }
    let days = Double(span.upperBound - span.lowerBound) / 86_400_000
    guard days < Self.enoughDays else { return nil }
    return Item(
      what: "Seven days or more (these are \(NumberText.trimmed(NumberText.fixed(days, decimals: 1))))",
      tells: "how days and people differ, and intervals that hold for other days too")
  }

  private static let enoughDays = 7.0

  private var durations: Item? {
    guard !report.evidence.endpoints.isEmpty, report.evidence.endpoints.allSatisfy({ $0.durations == nil }) else {
      return nil
    }
    return Item(
      what: "How long each answer took (nginx: $request_time)",
      tells: "latency, and when requests came rather than when their lines were written")
  }

  private var requestIDs: Item? {
    let unsure = report.logs.picture.findings.contains { $0.defect == .copies }
    guard unsure else { return nil }
    return Item(
      what: "An id of each request (nginx: $request_id)",
      tells: "lines that were delivered twice from runs that ask twice")
  }

  private var outage: Item? {
    guard reasons.contains(.noErrors) else { return nil }
    return Item(
      what: "A log with an outage in it, when there has been one", tells: "attempts, backoff and on_error")
  }
}
