import Studies

/// What to look at?
func lookSection(of report: ReportContent) -> ReportSection {
  let findings = LookFinding.all(report)
  return ReportSection(
    id: "look", short: "Findings", question: "What is worth looking at?", answer: answer(findings),
    figures: findings.isEmpty ? [] : [list(findings)],
    note:
      "At most five sentences, ranked by consequence: load above a capacity, devices that fire together, policies that "
      + "the system cannot honour, old data, spent budgets, and what causes the load.",
    details: findings.isEmpty ? [] : [table(findings).details("Findings, as numbers")])
}

private func answer(_ findings: [LookFinding]) -> String {
  guard let first = findings.first else {
    return "Nothing stands out: there is no load, no old data and no spent budget."
  }
  let topic = first.topic.lowercased()
  return findings.count == 1
    ? "One thing stands out: \(topic), \(first.number)."
    : "\(findings.count) things, the gravest first: \(topic), \(first.number)."
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
