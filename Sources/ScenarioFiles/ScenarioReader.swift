package import Scenario

/// Reads the text of a scenario file.
package enum ScenarioReader {
  /// A scenario, or the reasons why there is none.
  package struct Outcome: Sendable {
    /// nil when `diagnostics` hold an error.
    package var scenario: Scenario?
    /// All problems, in the order of the text.
    package var diagnostics: [Diagnostic]
  }

  /// The largest file that is read, in bytes: of a larger one the first `mostBytes + 1` are enough.
  package static let mostBytes = TextCheck.mostBytes

  /// Reads UTF-8 text, with `settings` replacing parts of it before anything is checked.
  ///
  /// - Parameter fileName: shown in messages.
  package static func read(text bytes: [UInt8], fileName: String, settings: [SetArgument] = []) -> Outcome {
    var problems = ProblemList(
      file: SourceText(name: fileName, bytes: TextCheck.withoutMark(bytes)))
    guard let root = tree(settings, problems: &problems) else {
      return Outcome(scenario: nil, diagnostics: problems.diagnostics)
    }
    TreeCheck.check(root, problems: &problems)
    guard root.pairs != nil else { return Outcome(scenario: nil, diagnostics: problems.diagnostics) }
    var builder = ScenarioBuilder(root, problems: problems)
    let scenario = builder.build()
    problems = builder.problems
    SupportCheck.check(root, scenario, problems: &problems)
    return Outcome(scenario: problems.isEmpty ? scenario : nil, diagnostics: problems.diagnostics)
  }

  private static func tree(_ settings: [SetArgument], problems: inout ProblemList) -> Node? {
    guard let root = TreeReader.read(source: 0, problems: &problems), !root.isNull else {
      if problems.isEmpty { refuseEmpty(&problems) }
      return nil
    }
    return root
  }

  private static func refuseEmpty(_ problems: inout ProblemList) {
    problems.add(
      .empty, at: nil, "there is no scenario in the file",
      help: "begin with schema: widgetfleet/v1; `widgetfleet init` writes one to start from")
  }
}
