import Scenario
import Studies

/// Returns the section on the outcomes of requested refreshes; `nil` if no refresh requested by a policy has run.
func askedSection(of report: ReportContent) -> ReportSection? {
  let kinds = AskedKind.all(report)
  guard let first = kinds.first else { return nil }
  let columns = AskedRow.allCases.map { row in
    FigureColumn(row.title, .askedPerDay) { $0.with(\.reason, row.reason) }
  }
  let list = FigureList(
    "Refreshes requested, lost and run, per widget per day",
    columns + [FigureColumn("all refreshes", .runsPerDay), FigureColumn("answered by a cache", .cacheHitsPerDay)])
  return ReportSection(
    "asked",
    answer: first.answer + jitterAnswer(kinds, report),
    figures: kinds.prefix(maxCharts).map(\.waterfall), note: followedNote(report),
    details: list.table(report, kinds.map { ($0.name, $0.labels) }, head: "Kind"))
}

private let maxCharts = 3

/// The smallest share of a day's refreshes for which a separate bar is drawn.
private let minShare = 0.005

/// The figures for a kind whose policy requests refreshes.
private struct AskedKind {
  var number: Int
  var name: String
  /// The name of the policy, for use in sentences.
  var policy: String
  var labels: Labels
  var perDay: [AskedRow: Double]

  /// Returns the kinds, sorted by number of widgets, largest first.
  static func all(_ report: ReportContent) -> [AskedKind] {
    let kinds = report.run.scenario.kinds
    let known = kinds.enumerated().compactMap { number, kind -> AskedKind? in
      let labels = Labels().with(\.kind, kind.name)
      let rows = AskedRow.allCases.compactMap { row in
        report.summary.value(.askedPerDay, .mean, labels.with(\.reason, row.reason)).map { (row, $0) }
      }
      let policy = kinds.count > 1 ? "the policy of \(kind.name)" : "the policy"
      let asked = AskedKind(
        number: number, name: kind.name, policy: policy, labels: labels,
        perDay: Dictionary(rows, uniquingKeysWith: { $1 }))
      return asked[.asks] > 0 ? asked : nil
    }
    let widgets = { (kind: AskedKind) in report.summary.value(.widgets, .total, kind.labels) ?? 0 }
    return known.sorted { (widgets($1), $0.number) < (widgets($0), $1.number) }
  }

  subscript(row: AskedRow) -> Double { perDay[row] ?? 0 }

  /// The ways in which requested refreshes were lost, largest loss first.
  private var losses: [AskedRow] { AskedRow.losses.filter { self[$0] > 0 }.sorted { self[$0] > self[$1] } }

  private var runs: Double { self[.policy] + self[.other] }

  /// A sentence that states how many refreshes are requested, how many run, and how most of the others are lost.
  var answer: String {
    let (asks, ran, lost) = (self[.asks], self[.policy], self[.asks] - self[.policy])
    let text = NumberText.text
    // Fixed dates can cause more refreshes than the intervals of the policy imply.
    var answer = "\(policy) requests \(text(asks)) refreshes a day, and \(text(ran)) run".asSentence
    if lost >= minShare * asks, let maximum = losses.first {
      let share = 2 * self[maximum] >= lost ? "most of the rest are lost to" : "the largest loss is due to"
      answer += "; \(share) \(maximum.title) (\(text(self[maximum])))"
    }
    answer += "."
    guard self[.other] >= minShare * runs else { return answer }
    return answer + " \(text(self[.other])) more run for other reasons."
  }

  var waterfall: Markup {
    var rows: [BarRow] = []
    rows.rise("Requested by the policy", to: self[.asks], style: "bar")
    for loss in losses where self[loss] >= minShare * self[.asks] {
      rows.move(loss.title.asSentence, by: -self[loss], style: "ghost")
    }
    let rest = self[.policy] - rows.level
    if abs(rest) >= minShare * self[.asks] {
      rows.move(rest < 0 ? "Smaller losses" : "Gained from fixed dates and period ends", by: rest, style: "ghost")
    }
    rows.rise("Run for the policy", to: self[.policy], style: "bar")
    if self[.other] >= minShare * runs {
      rows.move("For other reasons", by: self[.other], style: "cause-tap")
      rows.rise("All refreshes", to: runs, style: "bar")
    }
    return Chart.bars(rows).markup(
      id: "asked-\(number)", title: "Refreshes requested and run, \(name)", description: answer)
  }
}

extension [BarRow] {
  /// The value up to which the last bar extends.
  fileprivate var level: Double { last?.parts.last?.to ?? 0 }

  /// Adds a bar that starts at 0.
  fileprivate mutating func rise(_ name: String, to value: Double, style: String) {
    append(BarRow(name, value, NumberText.text(value), style: style))
  }

  /// Adds a bar that starts where the previous bar ends.
  fileprivate mutating func move(_ name: String, by change: Double, style: String) {
    var row = BarRow(name, change, (change < 0 ? "−" : "+") + NumberText.text(abs(change)))
    row.parts = [(level, level + change, style)]
    append(row)
  }
}

/// Returns a note about the first kind for which jitter has no effect; empty if there is none.
private func jitterAnswer(_ kinds: [AskedKind], _ report: ReportContent) -> String {
  let scenario = report.run.scenario
  return kinds.lazy.compactMap { asked in
    IdleJitter(scenario.kinds[asked.number], in: scenario).map { jitter in
      " The dates of \(asked.name) do not follow the clock: its jitter of up to \(TimeText.span(jitter.upTo)) only "
        + "lengthens the interval from \(TimeText.span(jitter.interval)) to \(TimeText.span(jitter.meanInterval)) on average."
    }
  }.first ?? ""
}

extension AskedRow {
  /// The reason for a loss or, for completed refreshes, the name of the runs.
  fileprivate var title: String {
    switch self {
    case .asks: "requested by the policy"
    case .policy: "run for the policy"
    case .other: "for other reasons"
    case .part(let part):
      switch part {
      case .asked, .without: part.name
      case .caughtUp: "fixed dates, which delays do not move"
      case .edges: "the start and end of the period"
      case .jitter: "jitter"
      case .spacing: "the system's minimum spacing"
      case .startDelay: "the system's start delay"
      case .locked: "locked phones"
      case .idle: "idle phones"
      case .lowPower: "Low Power Mode"
      case .budget: "exhausted budgets"
      case .superseded: "other refreshes, which restart the interval"
      case .failed: "failed refreshes and the wait for a retry"
      case .running: "refresh duration"
      }
    }
  }
}

/// Returns a note on the number of phones that were followed in detail.
func followedNote(_ report: ReportContent) -> String {
  let every = FollowedPhones.every(of: report.run.devicesSimulated)
  return every == 1
    ? "Based on every phone." : "Based on one phone in \(NumberText.whole(Double(every)))."
}
