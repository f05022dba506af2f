import FleetEngine
import Scenario
import SimulationKernel
import Studies

/// What causes the load?
func causesSection(of report: ReportContent) -> ReportSection {
  let shares = CauseShares(report)
  return ReportSection(
    id: "causes", short: "Causes", question: "What causes the requests?", answer: shares.answer,
    figures: shares.causes.count > 1 ? [drawing(report, shares)] : [],
    note: shares.causes.count < 2
      ? ""
      : "Each column shows the busiest minute that falls into it, split by why the widget was refreshed"
        + (report.run.replications.count > 1 ? " (mean over replications)." : "."),
    details: shares.causes.isEmpty ? [] : [shares.table.details("Causes, as numbers")])
}

/// Requests by cause, the causes that sent any, largest first.
private struct CauseShares {
  var causes: [Cause]
  var summary: Summary
  var total: Double
  var source: LoadSource

  init(_ report: ReportContent) {
    summary = report.summary
    source = LoadSource(report)
    total = summary.value(.requests, .total) ?? 0
    let summary = summary
    causes = Cause.allCases
      .filter { (summary.value(.requests, .total, Labels().with(\.cause, $0.name)) ?? 0) > 0 }
      .sorted { Self.requests($0, summary) > Self.requests($1, summary) }
  }

  private static func requests(_ cause: Cause, _ summary: Summary) -> Double {
    summary.value(.requests, .total, Labels().with(\.cause, cause.name)) ?? 0
  }

  func share(_ cause: Cause) -> Double { total > 0 ? Self.requests(cause, summary) / total : 0 }

  var answer: String {
    guard let first = causes.first else { return "Nothing: no request was sent in the measured period." }
    let requests = source.phonesTitle("requests")
    guard causes.count > 1 else { return "All \(requests) come from \(first.description)." }
    let row = summary.row(.requests, .share, Labels().with(\.cause, first.name))
    let head =
      "The largest cause, with \(NumberText.percent(share(first))) of the \(requests), is \(first.description)"
      + BracketText.hull(row, NumberText.percent)
    let next = summary.row(.requests, .share, Labels().with(\.cause, causes[1].name))
    let second =
      "the next largest cause is \(causes[1].description) with \(NumberText.percent(share(causes[1])))"
      + BracketText.hull(next, NumberText.percent)
    let charged = causes.filter(\.isCharged)
    let bracket = BracketText.shareHull(
      charged.map { summary.row(.requests, .total, Labels().with(\.cause, $0.name)) },
      of: [summary.row(.requests, .total)])
    return head + "; " + second + ". " + Self.chargedText(charged.reduce(0) { $0 + share($1) }, bracket)
  }

  /// What the system's budget has to do with it.
  private static func chargedText(_ share: Double, _ bracket: String) -> String {
    if share >= 1 { return "All of them count against the system's budget." }
    return share > 0
      ? "\(NumberText.percent(share)) of them count against the system's budget\(bracket)."
      : "None of them count against the system's budget."
  }

  var table: DataTable {
    let rows = causes.map { cause in
      let labels = Labels().with(\.cause, cause.name)
      return [
        cause.name, cause.description, cause.isCharged ? "yes" : "no",
        BracketText.cell(summary.row(.requests, .total, labels)), NumberText.percent(share(cause)),
        NumberText.text(summary.value(.failures, .total, labels)),
        NumberText.bytes(summary.value(.bytesDown, .total, labels)),
        NumberText.bytes(summary.value(.bytesUp, .total, labels)),
      ]
    }
    return DataTable(
      caption: source.phonesTitle("Requests") + " by cause",
      columns: ["Cause", "Meaning", "Counts against the budget", "Requests", "Share", "Failures", "Down", "Up"],
      rows: rows, textColumns: 3)
  }
}

private func drawing(_ report: ReportContent, _ shares: CauseShares) -> Markup {
  let layers = shares.causes.sorted { $0.rawValue < $1.rawValue }
  let figure = StackFigure(
    minutes: minuteRates(report, layers), classes: layers.map(\.style), clock: report.run.scenario.clock,
    names: layers.map(\.name), zone: report.drawnZone)
  return figure.markup(
    id: "causes", title: shares.source.phonesTitle("Requests per second") + " by cause", description: shares.answer,
    legend: shares.causes.map { ($0.style, $0.name + " " + NumberText.percent(shares.share($0))) })
}

/// Requests per second of the fleet by minute and cause, the mean over replications.
private func minuteRates(_ report: ReportContent, _ layers: [Cause]) -> [[Double]] {
  let minute = TimeAmount.minute.milliseconds
  let duration = report.run.scenario.clock.duration.milliseconds
  var counts = Array(
    repeating: Array(repeating: Int64(0), count: layers.count), count: Int((duration + minute - 1) / minute))
  let layer = Dictionary(layers.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  for replication in report.run.replications {
    for part in replication.minutes {
      if let layer = layer[part.cause], counts.indices.contains(part.minute) {
        counts[part.minute][layer] += part.requests
      }
    }
  }
  let scale = Scale(of: report.run)
  let seconds = 60 * Double(report.run.replications.count) * Double(scale.simulated)
  return counts.map { $0.map { Double($0) * Double(scale.fleet) / seconds } }
}

extension Cause {
  /// The class that colours it.
  var style: String { "cause-" + name }

  /// What it means, to stand inside a sentence.
  var description: String {
    switch self {
    case .policy: "the widgets' own reload policy"
    case .retry: "reloads after an error"
    case .background: "reloads asked for by the app in the background"
    case .widgetPush: "widget pushes"
    case .foreground: "reloads asked for by the app in the foreground"
    case .tap: "taps on buttons and toggles"
    case .view: "views of stale widgets"
    case .location: "location changes"
    case .placement: "widgets that were just placed"
    case .system: "changes of the system"
    case .gallery: "the widget gallery"
    }
  }
}
