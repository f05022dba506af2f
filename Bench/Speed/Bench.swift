import FleetEngine
import Platform
import Scenario
import ScenarioFiles
import SimulationKernel

/// A benchmark over several cases.
struct Bench {
  let arguments: BenchArguments

  private func repetitions(of one: BenchCase) -> Int { arguments.isQuick ? 1 : one.repetitions }

  /// Measures round by round, so that disturbances on the machine affect all cases alike.
  func measurements() throws -> [BenchMeasurement] {
    let cases = BenchCase.all(arguments.workloads, threads: arguments.threads, isQuick: arguments.isQuick)
    var measurements: [BenchMeasurement?] = Array(repeating: nil, count: cases.count)
    let rounds = cases.map(repetitions).max() ?? 0
    for round in 0..<rounds {
      for (index, one) in cases.enumerated() where round < repetitions(of: one) {
        let measurement = try measure(one)
        measurements[index]?.add(measurement)
        measurements[index] = measurements[index] ?? measurement
      }
    }
    return measurements.compactMap { $0 }
  }

  /// Performs one run: checks the counts, and measures only the simulation, without preparation and output.
  private func measure(_ one: BenchCase) throws -> BenchMeasurement {
    let outcome = ScenarioReader.read(
      text: try one.workload.text(), fileName: one.workload.fileName,
      settings: one.assignments.map { SetArgument($0) })
    guard let scenario = outcome.scenario else {
      throw BenchArguments.Mistake(description: outcome.diagnostics.humanText)
    }
    let prepared = try Engine(preparing: scenario, zones: zoneTables(for: scenario))
    let engine = one.keepsEnergy ? prepared : prepared.withoutEnergy
    let (wall, processor) = (Self.seconds(CLOCK_MONOTONIC), Self.seconds(CLOCK_PROCESS_CPUTIME_ID))
    let result = try engine.run(threads: one.threads, control: RunControl())
    let time = (
      processor: Self.seconds(CLOCK_PROCESS_CPUTIME_ID) - processor, wall: Self.seconds(CLOCK_MONOTONIC) - wall
    )
    let replications = result?.replications ?? []
    let counts = BenchCounts(
      events: replications.reduce(0) { $0 + Int($1.eventCount) }, runs: replications.reduce(0) { $0 + Int($1.runCount) }
    )
    try counts.check(one, seed: scenario.run.seed)
    let days = Double((scenario.clock.end - scenario.clock.beginning).milliseconds) / 86_400_000
    return BenchMeasurement(benchCase: one, counts: counts, days: days, processor: time.processor, wall: time.wall)
  }

  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
