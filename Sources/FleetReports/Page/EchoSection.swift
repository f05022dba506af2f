import FleetEngine
import Scenario
import SimulationKernel
import Studies

/// Does an outage echo? nil where there is no outage in the measured period.
func echoSection(of report: ReportContent) -> ReportSection? {
  let echoes = OutageEcho.all(report)
  guard let worst = echoes.max(by: { $0.size < $1.size }) else { return nil }
  return ReportSection(
    id: "echo", short: "Outages", question: "Does an outage echo?", answer: worst.answer,
    figures: echoes.prefix(4).enumerated().map { $1.markup($0) },
    note:
      "Requests that arrive at the endpoint, minute by minute. An echo is what the same draws without the outage do "
      + "not show: the first replication was simulated again with outages that do nothing, and retries and reloads after "
      + "an error have to make most of the difference. A retry is sent by the same refresh after a backoff; a "
      + "reload after an error is a new refresh that the widget asked for when one had failed. An endpoint has "
      + "recovered when nothing waits, and for an hour or until the next event fewer than 1\u{A0}% of its requests fail and "
      + "requests wait longer than 5 s for less than a minute in total; unknown: not before the measured period ends, "
      + "or it was not healthy before the event. While an outage has no capacity of its own, requests of phones fail "
      + "at once and a base load is served.",
    details: [table(echoes).details("Outages, as numbers")])
}

/// The minutes around one outage at its endpoint, the mean over replications.
private struct OutageEcho {
  /// Requests per second: first tries, first tries of reloads after an error, second and later tries.
  struct Minute {
    var first = 0.0
    var reload = 0.0
    var again = 0.0

    var sum: Double { first + reload + again }
  }

  var name: String
  var endpoint: String
  /// Where its requests are counted, after a number: ` at the CDN`; empty where there is but one load.
  var place: String
  var from: Instant
  var to: Instant
  var clock: Clock
  /// The minutes that are drawn.
  var drawn: Range<Int>
  /// All measured minutes.
  var minutes: [Minute]
  /// Mean over replications; nil where one has not recovered within the clock.
  var recovery: Double?
  /// Whether the endpoint was not well before it in a replication.
  var foundUnwell: Bool
  /// How far the bracket moves it; empty without one.
  var recoveryBracket = ""
  /// Failures of the endpoint from the beginning of the outage to the end of what is drawn.
  var failures: Double
  /// Against the same draws without it; nil: not tried, or nothing arrives after it.
  var comparison: EchoComparison?
  var isTried: Bool
  /// By whose clock it is drawn; `nil` for UTC.
  var zone: FleetZone?

  static func all(_ report: ReportContent) -> [OutageEcho] {
    let result = report.run
    return result.eventSpans.compactMap { span in
      guard case .outage(let outage) = result.scenario.events[span.event].action else { return nil }
      guard span.to > .start, span.from < result.scenario.clock.end else { return nil }
      var echo = OutageEcho(span, outage.endpoint, result, report.trials)
      echo.zone = report.drawnZone
      let row = report.summary.row(.recoveryTime, .mean, Labels().with(\.event, echo.name))
      // Of an event that comes daily the row is the mean over its days.
      if result.eventSpans.count(where: { $0.event == span.event }) == 1 {
        let range = BracketText.recovery(row, in: report.summary, TimeText.seconds)
        echo.recoveryBracket = range.isEmpty ? "" : " (bracket \(range))"
      }
      return echo
    }
  }

  private init(_ span: EventSpan, _ endpoint: Int, _ result: StoredRun, _ trials: StoredTrials) {
    comparison = EchoComparison(span, endpoint: endpoint, of: result, trials)
    isTried = !trials.withoutOutages.isEmpty
    clock = result.scenario.clock
    name = result.scenario.events[span.event].name
    self.endpoint = result.scenario.endpoints[endpoint].name
    let words = LoadPlace.all(result.scenario, endpoint: endpoint).last?.words(result.scenario, endpoint: endpoint)
    place = words.map { $0.isEmpty ? "" : " " + $0 } ?? ""
    from = max(span.from, .start)
    to = min(span.to, clock.end)
    let pad = max(span.to - span.from, .minutes(30))
    let last = Int((clock.duration.milliseconds + 59_999) / 60_000)
    let begin = max(Int((from - pad).millisecondsSinceStart.floorDivided(by: 60_000)), 0)
    let end = min(Int(((to + pad).millisecondsSinceStart + 59_999) / 60_000), last)
    drawn = begin..<max(end, begin)
    let scale = Scale(of: result)
    let devices = Double(scale.fleet) / Double(max(scale.simulated, 1)) / Double(max(result.replications.count, 1))
    minutes = Array(repeating: Minute(), count: last)
    failures = 0
    let firstFailing = Int(from.millisecondsSinceStart / 60_000)
    for row in result.replications.lazy.flatMap(\.minutes) where row.endpoint == endpoint {
      guard drawn.contains(row.minute) else { continue }
      minutes[row.minute].add(row, per: devices / 60)
      if row.minute >= firstFailing { failures += Double(row.failed) * devices }
    }
    let recoveries = result.replications.map { replication in
      Recovery.all(replication, of: result).first { $0.span == span }
    }
    foundUnwell = recoveries.contains { $0?.foundUnwell == true }
    let known = recoveries.compactMap { $0?.time?.seconds }
    recovery = !known.isEmpty && known.count == recoveries.count ? known.reduce(0, +) / Double(known.count) : nil
  }

  private var before: Range<Int> {
    drawn.lowerBound..<max(Int(from.millisecondsSinceStart / 60_000), drawn.lowerBound)
  }

  /// From the minute in which the outage ends.
  private var after: Range<Int> {
    min(Int(to.millisecondsSinceStart / 60_000), drawn.upperBound)..<drawn.upperBound
  }

  /// Requests per second before the outage; nil where nothing was measured.
  var mean: Double? {
    before.isEmpty ? nil : before.reduce(0) { $0 + minutes[$1].sum } / Double(before.count)
  }

  /// What it adds to the mean load; below that, the share of what an error has brought.
  var size: Double {
    guard let comparison, comparison.mean > 0 else { return (retryShare ?? 0) / 1e9 }
    return comparison.added / comparison.mean
  }

  /// The share of second and later tries, and of reloads after errors, in what arrives afterwards.
  var retryShare: Double? {
    let all = after.reduce(0) { $0 + minutes[$1].sum }
    return all > 0 ? after.reduce(0) { $0 + minutes[$1].reload + minutes[$1].again } / all : nil
  }

  var answer: String { echoText + " " + recoveryText }

  private var echoText: String {
    guard isTried else {
      return "Not tried: without a run that leaves the outages out, an echo cannot be told from the load that comes "
        + "anyway." + retryText
    }
    guard let comparison else { return "That cannot be said of \(name): no requests are measured after it." }
    let busiest =
      "The busiest minute of the \(TimeText.span(comparison.watched)) after it carries \(NumberText.text(comparison.busiestWith)) requests/s\(place), "
      + "\(NumberText.text(comparison.busiestWithout)) without it."
    switch comparison.verdict {
    case .echo: return "Yes: " + minuteText(comparison) + " " + busiest
    case .unknown: return "That cannot be told from chance, \(SampleWords.more): " + minuteText(comparison)
    case .noEcho: return "No: " + leastText(comparison) + " " + busiest
    }
  }

  private func minuteText(_ comparison: EchoComparison) -> String {
    "at \(clockText(comparison)) \(endpoint) gets \(NumberText.text(comparison.with)) requests/s\(place) after \(name), and "
      + "\(NumberText.text(comparison.without)) on the same draws without it; retries and reloads after an error are "
      + "\(NumberText.percent(comparison.share)) of the difference."
  }

  private func leastText(_ comparison: EchoComparison) -> String {
    guard comparison.added > 0 else { return "retries and reloads after an error add nothing after \(name)." }
    return "retries and reloads after an error add at most \(NumberText.text(comparison.added)) requests/s at "
      + "\(endpoint)\(place) after \(name), at \(clockText(comparison)), to a mean of "
      + "\(NumberText.text(comparison.mean)) without it."
  }

  private func clockText(_ comparison: EchoComparison) -> String {
    UTCTime(.start + .minutes(Int64(comparison.minute)), of: clock).full
  }

  private var retryText: String {
    guard let retryShare, !after.isEmpty else { return "" }
    return
      " Retries and reloads after an error are \(NumberText.percent(retryShare)) of the requests at \(endpoint) in "
      + "the \(TimeText.span(.minutes(Int64(after.count)))) from the end of \(name) on."
  }

  private var recoveryText: String {
    guard to < clock.end else { return "It lasts to the end of the measured period." }
    if foundUnwell {
      return "The endpoint was not healthy before it began, so nobody can tell when it has recovered from it."
    }
    guard let recovery else { return "The endpoint has not recovered when the measured period ends." }
    return recovery > 0
      ? "The endpoint has recovered \(TimeText.seconds(recovery)) after its end\(recoveryBracket)."
      : "The endpoint has recovered as soon as it ends\(recoveryBracket)."
  }

  func markup(_ number: Int) -> Markup {
    let start = Instant.start + .minutes(Int64(drawn.lowerBound))
    let slice = Clock(
      startUnixMilliseconds: clock.startUnixMilliseconds + start.millisecondsSinceStart, warmup: .zero,
      duration: .minutes(Int64(max(drawn.count, 1))), step: .minute)
    let shift = start - .start
    let mark = EventMark(name: name, from: max(from - shift, .start), to: to - shift)
    let stack = StackFigure(
      minutes: drawn.map { [minutes[$0].first, minutes[$0].reload, minutes[$0].again] },
      classes: ["cause-policy", "cause-retry", "cause-tap"], clock: slice,
      names: ["first attempts", "first attempts of reloads after an error", "retries"], zone: zone?.starting(start),
      headroom: 0.1)
    return EchoFigure(stack: stack, mark: mark).markup(
      id: "echo-\(number)", title: "Requests per second at \(endpoint)\(place) around \(name)", description: answer,
      legend: [
        ("cause-policy", "first attempts"), ("cause-retry", "first attempts of reloads after an error"),
        ("cause-tap", "retries"), ("spell", "outage"),
      ])
  }

  var row: [String] {
    [
      name, endpoint, UTCTime(from, of: clock).full, TimeText.span(to - from),
      to < clock.end ? TimeText.seconds(recovery) : NumberText.unknown, NumberText.text(mean),
      NumberText.text(comparison?.busiestWith), NumberText.text(comparison?.busiestWithout),
      NumberText.percent(retryShare), NumberText.whole(failures),
    ]
  }
}

/// Requests by their tries, with the outage behind them.
private struct EchoFigure: Drawing {
  var stack: StackFigure
  var mark: EventMark

  var readings: Readings? { stack.readings }

  func draw(_ canvas: Canvas) -> [Markup] {
    let time = TimeAxis(clock: stack.clock, zone: stack.zone)
    return EventMark.spells([mark], canvas, time) + stack.draw(canvas) + EventMark.names([mark], canvas, time)
  }
}

extension OutageEcho.Minute {
  fileprivate mutating func add(_ row: StoredMinute, per count: Double) {
    let tries = Double(row.requests - row.retries) * count
    if row.cause == .retry { reload += tries } else { first += tries }
    again += Double(row.retries) * count
  }
}

private func table(_ echoes: [OutageEcho]) -> DataTable {
  DataTable(
    caption: "Outages, with the load at their endpoint in requests per second",
    columns: [
      "Outage", "Endpoint", "From", "Lasts", "Time to recover", "Load before, mean", "Busiest minute after",
      "The same without outages", "Retries after", "Failures until the figure ends",
    ], rows: echoes.map(\.row), textColumns: 3)
}
