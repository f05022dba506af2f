import FleetEngine
import Scenario
import ScenarioFiles
import Studies

/// A scenario file that has been read and checked.
struct ScenarioSource {
  let scenario: Scenario
  /// The outcome of reading, which holds the origins of values.
  let outcome: ScenarioReader.Outcome

  /// The problems that do not stop a run.
  var warnings: [Diagnostic] { outcome.warnings }

  /// - Parameter path: the path; `-` for standard input.
  /// - Parameter checksStudies: whether keys for studies must be correct too.
  /// - Parameter warnsOfLoad: whether to check the load with pilot runs.
  init(
    path: String, assignments: [Assignment], checksStudies: Bool = false, warnsOfLoad: Bool = true
  ) throws(Failure) {
    outcome = try Self.outcome(path: path, assignments: assignments, checksStudies: checksStudies)
      .prepared(warnsOfLoad: warnsOfLoad)
    guard let scenario = outcome.scenario else { throw .invalidScenario(problems: outcome.diagnostics.humanText) }
    self.scenario = scenario
  }

  /// Reads a file and collects all its problems.
  static func outcome(
    path: String, assignments: [Assignment], checksStudies: Bool = false
  ) throws(Failure) -> ScenarioReader.Outcome {
    let bytes = try InputFile.read(path)
    return ScenarioReader.read(
      text: bytes, fileName: InputFile.shownName(path), settings: assignments.map(\.argument),
      checksStudies: checksStudies, files: InputFile.named(besides: path))
  }
}

extension ScenarioReader.Outcome {
  /// Returns the outcome with an error if a valid scenario cannot be prepared for a run, otherwise with the pilot runs'
  /// warnings.
  ///
  /// - Parameter warnsOfLoad: whether to do pilot runs.
  func prepared(warnsOfLoad: Bool = true) -> ScenarioReader.Outcome {
    guard let scenario else { return self }
    var outcome = self
    do {
      _ = try Engine(preparing: scenario, zones: zoneTables(for: scenario))
      if warnsOfLoad { outcome.add(LoadLints.all(of: scenario, zones: zoneTables)) }
    } catch {
      outcome.refuse("the scenario cannot be simulated: \(error.message)", at: error.path)
    }
    return outcome
  }
}
