import FleetEngine
import Scenario
import Studies

/// What does the cache save? nil where no kind has one.
func cacheSection(of report: ReportContent) -> ReportSection? {
  let savings = CacheSavings.kinds(of: report)
  guard let all = CacheSavings(of: report, kinds: savings.map(\.kind), name: "all kinds with a cache") else {
    return nil
  }
  return ReportSection(
    id: "cache", short: "Cache", question: "What does the cache save?", answer: all.answer + all.among(report),
    figures: all.saved > 0 ? [drawing(savings, all)] : [],
    note:
      "Without the cache every answered refresh would have sent the requests of its kind, each once; a refresh that "
      + "shares the requests of another one under way counts as saved too. What the load would do to the servers, and "
      + "retries, are left out of this estimate.",
    details: [table(savings + (savings.count > 1 ? [all] : [])).details("What the cache saves, as numbers")])
}

/// What the caches of some kinds saved, over all replications.
struct CacheSavings {
  /// -1 for several.
  var kind: Int
  var name: String
  /// Runs, hits, requests sent and requests saved in the fleet, the mean over replications.
  var runs: Double
  var hits: Double
  var sent: Double
  var saved: Double
  /// The share of taps in what was sent.
  var taps: Double
  /// How far the bracket moves them: the share of hits, that of taps, the ratio, what was sent, what would be.
  var brackets = Brackets()

  /// Each to stand behind its figure; empty without a bracket.
  struct Brackets {
    var hits = "", taps = "", times = "", sent = "", all = ""
  }

  /// nil where they have no widgets.
  init?(of report: ReportContent, kinds: [Int], name: String) {
    let scopes = kinds.compactMap { ScopeTotal(.kind($0), report) }
    guard !scopes.isEmpty else { return nil }
    let sum = { (metric: Metric, cause: String) in
      scopes.reduce(0) { $0 + (report.summary.value(metric, .total, $1.labels.with(\.cause, cause)) ?? 0) }
    }
    kind = kinds.count == 1 ? kinds[0] : -1
    self.name = name
    runs = scopes.reduce(0) { $0 + $1.runs }
    hits = scopes.reduce(0) { $0 + $1.cacheHits }
    sent = sum(.requests, "")
    saved = sum(.requestsSaved, "")
    taps = sent > 0 ? sum(.requests, Cause.tap.name) / sent : 0
    brackets = Brackets(scopes.map(\.labels), report.summary)
  }

  /// One for each kind that has a cache and instances.
  static func kinds(of report: ReportContent) -> [CacheSavings] {
    let kinds = report.run.scenario.kinds
    return kinds.indices.filter { kinds[$0].cache != nil }.compactMap {
      CacheSavings(of: report, kinds: [$0], name: kinds[$0].name)
    }
  }

  var hitShare: Double { runs > 0 ? hits / runs : 0 }

  /// How many times as many requests there would be without the cache; nil when none was sent.
  var times: Double? { sent > 0 ? (sent + saved) / sent : nil }

  var answer: String {
    guard runs > 0 else { return "Nothing: no widget with a cache was refreshed in the measured period." }
    guard saved > 0 else { return "Nothing: no refresh found its data in the cache." }
    let head = "The cache answered \(NumberText.outOfTen(hitShare, "refreshes"))\(brackets.hits); "
    guard let times else { return head + "no request was left." }
    return head + "\(NumberText.percent(taps)) of the requests left\(brackets.taps) were started by taps. That is "
      + "\(NumberText.text(times)) times fewer requests than without the cache\(brackets.times): "
      + "\(NumberText.text(sent))\(brackets.sent) instead of about \(NumberText.text(sent + saved))\(brackets.all)."
  }

  /// What this means for the whole app where other kinds have no cache.
  func among(_ report: ReportContent) -> String {
    let all = report.summary.value(.requests, .total) ?? 0
    guard saved > 0, sent > 0, all > sent * 1.000_001 else { return "" }
    return " With the kinds that have no cache it is \(NumberText.text((all + saved) / all)) times fewer."
  }
}

extension CacheSavings.Brackets {
  /// - Parameter scopes: the labels of the kinds.
  fileprivate init(_ scopes: [Labels], _ summary: Summary) {
    let rows = { (metric: Metric, cause: String) in
      scopes.map { summary.row(metric, .total, $0.with(\.cause, cause)) }
    }
    let (sent, saved) = (rows(.requests, ""), rows(.requestsSaved, ""))
    let perDay = { (metric: Metric) in scopes.map { summary.row(metric, .mean, $0) } }
    // Hits and refreshes of a kind are per widget and day, and their widgets the same under both ends.
    if scopes.count == 1 { hits = BracketText.shareHull(perDay(.cacheHitsPerDay), of: perDay(.runsPerDay)) }
    taps = BracketText.shareHull(rows(.requests, Cause.tap.name), of: sent)
    times = BracketText.hull(sent + saved) { values in
      let left = values.prefix(sent.count).reduce(0, +)
      return left > 0 ? values.reduce(0, +) / left : nil
    }
    self.sent = BracketText.hull(sent) { $0.reduce(0, +) }
    all = BracketText.hull(sent + saved) { $0.reduce(0, +) }
  }
}

private func drawing(_ savings: [CacheSavings], _ all: CacheSavings) -> Markup {
  let bars = savings.flatMap { kind in
    [
      (kind.name + ", with its cache", kind.sent, NumberText.text(kind.sent), "bar"),
      (kind.name + ", without it", kind.sent + kind.saved, "about " + NumberText.text(kind.sent + kind.saved), "ghost"),
    ]
  }
  return BarFigure(bars: bars).markup(
    id: "cache", title: "Requests of the fleet with and without the cache", description: all.answer)
}

private func table(_ savings: [CacheSavings]) -> DataTable {
  let rows = savings.map { kind in
    [
      kind.name, NumberText.percent(kind.hitShare), NumberText.text(kind.sent), NumberText.text(kind.saved),
      NumberText.text(kind.times), NumberText.percent(kind.taps),
    ]
  }
  return DataTable(
    caption: "Requests of kinds with a cache",
    columns: ["Kind", "Refreshes answered", "Requests sent", "Saved, about", "Times fewer", "Of those sent, by taps"],
    rows: rows)
}
