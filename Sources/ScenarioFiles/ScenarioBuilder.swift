import Scenario
import SimulationKernel

/// Builds the typed scenario from a tree, part by part.
struct ScenarioBuilder: PartBuilder {
  let draft: Draft

  init(_ root: Node, problems: ProblemList) { draft = Draft(root, problems: problems) }

  /// The scenario; it holds defaults in place of what `problems` complain of.
  func build() -> Scenario {
    let clock = clock()
    TableBuilder(draft: draft).build()
    EndpointBuilder(draft: draft).build()
    let kinds = root.named("kinds").map { KindBuilder(draft: draft).kind(named: $0.pair, $0.section) }
    if let written = root.written("kinds"), kinds.isEmpty, written.pairs != nil { refuseEmpty("kinds") }
    var settings = RunSettings()
    root.section("run").fill(&settings)
    let app = AppBuilder(draft: draft).app()
    let system = SystemBuilder(os: root.section("os"))
    let os = system.operatingSystem(preset: root.section("os").word("preset") ?? .ios26)
    let fleet = FleetBuilder(draft: draft).fleet()
    checkSimulate(settings, fleet)
    checkSteps(clock)
    let limits = LimitCheck(draft: draft, clock: clock)
    limits.checkEndpoints()
    let events = EventBuilder(draft: draft, clock: clock).events(fleet, os)
    limits.checkLongStep(events)
    return Scenario(
      name: root.text("name") ?? "", description: root.text("description") ?? "", clock: clock, run: settings,
      app: app, kinds: kinds, fleet: fleet, os: os, endpoints: draft.endpoints, events: events,
      goals: GoalBuilder(draft: draft, clock: clock).goals(fleet, events), givenConstants: system.givenConstants,
      radios: draft.radios, phones: draft.phones)
  }

  private func refuseEmpty(_ key: String) {
    guard let pair = root.node?.pairs?.first(where: { $0.key == key }) else { return }
    problems.add(
      .nothingThere, at: pair.keySpan, "\(key.quoted) is empty", note: "at least one is needed",
      help: root.entry(key).map { Help($0.help) })
  }
}

extension ScenarioBuilder {
  private func clock() -> Clock {
    let section = root.section("clock")
    let start = section.value("start").flatMap { node in
      Reading.read(node) { text throws(ValueProblem) in try CalendarText.instant(text) }
    }
    var clock = Clock()
    section.fill(&clock)
    clock.startUnixMilliseconds = start ?? 0
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

  private func checkSimulate(_ run: RunSettings, _ fleet: Fleet) {
    let section = root.section("run")
    guard let simulate = run.simulate, let node = section.written("simulate"),
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
