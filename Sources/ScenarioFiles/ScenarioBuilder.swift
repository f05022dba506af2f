import Scenario
import SimulationKernel

/// Builds the typed scenario from a tree and checks what only the whole can tell (WF3xx, WF106).
struct ScenarioBuilder {
  let root: Section
  var problems: ProblemList
  /// In the order of the text.
  let kindNames: [String]
  private let kindIndices: [String: Int]
  private var endpointIndices: [String: Int] = [:]
  /// Those listed, then those that requests name.
  private(set) var endpoints: [Endpoint] = []
  /// The file's own.
  private(set) var radios: [RadioProfile] = []
  private(set) var phones: [Phone] = []

  init(_ root: Node, problems: ProblemList) {
    self.root = Section(node: root, pattern: "")
    self.problems = problems
    let names = self.root.named("kinds").map(\.pair.key)
    kindNames = names
    kindIndices = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The scenario; it holds defaults in place of what `problems` complain of.
  mutating func build() -> Scenario {
    let clock = clock()
    let run = root.section("run")
    radios = listedRadios()
    phones = listedPhones()
    for endpoint in listedEndpoints() {
      endpointIndices[endpoint.name] = endpoints.count
      endpoints.append(endpoint)
    }
    let kinds = root.named("kinds").map { kind(named: $0.pair, $0.section) }
    if let written = root.written("kinds"), kindNames.isEmpty, written.pairs != nil { refuseEmpty("kinds") }
    let settings = RunSettings(
      seed: run.integer("seed") ?? 1, replications: run.smallInteger("replications") ?? 1,
      simulate: run.count("simulate"))
    let app = app()
    let os = operatingSystem(preset: root.section("os").word("preset") ?? .ios26)
    let fleet = fleet()
    checkSimulate(settings, fleet)
    checkSteps(clock)
    checkLimits(clock)
    let events = events(clock, fleet, os)
    checkLongStep(clock.step, events)
    return Scenario(
      name: root.text("name") ?? "", description: root.text("description") ?? "", clock: clock, run: settings,
      app: app, kinds: kinds, fleet: fleet, os: os, endpoints: endpoints, events: events,
      goals: goals(clock, fleet, events), givenConstants: givenConstants, radios: radios, phones: phones)
  }

  mutating func refuseEmpty(_ key: String) {
    guard let pair = root.node?.pairs?.first(where: { $0.key == key }) else { return }
    problems.add(
      .nothingThere, at: pair.keySpan, "\(key.quoted) is empty", note: "at least one is needed",
      help: root.entry(key).map { Help($0.help) })
  }

  /// The place of a key in a section; else of the section.
  func span(of key: String, in section: Section) -> Span? {
    section.node?.pairs?.first { $0.key == key }?.keySpan ?? section.node?.span.narrow
  }
}

extension ScenarioBuilder {
  private mutating func clock() -> Clock {
    let section = root.section("clock")
    let start = section.value("start").flatMap { node in
      Reading.read(node) { text throws(ValueProblem) in try CalendarText.instant(text) }
    }
    var clock = Clock(
      startUnixMilliseconds: start ?? 0, settle: section.duration("settle") ?? .zero,
      warmup: section.duration("warmup") ?? .zero, duration: section.duration("duration") ?? .day,
      step: section.duration("step") ?? .second)
    if section.written("settle") == nil { clock.settle = clock.standardSettle }
    checkClock(clock, section)
    return clock
  }

  private mutating func checkClock(_ clock: Clock, _ section: Section) {
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

  private mutating func checkSteps(_ clock: Clock) {
    guard clock.step > .zero, clock.end - clock.beginning <= .days(400) else { return }
    let steps = (clock.end - clock.beginning).milliseconds / clock.step.milliseconds
    guard steps > 50_000_000 else { return }
    let section = root.section("clock")
    problems.add(
      .tooBig, at: span(of: "step", in: section),
      "the calendar has \(steps.grouped) steps; at most 50 000 000 are simulated",
      note: "too fine for so long a time", help: "make the step longer or the duration shorter")
  }

  private mutating func checkSimulate(_ run: RunSettings, _ fleet: Fleet) {
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

  /// The index of the endpoint of a name, appended without limits when nothing lists it.
  mutating func endpoint(named name: String) -> Int {
    if let index = endpointIndices[name] { return index }
    endpointIndices[name] = endpoints.count
    endpoints.append(Endpoint(name: name, latency: nil, timeout: .seconds(30)))
    return endpoints.count - 1
  }

  /// The index of a kind; a problem when there is none of that name.
  mutating func kind(_ node: Node?) -> Int? {
    guard let node, let name = node.text, !node.isNull else { return nil }
    if let index = kindIndices[name] { return index }
    if problems.isFull { return nil }
    problems.add(
      .unknownName, at: node.span, "there is no kind \(name.quoted)", note: "not under kinds",
      help: Spelling.hint(name, among: kindNames)
        ?? "kinds are \(kindNames.prefix(8).map(\.quoted).joined(separator: ", "))")
    return nil
  }
}
