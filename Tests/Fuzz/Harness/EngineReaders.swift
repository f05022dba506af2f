import BackendModel
import Scenario
import ScenarioFiles

@testable import FleetEngine

/// Readers of the engine's stored bytes: the conditions of a run, and sums of finished shards.
struct EngineReaders {
  private let engine: Engine

  init() throws {
    let scenario = try SmallFolder.scenario()
    engine = try Engine(preparing: scenario, zones: zoneTables(for: scenario))
  }

  func conditions(_ bytes: [UInt8]) -> String? {
    do {
      let trajectory = try ConditionsTrajectory(text: bytes)
      let again = try ConditionsTrajectory(text: trajectory.text)
      guard again == trajectory else { return "conditions that are written say something else" }
      _ = try? engine.diary(ofDevice: 0, conditions: trajectory)
      return nil
    } catch { return error.line < 1 || error.message.isEmpty ? "an error without its line" : nil }
  }

  func journal(_ bytes: [UInt8]) -> String? {
    var sums = engine.blankPart
    try? sums.read(bytes)
    _ = try? SavedPart(bytes).part(like: engine.blankPart)
    return nil
  }

  func conditionsSeed() throws -> [UInt8] { engine.conditions(of: try run().replications[0]).text }

  func journalSeed() throws -> [UInt8] {
    var bytes: [UInt8] = []
    SavedPart(shards: ShardSet(), PartialResult(result: try run().replications[0], groups: engine.emptyGroupLoad))
      .write { bytes += $0 }
    return bytes
  }

  private func run() throws -> RunResult {
    guard let result = try engine.run(threads: 1, control: RunControl()) else {
      throw Unprepared(reason: "the run was stopped")
    }
    return result
  }
}
