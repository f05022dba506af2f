import Scenario
import SimulationKernel

/// Refuses what this version does not simulate yet (WF390).
struct SupportCheck {
  private var problems: ProblemList

  static func check(_ root: Node, _ scenario: Scenario, problems: inout ProblemList) {
    var check = SupportCheck(problems: problems)
    for gap in NotSupportedYet.list {
      check.visit(root, Array(gap.pattern.split(separator: ".")), gap, Visit())
    }
    check.refuseLongBatteries(root, scenario)
    problems = check.problems
  }

  /// What lies on the way to a node.
  private struct Visit {
    var walked: [Substring] = []
    var keySpan: Span?
    /// The place and name of what must write the key.
    var needing: (span: Span, name: String)?
  }

  /// Follows the rest of a pattern; at most as deep as the pattern is long.
  private mutating func visit(_ node: Node, _ rest: [Substring], _ gap: NotSupportedYet, _ way: Visit) {
    var way = way
    if gap.neededIn == way.walked.joined(separator: "."), let name = node["name"], let text = name.text {
      way.needing = (name.span, text)
    }
    guard let next = rest.first else { return judge(node, gap, way) }
    way.walked.append(next)
    let children = children(of: node, next)
    if children.isEmpty { refuseAbsent(gap, way) }
    for (span, child) in children {
      way.keySpan = span
      visit(child, Array(rest.dropFirst()), gap, way)
    }
  }

  private func children(of node: Node, _ step: Substring) -> [(Span, Node)] {
    if step == "*", let items = node.items { return items.map { ($0.span, $0) } }
    return (node.pairs ?? []).filter { step == "*" ? !$0.isNote : $0.key == step }.map { ($0.keySpan, $0.value) }
  }

  private mutating func judge(_ node: Node, _ gap: NotSupportedYet, _ way: Visit) {
    if node.isNull || node.isRefused || problems.complain(of: node.span) { return }
    if gap.accepts(node.text) { return }
    problems.add(
      .notSupportedYet, at: way.keySpan, "not supported yet: \(gap.feature)", note: "comes in a later version",
      help: gap.help)
  }

  private mutating func refuseAbsent(_ gap: NotSupportedYet, _ way: Visit) {
    guard let (span, name) = way.needing else { return }
    problems.add(
      .notSupportedYet, at: span, "not supported yet: \(gap.feature)",
      note: "the default of cohort \(name.quoted)", help: gap.help)
  }

  private mutating func refuseLongBatteries(_ root: Node, _ scenario: Scenario) {
    let length = scenario.clock.warmup + scenario.clock.duration
    guard length > .days(NotSupportedYet.batteryDays) else { return }
    for cohort in root["fleet"]?["cohorts"]?.items ?? [] where cohort["power"]?.text != "mains" {
      let pair = cohort.pairs?.first { $0.key == "power" }
      problems.add(
        .notSupportedYet, at: pair?.keySpan ?? cohort["name"]?.span ?? cohort.span.narrow,
        "not supported yet: the level of a battery over more than \(NotSupportedYet.batteryDays) d",
        note: "runs on a battery for \(QuantityText.duration(length))", help: "write power: mains")
    }
  }
}

extension NotSupportedYet {
  /// Whether a value asks for nothing new; nil: a mapping or a list.
  func accepts(_ text: String?) -> Bool {
    guard let text else { return false }
    switch accepted {
    case .nothing: return false
    case .anyScalar: return true
    case .values(let values): return values.contains { $0.means(text) }
    }
  }
}

extension String {
  /// Whether two texts are the same value: 0 and 0.0.
  fileprivate func means(_ other: String) -> Bool {
    if self == other { return true }
    guard let left = try? PlainNumbers.number(self), let right = try? PlainNumbers.number(other) else {
      guard let left = try? Quantities.share(self), let right = try? Quantities.share(other) else { return false }
      return left == right
    }
    return left == right
  }
}
