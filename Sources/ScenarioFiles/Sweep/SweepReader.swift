package import Scenario

/// One scenario of a sweep.
package struct SweepSetting: Sendable {
  /// One for each axis.
  package var values: [SweepValue]
  package var scenario: Scenario
}

/// Reads what a sweep varies, from the command line or the scenario file, and makes a scenario of each setting.
package enum SweepReader {
  package struct Outcome: Sendable {
    package var method = SweepMethod.grid
    /// What is varied.
    package var axes: [SweepAxis] = []
    /// Empty when `diagnostics` hold an error.
    package var settings: [SweepSetting] = []
    /// The scenario with nothing varied; nil when `diagnostics` hold an error.
    package var base: Scenario?
    package var diagnostics: [Diagnostic] = []
  }

  /// Makes so many points of a cube with so many axes, each coordinate from 0 to 1; nil: it has not as many axes.
  package typealias Sampler = (_ points: Int, _ axes: Int) -> [[Double]]?

  /// More settings are taken for a mistake.
  package static let mostSettings = 10_000

  package static func read(
    text bytes: [UInt8], fileName: String, settings: [SetArgument], options: SweepOptions,
    files: NamedFiles = .none, sampler: Sampler
  ) -> Outcome {
    var problems = ProblemList(
      file: SourceText(name: fileName, bytes: TextCheck.withoutMark(bytes)), files: files)
    guard let root = ScenarioReader.tree(settings, problems: &problems),
      let base = ScenarioReader.scenario(of: root, problems: &problems),
      let plan = SweepPlan.read(root, options, problems: &problems)
    else { return Outcome(diagnostics: problems.diagnostics) }
    var outcome = Outcome(method: plan.method, base: base)
    let rows = plan.rows(sampler, problems: &problems)
    for row in rows {
      // One setting that is wrong is enough: others would say the same again.
      guard let scenario = plan.scenario(of: root, row, problems: &problems) else { break }
      outcome.settings.append(SweepSetting(values: plan.values(row), scenario: scenario))
    }
    guard problems.isEmpty else { return Outcome(diagnostics: problems.diagnostics) }
    outcome.axes = plan.axes(rows)
    return outcome
  }

  /// Checks the sweep of a file for those who do not simulate it: every value of every key once.
  static func check(_ root: Node, problems: inout ProblemList) {
    guard root["sweep"].map({ !$0.isNull }) == true else { return }
    guard let plan = SweepPlan.read(root, SweepOptions(), problems: &problems) else { return }
    for row in plan.sample {
      guard plan.scenario(of: root, row, problems: &problems) != nil else { return }
    }
  }
}
