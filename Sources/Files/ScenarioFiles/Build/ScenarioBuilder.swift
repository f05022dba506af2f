import Scenario
import SimulationKernel

/// A builder that creates the typed scenario from a tree, one part after another.
struct ScenarioBuilder: PartBuilder {
  let draft: Draft

  init(_ root: Node, problems: ProblemList) { draft = Draft(root, problems: problems) }

  /// Returns the scenario, in which defaults replace values that have problems.
  func build() -> Scenario {
    var scenario = Scenario()
    scenario.name = root.text("name") ?? ""
    scenario.description = root.text("description") ?? ""
    scenario.clock = clock()
    root.section("run").fill(&scenario.run)
    TableBuilder(draft: draft).build()
    (scenario.radios, scenario.phones) = (draft.radios, draft.phones)
    EndpointBuilder(draft: draft).build()
    draft.windows = WindowBuilder(draft: draft).windows()
    scenario.windows = draft.windows
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
        note: "leaves a remainder", help: "settle, warmup and duration must be whole numbers of steps")
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
      "the calendar has \(steps.grouped) steps; the maximum is 50 000 000",
      note: "too fine for this duration", help: "make the step longer or the duration shorter")
  }

  /// Checks that the number of devices in a growing fleet stays below the maximum.
  private func checkGrowth(_ clock: Clock, _ fleet: Fleet) {
    let section = root.section("fleet")
    guard let node = section.written("growth_per_day"), fleet.growthLogarithm > 0 else { return }
    let devices = Double(fleet.devices) * fleet.growth(over: clock.duration)
    guard devices > Fleet.maxDevices else { return }
    problems.add(
      .tooBig, at: node.span, "the fleet grows to more than 1 000 000 000 devices", note: "too fast for this duration",
      help: "reduce the growth, the devices or the duration")
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
      help: "omit simulate to simulate all")
  }
}

/// The state that is shared by the builders for parts of a scenario, which includes the tree, names and problems.
final class Draft {
  let root: Section
  var problems: ProblemList
  /// The names of the kinds, in file order.
  let kindNames: [String]
  private let kindIndices: [String: Int]
  private var endpointIndices: [String: Int] = [:]
  /// The endpoints in the list, followed by those that only requests name.
  private(set) var endpoints: [Endpoint] = []
  /// The radio profiles and phone models defined in the file.
  var radios: [RadioProfile] = []
  var phones: [Phone] = []
  /// The named windows of the scenario.
  var windows: [NamedWindow] = []

  init(_ root: Node, problems: ProblemList) {
    self.root = Section(node: root, pattern: "")
    self.problems = problems
    let names = self.root.named("kinds").map(\.pair.key)
    kindNames = names
    kindIndices = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Appends an endpoint to the list.
  func add(_ endpoint: Endpoint) {
    endpointIndices[endpoint.name] = endpoints.count
    endpoints.append(endpoint)
  }

  /// Returns the index of the endpoint with a name; if the endpoint is not listed, it is appended without limits.
  func endpoint(named name: String) -> Int {
    if let index = endpointIndices[name] { return index }
    add(Endpoint.with { $0.name = name })
    return endpoints.count - 1
  }

  /// Returns the index of the kind with a name; `nil` if the name is unknown.
  func kind(named name: String) -> Int? { kindIndices[name] }
}

/// A builder for one part of a scenario, which also makes checks that need the whole scenario (WF3xx, WF106).
protocol PartBuilder {
  var draft: Draft { get }
}

extension PartBuilder {
  var root: Section { draft.root }

  var problems: ProblemList {
    get { draft.problems }
    nonmutating set { draft.problems = newValue }
  }

  /// Returns the position of a key in a section; if the key is omitted, returns the position of the section.
  func span(of key: String, in section: Section) -> Span? {
    section.node?.pairs?.first { $0.key == key }?.keySpan ?? section.node?.span.narrow
  }

  /// Returns the position of a section's name; if there is no name, returns the position of the section.
  func place(_ section: Section) -> Span? { section.written("name")?.span ?? section.node?.span.narrow }

  /// Returns the indices of the kinds that are given as `all` or as a list, in ascending order.
  func kinds(_ node: Node?) -> [Int] {
    if node?.text == "all" { return Array(draft.kindNames.indices) }
    return Set((node?.items ?? []).compactMap { kind($0) }).sorted()
  }

  /// Returns the index of a kind; adds a problem if there is no kind with this name.
  func kind(_ node: Node?) -> Int? {
    guard let node, let name = node.text, !node.isNull else { return nil }
    if let index = draft.kind(named: name) { return index }
    refuse(
      name, at: node.span, "kind", note: "not under kinds", among: draft.kindNames,
      otherwise: "kinds are \(draft.kindNames.prefix(8).map(\.quoted).joined(separator: ", "))")
    return nil
  }

  /// Rejects a name that is unknown, with a hint if it is similar to a known name.
  func refuse(
    _ name: String, at span: Span, _ what: String, note: String, among known: [String], otherwise help: String
  ) {
    if problems.isFull { return }
    problems.add(
      .unknownName, at: span, "there is no \(what) \(name.quoted)", note: note,
      help: Spelling.hint(name, among: known) ?? Help(help))
  }

  /// Rejects keys that have no effect when they are combined with another key.
  ///
  /// - Parameter help: the advice; `nil` to show the help text of the key instead.
  func refuse(
    _ keys: [String], in section: Section, besides other: String, note: String = "has no effect here", help: Help? = nil
  ) {
    for key in keys where section.node?[key] != nil {
      problems.add(
        .conflictingKeys, at: span(of: key, in: section), "\(key.quoted) cannot be combined with \(other)", note: note,
        help: help ?? section.entry(key).map { Help($0.help) })
    }
  }

  /// Rejects a list or mapping that has no entries.
  func refuseEmpty(_ key: String, in section: Section, help: Help? = nil) {
    problems.add(
      .nothingThere, at: span(of: key, in: section), "\(key.quoted) is empty", note: "at least one is needed",
      help: help)
  }

  func refuseRepeatedNames(_ items: [Section], of what: String, key: String = "name") {
    var seen: [String: Int] = [:]
    for item in items {
      guard let node = item.written(key), let name = node.text else { continue }
      guard let line = seen.updateValue(node.span.line, forKey: name) else { continue }
      problems.add(
        .duplicateName, at: node.span, "two \(what) have the same \(key) \(name.quoted)",
        note: "the first is on line \(line)",
        help: "give one of them another \(key)")
    }
  }

  func hours(_ section: Section) -> HourWeights {
    if let peak = section.time("peak") {
      refuse(["hours"], in: section, besides: "'peak'", help: "peak shifts the default hours: keep only one")
      return .default.turned(toPeakAt: peak)
    }
    guard let node = section.value("hours"), let items = node.items else {
      return section.text("hours") == "flat" ? .flat : .default
    }
    let weights = items.compactMap { Reading.read($0, PlainNumbers.number) }
    guard weights.count == 24, items.count == 24 else { return .flat }
    if weights.allSatisfy({ $0 == 0 }) {
      problems.add(
        .allZero, at: span(of: "hours", in: section), "all weights of 'hours' are 0", note: "no hour is left",
        help: "give an hour a weight above 0; flat makes all equal")
    }
    return HourWeights(weights: weights)
  }
}

/// A builder for `goals`, which are conditions on the results.
struct GoalBuilder: PartBuilder {
  let draft: Draft
  let clock: Clock

  /// Returns the goals without those that have problems; all names that labels can contain must already be known.
  func goals(_ fleet: Fleet, _ events: [Event]) -> [Goal] {
    let items = root.items("goals")
    refuseRepeatedNames(items, of: "goals", key: "id")
    let names = LabelNames(
      kinds: draft.kindNames, endpoints: draft.endpoints,
      events: events, windows: draft.windows, fleet: fleet, clock: clock)
    return items.compactMap { goal($0, names) }
  }

  private func goal(_ section: Section, _ names: LabelNames) -> Goal? {
    guard !problems.isFull, let id = section.text("id"), let node = section.written("assert"), let text = node.text,
      !problems.complain(of: node.span)
    else { return nil }
    do {
      let assertion = try AssertionReader.read(text, names)
      return Goal(
        id: id, text: text, figure: assertion.figure, comparison: assertion.comparison, limit: assertion.limit,
        severity: section.word("severity") ?? .error)
    } catch {
      problems.add(error, at: node.span)
      return nil
    }
  }
}

extension Node {
  /// Returns the position of a range of characters in the text. If the text is not written literally in the file,
  /// returns the position of the whole text.
  func span(of range: Range<Int>) -> Span {
    guard case .scalar(let text, let isPlain) = content else { return span }
    let count = text.unicodeScalars.count
    let quotes = isPlain ? 0 : 1
    guard span.length == count + 2 * quotes, !text.contains("\n") else { return span }
    let length = max(1, min(range.count, span.length - range.lowerBound - quotes))
    return Span(source: span.source, line: span.line, column: span.column + quotes + range.lowerBound, length: length)
  }
}
