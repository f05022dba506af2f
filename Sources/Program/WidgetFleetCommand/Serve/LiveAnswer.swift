import FleetEngine
import FleetReports
import Platform
import Scenario
import SimulationKernel
import Studies
import Synchronization

/// The answer for one setting on the page: waves of increasing size, ending with the answer that `run` gives.
final class LiveAnswer: Sendable {
  private let session: LiveSession
  private let texts: [String]
  private let before: [String]?
  private let settings: Settings
  private let console: Console
  private let control = RunControl()
  private let events = Locked<[[UInt8]]>([])
  private let bell = Bell()
  private let over = Atomic(false)
  /// The number of phones in the current simulation.
  private let expected = Atomic(0)
  private let started = Atomic(0)

  /// The number of milliseconds that the page waits for an event.
  private static let pause = 200

  /// - Parameters:
  ///   - texts: the settings that differ from the file.
  ///   - before: the settings with which the answer is compared; `nil` for none.
  init(_ session: LiveSession, _ texts: [String], before: [String]?, _ settings: Settings, _ console: Console) {
    (self.session, self.texts, self.before) = (session, texts, before)
    (self.settings, self.console) = (settings, console)
  }

  /// Whether no further events will follow.
  var isOver: Bool { over.load(ordering: .acquiring) }

  /// Stops the work, so that the answer ends soon.
  func cancel() { control.isCancelled.store(true, ordering: .relaxed) }

  private var isCancelled: Bool { control.isCancelled.load(ordering: .relaxed) || Interruption.isRequested }

  /// Returns the next event, or the progress if there is none for a while; `nil` at the end.
  func next() -> [UInt8]? {
    for attempt in 0..<2 {
      let isOver = isOver
      let event = events.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      if let event { return event }
      if isOver { return nil }
      if attempt == 0 { bell.wait(milliseconds: Self.pause) }
    }
    let done = control.devicesDone.load(ordering: .relaxed) - started.load(ordering: .relaxed)
    let share = 100 * done / max(expected.load(ordering: .relaxed), 1)
    return Self.event("progress", [("percent", .integer(Int128(min(max(share, 0), 99))))])
  }

  /// Simulates the waves.
  func work() {
    defer {
      over.store(true, ordering: .releasing)
      bell.ring()
    }
    do throws(LiveProblem) { try simulateWaves() } catch {
      if !isCancelled { send("problem", [("text", .string(error.text))]) }
    }
  }

  private func simulateWaves() throws(LiveProblem) {
    let scenario = try session.scenario(with: texts).get()
    if let known = session.withRuns({ [texts] in $0.run(of: texts) }) {
      show(known)
      if known.isLast { return }
    }
    let waves = LiveWaves(scenario, milliseconds: session.withRuns { $0.milliseconds })
    let shown = session.withRuns { [texts] in $0.run(of: texts)?.devices ?? 0 }
    for size in waves.previews where size > shown {
      let stopwatch = Stopwatch()
      try finish { () throws(Failure) in try self.preview(scenario, devices: size) }
      let milliseconds = stopwatch.wallMilliseconds
      session.withRuns { $0.measured(milliseconds, devices: size) }
      if isCancelled { return }
      // The first wave of the next setting does not wait for larger waves of this one.
      SystemThread.lowerPriority()
    }
    for size in waves.sizes {
      let isSettled = try finish { () throws(Failure) in try self.wave(scenario, size, of: waves.sizes) }
      if isSettled || isCancelled { return }
      SystemThread.lowerPriority()
    }
  }

  /// Performs work whose failure is shown on the page.
  private func finish<Value>(_ work: () throws(Failure) -> Value) throws(LiveProblem) -> Value {
    do throws(Failure) { return try work() } catch { throw LiveProblem(text: error.text) }
  }

  /// Simulates some phones, in one replication and without the bracket.
  private func preview(_ scenario: Scenario, devices: Int) throws(Failure) {
    keep(try lived(LiveWaves.preview(of: scenario, devices: devices), runs: 1).run)
  }

  /// Simulates a wave of `run` with its bracket; returns whether it settles the verdict.
  private func wave(_ scenario: Scenario, _ size: Int, of sizes: [Int]) throws(Failure) -> Bool {
    var scenario = scenario
    if size != sizes.last { scenario.run.settledDevices = size }
    let isFull = size == sizes.last
    let (run, simulation, engine, result) = try lived(scenario, runs: 1 + BracketRuns.presets(of: scenario).count)
    if !(session.withRuns { [texts] in ($0.run(of: texts)?.devices ?? 0) >= size }) { keep(run) }
    let variants = simulation.variants(of: engine, control)
    let (summary, bracket) = try simulation.finished { () throws(StudyError) -> (Summary, Bracket)? in
      let own = Summary(of: result)
      let offered = scenario.needsOfferedLoad
      guard let summary = offered ? try variants.completed(own, of: scenario) : own else { return nil }
      return try BracketRuns(of: scenario, by: variants, offered: offered).bracket().map { (summary, $0) }
    }
    let isSettled: Bool
    if isFull {
      isSettled = true
    } else {
      let judged = try simulation.finished { () throws(StudyError) in
        try GoalEvaluation(scenario, summary, bracket, nil)
      }
      isSettled = SettledVerdict(scenario, judged.summary, devices: size).isSettled(judged.goals)
      if !isSettled { keep(report(run, result, judged, simulation)) }
    }
    guard isSettled else { return false }
    let screen = Screen(of: scenario, by: variants, devices: engine.devicesSimulated)
    expect(screen.devicesSimulated)
    let judged = try simulation.finished { () throws(StudyError) in
      try GoalEvaluation(of: engine, summary, bracket, by: variants, isBracketed: true)
    }
    var last = report(run, result, judged, simulation)
    last.isLast = true
    keep(last)
    return true
  }

  typealias Lived = (run: LiveRun, simulation: Simulation, engine: Engine, result: RunResult)

  /// Simulates a scenario without its bracket.
  ///
  /// - Parameter runs: the number of runs of this size, for the progress display.
  func lived(_ scenario: Scenario, runs: Int) throws(Failure) -> Lived {
    let simulation = Simulation(scenario, path: settings.operands[0], settings, console)
    let engine = try simulation.prepared(withRows: true)
    _ = try simulation.checkMemory(engine, others: true)
    expect(runs * engine.devicesTotal * scenario.run.replications)
    let result = try simulation.result(of: engine, control)
    let judged = GoalEvaluation(scenario, Summary(of: result))
    var run = LiveRun(
      content: content(result, judged, simulation), distributions: Distributions(of: result))
    run.content.phones = try simulation.phones(of: result, engine)
    return (run, simulation, engine, result)
  }

  private func report(
    _ run: LiveRun, _ result: RunResult, _ judged: GoalEvaluation, _ simulation: Simulation
  ) -> LiveRun {
    var other = run
    other.content = content(result, judged, simulation)
    other.content.phones = run.content.phones
    return other
  }

  private func content(_ result: RunResult, _ judged: GoalEvaluation, _ simulation: Simulation) -> ReportContent {
    var report = Report(
      result: result, summary: judged.summary, goals: judged.goals,
      provenance: Provenance(version: Version.current, resolvedScenario: simulation.scenario.resolvedText))
    report.zones = simulation.zones
    return report.content
  }

  private func expect(_ devices: Int) {
    started.store(control.devicesDone.load(ordering: .relaxed), ordering: .relaxed)
    expected.store(devices, ordering: .relaxed)
  }

  private func keep(_ run: LiveRun) {
    session.withRuns { [texts] in $0.add(run, of: texts) }
    show(run)
  }

  private func show(_ run: LiveRun) {
    let earlier = before.flatMap { before in
      before == texts ? nil : session.withRuns { $0.summary(of: before, devices: run.devices) }
    }
    send(
      "wave",
      [
        ("html", .string(liveAnswer(of: run.content, since: earlier))), ("devices", .integer(Int128(run.devices))),
        ("phones", .integer(Int128(run.content.run.scenario.fleet.devices))), ("isLast", .boolean(run.isLast)),
      ])
  }

  private func send(_ kind: String, _ members: JSONValue.Members) {
    events.withLock { $0.append(Self.event(kind, members)) }
    bell.ring()
  }

  private static func event(_ kind: String, _ members: JSONValue.Members) -> [UInt8] {
    Array("event: \(kind)\ndata: ".utf8) + JSONValue.object(members).bytes(lines: 0) + Array("\n".utf8)
  }
}

/// An answer and the thread that computes it.
final class LiveStream: Sendable {
  private let answer: LiveAnswer
  private let thread: SystemThread?

  init(_ answer: LiveAnswer) {
    self.answer = answer
    thread = SystemThread.begin { answer.work() }
  }

  func next() -> [UInt8]? { thread == nil ? nil : answer.next() }

  deinit {
    answer.cancel()
    thread?.join()
  }
}
