import Scenario
import Studies

/// What becomes of the refreshes that the policy asks for? nil where no refresh that a policy asked for has run.
func askedSection(of report: ReportContent) -> ReportSection? {
  let kinds = askedKinds(report)
  guard let first = kinds.first else { return nil }
  return ReportSection(
    id: "asked", short: "Asked and got", question: "What becomes of the refreshes that the policy asks for?",
    answer: askedAnswer(first, report) + jitterAnswer(kinds, report),
    figures: kinds.prefix(mostDrawn).map { waterfall($0, report) },
    note:
      "Per widget and day. A loss is the time that something takes, divided by the mean interval that the policy asks "
      + "for; what is asked for is exactly what runs plus all losses. The time for which refreshes are withheld is "
      + "counted; that each hour of it costs equally many refreshes is an attribution. " + followedNote(report),
    details: [askedTable(kinds, report).details("Asked and got, as numbers")])
}

private let mostDrawn = 3

/// What of a day is not worth a bar.
private let leastShare = 0.005

/// Kinds whose policies ask for refreshes, that of the most widgets first.
private func askedKinds(_ report: ReportContent) -> [StoredAsked] {
  report.run.asked.filter { ($0[.asks] ?? 0) > 0 }.sorted { ($1.seconds, $0.kind) < ($0.seconds, $1.kind) }
}

private func name(_ asked: StoredAsked, _ report: ReportContent) -> String {
  report.run.scenario.kinds[asked.kind].name
}

/// What is lost, the most first.
private func losses(_ asked: StoredAsked) -> [(row: AskedRow, perDay: Double)] {
  AskedRow.losses.map { ($0, asked[$0] ?? 0) }.filter { $0.1 > 0 }.sorted { $0.1 > $1.1 }
}

/// The first sentence: what is asked, what of it runs, and on what most of the rest is lost.
func askedAnswer(_ asked: StoredAsked, _ report: ReportContent) -> String {
  let (asks, policy, other) = (asked[.asks] ?? 0, asked[.policy] ?? 0, asked[.other] ?? 0)
  let kinds = report.run.scenario.kinds.count
  let whose = kinds > 1 ? "the policy of \(name(asked, report))" : "the policy"
  let (lost, text) = (asks - policy, NumberText.text)
  // Fixed dates may be more than what follows from the policy's intervals.
  let head =
    policy > asks
    ? "\(whose) asks for \(text(asks)) refreshes a day, and \(text(policy)) run".asSentence
    : "Of the \(text(asks)) refreshes a day that \(whose) asks for, \(text(policy)) run"
  var answer = head + "."
  if lost >= leastShare * asks, let most = losses(asked).first {
    let share = most.perDay >= lost / 2 ? "most are lost to" : "the largest loss is to"
    answer = head + "; \(share) \(words(most.row)) (\(text(most.perDay)))."
  }
  guard other >= leastShare * (policy + other) else { return answer }
  return answer + " With \(text(other)) for other reasons, a widget refreshes \(text(policy + other)) times a day."
}

/// That a jitter spreads nothing, of the first kind of which that holds.
private func jitterAnswer(_ kinds: [StoredAsked], _ report: ReportContent) -> String {
  let scenario = report.run.scenario
  return kinds.lazy.compactMap { asked in
    IdleJitter(scenario.kinds[asked.kind], in: scenario).map { jitter in
      " The dates of \(name(asked, report)) do not follow the clock, so its jitter of up to \(TimeText.span(jitter.upTo)) "
        + "spreads nothing: with the interval of \(TimeText.span(jitter.interval)) it is like an interval of "
        + "\(TimeText.span(jitter.meanInterval)) without jitter."
    }
  }.first ?? ""
}

/// What a loss is lost to.
private func words(_ row: AskedRow) -> String {
  guard case .part(let part) = row else { return row.name }
  return switch part {
  case .asked, .without: part.name
  case .caughtUp: "fixed dates, which no delay moves"
  case .edges: "the ends of the clock"
  case .jitter: "jitter"
  case .spacing: "the least spacing of the system"
  case .startDelay: "the system's start delay"
  case .locked: "locked phones"
  case .idle: "phones that nobody uses"
  case .lowPower: "Low Power Mode"
  case .budget: "spent budgets"
  case .superseded: "other refreshes, which restart the interval"
  case .failed: "failed refreshes and the time up to their retry"
  case .running: "the refreshes' own time"
  }
}

private func waterfall(_ asked: StoredAsked, _ report: ReportContent) -> Markup {
  let (asks, policy, other) = (asked[.asks] ?? 0, asked[.policy] ?? 0, asked[.other] ?? 0)
  let text = NumberText.text
  var bars = [WaterfallFigure.Bar(name: "Asked for by the policy", from: 0, to: asks, text: text(asks), style: "bar")]
  var left = asks
  let shown = losses(asked).filter { $0.perDay >= leastShare * asks }
  for loss in shown {
    bars.append(
      .init(
        name: words(loss.row).asSentence, from: left, to: left - loss.perDay, text: "−" + text(loss.perDay),
        style: "ghost"))
    left -= loss.perDay
  }
  let rest = left - policy
  if abs(rest) >= leastShare * asks {
    let name = rest > 0 ? "Smaller losses" : "Regained by fixed dates and at the ends"
    bars.append(
      .init(
        name: name, from: left, to: policy, text: (rest > 0 ? "−" : "+") + text(abs(rest)), style: "ghost"))
  }
  bars.append(.init(name: "Run as the policy asks", from: 0, to: policy, text: text(policy), style: "bar"))
  if other >= leastShare * (policy + other) {
    bars.append(
      .init(name: "For other reasons", from: policy, to: policy + other, text: "+" + text(other), style: "cause-tap"))
    bars.append(
      .init(name: "Refreshes in all", from: 0, to: policy + other, text: text(policy + other), style: "bar"))
  }
  return WaterfallFigure(bars: bars).markup(
    id: "asked-\(asked.kind)", title: "From the refreshes asked for to those that run, \(name(asked, report))",
    description: askedAnswer(asked, report))
}

private func askedTable(_ kinds: [StoredAsked], _ report: ReportContent) -> DataTable {
  let rows = kinds.flatMap { asked -> [[String]] in
    let kind = name(asked, report)
    func row(_ name: String, _ value: Double?) -> [String] { [kind, name.asSentence, signed(value)] }
    let lost = AskedRow.losses.filter { (asked[$0] ?? 0) != 0 }.map { row(words($0), asked[$0].map { -$0 }) }
    let ran = (asked[.policy] ?? 0) + (asked[.other] ?? 0)
    var rows = [row("asked for by the policy", asked[.asks])] + lost
    rows += [
      row("run as the policy asks", asked[.policy]), row("for other reasons", asked[.other]),
      row("refreshes in all", ran),
    ]
    rows.append(
      row("answered by a cache", report.summary.value(.cacheHitsPerDay, .mean, Labels().with(\.kind, kind))))
    return rows
  }
  return DataTable(
    caption: "From what the policy asks for to what is sent, per widget and day", columns: ["Kind", "What", "A day"],
    rows: rows, textColumns: 2)
}

private func signed(_ value: Double?) -> String {
  guard let value, value < 0 else { return NumberText.text(value) }
  return "−" + NumberText.text(-value)
}

/// How many phones there are of which it is known where their time goes.
func followedNote(_ report: ReportContent) -> String {
  let every = FollowedPhones.every(of: report.run.devicesSimulated)
  return every == 1
    ? "Counted on every phone." : "Counted on one phone in \(NumberText.whole(Double(every)))."
}
