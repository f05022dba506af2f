import Scenario
import SimulationKernel
import Studies

extension LookFinding {
  /// The minute in which devices meet, and the jitter that would spread them.
  static func herd(_ report: ReportContent) -> LookFinding? {
    guard let day = MinutesOfDay(report.run), day.mean > 0 else { return nil }
    return periodic(report, day) ?? single(day)
  }

  /// Devices in step every so many minutes: a jitter as long as the period spreads them evenly.
  private static func periodic(_ report: ReportContent, _ day: MinutesOfDay) -> LookFinding? {
    let known = HerdShares(report).known
    guard let longest = known.last, longest.share >= max(0.1, 2 * longest.chance),
      let shortest = known.first(where: { $0.share >= 0.9 * longest.share })
    else { return nil }
    let length = Int(shortest.period.milliseconds / 60_000)
    var sums = Array(repeating: 0.0, count: length)
    for (minute, rate) in day.rates.enumerated() { sums[minute % length] += rate ?? 0 }
    guard let busiest = sums.indices.max(by: { sums[$0] < sums[$1] }) else { return nil }
    let share = sums[busiest] / max(sums.reduce(0, +), 1e-12)
    let times = share * Double(length)
    guard times >= 1.5 else { return nil }
    let place = length == 60 ? "minute :\(TimeText.two(busiest)) of the hours" : "minute \(busiest) of every \(length)"
    return LookFinding(
      topic: "Herd",
      sentence:
        "\(NumberText.percent(share)) of the requests come in \(place) (UTC), \(NumberText.text(times)) times an "
        + "even share: a jitter of up to \(TimeText.span(shortest.period)) would spread them evenly.",
      number: NumberText.percent(share), section: "herd", weight: 100 * share)
  }

  /// One minute of the day: a jitter that brings it down to three times the mean.
  private static func single(_ day: MinutesOfDay) -> LookFinding? {
    guard let busiest = day.busiest, busiest.rate >= 4 * day.mean else { return nil }
    let share = busiest.rate / max(day.rates.reduce(0) { $0 + ($1 ?? 0) }, 1e-12)
    let minutes = ((busiest.rate - day.mean) / (2 * day.mean)).rounded(.up)
    let jitter = TimeText.span(.minutes(Int64(min(minutes, 1_440))))
    return LookFinding(
      topic: "Herd",
      sentence: "\(NumberText.percent(share)) of the requests come in the minute from "
        + "\(MinutesOfDay.clock(busiest.minute))\u{A0}UTC, \(NumberText.text(busiest.rate / day.mean)) times an even share: "
        + "a jitter of up to \(jitter) would bring it to three times.",
      number: NumberText.percent(share), section: "herd", weight: 100 * share)
  }

  /// A kind that asks for more refreshes than it gets.
  static func unkept(_ report: ReportContent) -> LookFinding? {
    let kinds = report.run.scenario.kinds
    let asked = kinds.indices.compactMap { index -> (name: String, asked: Double, got: Double)? in
      guard let wanted = kinds[index].refreshesAsked else { return nil }
      let labels = Labels().with(\.kind, kinds[index].name).with(\.cause, Cause.policy.name)
      return report.summary.value(.runsPerDay, .mean, labels).map { (kinds[index].name, wanted, $0) }
    }
    guard let worst = asked.min(by: { $0.got / $0.asked < $1.got / $1.asked }), worst.got < 0.8 * worst.asked else {
      return nil
    }
    return LookFinding(
      topic: "Policy",
      sentence: "The system cannot honour the reload policy of kind \(worst.name): it asks for "
        + "\(NumberText.text(worst.asked)) refreshes a day and gets \(NumberText.text(worst.got)).",
      number: NumberText.text(worst.got) + " of " + NumberText.text(worst.asked), section: "refreshes",
      weight: 10 * (1 - worst.got / worst.asked))
  }
}

extension Kind {
  /// Refreshes a day that a plain policy asks for; nil where it depends on more than one span.
  fileprivate var refreshesAsked: Double? {
    guard phases.count == 1, windows.isEmpty else { return nil }
    let span: TimeAmount
    switch phases[0].reload {
    case .after(.constant(let after)): span = after
    case .afterMultiple(let every, zone: _): span = every
    default: return nil
    }
    return span > .zero ? TimeAmount.day.seconds / span.seconds : nil
  }
}
