package import FleetEngine
package import Scenario
import SimulationKernel

/// A simulator of small variations of a prepared scenario. Each variation is simulated in one replication.
///
/// The variations use the scenario's seed, and therefore the same users, networks and draws as its first replication.
package struct VariantRuns: Sendable {
  /// The engine of the prepared scenario, which shares most of its tables with the variations.
  private let engine: Engine
  private let zones: [String: ZoneTable]
  private var threads: Int
  private let control: RunControl
  /// Whether other simulators of variations are running at the same time.
  private var isOneOfSeveral = false
  /// A function that is called before any run that depends on the results of another run.
  let expect: @Sendable () -> Void

  package init(
    of engine: Engine, zones: [String: ZoneTable], threads: Int, control: RunControl,
    expect: @escaping @Sendable () -> Void = {}
  ) {
    self.engine = engine
    self.expect = expect
    self.zones = zones
    self.threads = threads
    self.control = control
  }

  /// Returns the result of a variation, without device rows.
  ///
  /// - Returns: `nil` if cancelled.
  package func result(of variant: Scenario) throws(StudyError) -> RunResult? {
    var variant = variant
    variant.run.replications = 1
    // The number is taken from the prepared scenario, because a setting such as `auto` may result in a different number
    // for the variation.
    if [.auto, .quick].contains(variant.run.simulate) { variant.run.simulate = .count(engine.devicesSimulated) }
    var other: Engine
    do {
      other = try Engine(preparing: variant, zones: zones, like: engine).withoutRows
    } catch { throw .preparation(error) }
    if isOneOfSeveral { other = other.unkept }
    do { return try other.run(threads: threads, control: control) } catch { throw .simulation(error) }
  }

  /// Returns the results of several independent tasks, in order.
  ///
  /// Small runs are simulated on separate threads, because a single small run cannot keep several threads busy. The
  /// result of a run does not depend on the number of threads.
  ///
  /// - Parameters:
  ///   - devices: the number of devices in a run.
  ///   - task: a function that returns a value, given its index and the simulator, or `nil` if cancelled.
  /// - Returns: `nil` if cancelled.
  package func several<Value: Sendable>(
    _ count: Int, devices: Int, _ task: @Sendable (Int, VariantRuns) throws(StudyError) -> Value?
  ) throws(StudyError) -> [Value]? {
    let cohorts = engine.scenario.fleet.cohorts.count
    let maximum = RunsAtOnce.count(devices: devices, cohorts: cohorts, threads: threads)
    let atOnce = control.collective.size > 1 ? 1 : min(count, maximum)
    guard atOnce > 1 else {
      var values: [Value] = []
      for index in 0..<count {
        guard let value = try task(index, self) else { return nil }
        values.append(value)
      }
      return values
    }
    var one = self
    (one.threads, one.isOneOfSeveral) = (threads / atOnce, true)
    let outcomes = TaskOutcomes<Value>(count: count)
    withoutActuallyEscaping(task) { task in
      Workers.run(atMost: atOnce) { [one] _ in
        { _ in outcomes.complete { index throws(StudyError) in try task(index, one) } }
      }
    }
    return try outcomes.values
  }
}

/// The outcomes of tasks that are performed by several threads.
private final class TaskOutcomes<Value: Sendable>: Sendable {
  private let count: Int
  private let next = Locked(0)
  private let found = Locked<[Int: Result<Value?, StudyError>]>([:])

  init(count: Int) { self.count = count }

  /// Performs tasks until none remain.
  func complete(_ task: (Int) throws(StudyError) -> Value?) {
    while true {
      let index = next.withLock { next in
        next += 1
        return next - 1
      }
      guard index < count else { return }
      let outcome: Result<Value?, StudyError>
      do throws(StudyError) { outcome = .success(try task(index)) } catch { outcome = .failure(error) }
      found.withLock { $0[index] = outcome }
    }
  }

  /// The values in order, or the error of the first task that failed.
  var values: [Value]? {
    get throws(StudyError) {
      let found = found.withLock { $0 }
      var values: [Value] = []
      for index in 0..<count {
        guard let outcome = found[index], let value = try outcome.get() else { return nil }
        values.append(value)
      }
      return values
    }
  }
}
