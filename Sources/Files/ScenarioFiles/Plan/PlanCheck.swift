import Planning
package import Scenario

/// Checks of a plan that require the plan's scenarios.
extension PlanReader.Outcome {
  /// Rejects the scenario of one of the two versions, because it cannot be read or used.
  ///
  /// - Parameter isNew: whether the scenario is that of the new version.
  package mutating func refuse(_ sentence: String, note: String, help: String, ofNew isNew: Bool) {
    add { root, problems in
      let section = root.section("from")
      let node = root.value("from")?.text == nil ? section.value(isNew ? "new" : "old") : root.value("from")
      problems.add(.unreadable, at: node?.span, sentence, note: note, help: Help(help))
    }
  }

  /// Checks that names and numbers in the plan are consistent with the scenarios of both versions.
  package mutating func check(against versions: [Scenario]) {
    var names: [String] = []
    for endpoint in versions.flatMap(\.endpoints) where !names.contains(endpoint.name) { names.append(endpoint.name) }
    let start = plan?.growth.start == 0 ? Double(versions.first?.fleet.devices ?? 0) : plan?.growth.start ?? 0
    add { root, problems in
      for (pair, _) in root.named("capacity") { Self.check(pair.key, at: pair.keySpan, among: names, &problems) }
      for price in root.items("prices") {
        guard let node = price.written("endpoint"), let name = node.text else { continue }
        Self.check(name, at: node.span, among: names, &problems)
      }
    }
    if let ceiling = plan?.growth.ceiling, ceiling <= start {
      add { root, problems in
        let growth = root.section("growth")
        let law = growth.node?["logistic"] ?? growth.node?["bass"]
        problems.add(
          .wrongOrder, at: (law?["ceiling"] ?? law)?.span,
          "the growth limit is not above the first day's \(Int(start)) phones", note: "too small",
          help: "raise it, or set growth.devices, the number of phones on the first day")
      }
    }
    if let window, let clock = versions.first?.clock, !LoadWindow.all(of: clock).contains(window) {
      add { root, problems in
        problems.add(
          .outOfRange, at: root.value("window")?.span, "the scenario counts no load over \(window.name)",
          note: "not a multiple of its clock.step", help: Help.write("auto"))
      }
    }
  }

  private static func check(_ name: String, at span: Span?, among names: [String], _ problems: inout ProblemList) {
    if names.contains(name) { return }
    problems.add(
      .unknownName, at: span, "there is no endpoint \(name.quoted)", note: "not in the scenario",
      help: Spelling.hint(name, among: names)
        ?? Help(names.isEmpty ? "the scenario sends no requests" : "endpoints are \(names.joined(separator: ", "))"))
  }

  /// Adds problems; if any are found, the plan is removed.
  private mutating func add(_ find: (Section, inout ProblemList) -> Void) {
    guard var checked else { return }
    find(checked.root, &checked.problems)
    self.checked = checked
    diagnostics = checked.problems.diagnostics
    if !diagnostics.isEmpty { plan = nil }
  }
}
