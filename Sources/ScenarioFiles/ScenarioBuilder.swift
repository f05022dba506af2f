import Scenario
import SimulationKernel

/// Builds the typed scenario from a tree, part by part.
struct ScenarioBuilder: PartBuilder {
  let draft: Draft

  init(_ root: Node, problems: ProblemList) { draft = Draft(root, problems: problems) }

  /// The scenario; it holds defaults in place of what `problems` complain of.
  func build() -> Scenario {
    var scenario = Scenario()
    scenario.name = root.text("name") ?? ""
    scenario.description = root.text("description") ?? ""
    scenario.clock = clock()
    root.section("run").fill(&scenario.run)
    TableBuilder(draft: draft).build()
    (scenario.radios, scenario.phones) = (draft.radios, draft.phones)
    EndpointBuilder(draft: draft).build()
    scenario.kinds = root.named("kinds").map { KindBuilder(draft: draft).kind(named: $0.pair, $0.section) }
    if let written = root.written("kinds"), scenario.kinds.isEmpty, written.pairs != nil {
      refuseEmpty("kinds", in: root, help: root.entry("kinds").map { Help($0.help) })
    }
    scenario.app = AppBuilder(draft: draft).app()
    let system = SystemBuilder(os: root.section("os"))
    scenario.os = system.operatingSystem(preset: root.section("os").word("preset") ?? .ios26)
    scenario.profile = system.profile
    scenario.givenConstants = system.givenConstants
    scenario.fleet = FleetBuilder(draft: draft).fleet()
    checkSimulate(scenario.run, scenario.fleet)
    checkGrowth(scenario.clock, scenario.fleet)
    checkSteps(scenario.clock)
    let limits = LimitCheck(draft: draft, clock: scenario.clock)
    limits.checkEndpoints()
    scenario.events = EventBuilder(draft: draft, clock: scenario.clock).events(scenario.fleet, scenario.os)
    limits.checkLongStep(scenario.events)
    scenario.endpoints = draft.endpoints
    scenario.goals = GoalBuilder(draft: draft, clock: scenario.clock).goals(scenario.fleet, scenario.events)
    return scenario.withSampleDecided
  }
}

extension ScenarioBuilder {
  private func clock() -> Clock {
    let section = root.section("clock")
    var clock: Clock = section.filled()
    clock.startUnixMilliseconds = section.instant("start") ?? 0
    if section.duration("warmup") == nil { clock.warmup = .zero }
    if section.written("settle") == nil {
      clock.settle = clock.standardSettle
    } else if section.duration("settle") == nil {
      clock.settle = .zero
    }
    checkClock(clock, section)
    return clock
  }

  private func checkClock(_ clock: Clock, _ section: Section) {
    guard clock.step > .zero else { return }
    for (key, span) in [("settle", clock.settle), ("warmup", clock.warmup), ("duration", clock.duration)]
    where span.milliseconds % clock.step.milliseconds != 0 {
      problems.add(
        .stepDoesNotDivide, at: section.written("step")?.span ?? self.span(of: key, in: section),
        "step \(QuantityText.duration(clock.step)) does not divide \(key) \(QuantityText.duration(span))",
        note: "leaves a remainder", help: "steps of the load series fill settle, warmup and duration exactly")
    }
    if clock.end - clock.beginning > .days(400) {
      problems.add(
        .tooBig, at: span(of: "duration", in: section), "settle, warmup and duration together are longer than 400 d",
        note: "too long")
    }
  }

  private func checkSteps(_ clock: Clock) {
    guard clock.step > .zero, clock.end - clock.beginning <= .days(400) else { return }
    let steps = (clock.end - clock.beginning).milliseconds / clock.step.milliseconds
    guard steps > 50_000_000 else { return }
    let section = root.section("clock")
    problems.add(
      .tooBig, at: span(of: "step", in: section),
      "the calendar has \(steps.grouped) steps; at most 50 000 000 are simulated",
      note: "too fine for so long a time", help: "make the step longer or the duration shorter")
  }

  /// Devices have numbers below the most that a fleet may have.
  private func checkGrowth(_ clock: Clock, _ fleet: Fleet) {
    let section = root.section("fleet")
    guard let node = section.written("growth_per_day"), fleet.growthLogarithm > 0 else { return }
    let devices = Double(fleet.devices) * fleet.growth(over: clock.duration)
    guard devices > Fleet.mostDevices else { return }
    problems.add(
      .tooBig, at: node.span, "the fleet grows to more than 1 000 000 000 devices", note: "too fast for so long a time",
      help: "make the growth, the devices or the duration smaller")
  }

  private func checkSimulate(_ run: RunSettings, _ fleet: Fleet) {
    let section = root.section("run")
    guard let simulate = run.simulate.count, let node = section.written("simulate"),
      root.section("fleet").count("devices") != nil,
      simulate > fleet.devices
    else { return }
    problems.add(
      .simulatesTooMany, at: node.span,
      "simulate \(simulate.grouped) is more than the fleet's \(fleet.devices.grouped) devices",
      note: "more than there are",
      help: "leave simulate out to simulate all")
  }
}
