import Calibration
import RequestLogs
import RequestStatistics
import Scenario
import Studies

/// Returns the section on incorrect values in the scenario; `nil` if there are no findings.
func parameterSection(_ report: CalibrationReport) -> ReportSection? {
  guard !report.findings.isEmpty else { return nil }
  let source = report.sourceName
  let estimated = report.findings.filter { $0.isEstimated && $0.known != nil }
  let wrong = estimated.filter(\.contradicts).map(\.path)
  let added = report.findings.filter { $0.known == nil && $0.found != nil }.map(\.path)
  let table = Table(
    "Keys by --set path", report.findings,
    [
      Column("key") { .text($0.path) }, Column("owner") { .text($0.owner.rawValue) },
      Column("file") { .text($0.written) },
      Column((report.hasLog ? "log" : "telemetry") + " (95 % interval)") { .text(KeyText.known($0)) },
      Column("verdict") { .text(KeyText.outcome($0)) },
    ])
  return ReportSection(
    "calibrate/parameters",
    answer: (estimated.isEmpty
      ? "The \(source) shows no values."
      : "\(wrong.count) of \(counted(estimated.count, "value")) in the \(source)"
        + (wrong.isEmpty ? "." : ": \(wrong.joined(separator: ", "))."))
      + (added.isEmpty ? "" : " New in the file: \(added.asList)."),
    figures: [drawing(report)].compactMap { $0 } + table.markup,
    note: "Whiskers are 95 % intervals that cover chance but not model error"
      + (report.fit == nil ? ". " : ", except for keys fitted by simulation. ")
      + "\u{201C}Yours\u{201D} is your own code: if the \(source) contradicts it, the file or the code is wrong."
      + (report.patchesValues ? " calibrated.yaml contains the estimated values." : ""))
}

/// Returns a chart that compares the file's values with the log's; `nil` if there are no numbers to compare.
private func drawing(_ report: CalibrationReport) -> Markup? {
  let rows = report.findings.compactMap { finding -> BarRow? in
    guard let change = finding.change, let value = finding.estimate.value else { return nil }
    return BarRow(
      finding.path, dot: change.value, interval: change.high.map { Interval(low: change.low, high: $0) },
      text: KeyText.value(finding, value),
      longText: finding.written + " → " + KeyText.known(finding), isPale: !finding.contradicts)
  }
  guard !rows.isEmpty else { return nil }
  let source = report.sourceName
  return Chart.forest(
    rows, title: "value from the \(source), as a change from the file's", limit: 3, label: ChangeText.tick
  ).markup(
    id: "values", title: "Values from the file and the \(source), with 95 % intervals",
    description: rows.map { "\($0.name): \($0.longText)" }.joined(separator: "; ") + ".",
    legend: [("strong", "the \(source) rules out the file's value"), ("pale", "the file's value may be right")])
}

/// Returns the section on the questions that this log cannot answer.
func apartSection(_ report: CalibrationReport) -> ReportSection {
  let sentences = ApartSentences(report: report)
  let count = report.findings.count { !$0.isEstimated }
  return ReportSection(
    "calibrate/apart",
    answer: "\(count) of \(counted(report.findings.count, "value"))"
      + (count == 0 ? "." : count == 1 ? "; it remains an assumption." : "; they remain assumptions."),
    figures: Markup.findings(sentences.products + sentences.refused))
}

/// Sentences about values that could not be separated or found, and the reasons why.
struct ApartSentences {
  let report: CalibrationReport

  /// Sentences about keys for which the log determines only a product or a sum.
  var products: [String] {
    let evidence = report.evidence
    let asked = Set(evidence.kinds.map(\.kind))
    let jitter = report.base.kinds.indices.filter { asked.contains($0) && report.base.kinds[$0].jitter != nil }
      .map { "kinds.\(report.base.kinds[$0].name).jitter" }
    let freeRuns = evidence.kinds.compactMap { kind, estimates -> String? in
      guard let free = estimates.rhythm?.freeRuns, let value = free.value, let low = free.low, low > 0 else {
        return nil
      }
      return "Only the product of unlocks_per_day, home screen visits and the share of visits that reload is visible: "
        + "\(NumberText.text(value)) early runs of \(report.base.kinds[kind].name) per phone per day."
    }
    let (isBlind, isSampled) = (evidence.fleet == nil, evidence.isSampled)
    let others: [(Bool, String)] = [
      (
        evidence.aggregate?.devices.value != nil,
        "fleet.devices and the share online and in use: without ids, only phones that keep their cycle are visible."
      ),
      (
        isBlind && isSampled,
        "Intervals, delays, phones and differences between users: in a sampled log, no gap is certain."
      ),
      (
        isBlind && !isSampled && evidence.aggregate == nil,
        "The intervals of \(report.base.kinds.count) kinds: without ids, only the rhythm of a single kind is visible."
      ),
      (
        isBlind && !isSampled,
        "User differences, the budget, idle phones and retries after errors: without ids, wakes cannot be linked."
      ),
    ]
    let sum = jitter.isEmpty ? [] : ["\(jitter.joined(separator: ", ")) and os.start_delay: only their sum is visible."]
    return sum + freeRuns + others.filter(\.0).map(\.1)
  }

  /// Sentences about keys whose values the log does not determine, grouped by reason.
  var refused: [String] {
    let reason = { (finding: KeyFinding) in
      (finding.estimate.verdict == .weakly ? "weakly known, " : "")
        + (finding.estimate.reason.map(KeyText.reason) ?? "not in the log")
    }
    let open = report.findings.filter { !$0.isEstimated }
    return open.map(reason).withoutRepetitions.map { words in
      open.filter { reason($0) == words }.map { finding in
        let isKnown = finding.estimate.verdict == .weakly && finding.estimate.value != nil
        return finding.path + (isKnown ? " at about " + KeyText.known(finding) : "")
      }.joined(separator: ", ") + ": " + words + "."
    }
  }
}

/// Returns the section on the fields that future logs should contain.
func nextLogSection(_ report: CalibrationReport) -> ReportSection {
  let advice = LogAdvice(report: report).all
  let table = Table(
    "Additions, most useful first", advice,
    [Column("add") { .text($0.what) }, Column("it would show") { .text($0.tells) }])
  return ReportSection(
    "calibrate/next",
    answer: (advice.first?.what ?? "Nothing") + ".", figures: table.markup)
}

/// Advice on fields that are missing from the log. Only fields that would help with this scenario are listed, each with
/// its benefit.
struct LogAdvice {
  let report: CalibrationReport

  struct Item: Hashable {
    let what: String
    let tells: String
  }

  /// The reasons for missing estimates that can be resolved only with data from the widget itself.
  private static let hidden: Set<Calibration.Estimate.Reason> = [
    .cacheHidesInterval, .minimumSpacingHidesInterval, .severalIntervals, .onlyProduct, .demandBelowBudget, .noEdge,
    .notUniform,
  ]
  private static let enoughDays = 7.0

  /// All pieces of advice, most useful first.
  var all: [Item] {
    let (logs, evidence) = (report.logs, report.evidence)
    let reasons = Set(
      report.findings.filter { !$0.isEstimated || $0.estimate.verdict != .identified }.compactMap(\.estimate.reason))
    let field = logs.candidates.first.map { ", such as the field \($0.field): --id \($0.field)" }
    let mixed = evidence.traffic.isAlone.contains(false)
    let hasJitter = evidence.kinds.contains { report.base.kinds[$0.kind].jitter != nil }
    let hidesInterval = !reasons.isDisjoint(with: [
      .cacheHidesInterval, .minimumSpacingHidesInterval, .noEdge, .severalIntervals,
    ])
    let facts: [(Bool, String)] = [
      (true, "why a run happened and how late it was"), (mixed, "which kind sent it"),
      (hasJitter, "jitter and start delay separately"), (hidesInterval, "the interval that the code requested"),
      (reasons.contains(.demandBelowBudget), "runs hidden by the cache or a lost connection"),
    ]
    let days = logs.picture.days ?? .infinity
    let items: [(isUseful: Bool, what: String, tells: String)] = [
      (
        evidence.fleet == nil, "An installation id" + (field ?? ""),
        "the number of phones, intervals, start delays, zones and usage hours, separately for each kind"
      ),
      (
        evidence.lifetime == .oneDay, "An id that is kept for more than a day",
        "waits across midnight, the number of phones, and differences between users"
      ),
      (
        mixed || hasJitter || !reasons.isDisjoint(with: Self.hidden),
        "The widget's own parameter on its requests, w=<kind>.<instance hash>.<seq>.<due minute>.<why>",
        facts.filter(\.0).map(\.1).joined(separator: ", ")
      ),
      (
        reasons.contains(.tooFewDays) && days < Self.enoughDays,
        "Seven days or more (this log has \(NumberText.trimmed(NumberText.fixed(min(days, 7), decimals: 1))))",
        "differences between days and users, and intervals that hold for other days"
      ),
      (
        !evidence.endpoints.isEmpty && evidence.endpoints.allSatisfy { $0.durations == nil },
        "The duration of each response (nginx: $request_time)",
        "latency, and when requests arrived rather than when they were logged"
      ),
      (
        logs.picture.findings.contains { $0.defect == .copies }, "A request id (nginx: $request_id)",
        "duplicate lines, as opposed to runs that send twice"
      ),
      (
        reasons.contains(.noErrors), "A log that covers an outage, if there was one",
        "attempts, backoff and on_error"
      ),
    ]
    return items.filter(\.isUseful).map { Item(what: $0.what, tells: $0.tells) }
  }
}

/// Returns the section on the lines that were read and on defects in them.
func logReadSection(_ report: CalibrationReport) -> ReportSection {
  let logs = report.logs
  // The names of servers and files may reveal private information.
  let found =
    logs.picture.findings.map { ($0.defect, LogSentences.sentence($0, nil).asSentence) }
    + report.kindDefects.map { ($0.defect, $0.sentence.asSentence) }
  let defects = logs.picture.findings.count { !$0.isNote } + report.kindDefects.count
  let table = Table(
    "Findings and how each was handled", found,
    [
      Column("code") { .text($0.0.rawValue) }, Column("finding and action") { .text($0.1) },
      Column("meaning") { .text($0.0.meaning.meaning) },
    ])
  let again = logs.files.count { $0.duplicateOf != nil }
  let share = logs.picture.recorded
  let facts = [
    "\(counted(logs.files.count, "file")) with \(counted(logs.lines, "line")), "
      + "\(NumberText.whole(Double(logs.lines - logs.parsed))) of which were left out.",
    share == 1
      ? "" : "The log has \(NumberText.percent(share)) of the requests: loads are scaled up, and gaps are ignored.",
    logs.lossSentence ?? "",
    again == 0 ? "" : "\(counted(again, "file")) \(again == 1 ? "was" : "were") found twice but counted once.",
    "\(defects == 0 ? "No" : NumberText.whole(Double(defects))) \(defects == 1 ? "defect was" : "defects were") found.",
  ]
  return ReportSection(
    "calibrate/read",
    answer: facts.filter { !$0.isEmpty }.joined(separator: " "), figures: lines(logs).markup + table.markup)
}

private func lines(_ logs: LogsReport) -> Table {
  let census = logs.picture.census
  let formats = LogFormat.allCases.map { format -> (String, Int) in
    let own = logs.files.filter { $0.format == format }
    return ("\(counted(own.count, "file")) in format \(format.rawValue)", own.lines)
  }
  let rejected = Rejection.allCases.map { ("left out: " + $0.description, logs.files.rejected($0)) }
  let classes = RequestClass.allCases.map {
    ("sent by: " + spelled($0, " "), Int(census.lines(of: $0)))
  }
  let rows = formats + rejected + classes + [("with an id", Int(census.signed))]
  return Table(
    "Lines", rows.filter { $0.1 > 0 }, [Column("what") { .text($0.0) }, Column(number: "lines") { .count($0.1) }])
}

/// Returns the section on personal data that is stored.
func privacySection(_ report: CalibrationReport) -> ReportSection {
  let hasIDs = report.logs.hasIDs
  let key =
    report.keepsKey
    ? "The key is in the --key-file file. With it, a known id can be found again, so the pseudonyms are personal "
      + "data."
    : "The key was drawn for this run, kept only in memory and discarded, so no id can be found again."
  let sampled = report.logs.picture.senders.share
  let facts = [
    hasIDs
      ? "Ids were replaced by keyed hashes (SipHash-2-4, 128 bits) as the lines were read. " + key
      : "No field that identifies senders was read.",
    "No file in this folder contains an id, address, query or log line, and this page names no log file or "
      + "server.",
    hasIDs && sampled < 1
      ? "Request times were held in memory for \(NumberText.percent(sampled)) of the senders, sampled by hash."
      : "", "Paths are counted as templates without numbers, and only the scenario's endpoints are named.",
  ]
  return ReportSection(
    "calibrate/privacy", answer: "Nothing that identifies users.",
    figures: Markup.findings(facts.filter { !$0.isEmpty }))
}
