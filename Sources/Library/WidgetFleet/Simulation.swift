import FleetEngine
import Platform
import Scenario
import ScenarioFiles
import SimulationKernel
import Studies

/// A simulation of a scenario. It writes no files, prints nothing and reads no clock.
///
/// ```swift
/// let day = try Simulation(scenario).run(devices: 2_000, seed: 1)
/// ```
public struct Simulation: Sendable {
  private let values: ScenarioValues

  /// Creates a simulation of a scenario.
  public init(_ scenario: Scenario) { values = scenario.values }

  /// Simulates the scenario, and evaluates its goals.
  ///
  /// The same scenario, seed and version give the same results on any number of threads.
  ///
  /// - Parameters:
  ///   - devices: the number of phones; `nil` for that of the scenario.
  ///   - seed: the seed of all random numbers; `nil` for that of the scenario.
  ///   - threads: the number of threads; `nil` for one per processor.
  ///   - variesAssumptions: whether to also simulate other values for what Apple does not document (`Figure.worst`).
  ///     This takes three to four times as long.
  /// - Throws: `SimulationFailure` if the scenario cannot be simulated.
  public func run(
    devices: Int? = nil, seed: UInt64? = nil, threads: Int? = nil, variesAssumptions: Bool = true
  ) throws(SimulationFailure) -> Results {
    var values = values
    if let seed { values.run.seed = seed }
    if let devices {
      let all = values.fleet.devices
      guard (1...max(all, 1)).contains(devices) else {
        throw SimulationFailure("\(devices) phones cannot be simulated: the fleet has \(all)")
      }
      values.run.simulate = .count(devices)
    }
    let threads = max(1, threads ?? Machine.usableProcessors)
    do {
      return try Self.results(of: values, threads: threads, isBracketed: variesAssumptions)
    } catch { throw SimulationFailure(error, in: values) }
  }

  private static func results(
    of values: ScenarioValues, threads: Int, isBracketed: Bool
  ) throws(StudyError) -> Results {
    let zones = zoneTables(for: values)
    let control = RunControl()
    let engine: Engine
    do { engine = try Engine(preparing: values, zones: zones).withoutRows } catch { throw .preparation(error) }
    let result: RunResult?
    do { result = try engine.run(threads: threads, control: control) } catch { throw .simulation(error) }
    let variants = VariantRuns(of: engine, zones: zones, threads: threads, control: control)
    guard let result,
      let evaluation = try GoalEvaluation(
        of: engine, Summary(of: result), nil, by: variants, isBracketed: isBracketed)
    else {
      throw .simulation(.contradiction(replication: 0, ["the run was cancelled"]))
    }
    return Results(engine, result, evaluation)
  }
}

/// The reason why a scenario cannot be simulated.
///
/// ```swift
/// do { _ = try Simulation(scenario).run() } catch { print(error.message) }
/// ```
public struct SimulationFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason in one sentence.
  public let message: String

  /// The reason in one sentence.
  public var description: String { message }

  init(_ message: String) { self.message = message }

  init(_ error: StudyError, in scenario: ScenarioValues) {
    switch error {
    case .preparation(let error):
      message = (error.path.isEmpty ? "" : error.path.joined(separator: ".") + ": ") + error.message
    case .simulation(let error): message = error.message(in: scenario)
    }
  }
}
