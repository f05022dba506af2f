import FleetEngine
import FleetReports
import Planning
import Scenario
import ScenarioFiles
import Studies

/// The `widgetfleet plan` command, which shows when capacity runs out, how much capacity the fleet needs, and how much
/// it costs.
struct PlanCommand: StudyCommand {
  let settings: Settings
  let console: Console

  func run() throws(Failure) -> ExitCode {
    let source = try PlanSource(path: path, assignments: settings.assignments)
    guard var plan = source.outcome.plan else {
      throw .invalidScenario(problems: source.outcome.diagnostics.humanText)
    }
    let variants = try variants()
    let sources = try ([[]] + variants).map { setting throws(Failure) in try source.versions(with: setting) }
    let base = sources[0][0].scenario
    plan.complete(from: sources[0].map(\.scenario))
    let hash = SHA256.hexadecimal(
      of: Array((["\(plan)"] + sources.joined().map(\.scenario.resolvedText)).joined(separator: "\n\n").utf8))
    let claim = try ResultsName("Reports/\(plan.name)-plan", ofStudy: hash).claimed(settings, console)
    let work = PlanWork(command: self, plan: plan, window: source.outcome.window)
    let report = try write(to: claim, devices: work.devices(of: sources.joined().map(\.scenario))) {
      staged, control throws(Failure) -> PlanReport in
      let report = try work.report(
        sources.map { $0.map(\.scenario) }, named: variants.map { $0.map(\.text).joined(separator: " ") },
        Provenance(version: Version.current, resolvedScenario: base.resolvedText, studyHash: hash), control)
      for file in PlanFile.allCases { try staged.write(file.bytes(of: report), to: file.name) }
      return report
    }
    console.note("results: \(claim.output.path.printable)/\(PlanFile.page.name)\n")
    try console.output(settings.format == .json ? report.document : report.text(answerOnly: settings.isQuiet))
    return report.holds || settings.exitsWithZero ? .success : .goalFailed
  }

  /// Returns the settings given with `--vary`; each setting consists of one assignment.
  private func variants() throws(Failure) -> [[Assignment]] {
    var all: [[Assignment]] = []
    for text in settings.study.sweep.vary {
      guard let place = text.firstIndex(of: "=") else {
        throw .usage("--vary needs PATH=V1,V2", command: "plan", hint: "write --vary kinds.news.reload.after=15min,1h")
      }
      for value in text[place...].dropFirst().split(separator: ",") {
        all.append([Assignment(text: String(text[...place]) + value, origin: Option.vary.spelling)])
      }
    }
    return all
  }
}

/// The simulations of the `plan` command.
struct PlanWork {
  let command: PlanCommand
  let plan: Plan
  /// The window for peaks; `nil` to choose it automatically.
  let window: LoadWindow?

  /// The maximum relative difference between a simulated fleet and the line through its neighbours. If it is exceeded,
  /// further fleets are simulated.
  private static let tolerance = 0.03
  private static let depth = 3
  /// The size of the smallest simulated fleet, as a fraction of the largest. For smaller fleets, loads are assumed to
  /// be proportional to the number of phones.
  private static let smallest = 0.001

  /// The sizes of the smallest and largest simulated fleets.
  private var range: ClosedRange<Double> {
    let doubts = [1, 1 + Headroom.growthDoubt, 1 - Headroom.growthDoubt]
    let all = doubts.flatMap { plan.growing(by: $0).effectivePhones }
    let largest = max(all.max() ?? 1, 1).rounded(.up)
    let smallest = max(all.min() ?? 1, largest * Self.smallest, min(largest, 100)).rounded(.down)
    return smallest...largest
  }

  /// Returns the number of phones to simulate if three fleets are sufficient.
  func devices(of scenarios: [Scenario]) -> Int {
    let range = range
    let sizes =
      range.lowerBound < range.upperBound ? [range.lowerBound, middle(range), range.upperBound] : [range.upperBound]
    return scenarios.reduce(0) { sum, scenario in
      let presets = command.presets(judging: scenario)
      return sizes.reduce(sum) {
        $0 + offered(scenario, $1).devicesTotal * (1 + presets.count)
      }
    }
  }

  private func middle(_ range: ClosedRange<Double>) -> Double {
    (range.lowerBound * range.upperBound).squareRoot().rounded()
  }

  /// - Parameter sources: the scenarios of the plan, followed by the scenarios of each varied setting.
  func report(
    _ sources: [[Scenario]], named names: [String], _ provenance: Provenance, _ control: RunControl
  ) throws(Failure) -> PlanReport {
    let base = sources[0][0]
    let largest = try fleet(base, range.upperBound, control).summary
    let window = self.window ?? HeadlineWindow.of(base, [largest]) ?? .minute
    var endpoints: [String] = []
    for endpoint in sources[0].flatMap(\.endpoints) where !endpoints.contains(endpoint.name) {
      endpoints.append(endpoint.name)
    }
    let forecasts = try sources.map { versions throws(Failure) -> (PlanForecast, Double?) in
      let curves = try versions.map { version throws(Failure) in try curve(of: version, endpoints, window, control) }
      let forecast = PlanForecast(
        plan, endpoints: endpoints, old: curves[0].curve, new: curves.dropFirst().first?.curve)
      return (forecast, curves[0].staleViews)
    }
    return PlanReport(
      forecast: forecasts[0].0, window: window,
      settings: zip(names, forecasts.dropFirst()).map { .init(name: $0, forecast: $1.0, staleViews: $1.1) },
      seed: base.run.seed, provenance: provenance)
  }

  /// Returns the demand of a scenario as a function of fleet size, and the share of stale views in the largest fleet.
  private func curve(
    of scenario: Scenario, _ endpoints: [String], _ window: LoadWindow, _ control: RunControl
  ) throws(Failure) -> (curve: DemandCurve, staleViews: Double?) {
    var curve = DemandCurve()
    func add(_ phones: Double) throws(Failure) -> (difference: Double, summary: Summary) {
      let fleet = try fleet(scenario, phones, control)
      let bracket = Bracket(summaries: fleet.bracket)
      let demands = endpoints.map { DayDemand(fleet.summary, bracket, at: $0, of: scenario, in: window) }
      let pushes = fleet.summary.pushesPerDay(of: scenario)
      return (curve.add(.init(phones: phones, demands: demands, pushes: pushes)), fleet.summary)
    }
    func refine(_ range: ClosedRange<Double>, depth: Int) throws(Failure) {
      let middle = middle(range)
      guard middle > range.lowerBound, middle < range.upperBound else { return }
      let difference = try add(middle).difference
      if difference > Self.tolerance, depth > 1 {
        try refine(range.lowerBound...middle, depth: depth - 1)
        try refine(middle...range.upperBound, depth: depth - 1)
      } else {
        curve.setBend(max(curve.bend, difference))
      }
    }
    let largest = try add(range.upperBound).summary
    if range.lowerBound < range.upperBound {
      _ = try add(range.lowerBound)
      try refine(range, depth: Self.depth)
    }
    curve.requestsOfUpdate = endpoints.map { largest.requestsOfUpdate(at: $0, phones: range.upperBound) }
    return (curve, largest.value(.staleViews, .share))
  }

  /// Returns the scenario of a fleet of a given size.
  private func offered(_ scenario: Scenario, _ phones: Double) -> Scenario {
    DemandCurve.fleet(of: scenario, phones: Int(phones), isQuick: command.settings.isFirstLook)
  }

  /// Simulates a fleet of a given size.
  private func fleet(
    _ scenario: Scenario, _ phones: Double, _ control: RunControl
  ) throws(Failure) -> (summary: Summary, bracket: [Preset: Summary]) {
    let presets = command.presets(judging: scenario)
    let offered = offered(scenario, phones)
    let (simulation, engine) = try command.prepared(offered, others: !presets.isEmpty)
    let summary = Summary(of: try simulation.result(of: engine, control))
    return (summary, try simulation.bracket(presets, of: engine, control).summaries)
  }
}

extension PlanCommand {
  /// Returns the presets under which peaks are also forecast.
  fileprivate func presets(judging scenario: Scenario) -> [Preset] {
    settings.study.judging == .nominal ? [] : BracketRuns.presets(of: scenario)
  }
}
