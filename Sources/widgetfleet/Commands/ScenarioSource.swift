import Scenario
import ScenarioFiles
import SimulationKernel

/// A scenario file read, checked and resolved.
struct ScenarioSource {
  var scenario: Scenario
  /// The file with every default and assignment filled in.
  var resolved: String
  var zones: [String: ZoneTable]
  /// Problems that do not stop a run.
  var warnings: [Diagnostic]
  /// Warnings as values with their numbers, for reports.
  var lints: [Lint]
  /// What was read, for those who ask where a value comes from.
  var outcome: ScenarioReader.Outcome

  /// - Parameter path: `-` for standard input.
  /// - Parameter checksStudies: whether what the file sweeps must be right, too.
  init(path: String, assignments: [Assignment], checksStudies: Bool = false) throws(Failure) {
    let outcome = try Self.outcome(path: path, assignments: assignments, checksStudies: checksStudies)
    guard let scenario = outcome.scenario else {
      throw .invalidScenario(problems: outcome.diagnostics.humanText)
    }
    self.scenario = scenario
    resolved = scenario.resolvedText
    zones = zoneTables(for: scenario)
    warnings = outcome.warnings
    lints = outcome.lints
    self.outcome = outcome
  }

  /// Reads a file and all its problems.
  static func outcome(
    path: String, assignments: [Assignment], checksStudies: Bool = false
  ) throws(Failure) -> ScenarioReader.Outcome {
    let bytes = try InputFile.read(path)
    return ScenarioReader.read(
      text: bytes, fileName: path == "-" ? "<stdin>" : path, settings: assignments.map { SetArgument($0.text) },
      checksStudies: checksStudies)
  }
}
