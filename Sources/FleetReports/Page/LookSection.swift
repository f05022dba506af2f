import Scenario
import Studies

/// What to look at?
func lookSection(of report: ReportContent) -> ReportSection {
  let findings = LookFinding.all(report)
  return ReportSection(
    id: "look", short: "Findings", question: "What is worth looking at?", answer: answer(findings, report),
    figures: findings.isEmpty ? [] : [list(findings)],
    note:
      "At most five, the worst first: a load above the capacity for a minute or more; one "
      + "request in a hundred that fails for another reason than a phone without network; devices that fire together, three "
      + "times the load before at \(NumberText.text(RunFinding.leastCrest))\u{A0}requests/s or more (with a capacity: at "
      + "four fifths of it); refreshes held back for a fifth of the time; one view in fifty stale; budgets that run out "
      + "once in ten days. What may help is tried on the draws of the first replication, at most three changes, and not under "
      + "prompt and lazy: a run with the change tells whether the goals hold there, too.",
    details: findings.isEmpty ? [] : [table(findings).details("Findings, as numbers")])
}

private func answer(_ findings: [LookFinding], _ report: ReportContent) -> String {
  guard let first = findings.first else {
    return
      "Nothing stands out: no overload of a minute or more, hardly any failed requests, no herd of consequence, no refreshes held back for long, hardly any stale "
      + "views and no budgets that run out often." + bracketText(report)
  }
  let topic = first.topic.lowercased()
  return findings.count == 1
    ? "One thing stands out: \(topic), \(first.number)."
    : "Worth a look, the worst first: \(topic), \(first.number), and \(findings.count - 1) more."
}

/// What stands out under an end of the bracket alone; empty without.
private func bracketText(_ report: ReportContent) -> String {
  let worst = { (metric: Metric, statistic: Statistic) in
    report.summary.row(metric, statistic).map { row in
      max(row.prompt?.approximate ?? 0, row.lazy?.approximate ?? 0)
    } ?? 0
  }
  let (overload, failures) = (worst(.overloadSeconds, .total), worst(.failures, .share))
  let parts = [
    overload >= RunFinding.leastOverload ? "\(TimeText.seconds(overload)) above a capacity" : "",
    failures >= RunFinding.leastFailures ? "\(NumberText.percent(failures)) of the requests that fail" : "",
  ].filter { !$0.isEmpty }
  return parts.isEmpty
    ? ""
    : " But what Apple does not document decides: the bracket reaches to \(parts.joined(separator: " and "))."
}

private func list(_ findings: [LookFinding]) -> Markup {
  .tag(
    "ol", ["class": "findings"],
    findings.map { finding in
      .tag(
        "li", [:],
        [
          .tag("strong", [:], finding.topic), .text(". " + finding.sentence + " "),
          .tag("a", ["href": "#" + finding.section], "More"),
        ])
    })
}

private func table(_ findings: [LookFinding]) -> DataTable {
  DataTable(
    caption: "Findings in their order", columns: ["Finding", "What", "Number"],
    rows: findings.map { [$0.topic, $0.sentence, $0.number] }, textColumns: 2, stacks: true)
}
