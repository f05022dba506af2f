import Scenario
import SimulationKernel
import Studies

/// Returns the section on the echoes of outages; `nil` if there is no outage in the measured period.
func echoSection(of report: ReportContent) -> ReportSection? {
  let echoes = OutageCourse.all(report.run, report.trials).map { OutageEcho(course: $0, report: report) }
  guard let worst = echoes.max(by: { $0.size < $1.size }) else { return nil }
  let list = FigureList("Time to recover from outages", [FigureColumn("time", .recoveryTime)])
  return ReportSection(
    "echo", answer: worst.answer,
    figures: echoes.prefix(4).enumerated().map { $1.markup($0) },
    details: list.table(report, echoes.map { ($0.name, $0.labels) }, head: "Outage"))
}

/// The effects of an outage on its endpoint after the outage has ended.
private struct OutageEcho {
  var course: OutageCourse
  var report: ReportContent

  var name: String { course.event.name }
  var labels: Labels { Labels().with(\.event, name) }
  /// The additional load after the outage, as a multiple of the mean load.
  var size: Double { course.comparison?.size ?? 0 }
  private var scenario: Scenario { report.run.scenario }
  private var endpoint: String { scenario.endpoints[course.endpoint].name }

  /// The point at which the requests are counted, as text that follows a number, such as ` at the CDN`. Empty if there
  /// is only one such point.
  private var place: String {
    let words =
      LoadPoint.all(scenario, endpoint: course.endpoint).last?.words(scenario, endpoint: course.endpoint) ?? ""
    return words.isEmpty ? "" : " " + words
  }

  var answer: String { echoText + " " + recoveryText }

  private var echoText: String {
    if report.trials.withoutOutages.isEmpty {
      return
        "Not tried: only a run without the outages can distinguish an echo from the usual load."
    }
    guard let comparison = course.comparison else {
      return "Unknown for \(name): no requests were measured after it."
    }
    let busiest =
      "The busiest minute of the \(TimeText.span(comparison.watched)) after it carries \(NumberText.text(comparison.busiestWith)) requests/s\(place), "
      + "versus \(NumberText.text(comparison.busiestWithout)) without it."
    switch comparison.verdict {
    case .echo: return "Yes: " + minuteText(comparison) + " " + busiest
    case .unknown: return "Unknown, because this may be due to chance (\(SampleWords.more)): " + minuteText(comparison)
    case .noEcho: return "No: " + minText(comparison) + " " + busiest
    }
  }

  private func minuteText(_ comparison: EchoComparison) -> String {
    "at \(clockText(comparison)), \(endpoint) gets \(NumberText.text(comparison.with)) requests/s\(place) after \(name), versus "
      + "\(NumberText.text(comparison.without)) without it (same draws); retries and reloads after an error make up "
      + "\(NumberText.percent(comparison.share)) of the difference."
  }

  private func minText(_ comparison: EchoComparison) -> String {
    guard comparison.added > 0 else { return "retries and reloads after an error add nothing after \(name)." }
    return "retries and reloads after an error add at most \(NumberText.text(comparison.added)) requests/s at "
      + "\(endpoint)\(place) after \(name), at \(clockText(comparison)), on top of a mean of "
      + "\(NumberText.text(comparison.mean)) without it."
  }

  private func clockText(_ comparison: EchoComparison) -> String {
    FleetZone.inProse(.start + .minutes(Int64(comparison.minute)), report.zones, scenario.clock)
  }

  private var recoveryText: String {
    guard course.to < scenario.clock.end else { return "It lasts until the end of the measured period." }
    let row = report.summary.row(.recoveryTime, .mean, labels)
    guard let recovery = row?.value?.approximate else {
      return course.wasFailing
        ? "Recovery is unknown: the endpoint was not healthy when the outage started."
        : "The endpoint does not recover before the measured period ends."
    }
    let range = BracketText.recovery(row, in: report.summary, TimeText.seconds)
    return
      (recovery > 0
      ? "The endpoint recovers \(TimeText.seconds(recovery)) after it ends"
      : "The endpoint recovers as soon as it ends") + (range.isEmpty ? "." : " (bracket \(range)).")
  }

  func markup(_ number: Int) -> Markup {
    let clock = Clock(
      startUnixMilliseconds: scenario.clock.startUnixMilliseconds + course.start.millisecondsSinceStart, warmup: .zero,
      duration: .minutes(Int64(max(course.rates.count, 1))), step: .minute)
    let shift = course.start - .start
    let mark = EventMark(name: name, from: max(course.from - shift, .start), to: course.to - shift)
    let names = ["first attempts", "first attempts of reloads after an error", "retries"]
    let classes = ["cause-policy", "cause-retry", "cause-tap"]
    var chart = Chart.stack(
      course.rates, layers: zip(classes, names).map { ($0, $1) }, clock: clock,
      zone: report.drawnZone?.starting(course.start), headroom: 0.1)
    chart.marks = [EventMark.spells([mark])] + chart.marks + [EventMark.names([mark])]
    return chart.markup(
      id: "echo-\(number)", title: "Requests per second at \(endpoint)\(place) around \(name)", description: answer,
      legend: zip(classes, names).map { ($0, $1) } + [("spell", "outage")])
  }
}
