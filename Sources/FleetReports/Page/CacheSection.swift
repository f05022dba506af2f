import Scenario
import Studies

/// What does the cache save? `nil` where no kind has one.
func cacheSection(of report: ReportContent) -> ReportSection? {
  let kinds = FigureList.kinds(report).filter { report.summary.value(.requestsSaved, .total, $0.labels) != nil }
  guard !kinds.isEmpty else { return nil }
  let saved = FigureList(
    "Requests of kinds with a cache",
    [
      FigureColumn("saved by it", .requestsSaved, .share), FigureColumn("saved", .requestsSaved),
      FigureColumn("sent", .requests), FigureColumn("of these by taps", .requests, .share) { $0.with(\.cause, "tap") },
    ])
  let hits = FigureList(
    "Refreshes from the cache per widget and day",
    [FigureColumn("mean", .runsPerDay), FigureColumn("from the cache", .cacheHitsPerDay)])
  let answers = kinds.prefix(3).map { name, labels in
    FigureList("Requests of \(name)", saved.columns).sentence(report.summary, labels)
      + FigureList("Refreshes of \(name) per widget and day", hits.columns).sentence(report.summary, labels)
  }
  return ReportSection(
    id: "cache", short: "Cache", question: "What does the cache save?", answer: answers.joined(),
    figures: FigureList(
      "Requests of the fleet that are sent, and that the cache saves", [saved.columns[2], saved.columns[1]]
    )
    .bars(report, kinds, id: "cache"),
    note:
      "Without the cache every answered refresh would have sent the requests of its kind, each once; a refresh that "
      + "shares the requests of another one under way counts as saved too. What the load would do to the servers, and "
      + "retries, are left out of this estimate.",
    details: saved.table(report, kinds, head: "Kind") + hits.table(report, kinds, head: "Kind"))
}
