import FleetReports
import Scenario
import ScenarioFiles
import SimulationKernel
import Studies

/// The `widgetfleet export` command, which converts a results folder to a load test or to time series for dashboards.
struct ExportCommand {
  let settings: Settings
  let console: Console

  func run() throws(Failure) -> ExitCode {
    guard let export = settings.export else { return .notSimulated }
    let content = try ResultsFolder(settings.operands[0]).results().content
    let slice = try slice(export, content.run.scenario.clock)
    let output = try settings.out.map { path throws(Failure) in try OutputFile(path) }
    let bytes = try bytes(export, content, slice)
    guard let output else {
      try console.output(bytes)
      return .success
    }
    try output.write(bytes)
    console.note("\(export.target.rawValue): \(output.path.printable)\n")
    return .success
  }

  private func slice(_ export: ExportSettings, _ clock: Clock) throws(Failure) -> LoadSlice {
    let part = try export.part.map { text throws(Failure) in
      try read(.exportPart, text) { () throws(PartReader.Problem) in try PartReader.part(text, of: clock) }
    }
    let step = try export.step.map { text throws(Failure) in
      try read(.exportStep, text) { () throws(PartReader.Problem) in try PartReader.step(text, of: clock) }
    }
    let whole = part ?? .start..<clock.end
    return LoadSlice(clock, part: whole, step: step ?? LoadSlice.usualStep(clock, part: whole))
  }

  private func read<Value>(
    _ option: Option, _ text: String, _ reading: () throws(PartReader.Problem) -> Value
  ) throws(Failure) -> Value {
    do { return try reading() } catch {
      throw .usage(
        "\(option.spelling) '\(text.printable)' \(error.sentence.printable)", command: "export",
        hint: error.help?.printable)
    }
  }

  private func bytes(
    _ export: ExportSettings, _ content: ReportContent, _ slice: LoadSlice
  ) throws(Failure) -> [UInt8] {
    switch export.target {
    case .openMetrics: return LoadMetrics(of: content, slice).openMetrics
    case .grafana: return LoadMetrics(of: content, slice).grafanaDashboard
    case .k6, .locust: break
    }
    let folder = settings.operands[0]
    // Servers without a CDN, limits or base load receive exactly the requests that phones send.
    let atServers = export.atServers && LoadPoint.first(content.run.scenario, endpoint: nil) == .servers
    guard let plan = LoadPlan(content.run, slice, factor: export.factor, atServers: atServers) else {
      throw .unsuitableInput(path: folder, reason: "does not contain the load at the servers")
    }
    guard plan.total > 0 else {
      throw .unsuitableInput(path: folder, reason: "has no requests to send for that part and factor")
    }
    return LoadTest(plan, of: content, base: export.base, isRamped: export.isRamped).bytes(for: export.target)
  }
}
