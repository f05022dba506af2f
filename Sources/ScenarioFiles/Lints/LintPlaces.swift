import Scenario
import SimulationKernel

/// Where the file says what lints speak of.
struct LintPlaces {
  let root: Node

  /// Lints as warnings with their places, in the order of the text.
  static func warnings(_ lints: [Lint], root: Node, problems: ProblemList) -> [Diagnostic] {
    var warnings = problems
    let places = LintPlaces(root: root)
    for lint in lints {
      guard let code = Code(rawValue: lint.rule.rawValue) else { continue }
      warnings.add(
        code, severity: .warning, at: places.span(of: lint.path[...], in: root, at: nil),
        lint.sentence.printable, note: lint.note.printable, help: places.help(lint))
    }
    return warnings.diagnostics
  }

  private func help(_ lint: Lint) -> Help {
    guard let mend = lint.mend else { return Help(lint.help.printable) }
    return Help.set(mend.path, mend.value).and(lint.help.printable)
  }

  /// The value of a path where it is plain, else its key; the nearest key above where it is left out.
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
    // A single phase may be written as a list of one.
    if let phases = node["phases"]?.items, phases.count == 1 { return span(of: path, in: phases[0], at: key) }
    return node.text == nil ? key ?? node.span.narrow : node.span
  }
}
