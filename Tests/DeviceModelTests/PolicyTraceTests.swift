import BackendModel
import Foundation
import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel

/// Policies as apps write them: several dates, dates from the data or the server, delays that grow (MODEL.md 4.1, 5.5,
/// 5.7).
@Suite struct PolicyTraceTests {
  private static func minutes(_ trace: Trace) -> [Double] { trace.starts().map { $0 / 60 } }

  private static func policy(
    _ world: World, spans: [SpanSampler] = [], at dates: [Int64] = [], hints: [SpanSampler] = [],
    isFromData: Bool = false, atLeast: TimeAmount = .zero
  ) -> PolicyPlan {
    let storage = world.storage
    let calendar = CalendarPlan(dates: storage.keep([storage.keep(dates.map { Instant.start + .minutes($0) })]))
    return .earliest(
      storage.keep([
        EarliestPlan(
          spans: storage.keep(spans), calendar: calendar,
          hints: storage.keep(hints.enumerated().map { HintPlan(endpoint: EndpointIndex($0), span: $1) }),
          isFromData: isFromData, atLeast: atLeast)
      ]))
  }

  /// A kind with requests, no latency, and a cache.
  private static func kind(_ policy: PolicyPlan, ttl: TimeAmount?) -> KindSketch {
    var kind = KindSketch(policy)
    kind.requests = 1
    kind.cache = ttl.map { CachePlan(ttl: $0, scope: .kind, singleFlight: false) }
    return kind
  }

  /// Every 2 h, and at 15:30: dates 15:30 + 2 h k from then on.
  @Test func theEarliestOfTwoDatesApplies() {
    var world = World()
    world.add(KindSketch(Self.policy(world, spans: [.constant(.hours(2))], at: [930])))
    let expected = stride(from: 0.0, through: 840, by: 120) + stride(from: 930.0, to: 1_440, by: 120)
    #expect(Self.minutes(Trace(world)) == expected)
  }

  /// Two spans share one draw: with U(0, 10 min) and U(5, 15 min) the first is always the earlier.
  @Test func spansOfAListShareADraw() {
    let two = World()
    var (both, one) = (two, World())
    both.add(
      KindSketch(
        Self.policy(
          both,
          spans: [
            .uniform(from: .minutes(10), to: .minutes(20)), .uniform(from: .minutes(15), to: .minutes(25)),
          ])))
    one.add(KindSketch(.after(.uniform(from: .minutes(10), to: .minutes(20)))))
    #expect(Trace(both).starts() == Trace(one).starts())
  }

  /// Without a date left there is no ticket.
  @Test func noDateLeftIsNever() {
    var world = World()
    world.add(KindSketch(Self.policy(world, at: [60, 90])))
    #expect(Self.minutes(Trace(world)) == [0, 60, 90])
  }

  /// A tap at hour 5 of a 6-hour cache does not postpone the next look at the network.
  @Test func datesFromTheDataAreNotPostponedByHits() {
    let taps: [(Double, DeviceEvent)] = [(5 * 3_600, .tap(0, left: 0))]
    for (isFromData, arrivals) in [(false, [0.0, 11, 17, 23]), (true, [0, 6, 12, 18])] {
      var world = World()
      world.duration = .hours(24)
      world.add(
        Self.kind(Self.policy(world, spans: [.constant(.hours(6))], isFromData: isFromData), ttl: .hours(6)))
      let trace = Trace(world, script: taps)
      #expect(trace.dataTimes() == arrivals.map { $0 * 3_600 })
      #expect(trace.row.requests == 4 && trace.row.cacheHits == 1)
    }
  }

  /// Taps of a Poisson process, drawn from a device's stream.
  private static func taps(_ device: Int, perHour: Double, hours: Double) -> [(Double, DeviceEvent)] {
    let stream = DeviceStream(seed: 5, device: UInt32(device), replication: 0)
    var (taps, at) = ([(Double, DeviceEvent)](), 0.0)
    while at < hours * 3_600 {
      let uniform = Double(stream.block(.traits, index: taps.count).first) / 0x1p64
      at -= log(1 - uniform) * 3_600 / perHour
      taps.append((at, .tap(0, left: 0)))
    }
    return taps.dropLast()
  }

  /// Taps of rate r: a miss every P from the data, every P+(1-(1+rP)e^(-rP))/r on average from the run (MODEL.md 9).
  @Test func tapsPostponeMissesOfDatesFromTheRunAlone() {
    let (period, perHour, hours) = (6.0, 0.5, 240.0)
    func gaps(_ device: Int, isFromData: Bool) -> [Double] {
      var world = World()
      world.duration = .hours(Int64(hours))
      world.add(Self.kind(Self.policy(world, spans: [.constant(.hours(6))], isFromData: isFromData), ttl: .hours(6)))
      let times = Trace(world, device: device, script: Self.taps(device, perHour: perHour, hours: hours)).dataTimes()
      return zip(times.dropFirst(), times).map { ($0 - $1) / 3_600 }
    }
    let fromRun = (0..<40).flatMap { gaps($0, isFromData: false) }
    let mean = fromRun.reduce(0, +) / Double(fromRun.count)
    let deviation = (fromRun.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(fromRun.count)).squareRoot()
    let expected = period + (1 - (1 + perHour * period) * exp(-perHour * period)) / perHour
    #expect(abs(mean - expected) < 4.5 * deviation / Double(fromRun.count).squareRoot(), "\(mean), not \(expected)")
    #expect(fromRun.count > 1_000)
    #expect(gaps(0, isFromData: true).allSatisfy { $0 == period })
  }

  /// Hints of two endpoints, each U(1 h, 2 h): the smaller counts, which exceeds 1.5 h with probability 1/4.
  @Test func theSmallestHintCounts() {
    let devices = 400
    let late = (0..<devices).count { device in
      var world = World()
      world.duration = .hours(3)
      let hint = SpanSampler.uniform(from: .hours(1), to: .hours(2))
      world.add(Self.kind(Self.policy(world, hints: [hint, hint], isFromData: true), ttl: nil))
      return Trace(world, device: device).starts()[1] > 5_400
    }
    #expect(abs(Double(late) - Double(devices) / 4) < 4.5 * (Double(devices) * 3 / 16).squareRoot(), "\(late)")
  }

  /// A hit of data older than the span asks for the past, which becomes the minimum spacing; a floor replaces it.
  @Test(arguments: [(0, [0, 50, 55, 60]), (20, [0, 50, 70])] as [(Int64, [Double])])
  func aPastDateBecomesTheMinimumSpacing(atLeast: Int64, starts: [Double]) {
    var world = World()
    world.duration = .minutes(61)
    let policy = Self.policy(world, spans: [.constant(.minutes(30))], isFromData: true, atLeast: .minutes(atLeast))
    var kind = Self.kind(policy, ttl: .hours(9))
    kind.phases.insert(PhasePlan(entries: .single, reload: .after(.constant(.minutes(50)))), at: 0)
    world.add(kind)
    if atLeast > 0 { world.duration = .minutes(71) }
    #expect(Self.minutes(Trace(world)) == starts)
  }

  /// A constant hint counted from the data is the same as a span from the data.
  @Test func aConstantHintIsASpan() {
    let taps: [(Double, DeviceEvent)] = [(4_000, .tap(0, left: 0)), (30_000, .tap(0, left: 0))]
    func starts(_ policy: (World) -> PolicyPlan) -> [Double] {
      var world = World()
      world.add(Self.kind(policy(world), ttl: .hours(2)))
      return Trace(world, script: taps).starts()
    }
    let span = SpanSampler.constant(.hours(2))
    let hint = starts { Self.policy($0, hints: [span], isFromData: true) }
    #expect(hint == starts { Self.policy($0, spans: [span], isFromData: true) })
    #expect(hint.count == 14)
  }

  /// A random hint belongs to the data: a hit asks for the date that the miss asked for.
  @Test func hitsKeepTheHintOfTheirData() {
    for device in 0..<20 {
      var world = World()
      world.duration = .hours(3)
      let hint = SpanSampler.uniform(from: .hours(1), to: .hours(2))
      world.add(Self.kind(Self.policy(world, hints: [hint], isFromData: true), ttl: .hours(1)))
      let plain = Trace(world, device: device).starts()
      let tapped = Trace(world, device: device, script: [(600, .tap(0, left: 0))]).starts()
      #expect(tapped == [0, 600] + plain.dropFirst())
      #expect(plain[1] >= 3_600 && plain[1] < 7_200)
    }
  }

  /// After 1, 2, 3, ... failures in a row 5, 10, 20, 40, 40 min; a success begins anew.
  @Test func delaysGrowWithFailuresInARow() {
    var world = World()
    world.duration = .minutes(200)
    world.network = nil
    var kind = Self.kind(.after(.constant(.minutes(30))), ttl: nil)
    kind.onError = .backoff(world.storage.keep([5, 10, 20, 40].map { TimeAmount.minutes($0) }))
    world.add(kind)
    world.latency = .constant(.hours(1))
    world.timeout = .milliseconds(1)
    let starts = Self.minutes(Trace(world)).map { $0.rounded(.down) }
    #expect(starts == [0, 5, 15, 35, 75, 115, 155, 195])
  }

  @Test func aSuccessEndsTheRowOfFailures() {
    var world = World()
    world.duration = .hours(3)
    var kind = Self.kind(.after(.constant(.minutes(10))), ttl: nil)
    kind.onError = .backoff(world.storage.keep([5, 10, 20].map { TimeAmount.minutes($0) }))
    world.add(kind)
    world.use(.spells(online: 25, offline: 35))
    let trace = Trace(world)
    // Online from minute 0 to 25, 60 to 85, 120 to 145.
    #expect(Self.minutes(trace) == [0, 10, 20, 30, 35, 45, 65, 75, 85, 90, 100, 120, 130, 140, 150, 155, 165])
  }

  /// Dates given in a window have its jitter, also after errors; others that of the kind.
  @Test func windowsHaveTheirOwnJitter() {
    var world = World()
    world.duration = .minutes(250)
    var kind = KindSketch(.after(.constant(.minutes(60))))
    kind.jitter = .constant(.minutes(1))
    let spell = WindowPlan.Spell(from: .start + .minutes(60), to: .start + .minutes(130))
    kind.windows = [
      WindowPlan(
        spells: world.storage.keep([world.storage.keep([spell])]), reload: .after(.constant(.minutes(30))),
        jitter: WindowJitter(span: .constant(.minutes(7)), scope: .run))
    ]
    world.add(kind)
    #expect(Self.minutes(Trace(world)) == [0, 61, 98, 135, 196])
  }

  /// A jitter of U(-10 min, 0) moves dates earlier; one before the run's end becomes the minimum spacing.
  @Test func jitterComesEarlier() {
    for device in 0..<10 {
      var world = World()
      world.duration = .hours(8)
      var kind = KindSketch.after(minutes: 60)
      kind.jitter = .uniform(from: .zero - .minutes(10), to: .zero)
      world.add(kind)
      let starts = Trace(world, device: device).starts()
      let gaps = zip(starts.dropFirst(), starts).map { $0 - $1 }
      #expect(gaps.count >= 8 && gaps.allSatisfy { $0 >= 3_000 && $0 < 3_600 })
    }
    var world = World()
    world.duration = .minutes(20)
    var kind = KindSketch.after(minutes: 1)
    kind.jitter = .constant(.zero - .minutes(3))
    world.add(kind)
    #expect(Self.minutes(Trace(world)) == [0, 5, 10, 15])
  }

  /// Views in a window are judged by its limit, others by that of the kind.
  @Test func windowsHaveTheirOwnLimitOfStaleness() {
    var world = World()
    world.duration = .hours(3)
    var kind = KindSketch(.never)
    kind.staleAfter = .hours(2)
    let spell = WindowPlan.Spell(from: .start + .minutes(60), to: .start + .minutes(90))
    kind.windows = [
      WindowPlan(
        spells: world.storage.keep([world.storage.keep([spell])]), reload: .never, staleAfter: .minutes(50))
    ]
    world.add(kind)
    let visits = [55.0, 70, 95, 125].map { ($0 * 60, DeviceEvent.homeVisit(depth: 1, isFirst: false)) }
    #expect(Trace(world, script: visits).staleAfter == 2)
  }
}

private func + (left: StrideThrough<Double>, right: StrideTo<Double>) -> [Double] { Array(left) + Array(right) }
