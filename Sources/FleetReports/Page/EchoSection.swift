import FleetEngine
import Scenario
import SimulationKernel
import Studies

/// Does an outage echo? nil where there is no outage in the measured period.
func echoSection(of report: ReportContent) -> ReportSection? {
  let echoes = OutageEcho.all(report)
  guard let worst = echoes.max(by: { ($0.factor ?? 0) < ($1.factor ?? 0) }) else { return nil }
  return ReportSection(
    id: "echo", short: "Outages", question: "Does an outage echo?", answer: worst.answer,
    figures: echoes.prefix(4).enumerated().map { $1.markup($0) },
    note: "Requests that arrive at the endpoint, minute by minute. A later try is sent by the same refresh after a "
      + "backoff; a reload after an error is a new refresh that the widget asked for when one had failed. An endpoint "
      + "has recovered when nothing waits and fewer than 1\u{A0}% of its requests fail.",
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
  var from: Instant
  var to: Instant
  var clock: Clock
  /// The minutes that are drawn.
  var drawn: Range<Int>
  /// All measured minutes.
  var minutes: [Minute]
  /// Mean over replications; nil where one has not recovered within the clock.
  var recovery: Double?
  /// Failures of the endpoint from the beginning of the outage to the end of what is drawn.
  var failures: Double

  static func all(_ report: ReportContent) -> [OutageEcho] {
    let result = report.run
    return result.eventSpans.compactMap { span in
      guard case .outage(let outage) = result.scenario.events[span.event].action else { return nil }
      guard span.to > .start, span.from < result.scenario.clock.end else { return nil }
      return OutageEcho(span, outage.endpoint, result)
    }
  }

  private init(_ span: EventSpan, _ endpoint: Int, _ result: StoredRun) {
    clock = result.scenario.clock
    name = result.scenario.events[span.event].name
    self.endpoint = result.scenario.endpoints[endpoint].name
    from = max(span.from, .start)
    to = min(span.to, clock.end)
    let pad = max(span.to - span.from, .minutes(30))
    let last = Int((clock.duration.milliseconds + 59_999) / 60_000)
    let begin = max(Int((from - pad).millisecondsSinceStart.flooredQuotient(by: 60_000)), 0)
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
      Recovery.all(replication, of: result).first { $0.span == span }?.time
    }
    let known = recoveries.compactMap { $0?.seconds }
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

  /// The busiest minute from the outage's end on, in requests per second.
  var peak: Double? { after.map { minutes[$0].sum }.max() }

  /// How many times the load before the outage its busiest minute afterwards carries.
  var factor: Double? {
    guard let mean, let peak, mean > 0 else { return nil }
    return peak / mean
  }

  /// The share of second and later tries, and of reloads after errors, in what arrives afterwards.
  var retryShare: Double? {
    let all = after.reduce(0) { $0 + minutes[$1].sum }
    return all > 0 ? after.reduce(0) { $0 + minutes[$1].reload + minutes[$1].again } / all : nil
  }

  var answer: String {
    guard let factor, let retryShare else {
      return "That cannot be said of \(name): no requests were measured before it, or none after it. " + recoveryText
    }
    let load =
      "after \(name) the busiest minute at \(endpoint) carries "
      + "\(NumberText.text(factor)) times the load before"
    let span = TimeText.span(.minutes(Int64(after.count)))
    let share =
      "\(NumberText.percent(retryShare)) of the requests in the \(span) from its end on "
      + "are tries or reloads after an error"
    return (factor >= 1.2 ? "Yes: " : "Hardly: ") + load + ", and " + share + ". " + recoveryText
  }

  private var recoveryText: String {
    guard to < clock.end else { return "It lasts to the end of the measured period." }
    guard let recovery else { return "The endpoint has not recovered when the measured period ends." }
    return recovery > 0
      ? "The endpoint has recovered \(TimeText.seconds(recovery)) after its end."
      : "The endpoint has recovered as soon as it ends."
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
      classes: ["cause-policy", "cause-retry", "cause-tap"], clock: slice)
    let time = TimeAxis(clock: slice)
    return Figure(
      id: "echo-\(number)", title: "Requests per second at \(endpoint) around \(name)", description: answer,
      legend: [
        ("cause-policy", "first tries"), ("cause-retry", "first tries of reloads after an error"),
        ("cause-tap", "second and later tries"), ("spell", "outage"),
      ],
      draw: { canvas in
        EventMark.spells([mark], canvas, time) + stack.draw(canvas) + EventMark.names([mark], canvas, time)
      }
    ).markup
  }

  var row: [String] {
    [
      name, endpoint, UTCTime(from, of: clock).full, TimeText.span(to - from),
      to < clock.end ? TimeText.seconds(recovery) : NumberText.unknown, NumberText.text(mean), NumberText.text(peak),
      retryShare.map(NumberText.percent) ?? NumberText.unknown, NumberText.whole(failures),
    ]
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
      "Retries after", "Failures",
    ], rows: echoes.map(\.row), textColumns: 3)
}
