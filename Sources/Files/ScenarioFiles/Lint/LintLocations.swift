import Scenario
import SimulationKernel

/// A lookup of the positions in the scenario file that lints refer to.
struct LintLocations {
  let root: Node

  /// Returns lints as warnings with positions, in file order.
  static func warnings(_ lints: [Lint], root: Node, problems: ProblemList) -> [Diagnostic] {
    var warnings = problems
    let places = LintLocations(root: root)
    for lint in lints {
      warnings.add(
        lint.rule, severity: .warning, at: places.span(of: lint.path[...], in: root, at: nil),
        lint.sentence.printable, note: lint.note.printable, help: places.help(of: lint))
    }
    return warnings.diagnostics
  }

  private func help(of lint: Lint) -> Help {
    guard lint.repairs.count > 1 else { return help(lint.repairs.first, lint.help) }
    let values = lint.repairs.map { Help.Repair.Value(path: $0.path, value: $0.value) }
    return Help.setAll(values).and(lint.help.printable)
  }

  private func help(_ repair: Lint.Repair?, _ remark: String) -> Help {
    guard let repair else { return Help(remark.printable) }
    return Help.set(repair.path, repair.value).and(remark.printable)
  }

  /// Adds a problem, with its position, for a count that exceeds its limit.
  static func refuse(_ excess: AccountExcess, root: Node, problems: inout ProblemList) {
    let (places, cause) = (LintLocations(root: root), excess.cause)
    problems.add(
      .beyondAccount, at: places.span(of: cause.path[...], in: root, at: nil), excess.sentence.printable,
      note: cause.note.printable, help: places.help(cause.repair, cause.help))
  }

  /// Adds a problem, with its position, for a part of the scenario that cannot be prepared.
  static func refuse(_ sentence: String, at path: [String], root: Node, problems: inout ProblemList) {
    let place = LintLocations(root: root).span(of: path[...], in: root, at: nil)
    problems.add(.tooBig, at: path.isEmpty ? nil : place, sentence.printable)
  }

  /// Returns the position of a plain value, or of the key of any other value. For an omitted key, returns the position
  /// of the closest enclosing key.
  private func span(of path: ArraySlice<String>, in node: Node, at key: Span?) -> Span? {
    guard let step = path.first else { return node.text == nil ? key ?? node.span.narrow : node.span }
    let rest = path.dropFirst()
    if let items = node.items {
      guard let index = Int(step), items.indices.contains(index) else { return key ?? node.span.narrow }
      return span(of: rest, in: items[index], at: items[index].span.narrow)
    }
    if let pair = node.pairs?.first(where: { $0.key == step }) {
      return span(of: rest, in: pair.value, at: pair.keySpan)
    }
    // A single phase may be written as a list with one item.
    if let phases = node["phases"]?.items, phases.count == 1 { return span(of: path, in: phases[0], at: key) }
    return node.text == nil ? key ?? node.span.narrow : node.span
  }
}
