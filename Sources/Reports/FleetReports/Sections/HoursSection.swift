import Scenario
import Studies

/// Returns the section on the hours of the local day; `nil` if no widget existed for a whole day.
func hoursSection(of report: ReportContent) -> ReportSection? {
  let kinds = HourlyKind.all(of: report)
  guard !kinds.isEmpty else { return nil }
  let more = kinds.count < report.run.asked.count ? ", the \(kinds.count) kinds with the most widgets" : ""
  let charts = HourChart.allCases.filter { chart in kinds.contains { $0.values(chart).contains { ($0 ?? 0) != 0 } } }
  let shown = charts.filter(\.isShown).map { drawing($0, kinds, more) }
  let behind = charts.filter { !$0.isShown }.map { drawing($0, kinds, more) }
  return ReportSection(
    "hours",
    answer: staleSentence(kinds),
    figures: shown, note: followedNote(report),
    details: (behind.isEmpty ? [] : [.details("Data age and balances by hour", behind)])
      + table(kinds).details("By hour of the day, as a table"))
}

/// The charts of the section, in display order.
private enum HourChart: String, CaseIterable {
  case refreshes, stale, lowBalance, age, balance

  var isShown: Bool { self != .age && self != .balance }

  var title: String {
    switch self {
    case .refreshes: "Refreshes per widget by hour of the day"
    case .stale: "Share of views that show stale data, by hour of the day"
    case .lowBalance: "10th percentile of the budget balance, by hour of the day"
    case .age: "Mean data age when viewed, by hour of the day"
    case .balance: "Median budget balance, by hour of the day"
    }
  }

  var unit: String {
    switch self {
    case .refreshes: "per widget per hour"
    case .stale: "% of views"
    case .lowBalance, .balance: "refreshes"
    case .age: "min"
    }
  }
}

/// The figures for the widgets of one kind, by hour of the day.
private struct HourlyKind {
  var name: String
  /// A phrase used as the subject of sentences about the kind, such as `A widget`.
  var widget: String
  var style: String
  /// The figures for each hour of the day.
  var hours: [StoredHour]
  /// The number of widget-days, that is, the number of days counted for each widget, summed over all widgets.
  var widgetDays: Double

  /// Returns the kinds with the most widgets. At most one kind per available colour is returned.
  static func all(of report: ReportContent) -> [HourlyKind] {
    let kinds = report.run.asked.sorted { ($1.seconds, $0.kind) < ($0.seconds, $1.kind) }.prefix(8)
    return kinds.compactMap { asked in
      let hours = report.run.hours.filter { $0.kind == asked.kind }
      guard hours.allSatisfy({ $0.refreshes != nil }), hours.count == 24 else { return nil }
      let name = report.run.scenario.kinds[asked.kind].name
      return HourlyKind(
        name: name, widget: kinds.count > 1 ? "A widget of kind \(name)" : "A widget",
        style: "series-\(asked.kind % 8)", hours: hours, widgetDays: asked.widgetDays)
    }
  }

  func values(_ chart: HourChart) -> [Double?] {
    hours.map { hour in
      switch chart {
      case .refreshes: hour.refreshes
      case .stale: hour.staleShare.map { $0 * 100 }
      case .lowBalance: hour.lowBalance
      case .age: hour.dataAgeMinutes
      case .balance: hour.balance
      }
    }
  }
}

/// Returns the start and the end of an hour, such as `07:00 and 08:00`, as text that follows `between`.
func hourSpan(_ hour: Int) -> String { TimeText.two(hour) + ":00 and " + TimeText.two((hour + 1) % 24) + ":00" }

/// Returns a sentence about the hour with the most stale views and the hour with the highest share of stale views.
private func staleSentence(_ kinds: [HourlyKind]) -> String {
  for kind in kinds {
    guard let hours = StaleHours(kind.hours, widgetDays: kind.widgetDays) else { continue }
    return "\(kind.widget): ".asSentence + staleHoursWords(hours) + "."
  }
  return ""
}

/// Returns a clause such as `most stale views come between 06:00 and 07:00 by the owner's clock, 15 % of the day's`,
/// followed by the hour with the highest share.
func staleHoursWords(_ hours: StaleHours) -> String {
  let maximum = hours.maximum.map {
    "\(NumberText.percent($0.share)) of the day's stale views come between \(hourSpan($0.hour)), more than in any other hour"
  }
  let densest = hours.densest.map { densest in
    let when =
      densest.hour == hours.maximum?.hour
      ? "in that hour" : "between \(hourSpan(densest.hour))"
    return "the highest share of stale views is \(NumberText.percent(densest.share)), \(when) "
      + "(\(NumberText.percent(hours.mean)) over the day)"
  }
  return [maximum, densest].compactMap { $0 }.joined(separator: "; ")
}

private func drawing(_ chart: HourChart, _ kinds: [HourlyKind], _ more: String) -> Markup {
  let drawn = kinds.filter { $0.values(chart).contains { $0 != nil } }
  return Chart.hours(drawn.map { ($0.name, $0.style, $0.values(chart)) }, unit: chart.unit).markup(
    id: "hours-" + chart.rawValue, title: chart.title + more,
    description: chart.title + "; the numbers are in the table below.",
    legend: drawn.count > 1 ? drawn.map { ($0.style, $0.name) } : [])
}

private func table(_ kinds: [HourlyKind]) -> Table {
  let hours = kinds.flatMap { kind in kind.hours.map { (kind: kind.name, hour: $0) } }
  return Table(
    "Mean widget activity by local hour", hours,
    [
      Column("Kind") { .text($0.kind) }, Column("From") { .text(TimeText.two($0.hour.hour) + ":00") },
      Column(number: "Refreshes") { .number($0.hour.refreshes) }, Column(number: "Views") { .number($0.hour.views) },
      Column(number: "Stale") { .share($0.hour.staleShare) },
      Column(number: "Data age") { .text(TimeText.seconds($0.hour.dataAge)) },
      Column(number: "Balance, 10 %") { .number($0.hour.lowBalance) },
      Column(number: "Balance, median") { .number($0.hour.balance) },
    ])
}
