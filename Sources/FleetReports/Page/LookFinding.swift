import Scenario
import SimulationKernel
import Studies

/// Something that the reader should look at, with its number.
struct LookFinding {
  var topic: String
  /// One sentence.
  var sentence: String
  /// The number that it hangs on, as the sentence has it.
  var number: String
  /// Of the section that tells more.
  var section: String
  /// What it is ranked by: the share of the fleet or its load that something goes wrong for, times how grave it is (herds
  /// 100, promises that cannot be kept 10, old data 3, spent budgets 2, causes 0.1); overload is 1 000, where the sample
  /// does not resolve it 10.
  var weight: Double

  /// At most five, the gravest first.
  static func all(_ report: ReportContent) -> [LookFinding] {
    let found = [
      overload(report), herd(report), unkept(report), stalest(report), budget(report), cause(report),
    ].compactMap { $0 }
    let ranked = found.enumerated().sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
    return ranked.prefix(5).map(\.element)
  }

  private static func overload(_ report: ReportContent) -> LookFinding? {
    let endpoints = Overload.endpoints(of: report.run.scenario).compactMap { endpoint -> (Int, SummaryRow)? in
      let name = report.run.scenario.endpoints[endpoint].name
      return report.summary.row(.overloadSeconds, .total, Labels().with(\.endpoint, name)).map { (endpoint, $0) }
    }
    let worst = endpoints.max { ($0.1.value?.approximate ?? 0) < ($1.1.value?.approximate ?? 0) }
    guard let (endpoint, row) = worst, let seconds = row.value?.approximate, seconds > 0 else { return nil }
    let name = report.run.scenario.endpoints[endpoint].name
    let requests = NumberText.whole(meanOverload(report, endpoint))
    let doubt = row.isResolved ? "" : " (not resolved by the sample: simulate more devices)"
    return LookFinding(
      topic: "Overload",
      sentence:
        "Endpoint \(name) is above its capacity for \(TimeText.seconds(seconds)), and \(requests) requests arrive "
        + "meanwhile\(doubt).",
      number: TimeText.seconds(seconds), section: "capacity",
      weight: row.isResolved ? 1_000 : 10)
  }

  private static func stalest(_ report: ReportContent) -> LookFinding? {
    let cohorts = report.run.scenario.fleet.cohorts.indices.map { Scope.cohort($0) }
    let kinds = report.run.scenario.kinds.indices.map { Scope.kind($0) }
    let shares = (cohorts.count > 1 ? cohorts : kinds).compactMap { scope -> (String, Double)? in
      let labels = scope.labels(in: report.run.scenario)
      return report.summary.value(.staleViews, .share, labels).map { (scopeName(labels), $0) }
    }
    guard let worst = shares.max(by: { $0.1 < $1.1 }), worst.1 > 0 else { return nil }
    return LookFinding(
      topic: "Stale data",
      sentence: "\(NumberText.percent(worst.1).asSentence) of the views of \(worst.0) show stale data"
        + (shares.count > 1 ? ", more than of any other." : "."),
      number: NumberText.percent(worst.1), section: "age", weight: 3 * worst.1)
  }

  private static func budget(_ report: ReportContent) -> LookFinding? {
    guard let times = report.summary.value(.budgetExhaustedPerDay, .mean), times > 0 else { return nil }
    let hour = TimeText.clock(hour: report.summary.value(.budgetExhaustedHour, .p50))
    let often = times < 0.95 ? "once in \(NumberText.text(1 / times)) days" : "\(NumberText.text(times)) times a day"
    return LookFinding(
      topic: "Spent budgets",
      sentence: "A widget's budget runs out \(often), half of the times before \(hour) local time.",
      number: hour, section: "budget", weight: 2 * min(times, 1))
  }

  private static func cause(_ report: ReportContent) -> LookFinding? {
    let all = report.summary.value(.requests, .total) ?? 0
    let causes = Cause.allCases.map { cause in
      (cause, report.summary.value(.requests, .total, Labels().with(\.cause, cause.name)) ?? 0)
    }
    guard all > 0, let largest = causes.max(by: { $0.1 < $1.1 }) else { return nil }
    let share = NumberText.percent(largest.1 / all)
    return LookFinding(
      topic: "Largest cause", sentence: "\(share) of the requests come from \(largest.0.description).", number: share,
      section: "causes", weight: 0.1 * largest.1 / all)
  }
}
