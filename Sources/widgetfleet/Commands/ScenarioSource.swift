import Scenario
import ScenarioFiles

/// A scenario file read and checked.
struct ScenarioSource {
  let scenario: Scenario
  /// What was read, for those who ask where a value comes from.
  let outcome: ScenarioReader.Outcome

  /// Problems that do not stop a run.
  var warnings: [Diagnostic] { outcome.warnings }

  /// - Parameter path: `-` for standard input.
  /// - Parameter checksStudies: whether what the file sweeps must be right, too.
  init(path: String, assignments: [Assignment], checksStudies: Bool = false) throws(Failure) {
    outcome = try Self.outcome(path: path, assignments: assignments, checksStudies: checksStudies)
    guard let scenario = outcome.scenario else { throw .invalidScenario(problems: outcome.diagnostics.humanText) }
    self.scenario = scenario
  }

  /// Reads a file and all its problems.
  static func outcome(
    path: String, assignments: [Assignment], checksStudies: Bool = false
  ) throws(Failure) -> ScenarioReader.Outcome {
    let bytes = try InputFile.read(path)
    return ScenarioReader.read(
      text: bytes, fileName: path == "-" ? "<stdin>" : path, settings: assignments.map(\.argument),
      checksStudies: checksStudies, files: InputFile.named(besides: path))
  }
}
