import Calibration
import Scenario

/// What can this log not tell?
func apartSection(_ report: CalibrationReport) -> ReportSection {
  let sentences = ApartSentences(report: report)
  let products = sentences.products
  let refused = sentences.refused
  let items = (products + refused).map { Markup.tag("li", [:], $0) }
  let count = report.findings.count { !$0.isTold }
  return ReportSection(
    id: "apart", short: "Not told", question: "What can this log not tell?",
    answer: items.isEmpty
      ? "Nothing that a calibration looks at: every value is told."
      : "\(count == 0 ? "None of the values" : count == 1 ? "One value" : "\(count) values") that a calibration looks at"
        + (count == 0 ? " is missing, but some were told with the help of the file." : ", for these reasons."),
    figures: items.isEmpty ? [] : [.tag("ul", ["class": "findings"], items)],
    note: items.isEmpty ? "" : "What cannot be told stays as the file has it and is an assumption.")
}

/// What cannot be told apart, and what was refused and why.
struct ApartSentences {
  let report: CalibrationReport

  /// Keys of which only a product or a sum shows.
  var products: [String] { jitter + freeRuns + counted }

  private var jitter: [String] {
    let asked = Set(report.evidence.kinds.map(\.kind))
    let names = report.base.kinds.indices.filter { asked.contains($0) && report.base.kinds[$0].jitter != nil }
      .map { "kinds.\(report.base.kinds[$0].name).jitter" }
    guard !names.isEmpty else { return [] }
    return [
      "\(names.joined(separator: ", ")) and os.start_delay: a run starts late by their sum, so the jitter was taken as "
        + "the file has it."
    ]
  }

  private var freeRuns: [String] {
    report.evidence.kinds.compactMap { kind, estimates in
      guard let rhythm = estimates.rhythm, let value = rhythm.freeRuns.value, rhythm.freeRuns.verdict == .identified
      else { return nil }
      return "unlocks_per_day, visits to the home screen and how many of them reload: only their product shows, as "
        + "\(NumberText.text(value)) runs of \(report.base.kinds[kind].name) a day and phone that come before they are "
        + "due."
    }
  }

  private var counted: [String] {
    guard let aggregate = report.evidence.aggregate, aggregate.devices.value != nil else { return [] }
    return [
      "fleet.devices and how many of them are online and in use: without ids the log shows phones that keep their "
        + "cycle, and those alone."
    ]
  }

  /// Keys that the log does not tell, those with one reason together.
  var refused: [String] {
    let open = report.findings.filter { !$0.isTold }
    let verdicts = open.map(KeyText.verdict).withoutRepetitions
    return verdicts.map { verdict in
      let keys = open.filter { KeyText.verdict($0) == verdict }
      return keys.map(text).joined(separator: ", ") + ": " + verdict + "."
    }
  }

  private func text(_ finding: KeyFinding) -> String {
    guard let value = finding.estimate.value, finding.estimate.verdict == .weakly else { return finding.path }
    let interval = KeyText.interval(finding)
    return "\(finding.path) (\(KeyText.value(finding, value))" + (interval.isEmpty ? "" : ", " + interval) + ")"
  }
}
