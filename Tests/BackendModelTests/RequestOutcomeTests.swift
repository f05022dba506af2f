import Scenario
import SimulationKernel
import Testing

@testable import BackendModel

@Suite struct RequestOutcomeTests {
  private static let half: UInt64 = 1 << 63

  /// An endpoint that answers after 50 ms, with a limit.
  private let endpoint = EndpointPlan(
    latency: .constant(.milliseconds(50)), timeout: .seconds(30),
    rateLimit: RateLimitPlan(rate: .zero, retryAfter: .seconds(60)))

  private func outcome(_ conditions: Conditions, _ u: UInt64) -> RequestOutcome {
    outcome(conditions, RequestDraws(edge: u, outage: u, limit: u, refusal: u))
  }

  private func outcome(_ conditions: Conditions, _ draws: RequestDraws) -> RequestOutcome {
    withUnsafePointer(to: endpoint) { endpoint in
      RequestOutcome.of(
        Prepared(at: endpoint), conditions, draws, latency: .milliseconds(50), roundTrip: .milliseconds(40))
    }
  }

  /// Immediate outcomes take one round trip, 40 ms.
  @Test func decisions() {
    let atOnce = TimeAmount.milliseconds(40)
    let served = RequestOutcome.answered(after: .milliseconds(90))
    let outage = RequestOutcome.failed(.outage, after: atOnce, retryAfter: nil)
    let limited = RequestOutcome.failed(.limited, after: atOnce, retryAfter: .seconds(60))
    let cached = RequestOutcome.failed(.cachedError, after: atOnce, retryAfter: nil)
    let refused = RequestOutcome.failed(.refused, after: atOnce, retryAfter: nil)
    let rows: [(Conditions, UInt64, RequestOutcome)] = [
      (.fine, 0, served), (.fine, .max, served),
      (Conditions(misses: .none), 0, .answered(after: atOnce)),
      (Conditions(misses: .none, outage: .all, wait: QueueWait(QueueWait.endless)), .max, .answered(after: atOnce)),
      (Conditions(misses: .of(0.5)), Self.half - 1, served),
      (Conditions(misses: .of(0.5)), Self.half, .answered(after: atOnce)),
      (Conditions(outage: .all), .max, outage), (Conditions(outage: .of(0.5)), Self.half - 1, outage),
      (Conditions(outage: .of(0.5)), Self.half, served), (Conditions(outage: .none), 0, served),
      (Conditions(limited: .of(0.5)), 0, limited), (Conditions(limited: .of(0.5)), Self.half, served),
      (Conditions(refused: .of(0.5)), 0, refused), (Conditions(refused: .of(0.5)), Self.half, served),
      (Conditions(outage: .all, limited: .all, refused: .all), 0, outage),
      (Conditions(limited: .all, refused: .all), 0, limited),
      (Conditions(refused: .all, wait: QueueWait(QueueWait.endless)), 0, refused),
      (Conditions(errors: .of(0.5), misses: .none), Self.half - 1, cached),
      (Conditions(errors: .of(0.5), misses: .none), Self.half, .answered(after: atOnce)),
      (Conditions(errors: .of(0.5), misses: .of(0.5)), Self.half, served), (Conditions(errors: .all), .max, cached),
      (Conditions(copies: .all), 0, served), (Conditions(copies: .all, outage: .all), 0, .answered(after: atOnce)),
      (Conditions(copies: .of(0.5), outage: .all), Self.half - 1, outage),
      (Conditions(copies: .of(0.5), limited: .all), Self.half, .answered(after: atOnce)),
      (Conditions(errors: .of(0.25), misses: .of(0.5), copies: .of(0.25), refused: .all), Self.half - 1, refused),
      (
        Conditions(errors: .of(0.25), misses: .of(0.5), copies: .of(0.25), refused: .all), Self.half,
        .answered(after: atOnce)
      ),
      (Conditions(copies: .all, wait: QueueWait(QueueWait.endless)), 0, .answered(after: .milliseconds(30_040))),
      (Conditions(wait: QueueWait(.milliseconds(29_949))), 0, .answered(after: .milliseconds(30_039))),
      (Conditions(wait: QueueWait(.milliseconds(29_950))), 0, .timedOut(after: .milliseconds(30_040))),
      (Conditions(wait: QueueWait(QueueWait.endless)), 0, .timedOut(after: .milliseconds(30_040))),
    ]
    for (conditions, u, expected) in rows { #expect(outcome(conditions, u) == expected, "\(conditions), \(u)") }
  }

  /// Errors take uniforms below a quarter, misses the half above that (its upper half with a copy), and hits the rest.
  @Test(arguments: [Share.none, .all]) func edgeOutcomeFollowsFromTheUniform(refused: Share) {
    let conditions = Conditions(errors: .of(0.25), misses: .of(0.5), copies: .of(0.25), refused: refused)
    let half = Self.half
    let rows: [(UInt64, EdgeAnswer)] = [
      (0, .cachedError), (half / 2 - 1, .cachedError), (half / 2, .miss), (half - 1, .miss),
      (half, refused == .all ? .copy : .miss), (half + half / 2 - 1, refused == .all ? .copy : .miss),
      (half + half / 2, .hit), (.max, .hit),
    ]
    for (uniform, expected) in rows {
      let draws = RequestDraws(edge: uniform, outage: 0, limit: 0, refusal: 0)
      let answer = withUnsafePointer(to: endpoint) { endpoint in
        RequestOutcome.edgeAnswer(
          Prepared(at: endpoint), conditions, draws, latency: .milliseconds(50), roundTrip: .milliseconds(40))
      }
      #expect(answer == expected, "\(uniform)")
    }
  }

  @Test func reasons() {
    #expect(outcome(.fine, 0).failure == nil)
    #expect(outcome(Conditions(outage: .all), 0).failure == .outage)
    #expect(outcome(Conditions(limited: .all), 0).failure == .limited)
    #expect(outcome(Conditions(refused: .all), 0).failure == .refused)
    #expect(outcome(Conditions(wait: QueueWait(QueueWait.endless)), 0).failure == .timeout)
  }

  /// Each decision depends on its own uniform draw.
  @Test func decisionsUseSeparateUniforms() {
    let conditions = Conditions(misses: .of(0.5), outage: .of(0.5), limited: .of(0.5), refused: .of(0.5))
    var draws = RequestDraws(edge: 0, outage: .max, limit: .max, refusal: .max)
    #expect(outcome(conditions, draws).failure == nil)
    draws.refusal = 0
    #expect(outcome(conditions, draws).failure == .refused)
    draws.limit = 0
    #expect(outcome(conditions, draws).failure == .limited)
    draws.outage = 0
    #expect(outcome(conditions, draws).failure == .outage)
    draws.edge = .max
    #expect(outcome(conditions, draws).failure == nil)
  }

  /// A request that fails under a share still fails under a larger one.
  @Test(arguments: 1..<6) func failureUnderAShareRemainsUnderALargerOne(seed: UInt64) {
    var dice = Dice(seed: seed)
    for _ in 0..<2_000 {
      let (one, other, u) = (dice.share(), dice.share(), dice.uniform())
      let (small, large) = (Share.of(min(one, other)), Share.of(max(one, other)))
      #expect(!Chance(small).happens(at: u) || Chance(large).happens(at: u), "seed \(seed)")
    }
  }

  @Test func shareOfAnsweredMissesIsComputed() {
    let rows: [(Conditions, Double)] = [
      (.fine, 1), (Conditions(misses: .of(0.1)), 1), (Conditions(outage: .of(0.25)), 0.75),
      (Conditions(outage: .of(0.5), limited: .of(0.5), refused: .of(0.75)), 0.0625), (Conditions(refused: .all), 0),
      (Conditions(wait: QueueWait(.milliseconds(29_999))), 1), (Conditions(wait: QueueWait(.seconds(30))), 0),
      (Conditions(wait: QueueWait(QueueWait.endless)), 0),
      // Half of 10 s to 50 s is below 30 s, and so is half of 50 s to below zero. The half that is not refused has a
      // quarter of all.
      (Conditions(refused: .of(0.5), wait: QueueWait(first: .seconds(10), last: .seconds(50))), 0.25),
      (Conditions(wait: QueueWait(first: .seconds(50), last: .seconds(-30))), 0.75),
    ]
    for (conditions, share) in rows {
      #expect(conditions.answered(timeout: .seconds(30)).fraction == share, "\(conditions)")
    }
  }

  /// A latency is drawn only if the server answers.
  @Test func latencyIsDrawnOnlyForServerResponses() {
    let unanswered = [
      Conditions(errors: .all, misses: .none), Conditions(misses: .none), Conditions(outage: .all),
      Conditions(limited: .all), Conditions(refused: .all),
    ]
    for (conditions, count) in unanswered.map({ ($0, 0) }) + [(.fine, 1), (Conditions(wait: QueueWait(.second)), 1)] {
      var asked = 0
      let latency = {
        asked += 1
        return TimeAmount.milliseconds(100)
      }
      withUnsafePointer(to: endpoint) { endpoint in
        let draws = RequestDraws(edge: 0, outage: 0, limit: 0, refusal: 0)
        _ = RequestOutcome.of(Prepared(at: endpoint), conditions, draws, latency: latency(), roundTrip: .second)
      }
      #expect(asked == count, "\(conditions)")
    }
  }

  /// Certain outcomes draw nothing; the CDN and outages share one draw, limits and queues another.
  @Test func certainOutcomesDrawNothing() {
    let rows: [(Conditions, edgeOrOutage: Bool, limitOrQueue: Bool)] = [
      (.fine, false, false), (Conditions(misses: .none, outage: .all, wait: QueueWait(.second)), false, false),
      (Conditions(errors: .all, misses: .none), false, false), (Conditions(copies: .all), false, false),
      (Conditions(misses: .of(0.5)), true, false), (Conditions(outage: .of(0.001)), true, false),
      (Conditions(errors: .of(0.5), misses: .none), true, false), (Conditions(copies: .of(0.5)), true, false),
      (Conditions(limited: .of(0.999)), false, true), (Conditions(refused: .of(0.5)), false, true),
      (Conditions(outage: .of(0.5), refused: .of(0.5)), true, true),
      (Conditions(wait: QueueWait(first: .zero, last: .second)), false, true),
    ]
    for (conditions, edgeOrOutage, limitOrQueue) in rows {
      #expect(conditions.edgeOrOutageIsOpen == edgeOrOutage, "\(conditions)")
      #expect(conditions.limitOrQueueIsOpen == limitOrQueue, "\(conditions)")
    }
  }

  /// An accepted request's position in the queue follows from the same uniform draw, from first to last.
  @Test func waitsFollowThePositionInTheQueue() {
    let queue = Conditions(refused: .of(0.5), wait: QueueWait(first: .seconds(4), last: .seconds(-4)))
    let rows: [(UInt64, Int64)] = [
      (Self.half, 4_000), (Self.half + Self.half / 4, 2_000), (Self.half + Self.half / 2, 0), (.max, 0),
    ]
    for (uniform, wait) in rows {
      let draws = RequestDraws(edge: 0, outage: 0, limit: 0, refusal: uniform)
      let atOnce = outcome(.fine, draws).duration
      #expect(outcome(queue, draws) == .answered(after: atOnce + .milliseconds(wait)), "\(uniform)")
    }
  }

  /// Inputs: backlog, growth and capacity; outputs: the waits of the first and last request, rounded half up.
  @Test(
    arguments: [
      ([0, 0, 10], [0, 0]), ([0, -7, 10], [0, 0]), ([1, 0, 1_000], [1, 1]), ([1, 1, 2_000], [1, 1]),
      ([1, 0, 2_001], [0, 0]), ([7_000, -8_000, 2_000], [3_500, -500]), ([0, 5, 0], [1 << 46, 1 << 46]),
      ([1e300, 0, 1e-300], [1 << 46, 1 << 46]), ([5, -.infinity, .infinity], [0, 0]),
    ] as [([Double], [Int64])])
  func waits(queue: [Double], expected: [Int64]) {
    let passage = FluidQueue.Passage(
      before: queue[0], growth: queue[1], served: 0, servedBase: 0, overflow: 0, refusedShare: 0)
    let wait = QueueWait(behind: passage, at: RequestRate(perSecond: queue[2]))
    #expect([wait.first.milliseconds, wait.last.milliseconds] == expected)
  }
}
