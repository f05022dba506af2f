import FleetEngine
import Scenario
import ScenarioFiles
import SimulationKernel

/// `widgetfleet bench`: how fast the named workloads are on this machine.
struct BenchCommand {
  let settings: Settings
  let console: Console

  func run() throws(Failure) -> ExitCode {
    let bench = settings.bench
    let cases = BenchCase.all(bench.workloads, threads: settings.threads, isQuick: bench.isQuick)
    let total = cases.reduce(0) { $0 + $1.devices * repetitions(of: $1) }
    let control = RunControl()
    let watch = Watch(control, Progress(settings, Environment(), total: total)) {}
    let measurements = try watch.during { () throws(Failure) in try measure(cases, control) }
    let report = BenchReport(measurements: measurements, threads: settings.threads, isQuick: bench.isQuick)
    try console.output(settings.format == .json ? report.json : Array(report.table.utf8))
    return .success
  }

  private func repetitions(of one: BenchCase) -> Int { settings.bench.isQuick ? 1 : one.repetitions }

  /// Round after round, so that what disturbs the machine for a while disturbs all cases alike.
  private func measure(_ cases: [BenchCase], _ control: RunControl) throws(Failure) -> [BenchMeasurement] {
    var measurements: [BenchMeasurement?] = Array(repeating: nil, count: cases.count)
    let rounds = cases.map(repetitions).max() ?? 0
    for round in 0..<rounds {
      for (index, one) in cases.enumerated() where round < repetitions(of: one) {
        let measurement = try measure(one, control)
        measurements[index]?.add(measurement)
        measurements[index] = measurements[index] ?? measurement
      }
    }
    return measurements.compactMap { $0 }
  }

  /// One run: its counts are checked, its time is that of the simulation alone, without what is prepared and written.
  private func measure(_ one: BenchCase, _ control: RunControl) throws(Failure) -> BenchMeasurement {
    let outcome = ScenarioReader.read(
      text: one.workload.text, fileName: one.workload.fileName, settings: one.assignments.map { SetArgument($0) })
    guard let scenario = outcome.scenario else { throw .invalidScenario(problems: outcome.diagnostics.humanText) }
    let simulation = Simulation(scenario, path: one.workload.fileName, settings, console)
    let engine = try simulation.prepared(withRows: true, following: true)
    _ = try simulation.checkMemory(engine, others: false)
    let stopwatch = Stopwatch()
    let result = try simulation.simulated { () throws(SimulationError) in
      try (one.keepsEnergy ? engine : engine.withoutEnergy).run(threads: one.threads, control: control)
    }
    let (processor, wall) = (stopwatch.processorSeconds, stopwatch.wallSeconds)
    let counts = BenchCounts(
      events: result.replications.reduce(0) { $0 + Int($1.eventCount) },
      runs: result.replications.reduce(0) { $0 + Int($1.runCount) })
    try counts.check(one, seed: scenario.run.seed)
    let days = Double((scenario.clock.end - scenario.clock.beginning).milliseconds) / 86_400_000
    return BenchMeasurement(benchCase: one, counts: counts, days: days, processor: processor, wall: wall)
  }
}
