import Scenario
import SimulationKernel

/// Refuses what this version does not simulate yet (WF390).
struct SupportCheck {
  private var problems: ProblemList

  static func check(_ root: Node, _ scenario: Scenario, problems: inout ProblemList) {
    var check = SupportCheck(problems: problems)
    for gap in NotSupportedYet.list {
      check.visit(root, Array(gap.pattern.split(separator: ".")), gap, at: nil)
    }
    problems = check.problems
  }

  /// Follows the rest of a pattern; at most as deep as the pattern is long.
  private mutating func visit(_ node: Node, _ rest: [Substring], _ gap: NotSupportedYet, at keySpan: Span?) {
    guard let next = rest.first else { return judge(node, gap, at: keySpan) }
    for (span, child) in children(of: node, next) { visit(child, Array(rest.dropFirst()), gap, at: span) }
  }

  private func children(of node: Node, _ step: Substring) -> [(Span, Node)] {
    if step == "*", let items = node.items { return items.map { ($0.span, $0) } }
    return (node.pairs ?? []).filter { step == "*" || $0.key == step }.map { ($0.keySpan, $0.value) }
  }

  private mutating func judge(_ node: Node, _ gap: NotSupportedYet, at keySpan: Span?) {
    if node.isNull || node.isRefused || problems.complain(of: node.span) { return }
    if gap.accepts(node.text) { return }
    problems.add(
      .notSupportedYet, at: keySpan, "not supported yet: \(gap.feature)", note: "comes in a later version",
      help: gap.help)
  }
}

extension NotSupportedYet {
  /// Whether a value asks for nothing new; nil: a mapping or a list.
  func accepts(_ text: String?) -> Bool {
    guard let text else { return false }
    switch accepted {
    case .nothing: return false
    case .values(let values): return values.contains(text)
    }
  }
}
