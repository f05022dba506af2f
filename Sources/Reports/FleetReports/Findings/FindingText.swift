import Scenario
import SimulationKernel
import Studies

/// The text of a finding that deserves the user's attention.
struct FindingText {
  var topic: String
  /// One or two sentences about the finding, including the result of its remedy's trial.
  var sentence: String
  /// The number on which the finding is based, as shown in the sentence.
  var number: String
  /// The anchor of the section that contains the details.
  var section: String
}

extension FindingText {
  /// Returns up to five findings, worst first.
  static func all(_ report: ReportContent) -> [FindingText] {
    let findings = RunFinding.all(report.run, report.summary)
    return Array(findings.compactMap { FindingText($0, report) }.prefix(5))
  }

  /// Creates the text; `nil` if the finding must be confirmed by a trial and no trial confirmed it.
  init?(_ finding: RunFinding, _ report: ReportContent) {
    let outcome = report.trials.outcome(of: finding, in: report.run.scenario)
    if finding.topic == .coldCaches, outcome.map({ !$0.helps || $0.hasPrice }) ?? true { return nil }
    switch finding.topic {
    case .overload: self.init(overload: finding, report)
    case .failures: self.init(failures: finding, report)
    case .herd: self.init(herd: finding, report)
    case .withheld: self.init(withheld: finding, report)
    case .stale: self.init(stale: finding, report)
    case .budget: self.init(budget: finding, report)
    case .coldCaches: self.init(coldCache: finding, report)
    }
    let scenario = report.run.scenario
    if let remedy = finding.remedy {
      sentence += " " + TrialText(finding: finding, remedy: remedy, outcome: outcome, scenario: scenario).sentence
    }
    guard let milder = finding.milder(in: scenario), let remedy = milder.remedy,
      let outcome = report.trials.outcome(of: milder, in: scenario)
    else { return }
    sentence += " " + TrialText(finding: milder, remedy: remedy, outcome: outcome, scenario: scenario).sentence
  }

  private init(overload finding: RunFinding, _ report: ReportContent) {
    let endpoint = finding.endpoint ?? 0
    let doubt = finding.isResolved ? "" : " This may be due to chance: \(SampleWords.more)."
    let time = TimeText.seconds(finding.value)
    let labels = Labels().with(\.endpoint, Self.name(endpoint, report))
    let bracket = BracketText.hull(report.summary.row(.overloadSeconds, .total, labels), TimeText.seconds)
    self.init(
      topic: "Overload",
      sentence:
        "Endpoint \(Self.name(endpoint, report)) is above its capacity for \(time)\(bracket).\(Self.busiest(finding.crest))\(doubt)",
      number: time, section: "capacity")
  }

  private init(failures finding: RunFinding, _ report: ReportContent) {
    let endpoint = finding.endpoint ?? 0
    let labels = Labels().with(\.endpoint, Self.name(endpoint, report))
    let share = NumberText.percent(finding.value)
    let bracket = BracketText.hull(report.summary.row(.failures, .share, labels), NumberText.percent)
    let doubt = finding.isResolved ? "" : " This may be due to chance: \(SampleWords.more)."
    let reason =
      (finding.failure.map { ", mostly for reason \($0.name)" } ?? "") + "." + Self.failingCause(finding, report)
    self.init(
      topic: "Failed requests",
      sentence:
        "\(share) of the requests to \(Self.name(endpoint, report)) fail\(bracket)\(reason)\(doubt)",
      number: share, section: "causes")
  }

  /// Returns a sentence such as `92 % of those from widget pushes fail.` about the cause with the highest failure rate.
  /// It is empty unless this rate is at least twice the overall rate.
  private static func failingCause(_ finding: RunFinding, _ report: ReportContent) -> String {
    let labels = Labels().with(\.endpoint, name(finding.endpoint ?? 0, report))
    let summary = report.summary
    let all = summary.value(.failures, .total, labels) ?? 0
    // Causes with less than 5 % of the failures are ignored because their failure rates may be due to chance.
    let causes = Cause.allCases.map { (cause: $0, labels: labels.with(\.cause, $0.name)) }.filter { one in
      20 * (summary.value(.failures, .total, one.labels) ?? 0) >= all
    }
    let share = { (labels: Labels) in summary.value(.failures, .share, labels) ?? 0 }
    guard let worst = causes.max(by: { share($0.labels) < share($1.labels) }),
      share(worst.labels) >= 2 * finding.value
    else { return "" }
    let worstShare = BracketText.percent(summary.row(.failures, .share, worst.labels))
    return " \(worstShare) of those from \(worst.cause.description) fail."
  }

  private init(herd finding: RunFinding, _ report: ReportContent) {
    let endpoint = finding.endpoint ?? 0
    let name = Self.name(endpoint, report)
    let times = NumberText.text(finding.value) + " times the mean"
    let start = finding.crest.map { Instant.start + .minutes(Int64($0.minute)) } ?? .start
    let window = finding.crest?.window == .minute ? "minute" : "five minutes"
    self.init(
      topic: "Herd",
      sentence:
        "Devices fire together: \(Self.load(finding, report)) in the \(window) "
        + "from \(FleetZone.inProse(start, report.zones, report.run.scenario.clock)). That is \(times)\(Self.from(finding.crest)).\(Self.again(name, report))",
      number: times, section: "herd")
  }

  /// Returns a clause about a request rate: `api gets 20 requests/s` or, if the servers also have other load, `phones
  /// send 20 requests/s to api`.
  private static func load(_ finding: RunFinding, _ report: ReportContent) -> String {
    let (endpoint, scenario) = (finding.endpoint ?? 0, report.run.scenario)
    let name = name(endpoint, report)
    let rate = NumberText.text(finding.crest?.rate) + " requests/s"
    if scenario.endpoints[endpoint].cdn != nil { return "the origin behind the CDN for \(name) gets \(rate)" }
    return scenario.hasServerLoad(endpoint) ? "phones send \(rate) to \(name)" : "\(name) gets \(rate)"
  }

  /// Returns a phrase that states how often the load repeats; empty if it does not repeat.
  private static func again(_ endpoint: String, _ report: ReportContent) -> String {
    let period = Herd.periods.first { period in
      let labels = Labels().with(\.endpoint, endpoint).with(\.period, Herd.name(of: period))
      return report.summary.value(.herd, .share, labels) ?? 0 >= 0.5
    }
    return period.map { " The load repeats every \($0 == .hour ? "hour" : TimeText.span($0))." } ?? ""
  }

  private init(withheld finding: RunFinding, _ report: ReportContent) {
    let share = NumberText.percent(finding.value)
    let labels = Self.labels(finding, report)
    let reason = finding.reason?.name ?? ""
    let ofReason = labels.with(\.reason, reason)
    let waits = BracketText.sentence(report.summary.row(.waitsPerDay, .mean, ofReason), "times a day")
    let length = BracketText.seconds(report.summary.row(.waitLength, .mean, ofReason))
    self.init(
      topic: "Withheld refreshes",
      sentence: "A refresh of \(scopeName(labels)) is due but withheld \(share) of the time. "
        + "Main reason: \(reason), \(waits), \(length) each.",
      number: share + " of the time", section: "waits")
  }

  private init(stale finding: RunFinding, _ report: ReportContent) {
    let share = NumberText.percent(finding.value)
    let kinds = report.run.scenario.kinds.filter { $0.staleAfter != nil }.count
    let row = report.summary.row(.staleViews, .share, Self.labels(finding, report))
    self.init(
      topic: "Stale data",
      sentence:
        "\(share) of the views of \(scopeName(Self.labels(finding, report))) show stale data"
        + BracketText.hull(row, NumberText.percent) + (kinds > 1 ? ", more than for any other kind." : "."),
      number: share, section: "age")
  }

  private init(budget finding: RunFinding, _ report: ReportContent) {
    let labels = Self.labels(finding, report)
    let hour = BracketText.cell(report.summary.row(.budgetExhaustedHour, .p50, labels)) { TimeText.clock(hour: $0) }
    let range = BracketText.range(report.summary.row(.budgetExhaustedPerDay, .mean, labels))
    let bracket = range.isEmpty ? "" : " (bracket \(range) times a day)"
    let often = NumberText.text(finding.value) + " times a day"
    self.init(
      topic: "Exhausted budgets",
      sentence:
        "A widget of \(scopeName(labels)) exhausts its budget \(often)\(bracket), at \(hour) local time (median).",
      number: often, section: "budget")
  }

  private init(coldCache finding: RunFinding, _ report: ReportContent) {
    let name = scopeName(Self.labels(finding, report))
    self.init(
      topic: "Cold caches",
      sentence: "When the cache for \(name) is cold, all widgets on a phone send their own requests at once.",
      number: "\(NumberText.text(finding.value)) requests from \(name)", section: "cache")
  }

  private static func name(_ endpoint: Int, _ report: ReportContent) -> String {
    report.run.scenario.endpoints[endpoint].name
  }

  private static func labels(_ finding: RunFinding, _ report: ReportContent) -> Labels {
    finding.kind.map { Scope.kind($0).labels(in: report.run.scenario) } ?? Labels()
  }

  /// Returns the main cause of the busiest minutes in an overload. The overload may have started long before these
  /// minutes.
  private static func busiest(_ crest: Crest?) -> String {
    guard let crest, let cause = crest.cause else { return "" }
    return " In its busiest \(crest.window == .minute ? "minute" : "five minutes"), most requests come "
      + "from \(cause.description)."
  }

  /// Returns the main cause of a peak in the load.
  private static func from(_ crest: Crest?) -> String {
    crest?.cause.map { ", mostly from \($0.description)" } ?? ""
  }
}

/// Returns the section on findings.
func findingSection(of report: ReportContent) -> ReportSection {
  let findings = FindingText.all(report)
  return ReportSection(
    "look", answer: answer(findings, report),
    figures: findings.isEmpty ? [] : [list(findings)],
    details: table(findings).details("Findings, as a table"))
}

private func answer(_ findings: [FindingText], _ report: ReportContent) -> String {
  guard let first = findings.first else {
    return
      "Nothing stands out: no significant overload, herd or withheld refreshes, and few failures, stale views or "
      + "exhausted budgets." + bracketText(report)
  }
  let topic = first.topic.lowercased()
  return findings.count == 1
    ? "One finding: \(topic) (\(first.number))."
    : "\(findings.count) findings, worst first, starting with \(topic) (\(first.number))."
}

/// Returns a sentence about findings that occur only at one end of the bracket; empty if there are none.
private func bracketText(_ report: ReportContent) -> String {
  let worst = { (metric: Metric, statistic: Statistic) in
    report.summary.row(metric, statistic).map { row in
      max(row.prompt?.approximate ?? 0, row.lazy?.approximate ?? 0)
    } ?? 0
  }
  let (overload, failures) = (worst(.overloadSeconds, .total), worst(.failures, .share))
  let parts = [
    overload >= RunFinding.minOverload ? "\(TimeText.seconds(overload)) above capacity" : "",
    failures >= RunFinding.minFailures ? "\(NumberText.percent(failures)) failed requests" : "",
  ].filter { !$0.isEmpty }
  return parts.isEmpty
    ? ""
    : " But within the bracket, there may be \(parts.joined(separator: " and "))."
}

private func list(_ findings: [FindingText]) -> Markup {
  .tag(
    "ol", ["class": "findings"],
    findings.map { finding in
      .tag(
        "li", [:],
        [
          .tag("strong", [:], finding.topic), .text(". " + finding.sentence + " "),
          .tag("a", ["href": "#" + finding.section], "More"),
        ])
    })
}

private func table(_ findings: [FindingText]) -> Table {
  Table(
    "Findings, worst first", findings,
    [
      Column("Finding") { .text($0.topic) }, Column("What") { .text($0.sentence) },
      Column(number: "Number") { .text($0.number) },
    ])
}
