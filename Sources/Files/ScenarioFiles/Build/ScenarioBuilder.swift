import Scenario
import SimulationKernel

/// A builder that converts a tree to a typed scenario, part by part.
struct ScenarioBuilder: PartBuilder {
  let draft: Draft

  init(_ root: Node, problems: ProblemList) { draft = Draft(root, problems: problems) }

  /// Returns the scenario; values that have problems are replaced by defaults.
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

  /// Checks that a growing fleet stays below the maximum number of devices.
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

/// The state shared by the builders of a scenario, such as the tree, names and problems.
final class Draft {
  let root: Section
  var problems: ProblemList
  /// The names of the kinds, in file order.
  let kindNames: [String]
  private let kindIndices: [String: Int]
  private var endpointIndices: [String: Int] = [:]
  /// The listed endpoints, followed by endpoints that occur only in requests.
  private(set) var endpoints: [Endpoint] = []
  /// The radio profiles and phone models defined in the file.
  var radios: [RadioProfile] = []
  var phones: [Phone] = []
  var windows: [NamedWindow] = []

  init(_ root: Node, problems: ProblemList) {
    self.root = Section(node: root, pattern: "")
    self.problems = problems
    let names = self.root.named("kinds").map(\.pair.key)
    kindNames = names
    kindIndices = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  func add(_ endpoint: Endpoint) {
    endpointIndices[endpoint.name] = endpoints.count
    endpoints.append(endpoint)
  }

  /// Returns the index of the endpoint with the given name. An endpoint that is not listed is appended, without limits.
  func endpoint(named name: String) -> Int {
    if let index = endpointIndices[name] { return index }
    add(Endpoint.with { $0.name = name })
    return endpoints.count - 1
  }

  /// Returns the index of the kind with the given name; `nil` if there is no such kind.
  func kind(named name: String) -> Int? { kindIndices[name] }
}

/// A builder for one part of a scenario, which also performs the checks that require the whole scenario (WF3xx, WF106).
protocol PartBuilder {
  var draft: Draft { get }
}

extension PartBuilder {
  var root: Section { draft.root }

  var problems: ProblemList {
    get { draft.problems }
    nonmutating set { draft.problems = newValue }
  }

  /// Returns the position of a key in a section, or the position of the section if the key is omitted.
  func span(of key: String, in section: Section) -> Span? {
    section.node?.pairs?.first { $0.key == key }?.keySpan ?? section.node?.span.narrow
  }

  /// Returns the position of a section's name, or the position of the section if it has no name.
  func place(_ section: Section) -> Span? { section.written("name")?.span ?? section.node?.span.narrow }

  /// Returns the indices of the given kinds in ascending order; the value is `all` or a list of names.
  func kinds(_ node: Node?) -> [Int] {
    if node?.text == "all" { return Array(draft.kindNames.indices) }
    return Set((node?.items ?? []).compactMap { kind($0) }).sorted()
  }

  /// Returns the index of a kind; adds a problem if no kind has the given name.
  func kind(_ node: Node?) -> Int? {
    guard let node, let name = node.text, !node.isNull else { return nil }
    if let index = draft.kind(named: name) { return index }
    refuse(
      name, at: node.span, "kind", note: "not under kinds", among: draft.kindNames,
      otherwise: "kinds are \(draft.kindNames.prefix(8).map(\.quoted).joined(separator: ", "))")
    return nil
  }

  /// Rejects an unknown name, with a hint if a known name is similar.
  func refuse(
    _ name: String, at span: Span, _ what: String, note: String, among known: [String], otherwise help: String
  ) {
    if problems.isFull { return }
    problems.add(
      .unknownName, at: span, "there is no \(what) \(name.quoted)", note: note,
      help: Spelling.hint(name, among: known) ?? Help(help))
  }

  /// Rejects keys that have no effect in combination with another key.
  ///
  /// - Parameter help: the advice to display; `nil` to display the help text of the key.
  func refuse(
    _ keys: [String], in section: Section, besides other: String, note: String = "has no effect here", help: Help? = nil
  ) {
    for key in keys where section.node?[key] != nil {
      problems.add(
        .conflictingKeys, at: span(of: key, in: section), "\(key.quoted) cannot be combined with \(other)", note: note,
        help: help ?? section.entry(key).map { Help($0.help) })
    }
  }

  /// Rejects an empty list or mapping.
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

/// A builder for `goals`, which are conditions that the results must meet.
struct GoalBuilder: PartBuilder {
  let draft: Draft
  let clock: Clock

  /// Returns the goals that have no problems. All names that can occur in labels must be known before this call.
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
  /// Returns the file position of a range of characters in a text. If the file does not contain the text literally,
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
