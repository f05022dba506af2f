import FleetEngine
import Scenario
public import SimulationKernel
import Studies

/// The results of a simulation.
///
/// ```swift
/// let day = try Simulation(scenario).run(devices: 2_000, seed: 1)
/// #expect(day[.staleViews(kind: "flight", during: "match")].worst < 0.10)
/// #expect(day.verdict.word == .holds)
/// ```
public struct Results: Sendable {
  private let engine: Engine
  private let result: RunResult
  private let summary: Summary
  /// The conclusion from the goals.
  public let verdict: Verdict

  init(_ engine: Engine, _ result: RunResult, _ evaluation: GoalEvaluation) {
    (self.engine, self.result, summary) = (engine, result, evaluation.summary)
    verdict = Verdict(RunVerdict(result.scenario, summary, evaluation.goals))
  }

  /// The number of simulated phones, including those added after the clock starts.
  public var devices: Int { result.devicesTotal }

  /// All figures, in the order of summary.csv.
  public var figures: [Figure] { summary.rows.map { Figure($0) } }

  /// Returns a figure; `nil` if the simulation does not have it.
  public func figure(_ key: FigureKey) -> Figure? {
    switch key.form {
    case .name(let name): summary.figure(name).map { Figure($0) }
    case .text(let text): summary.rows.first { $0.name.text == text }.map { Figure($0) }
    }
  }

  /// Accesses a figure.
  ///
  /// - Precondition: the simulation has the figure; an unknown kind or window ends the process.
  public subscript(key: FigureKey) -> Figure {
    guard let figure = figure(key) else {
      let name =
        switch key.form {
        case .name(let name): name.text
        case .text(let text): text
        }
      preconditionFailure("there is no figure \(name); 'figures' lists all")
    }
    return figure
  }

  /// Returns the phones' requests per second in each step of the measured period, scaled to the fleet, as the mean over
  /// replications.
  ///
  /// ```swift
  /// let load = day.load(endpoint: "api")
  /// let evening = load.rates[load.index(at: .start + .hours(20))]
  /// ```
  ///
  /// - Parameter endpoint: the name of an endpoint; `nil` for all endpoints combined.
  /// - Precondition: the scenario has the endpoint.
  public func load(endpoint: String? = nil) -> LoadOverTime {
    let scenario = result.scenario
    let index = endpoint.map { name in scenario.endpoints.firstIndex { $0.name == name } }
    if case .some(nil) = index { preconditionFailure("there is no endpoint '\(endpoint ?? "")'") }
    let counts = result.replications.map { $0.stepCounts(endpoint: index ?? nil) }
    let steps = counts.map(\.count).max() ?? 0
    let scale = Double(scenario.fleet.devices) / Double(max(result.devicesSimulated, 1))
    let factor = scale / (Double(max(counts.count, 1)) * scenario.clock.step.seconds)
    let rates = (0..<steps).map { step in
      Double(counts.reduce(0) { $0 + ($1.indices.contains(step) ? $1[step] : 0) }) * factor
    }
    return LoadOverTime(step: scenario.clock.step, rates: rates)
  }

  /// Returns the measured period of one phone in the first replication, by simulating the phone again.
  ///
  /// - Parameter number: the number of the phone, counted from 0.
  /// - Precondition: the number is less than `devices`.
  public func device(_ number: Int) -> DeviceDay {
    precondition((0..<devices).contains(number), "there is no phone \(number); \(devices) were simulated")
    let conditions = result.replications.first?.backend?.conditions
    do {
      return DeviceDay(number, try engine.diary(ofDevice: number, conditions: conditions), result.scenario)
    } catch {
      // The run has already simulated this phone.
      preconditionFailure("phone \(number) cannot be simulated again: \(error)")
    }
  }
}

/// A load over time, in requests per second.
///
/// ```swift
/// let busiest = day.load(endpoint: "api").rates.max() ?? 0
/// ```
public struct LoadOverTime: Hashable, Sendable {
  /// The length of a step.
  public let step: TimeAmount
  /// The mean requests per second in each step, the first of which begins at the scenario's `clock.start`.
  public let rates: [Double]

  /// Returns the index of the step that contains an instant.
  public func index(at instant: Instant) -> Int {
    Int((instant - .start).milliseconds.floorDivided(by: step.milliseconds))
  }
}
