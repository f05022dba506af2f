import FleetEngine
import FleetReports
import Scenario
import ScenarioFiles
import Studies

/// `widgetfleet tradeoff`: what each setting costs the backend, the people and the batteries, in one figure.
struct TradeoffCommand {
  private let settings: Settings
  private let console: Console
  private let sweep: SweepCommand

  init(_ settings: Settings, _ console: Console) {
    self.settings = settings
    self.console = console
    sweep = SweepCommand(settings, console)
  }

  func run() throws(Failure) -> ExitCode {
    let (plan, base) = try sweep.plan()
    for setting in plan.settings { _ = try sweep.prepared(setting) }
    let output = try OutputPath(settings.out ?? "Reports/\(base.name)-tradeoff")
    let staged = try StagedFolder(for: output)
    defer { staged.abandon() }
    let control = RunControl()
    let watch = Watch(control, Progress(settings, Environment(), total: sweep.devices(plan))) { staged.abandon() }
    let tradeoff = try watch.during { () throws(Failure) -> Tradeoff in
      let runs = try plan.settings.map { setting throws(Failure) in try sweep.run(of: setting, control) }
      let study = SweepStudy(axes: plan.axes, goals: base.goals, runs: runs)
      let tradeoff = try self.tradeoff(study, base)
      let manifest = SweepManifest(
        provenance: Provenance(version: Version.current, resolvedScenario: base.resolvedText),
        method: plan.method.rawValue, scenario: base.name, seed: base.run.seed)
      for file in TradeoffFile.allCases { try staged.write(file.bytes(of: tradeoff, manifest), to: file.name) }
      try staged.commit()
      return tradeoff
    }
    console.note("results: \(output.path.printable)/\(TradeoffFile.page.name)\n")
    try console.output(
      settings.format == .json
        ? tradeoffJSON(of: tradeoff, version: Version.current) : tradeoffTable(of: tradeoff))
    return tradeoff.rule == .noneMeetsGoals && !settings.exitsWithZero ? .goalFailed : .success
  }

  private func tradeoff(_ study: SweepStudy, _ base: Scenario) throws(Failure) -> Tradeoff {
    guard let tradeoff = Tradeoff(study, base: base) else {
      throw .unsuitableInput(
        path: settings.operands[0],
        reason: "has nothing to trade off: under no setting does a request reach an endpoint and a refresh come late")
    }
    return tradeoff
  }
}
