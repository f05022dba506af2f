import FleetEngine
import Scenario
import ScenarioFiles
import Studies

/// A validated scenario file.
struct ScenarioSource {
  let scenario: Scenario
  /// The result of reading the file, including the origin of each value.
  let outcome: ScenarioReader.Outcome

  /// The problems that do not prevent a run.
  var warnings: [Diagnostic] { outcome.warnings }

  /// - Parameter path: the file path, or `-` for standard input.
  /// - Parameter checksStudies: whether to also check keys that are used only by studies.
  /// - Parameter warnsOfLoad: whether to check the load with pilot runs.
  init(
    path: String, assignments: [Assignment], checksStudies: Bool = false, warnsOfLoad: Bool = true
  ) throws(Failure) {
    outcome = try Self.outcome(path: path, assignments: assignments, checksStudies: checksStudies)
      .prepared(warnsOfLoad: warnsOfLoad)
    guard let scenario = outcome.scenario else { throw .invalidScenario(problems: outcome.diagnostics.humanText) }
    self.scenario = scenario
  }

  /// Creates a source from the scenario in a results folder, with some of its values changed.
  init(resolved text: String, of folder: String, assignments: [Assignment]) throws(Failure) {
    outcome = Self.outcome(of: Array(text.utf8), path: folder, assignments: assignments).prepared(warnsOfLoad: false)
    guard let scenario = outcome.scenario else { throw .invalidScenario(problems: outcome.diagnostics.humanText) }
    self.scenario = scenario
  }

  /// Reads a file and collects all of its problems. The option `--quick` is ignored if the file specifies fewer phones.
  static func outcome(
    path: String, assignments: [Assignment], checksStudies: Bool = false
  ) throws(Failure) -> ScenarioReader.Outcome {
    outcome(of: try InputFile.read(path), path: path, assignments: assignments, checksStudies: checksStudies)
  }

  private static func outcome(
    of bytes: [UInt8], path: String, assignments: [Assignment], checksStudies: Bool = false
  ) -> ScenarioReader.Outcome {
    let read = { (assignments: [Assignment]) in
      ScenarioReader.read(
        text: bytes, fileName: InputFile.shownName(path), settings: assignments.map(\.argument),
        checksStudies: checksStudies, files: InputFile.named(besides: path))
    }
    let outcome = read(assignments)
    let others = assignments.filter { $0.origin != Option.firstLook.spelling }
    guard others.count < assignments.count, let quick = outcome.scenario else { return outcome }
    let own = read(others)
    guard let count = own.scenario?.run.simulate.count, count <= quick.devicesSimulated else { return outcome }
    return own
  }
}

extension ScenarioReader.Outcome {
  /// Returns the outcome of preparing the scenario. It contains an error if a valid scenario cannot be prepared for a
  /// run, and otherwise any warnings from pilot runs.
  ///
  /// - Parameter warnsOfLoad: whether to check the load with pilot runs.
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
