import Planning
import Scenario
import Studies

/// Returns the page of a plan (report.html), with the answer, the demand over the year, the months and the costs.
func planPage(of report: PlanReport) -> [UInt8] {
  let plan = report.plan
  return StudyPage(
    kind: "plan", past: "planned", name: plan.name, lead: plan.description, facts: facts(of: report),
    version: report.provenance.version, basis: report.provenance.basis(seed: report.seed),
    strips: [report.answer.strip()],
    sections: [
      demandSection(of: report), phoneSection(of: report), monthSection(of: report), billSection(of: report),
      settingSection(of: report),
    ]
  ).bytes
}

/// Returns the facts on which the plan is based, on one line.
private func facts(of report: PlanReport) -> String {
  let plan = report.plan
  return [
    "\(report.words(0)) to \(report.words(plan.days - 1))",
    [plan.base, plan.next].compactMap { $0 }.joined(separator: ", then "),
    "peaks over \(report.window.name)", "seed \(report.seed)",
  ].joined(separator: " · ")
}

/// Returns the section on the daily peaks and the capacity.
private func demandSection(of report: PlanReport) -> ReportSection {
  ReportSection(
    "plan/demand", answer: "",
    figures: report.forecast.endpoints.indices.map { endpoint in
      report.demandChart(endpoint).markup(
        id: "demand-\(endpoint)",
        title: "Daily peak at \(report.forecast.endpoints[endpoint]), in requests/s over \(report.window.name)",
        description: "The daily peaks with their intervals, and the capacity.",
        legend: [("mean", "peak of the day"), ("band", "95 % interval")]
          + (report.limit(endpoint) == nil ? [] : [("capacity", "usable capacity")]))
    } + report.forecast.headroom.flatMap { report.headroomTable($0).markup })
}

/// Returns the section on the number of phones over time.
private func phoneSection(of report: PlanReport) -> ReportSection {
  let points = report.forecast.phones.enumerated().map { Point(x: Double($0.offset), y: $0.element) }
  let chart = Chart([Curve(style: "series-0", points: points)], across: report.days, unit: "phones")
  return ReportSection(
    "plan/phones",
    answer: "From \(NumberText.whole(report.forecast.phones.first ?? 0)) to "
      + "\(NumberText.whole(report.forecast.phones.last ?? 0)) phones.",
    figures: [chart.markup(id: "phones", title: "Phones with the widget", description: "The phones on each day.")])
}

private func monthSection(of report: PlanReport) -> ReportSection {
  ReportSection("plan/months", answer: "", figures: report.loadTables.flatMap(\.stacked.markup))
}

/// Returns the section on costs; `nil` if there are no prices.
private func billSection(of report: PlanReport) -> ReportSection? {
  guard !report.plan.prices.isEmpty else { return nil }
  return ReportSection(
    "plan/bill", answer: report.bill + ".", figures: report.costTable.markup + report.monthCostTable.stacked.markup)
}

/// Returns the section on the settings from `--vary`; `nil` if that option is not given.
private func settingSection(of report: PlanReport) -> ReportSection? {
  report.settings.isEmpty ? nil : ReportSection("plan/settings", answer: "", figures: report.settingTable.markup)
}

extension PlanReport {
  /// An axis for the days of the plan, with a tick at the start of each month.
  fileprivate var days: Axis {
    let firsts = (0..<plan.days).filter { plan.day($0).text.hasSuffix("-01") }
    var axis = Axis(
      0...Double(max(plan.days - 1, 1)), title: "date",
      ticks: firsts.map { .init(value: Double($0), text: String(plan.day($0).text.prefix(7))) })
    axis.steps = [1, 2, 3, 4, 6]
    return axis
  }

  /// Returns the chart of an endpoint's daily peaks.
  fileprivate func demandChart(_ endpoint: Int) -> Chart {
    let demands = forecast.days.map { $0[endpoint].peak }
    let line = { (value: (Bounded) -> Double) in
      demands.enumerated().map { Point(x: Double($0.offset), y: value($0.element)) }
    }
    let limit = limit(endpoint)
    let highest = ([limit ?? 0] + demands.map(\.high)).max() ?? 0
    return Chart(
      across: days, up: .reaching(highest, title: "requests/s"),
      marks: marks(endpoint).map { .rule("event", x: Double($0.day)) }
        + [.area("band", line(\.low) + line(\.high).reversed()), .line("mean", line(\.value))]
        + (limit.map { [.rule("mark", y: $0)] } ?? [])
        + marks(endpoint).enumerated().map {
          .text("event-name", $1.name, besideX: Double($1.day), below: 12 + 15 * Double($0 % 3))
        },
      readings: Readings(
        days, columns: ["date", "requests/s", "95 % interval"],
        rows: demands.enumerated().map { day, peak in
          (
            Double(day),
            [
              .text(plan.day(day).text), .number(significant(peak.value)),
              .text("\(NumberText.text(peak.low)) to \(NumberText.text(peak.high))"),
            ]
          )
        }))
  }

  /// Returns the first days of campaigns and of the release, and the day on which capacity runs out, each with its
  /// name.
  private func marks(_ endpoint: Int) -> [(day: Int, name: String)] {
    let ends = forecast.headroom.filter { $0.endpoint == endpoint }.compactMap(\.day).map {
      (day: $0, name: "runs out")
    }
    let campaigns = plan.calendar.spans.map { span in
      (day: Int(span.from.number - plan.start.number), name: span.name)
    }
    let release = plan.next == nil ? [] : [(day: plan.rollout.start, name: "release")]
    return (ends + campaigns + release).filter { (0..<plan.days).contains($0.day) }.sorted { $0.day < $1.day }
  }
}
