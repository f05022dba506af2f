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
    id: "apart", short: "Left open", question: "What does this log leave open?",
    answer: count == 0
      ? "Nothing of the \(report.findings.count) values that were looked at."
      : "\(count) of the \(report.findings.count) values that were looked at; "
        + (count == 1
          ? "it stays as the file has it, an assumption." : "they stay as the file has them, as assumptions."),
    figures: items.isEmpty ? [] : [.tag("ul", ["class": "findings"], items)])
}

/// What cannot be told apart, and what was refused and why.
struct ApartSentences {
  let report: CalibrationReport

  /// Keys of which only a product or a sum shows.
  var products: [String] { jitter + freeRuns + counted + withoutIDs }

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
      guard let free = estimates.rhythm?.freeRuns, let value = free.value, let low = free.low, low > 0 else {
        return nil
      }
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

  private var withoutIDs: [String] {
    guard report.evidence.fleet == nil else { return [] }
    if report.evidence.isSampled {
      return ["Intervals, delays, phones and how people differ: in a sample of the requests no gap is known to be one."]
    }
    let people =
      "How people differ, the budget, idle phones and what follows an error: without ids it is unknown which wake "
      + "follows which."
    return report.evidence.aggregate == nil
      ? [
        "The intervals of \(report.base.kinds.count) kinds: without ids only the rhythm of a single one shows.", people,
      ]
      : [people]
  }

  /// Keys that the log does not tell, those with one reason together.
  var refused: [String] {
    let open = report.findings.filter { !$0.isTold }
    let reasons = open.map(Self.reason).withoutRepetitions
    return reasons.map { reason in
      open.filter { Self.reason($0) == reason }.map(text).joined(separator: ", ") + ": " + reason + "."
    }
  }

  private static func reason(_ finding: KeyFinding) -> String {
    let lead = finding.estimate.verdict == .weakly ? "known weakly, " : ""
    return lead + (finding.estimate.reason.map(KeyText.reason) ?? "the log does not say")
  }

  private func text(_ finding: KeyFinding) -> String {
    guard finding.estimate.verdict == .weakly, finding.estimate.value != nil else { return finding.path }
    return finding.path + " at some " + KeyText.known(finding)
  }
}
