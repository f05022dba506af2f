import Scenario
import ScenarioFiles
import SimulationKernel

/// A scenario file read, checked and resolved.
struct ScenarioSource {
  var scenario: Scenario
  /// The file with every default and assignment filled in.
  var resolved: String
  var zones: [String: ZoneTable]

  init(path: String, assignments: [String]) throws(Failure) {
    let bytes = try InputFile.read(path)
    _ = bytes
    throw .bug("scenario files are not read yet")
  }
}
