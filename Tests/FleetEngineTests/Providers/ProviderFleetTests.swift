import DeviceModel
import Scenario
import SimulationKernel
import Testing

@testable import FleetEngine

/// The policy `after: 15min`, after errors too, as code.
struct Quarter: SimulatedTimelineProvider {
  func timeline(in context: TimelineContext, memory: inout NoMemory) -> SimulatedTimeline {
    SimulatedTimeline(policy: .after(context.date + .minutes(15)))
  }
}

/// The hint of the servers from the time of the data, else 15 min, as code.
struct Hinted: SimulatedTimelineProvider {
  func timeline(in context: TimelineContext, memory: inout NoMemory) -> SimulatedTimeline {
    guard !context.answer.hasFailed, let time = context.dataTime, let hint = context.hint else {
      return SimulatedTimeline(policy: .after(context.date + .minutes(15)))
    }
    return SimulatedTimeline(policy: .after(max(time + hint, context.date)))
  }
}

/// A policy that uses its draws and its memory: it waits for a random time, longer after each failure.
struct Drawing: SimulatedTimelineProvider {
  struct Memory: SimulatedMemory { var failures: Int64 = 0 }

  /// The probability that a run returns a date in the past.
  var faults = 0.0
  var version: String { "draws" }

  func timeline(in context: TimelineContext, memory: inout Memory) -> SimulatedTimeline {
    memory.failures = context.answer.hasFailed ? min(memory.failures + 1, 5) : 0
    if context.draw(7) < faults { return SimulatedTimeline(policy: .after(context.date - .minute)) }
    let minutes = Int64(5 + 20 * context.draw(Int(memory.failures)))
    return SimulatedTimeline(policy: .after(context.date + .minutes(minutes << memory.failures)))
  }
}

/// A provider that chooses requests: all of them, or by draws.
struct Choosing: RequestChoosingProvider {
  typealias Memory = Drawing.Memory

  let choosesAll: Bool
  private let dates = Drawing()

  init(choosesAll: Bool) { self.choosesAll = choosesAll }

  func requests(in context: TimelineContext, memory: inout Memory) -> SimulatedRequests {
    choosesAll || context.draw(9) < 0.7 ? .all : .none
  }

  func timeline(in context: TimelineContext, memory: inout Memory) -> SimulatedTimeline {
    dates.timeline(in: context, memory: &memory)
  }
}

/// Fleets whose kinds have code in place of a policy (MODEL.md 5.8).
@Suite struct ProviderFleetTests {
  /// Two cohorts with users, caches, taps, offline phones and failed requests.
  private static func sample(_ reload: String, steps: Bool = false) -> FleetSample {
    var sample = FleetSample(devices: 200)
    sample.clock = "{start: 2027-03-27T00:00:00Z, warmup: 1d, duration: 1d, step: 10s}"
    sample.kinds = """
      {a: {reload: \(reload), on_error: 15min, jitter: {up_to: 5min}, requests: [{endpoint: api, count: 2, down: 3kB}],
           taps: {per_day: 4}, attempts: 2, stale_after: 1h},
       b: {reload: \(reload), on_error: 15min, cache: {ttl: 50min, single_flight: true}, requests: [{endpoint: slow}],
           taps: {per_day: 2}, crash: 2%},
       c: {reload: {after: 20min}, requests: [{endpoint: api}]},
       d: {reload: \(reload), on_error: 15min, requests: [{endpoint: api}]}}
      """
    sample.endpoints = """
      {api: {latency: {p50: 45ms, p99: 40s}, hint: {uniform: 10min..1h}\(steps ? ", capacity: 2/s, queue: 40" : "")},
       slow: {latency: {p50: 10s, p99: 60s}, timeout: 15s, hint: 25min}}
      """
    sample.cohorts = """
      [{name: west, share: 60%, zones: {Europe/Berlin: 70%, America/New_York: 30%}, power: {overnight: 85%},
        widgets: [{kind: a}, {kind: b}, {kind: c}]},
       {name: east, share: 40%, zones: {Asia/Tokyo: 100%}, person: {unlocks_per_day: 0}, network: wifi, power: mains,
        widgets: [{kind: d, family: large}, {kind: b}, {kind: d}]}]
      """
    sample.os = "{}"
    return sample
  }

  private static func using(
    _ provider: some SimulatedTimelineProvider, _ sample: FleetSample, for kinds: [String] = ["a", "b", "d"]
  ) throws -> Engine {
    try sample.engine { scenario in for kind in kinds { scenario.use(provider, for: kind) } }
  }

  private static func replications(_ engine: Engine, threads: Int = 1) throws -> [ReplicationResult] {
    try #require(try engine.run(threads: threads, control: RunControl())).replications
  }

  @Test(arguments: [false, true]) func afterInCodeEqualsThePolicyOfTheFile(inSteps: Bool) throws {
    let sample = Self.sample("{after: 15min}", steps: inSteps)
    let file = try Self.replications(try sample.engine())
    let code = try Self.replications(try Self.using(Quarter(), sample), threads: 2)
    #expect(code == file)
    #expect(file.allSatisfy { $0.runs(.policy) > 10_000 && $0.runs(.retry) > 100 && $0.runs(.view) > 50 })
  }

  /// Without a cache, no date lies in the past, which a policy may return but code may not.
  @Test func hintInCodeEqualsThePolicyOfTheFile() throws {
    let sample = Self.sample("{after: hint, from: data}")
    let file = try Self.replications(try sample.engine())
    let code = try Self.replications(try Self.using(Hinted(), sample, for: ["a", "d"]))
    #expect(code == file && file[0].runs(.policy) > 5_000)
  }

  /// Draws by key do not depend on threads or ranks, with and without steps.
  @Test(arguments: [false, true]) func threadsAndRanksDoNotChangeResults(inSteps: Bool) throws {
    let engine = try Self.using(Drawing(), Self.sample("{after: 15min}", steps: inSteps))
    let alone = try Self.replications(engine)
    for threads in [2, 3, 8] { #expect(try Self.replications(engine, threads: threads) == alone, "\(threads)") }
    for (ranks, threads) in [(2, 1), (3, 2)] {
      let (answer, others) = ThreadedRank.led(ranks, threads: threads, engine: engine) { control in
        try? engine.run(threads: threads, control: control)
      }
      #expect((answer ?? nil)?.replications == alone, "\(ranks) ranks")
      #expect(others.allSatisfy { $0 == nil })
    }
  }

  /// A choice of all requests keeps runs from the fast path, with the same results; others send fewer requests.
  @Test(arguments: [false, true]) func choiceOfAllRequestsChangesNothing(inSteps: Bool) throws {
    let sample = Self.sample("{after: 15min}", steps: inSteps)
    let plain = try Self.replications(try Self.using(Drawing(), sample))
    #expect(try Self.replications(try Self.using(Choosing(choosesAll: true), sample), threads: 2) == plain)
    let engine = try Self.using(Choosing(choosesAll: false), sample)
    let some = try Self.replications(engine)
    #expect(some[0].requests < plain[0].requests * 9 / 10 && some[0].requests > plain[0].requests / 3)
    #expect(try Self.replications(engine, threads: 3) == some)
  }

  /// Cycles of U(5min, 25min) in whole minutes from 5 to 24: mean 14.5min, variance 33.25min^2.
  @Test func drawsOfCodeAreUniform() throws {
    var sample = FleetSample(devices: 400)
    sample.kinds = "{k: {reload: {after: 1h}, cpu: 0s}}"
    sample.os = "{idle: none, budget: {model: off}, min_spacing: 1min, start_delay: {policy: 0s}}"
    let engine = try sample.engine { $0.use(Drawing(), for: "k") }
    let runs = Double(try Self.replications(engine)[0].runs) / 400
    // Runs of a stationary renewal process in T: mean T/M, variance T*V/M^3.
    #expect(
      isWithin(runs, of: 1_440 / 14.5, deviation: (1_440 * 33.25 / (14.5 * 14.5 * 14.5)).squareRoot(), count: 400))
  }

  private typealias Ending = Result<Int?, SimulationError>

  /// A rare date in the past: the same phone is named by any threads and ranks, and it has the lowest number.
  @Test(arguments: [false, true]) func failureDoesNotDependOnThreads(inSteps: Bool) throws {
    var sample = Self.sample("{after: 15min}", steps: inSteps)
    sample.clock = "{start: 2027-03-27T00:00:00Z, settle: 0s, warmup: 1h, duration: 3h, step: 10s}"
    let engine = try Self.using(Drawing(faults: 1e-3), sample)
    let ending: @Sendable (Int, RunControl) -> Ending = { threads, control in
      Ending { () throws(SimulationError) in try engine.run(threads: threads, control: control)?.replications.count }
    }
    let alone = ending(1, RunControl())
    guard case .failure(.timeline(let device, let cohort, let instant, let fault)) = alone else {
      Issue.record("\(alone)")
      return
    }
    #expect(fault.fault == .past(instant - .minute) && device > 0 && cohort == (device < 120 ? 0 : 1))
    for threads in [2, 3, 8] { #expect(ending(threads, RunControl()) == alone, "\(threads)") }
    for ranks in [2, 3] {
      let (answer, others) = ThreadedRank.led(ranks, threads: 2, engine: engine) { ending(2, $0) }
      #expect(answer == alone && others.allSatisfy { $0 == nil })
    }
  }

  /// A fault on any path of a run; the message names provider, version, phone and instant.
  @Test func diaryFailsLikeTheRun() throws {
    let engine = try Self.using(Drawing(faults: 1), Self.sample("{after: 15min}"))
    let failure = try #require(throws: DiaryError.self) { try engine.diary(ofDevice: 3, conditions: nil) }
    guard case .failed(let error) = failure, case .timeline(let device, _, let instant, _) = error else {
      Issue.record("\(failure)")
      return
    }
    let message = error.message(in: engine.scenario)
    let time = UTCTime(instant, of: engine.scenario.clock).full
    #expect(time.hasPrefix("2027-03-"))
    #expect(message.hasPrefix("provider 'a' (version draws) returned a date in the past, "), "\(message)")
    #expect(message.hasSuffix(" for device \(device) of cohort west at \(time)"), "\(message)")
  }

  /// The pilot phones of MODEL.md 1.4 live before the fleet; their failure is not lost.
  @Test func failureOfAPilotPhoneFailsTheRun() throws {
    let engine = try Self.using(Drawing(faults: 1), Self.sample("{after: 15min}"))
    let error = #expect(throws: SimulationError.self) { try engine.run(threads: 2, control: RunControl()) }
    guard case .timeline(0, 0, let instant, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(instant < engine.scenario.clock.beginning)
  }

  // MARK: Preparation

  struct Large: SimulatedTimelineProvider {
    struct Memory: SimulatedMemory { var words = InlineArray<33, UInt64>(repeating: 0) }

    func timeline(in context: TimelineContext, memory: inout Memory) -> SimulatedTimeline {
      SimulatedTimeline(policy: .never)
    }
  }

  @Test func unusableProviderIsRefused() throws {
    let unknown = #expect(throws: PreparationError.self) {
      try FleetSample().engine { $0.kinds[0].follow(ProviderName("flight")) }
    }
    #expect(unknown?.message == "there is no provider 'flight': this program has no providers")
    #expect(unknown?.path == ["kinds", "k", "reload", "provider"])
    let large = #expect(throws: PreparationError.self) { try FleetSample().engine { $0.use(Large(), for: "k") } }
    #expect(large?.message == "the memory of provider 'k' has 264 bytes; at most 256 are simulated")
  }

  @Test func scenariosDifferByNameAndVersion() {
    var scenario = Scenario()
    scenario.kinds = [.with { $0.name = "k" }]
    func using(_ provider: some SimulatedTimelineProvider, for name: String = "k") -> Scenario {
      var copy = scenario
      copy.use(provider, for: name)
      return copy
    }
    #expect(using(Quarter()) == using(Hinted()) && using(Quarter()) != using(Drawing()))
    #expect(using(Quarter()) != scenario && using(Quarter()) != using(Quarter(), for: "other"))
    #expect(using(Quarter()).kinds[0].provider == ProviderName("k", version: "1"))
    #expect(using(Quarter(), for: "other").kinds == scenario.kinds)
  }
}
