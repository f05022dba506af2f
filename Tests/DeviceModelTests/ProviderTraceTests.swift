import BackendModel
import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel

/// Code in place of a policy on one phone (MODEL.md 5.8).
@Suite struct ProviderTraceTests {
  /// A provider that is given as a function, for tests.
  struct Code<Memory: SimulatedMemory>: SimulatedTimelineProvider {
    let body: @Sendable (TimelineContext, inout Memory) -> SimulatedTimeline

    func timeline(in context: TimelineContext, memory: inout Memory) -> SimulatedTimeline { body(context, &memory) }
  }

  struct Count: SimulatedMemory { var count: Int64 = 0 }

  /// The code of a kind, which outlives its world.
  private static let kept = Locked<[ProviderCode]>([])

  private static func world<Memory: SimulatedMemory>(
    _ sketch: KindSketch = KindSketch(.never), _ memory: Memory.Type, hint: SpanSampler? = nil,
    _ body: @escaping @Sendable (TimelineContext, inout Memory) -> SimulatedTimeline
  ) -> World {
    var world = World()
    world.add(sketch)
    let code = ProviderCode(Code<Memory>(body: body))
    kept.withLock { $0.append(code) }
    let hints = hint.map { [HintPlan(endpoint: 0, span: $0)] } ?? []
    world.kinds[0].use(ProviderPlan(code, hints: world.storage.keep(hints)))
    return world
  }

  private static func world(
    _ sketch: KindSketch = KindSketch(.never), hint: SpanSampler? = nil,
    _ body: @escaping @Sendable (TimelineContext, inout NoMemory) -> SimulatedTimeline
  ) -> World {
    world(sketch, NoMemory.self, hint: hint, body)
  }

  private static func minutes(_ trace: Trace, of slot: Int = 0) -> [Double] { trace.starts(of: slot).map { $0 / 60 } }

  @Test func dateOfAfterIsDue() {
    let world = Self.world { context, _ in SimulatedTimeline(policy: .after(context.date + .hours(5))) }
    #expect(Self.minutes(Trace(world)) == [0, 300, 600, 900, 1_200])
  }

  @Test func neverSetsNoTicket() {
    let world = Self.world { _, _ in SimulatedTimeline(policy: .never) }
    #expect(Self.minutes(Trace(world)) == [0])
  }

  /// Equally spaced and listed entries end at the same date; a single one is replaced after at_end_gap.
  @Test func atEndIsTheDateOfTheLastEntry() {
    let spaced = Self.world { _, _ in SimulatedTimeline(every: .hours(2), count: 4, policy: .atEnd) }
    #expect(Self.minutes(Trace(spaced)) == [0, 360, 720, 1_080])
    let listed = Self.world { context, _ in
      SimulatedTimeline(entries: [context.date + .hours(6), context.date, context.date + .hours(1)], policy: .atEnd)
    }
    #expect(Self.minutes(Trace(listed)) == [0, 360, 720, 1_080])
    var single = Self.world { _, _ in SimulatedTimeline(policy: .atEnd) }
    single.duration = .hours(2)
    #expect(Self.minutes(Trace(single)) == [0, 30, 60, 90])
  }

  /// MODEL.md 9: the k-th retry comes f(x^k-1)/(x-1) after the first failure; a success ends the row.
  @Test func backoffInCodeGrowsWithFailures() {
    let body: @Sendable (TimelineContext, inout Count) -> SimulatedTimeline = { context, memory in
      memory.count = context.answer.hasFailed ? memory.count + 1 : 0
      let wait: Int64 = memory.count == 0 ? 10 : 5 << (memory.count - 1)
      return SimulatedTimeline(policy: .after(context.date + .minutes(wait)))
    }
    var kind = KindSketch(.never)
    kind.requests = 1
    var failing = Self.world(kind, Count.self, body)
    failing.latency = .constant(.hours(1))
    failing.timeout = .milliseconds(1)
    let first = (0...8).map { Double(5 * ((1 << $0) - 1)) }
    #expect(Self.minutes(Trace(failing)).map { $0.rounded(.down) } == first)
    #expect(Trace(failing).causes() == [.placement] + Array(repeating: .retry, count: 8))
    // Online from minute 0 to 25, 60 to 85, 120 to 145.
    var spells = Self.world(kind, Count.self, body)
    spells.duration = .hours(3)
    spells.use(.spells(online: 25, offline: 35))
    #expect(
      Self.minutes(Trace(spells)) == [0, 10, 20, 30, 35, 45, 65, 75, 85, 90, 100, 120, 130, 140, 150, 155, 165])
  }

  /// MODEL.md 9: earliest of after(P) and a daily time T: dates at T+kP, ceil(24h/P) a day; here in a zone of +2h.
  @Test func earliestOfAListInCode() {
    var world = Self.world { context, _ in
      let dates = [context.date + .hours(5), context.next(hour: 9), context.next(hour: 9, minute: 30)]
      return SimulatedTimeline(policy: .after(dates.min() ?? context.date))
    }
    world.zone = [ZoneTable.Segment(from: .longAgo, offset: .hours(2))]
    world.duration = .days(2)
    // 09:00 is 07:00 UTC.
    let day = [420.0, 450, 750, 1_050, 1_350]
    #expect(Self.minutes(Trace(world)) == [0, 300] + day + [1_650] + day.map { $0 + 1_440 })
  }

  /// MODEL.md 9: hint h, from: data.
  @Test func hintOfServersInCode() {
    var kind = KindSketch(.never)
    kind.requests = 1
    kind.cpu = .seconds(30)
    var world = Self.world(kind, hint: .constant(.minutes(20))) { context, _ in
      guard let time = context.dataTime, let hint = context.hint else { return SimulatedTimeline(policy: .never) }
      return SimulatedTimeline(policy: .after(max(time + hint, context.date)))
    }
    world.duration = .hours(2)
    #expect(Self.minutes(Trace(world)) == [0, 20, 40, 60, 80, 100])
  }

  /// Run k of each widget asks for 10k minutes: runs at 10, 30, 60, ..., on each widget of each phone.
  @Test func memoryBelongsToTheWidgetAndStartsAnewOnEachPhone() {
    var world = Self.world(KindSketch(.never), Count.self) { context, memory in
      memory.count += 1
      return SimulatedTimeline(policy: .after(context.date + .minutes(10) * memory.count))
    }
    world.instances = [0, 0, 0]
    let triangular = (0...16).map { Double(5 * $0 * ($0 + 1)) }
    let plan = world.plan()
    var simulator = DeviceSimulator(plan: plan, shape: world.shape)
    for device in 0..<2 {
      for slot in 0..<3 { #expect(Self.minutes(Trace(world, device: device), of: slot) == triangular) }
      #expect(throws: Never.self) { try simulator.simulate(device: device, cohort: 0, replication: 0) }
      #expect(simulator.tally.runCount == Int64(3 * triangular.count * (device + 1)))
    }
  }

  /// A date and its jitter: 60 and 7 minutes.
  @Test func jitterIsAddedToTheDateOfCode() {
    var kind = KindSketch(.never)
    kind.jitter = .constant(.minutes(7))
    var world = Self.world(kind) { context, _ in SimulatedTimeline(policy: .after(context.date + .hours(1))) }
    world.duration = .hours(4)
    #expect(Self.minutes(Trace(world)) == [0, 67, 134, 201])
  }

  /// What a run of two requests of 100 bytes shows its code, on a phone with the clock two hours ahead.
  @Test func contextShowsTheRun() throws {
    let seen = Locked<[TimelineContext]>([])
    var kind = KindSketch(.never)
    kind.requests = 1
    kind.count = 2
    kind.cpu = .seconds(1)
    kind.staleAfter = .minutes(10)
    var world = Self.world(kind) { context, _ in
      seen.withLock { $0.append(context) }
      return SimulatedTimeline(policy: .after(context.date + .hours(30)))
    }
    world.zone = [ZoneTable.Segment(from: .longAgo, offset: .hours(2))]
    world.latency = .constant(.seconds(2))
    world.duration = .days(2)
    _ = Trace(world)
    let contexts = seen.withLock { $0 }
    #expect(contexts.map(\.cause) == [.placement, .policy] && contexts.map(\.run) == [0, 1])
    let first = try #require(contexts.first)
    #expect(first.date == .start + .seconds(3) && first.dataTime == .start + .seconds(2))
    #expect(first.dataAge == .second && first.isDataFresh && first.hint == nil && first.family == .small)
    #expect(
      first.answer
        == ServerAnswer(status: .success, retryAfter: nil, bytes: ByteCount(bytes: 200), arrival: .start + .seconds(2)))
    let second = try #require(contexts.last)
    #expect(
      first.hour == 2 && second.hour == 8 && first.day.number == World.startDay
        && second.day.number == World.startDay + 1)
    #expect(first.weekday == .monday && second.weekday == .tuesday)
  }

  /// A second run within the ttl is answered by the cache; its data is that of the first, and nothing was asked.
  @Test func contextShowsTheCache() {
    let seen = Locked<[TimelineContext]>([])
    var kind = KindSketch(.never)
    kind.requests = 1
    kind.cache = CachePlan(ttl: .minutes(90), scope: .kind, singleFlight: false)
    var world = Self.world(kind) { context, _ in
      seen.withLock { $0.append(context) }
      return SimulatedTimeline(policy: .after(context.date + .hours(1)))
    }
    world.duration = .minutes(170)
    _ = Trace(world)
    let contexts = seen.withLock { $0 }
    #expect(contexts.map(\.dataTime) == [.start, .start, .start + .hours(2)])
    #expect(contexts.map(\.answer.status) == [.success, .notAsked, .success])
    #expect(contexts.map(\.answer.bytes.bytes) == [100, 0, 100])
    #expect(contexts.map(\.isDataFresh) == [true, true, true])
  }

  /// A failed run shows why, how long the servers ask to wait, and the data of before.
  @Test func contextShowsTheFailure() {
    let seen = Locked<[TimelineContext]>([])
    var kind = KindSketch(.never)
    kind.requests = 1
    kind.staleAfter = .minutes(10)
    var world = Self.world(kind) { context, _ in
      seen.withLock { $0.append(context) }
      return SimulatedTimeline(policy: .after(context.date + .hours(1)))
    }
    world.duration = .minutes(90)
    world.conditions = Conditions(limited: .all)
    world.rateLimit = RateLimitPlan(rate: RequestRate(perSecond: 1), retryAfter: .minutes(7))
    _ = Trace(world)
    let contexts = seen.withLock { $0 }
    #expect(contexts.map(\.answer.status) == [.failure(.limited), .failure(.limited)])
    #expect(contexts.map(\.answer.retryAfter) == [.minutes(7), .minutes(7)])
    #expect(contexts.allSatisfy { $0.dataTime == nil && !$0.isDataFresh && $0.answer.arrival == nil })
    #expect(contexts.map(\.cause) == [.placement, .retry])
  }

  /// The fast path counts what the slow one counts, with draws, several widgets, and never in between.
  @Test(arguments: 0..<20) func fastPathCountsTheSame(device: Int) {
    let seen = Locked<[Double]>([])
    var kind = KindSketch(.never)
    kind.requests = 1
    kind.jitter = .uniform(from: .zero, to: .minutes(2))
    var world = Self.world(kind, Count.self) { context, memory in
      memory.count += 1
      if memory.count % 50 == 49 { return SimulatedTimeline(policy: .never) }
      seen.withLock { $0 += [context.draw(0), context.draw(1)] }
      return SimulatedTimeline(policy: .after(context.date + .milliseconds(Int64(context.draw(0) * 3_600_000))))
    }
    world.add(.after(minutes: 17))
    world.kinds[1].requests = world.kinds[0].requests
    world.instances = [0, 1, 0]
    world.duration = .days(2)
    world.latency = .uniform(from: .zero, to: .seconds(1))
    world.system.policyDelay = .uniform(from: .zero, to: .minutes(5))
    world.use(.sleepy(promotion: 80, tail: 500, roundTrip: 30))
    let (short, long) = (Counted(world, device: device), Counted(world, device: device, isWatched: true))
    #expect(short.figures == long.figures && short.steps < long.steps)
    let draws = seen.withLock { $0 }
    #expect(draws.count > 100 && draws.allSatisfy { (0..<1).contains($0) })
    // Each life makes the same draws, and no two of them are equal.
    #expect(Set(draws).count == draws.count / 2)
  }

  // MARK: Requests

  private struct Choosing: RequestChoosingProvider {
    let choice: @Sendable (TimelineContext) -> SimulatedRequests
    let seen: @Sendable (TimelineContext) -> Void

    func requests(in context: TimelineContext, memory: inout NoMemory) -> SimulatedRequests { choice(context) }

    func timeline(in context: TimelineContext, memory: inout NoMemory) -> SimulatedTimeline {
      seen(context)
      return SimulatedTimeline(policy: .after(context.date + .hours(1)))
    }
  }

  private static func choosing(
    _ kind: KindSketch, _ seen: @escaping @Sendable (TimelineContext) -> Void = { _ in },
    _ choice: @escaping @Sendable (TimelineContext) -> SimulatedRequests
  ) -> World {
    var world = World()
    world.add(kind)
    let code = ProviderCode(Choosing(choice: choice, seen: seen))
    kept.withLock { $0.append(code) }
    world.kinds[0].use(ProviderPlan(code, hints: world.storage.keep([])))
    return world
  }

  /// Runs of three listed requests: all, none, the second, the first and the third.
  @Test func codeChoosesTheRequestsOfARun() {
    let seen = Locked<[TimelineContext]>([])
    var kind = KindSketch(.never)
    kind.requests = 3
    let choices: [SimulatedRequests] = [.all, .none, .only(1), .only(0, 2)]
    let note: @Sendable (TimelineContext) -> Void = { context in seen.withLock { $0.append(context) } }
    var world = Self.choosing(kind, note) { choices[$0.run] }
    world.duration = .minutes(230)
    let trace = Trace(world)
    let contexts = seen.withLock { $0 }
    #expect(Self.minutes(trace) == [0, 60, 120, 180] && trace.row.requests == 6)
    #expect(contexts.map(\.answer.bytes.bytes) == [300, 0, 100, 200])
    #expect(contexts.map(\.answer.status) == [.success, .notAsked, .success, .success])
    #expect(contexts.map(\.dataTime) == [0, 0, 120, 180].map { Instant.start + .minutes($0) })
  }

  /// A run without requests succeeds offline; one with two of three counts two failures.
  @Test func choiceCountsOffline() {
    var kind = KindSketch(.never)
    kind.requests = 3
    let choices: [SimulatedRequests] = [.all, .none, .only(0, 2)]
    var world = Self.choosing(kind) { choices[$0.run] }
    world.duration = .minutes(150)
    world.use(.spells(online: 30, offline: 10_000))
    let trace = Trace(world)
    #expect(trace.offlineFailures == 2 && trace.row.requests == 3)
    #expect(trace.causes() == [.placement, .policy, .policy])
  }

  /// The choice sees the data of before: fresh for 90 minutes, so every second hourly run sends requests.
  @Test func choiceSeesTheAgeOfTheData() {
    var kind = KindSketch(.never)
    kind.requests = 1
    kind.staleAfter = .minutes(90)
    var world = Self.choosing(kind) { $0.isDataFresh ? .none : .all }
    world.duration = .minutes(590)
    let trace = Trace(world)
    #expect(trace.runs.count == 10 && trace.row.requests == 5)
  }

  // MARK: Unusable timelines

  private static func failure(_ world: World, device: Int = 3) -> DeviceFailure? {
    var simulator = DeviceSimulator(plan: world.plan(), shape: world.shape)
    do {
      try simulator.simulate(device: device, cohort: 0, replication: 0)
      return nil
    } catch { return error }
  }

  /// The third run of a phone, after two hours, returns an unusable timeline.
  @Test func unusableTimelineEndsTheRun() throws {
    let now = Instant.start + .hours(2)
    let cases: [(SimulatedTimeline, TimelineFault?)] = [
      (SimulatedTimeline(policy: .after(now)), nil),
      (SimulatedTimeline(policy: .after(now - .milliseconds(1))), .past(now - .milliseconds(1))),
      (SimulatedTimeline(policy: .after(Instant(millisecondsSinceStart: .min))), .past(.longAgo)),
      (SimulatedTimeline(policy: .after(now + .days(400))), nil),
      (SimulatedTimeline(policy: .after(now + .days(400) + .milliseconds(1))), .far),
      (SimulatedTimeline(policy: .after(Instant(millisecondsSinceStart: .max))), .far),
      (SimulatedTimeline(every: .hours(24 * 399), count: 2, policy: .atEnd), nil),
      (SimulatedTimeline(every: .hours(24 * 300), count: 3, policy: .atEnd), .far),
      (SimulatedTimeline(every: .milliseconds(.max), count: 1_000, policy: .atEnd), .far),
      (SimulatedTimeline(every: .minute, count: 1_000, policy: .never), nil),
      (SimulatedTimeline(every: .minute, count: 1_001, policy: .never), .manyEntries),
      (SimulatedTimeline(entries: sequence(first: now) { $0 + .minute }, policy: .never), .manyEntries),
      (SimulatedTimeline(entries: (0..<1_000).map { now + .minutes($0) }, policy: .atEnd), nil),
      (SimulatedTimeline(entries: [], policy: .atEnd), nil),
      (SimulatedTimeline(entries: [now - .hours(1)], policy: .atEnd), nil),
    ]
    for (timeline, fault) in cases {
      let world = Self.world { context, _ in
        context.run == 2 ? timeline : SimulatedTimeline(policy: .after(context.date + .hours(1)))
      }
      let expected = fault.map {
        DeviceFailure(device: 3, cohort: 0, instant: now, reason: .timeline(KindFault(kind: 0, $0)))
      }
      #expect(Self.failure(world) == expected, "\(timeline)")
    }
  }

  /// A simulator that has thrown can simulate another phone.
  @Test func failureEndsWithTheThrow() {
    let world = Self.world { context, _ in
      SimulatedTimeline(policy: .after(context.draw(0) < 0.01 ? .longAgo : context.date + .minutes(15)))
    }
    var simulator = DeviceSimulator(plan: world.plan(), shape: world.shape)
    let failures = (0..<20).filter { device in
      do {
        try simulator.simulate(device: device, cohort: 0, replication: 0)
        return false
      } catch { return true }
    }
    #expect(failures == (0..<20).filter { Self.failure(world, device: $0) != nil })
    #expect(!failures.isEmpty && failures.count < 20)
  }

  @Test func diaryAndRequestLogFailToo() {
    var kind = KindSketch(.never)
    kind.requests = 1
    let world = Self.world(kind) { context, _ in SimulatedTimeline(policy: .after(.longAgo)) }
    #expect(throws: DeviceFailure.self) {
      _ = try DeviceDiary(plan: world.plan(), shape: world.shape, (0, 0, 0), conditions: nil)
    }
    var simulator = DeviceSimulator(plan: world.plan(), shape: world.shape)
    #expect(throws: DeviceFailure.self) {
      try simulator.simulate(device: 0, cohort: 0, replication: 0) { _, _ in }
    }
  }
}
