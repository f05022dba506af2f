import Scenario
import SimulationKernel
import Testing

@testable import BackendModel

@Suite struct PlanTests {
  let storage = SamplerStorage()

  @Test(
    arguments: [
      (-7_200_000, 0), (-7_200_001, 0), (-7_199_001, 0), (-7_199_000, 1), (0, 7_200), (999, 7_200), (1_000, 7_201),
      (2_799_999, 9_999), (2_800_000, 9_999), (1 << 50, 9_999),
    ] as [(Int64, Int)])
  func stepsOfInstants(milliseconds: Int64, step: Int) {
    let grid = StepGrid(beginning: .start - .hours(2), length: .second, count: 10_000)
    #expect(grid.step(containing: Instant(millisecondsSinceStart: milliseconds)) == step)
    #expect(grid.beginning(of: 7_200) == .start)
  }

  @Test func lastStepMayExtendBeyondTheEnd() {
    #expect(StepGrid(beginning: .start, end: .start + .seconds(10), length: .seconds(3)).count == 4)
    #expect(StepGrid(beginning: .start, end: .start + .seconds(9), length: .seconds(3)).count == 3)
    #expect(StepGrid(beginning: .start, end: .start, length: .seconds(3)).count == 0)
  }

  /// Spells begin with the step that contains their start and last a whole number of steps.
  @Test(
    arguments: [
      (10_000, 8_000, 10_000, 20_000), (10_001, 8_000, 10_000, 20_000), (10_000, 10_000, 10_000, 20_000),
      (14_999, 8_001, 10_000, 20_000),
      (15_000, 1, 15_000, 20_000), (-1, 5_000, -5_000, 0), (10_000, 0, 10_000, 10_000),
    ] as [(Int64, Int64, Int64, Int64)])
  func outagesLastWholeSteps(start: Int64, span: Int64, from: Int64, to: Int64) {
    let grid = StepGrid(beginning: .start - .minutes(1), length: .seconds(5), count: 1_000)
    let spell = OutageSpell(
      at: Instant(millisecondsSinceStart: start), lasting: .milliseconds(span), errors: .all, capacity: nil, grid: grid)
    #expect(spell.from.millisecondsSinceStart == from)
    // 8 s are two steps of 5 s, because a step that has begun counts.
    #expect(spell.to.millisecondsSinceStart == to)
  }

  /// Overlapping outages combine to the highest error share and the lowest capacity.
  @Test func overlappingOutages() {
    func spell(_ from: Int64, _ to: Int64, _ errors: Double, _ capacity: Double?) -> OutageSpell {
      OutageSpell(
        from: .start + .seconds(from), to: .start + .seconds(to), errors: .of(errors),
        capacity: capacity.map { RequestRate(perSecond: $0) })
    }
    let plan = OutagePlan(
      [
        spell(10, 40, 0.2, 100), spell(20, 30, 1, nil), spell(25, 60, 0.1, 50), spell(70, 70, 1, 0),
        spell(80, 81, 0, 0),
      ],
      storage: storage)
    let rows: [(Int64, Double?, Double?)] = [
      (9, nil, nil), (10, 0.2, 100), (19, 0.2, 100), (20, 1, 100), (25, 1, 50), (29, 1, 50), (30, 0.2, 50),
      (40, 0.1, 50), (59, 0.1, 50), (60, nil, nil), (70, nil, nil), (80, 0, 0), (81, nil, nil),
    ]
    for (second, errors, capacity) in rows {
      let spell = plan.spell(at: .start + .seconds(second))
      #expect(spell?.errors.fraction == errors, "\(second)")
      #expect(spell?.capacity?.perSecond == capacity, "\(second)")
    }
    #expect(OutagePlan([], storage: storage).spell(at: .start) == nil)
  }

  /// Capacities, limits and CDNs require stepping, as do outages with a capacity (MODEL.md 6.7).
  @Test func feedback() {
    var sketch = Sketch()
    #expect(!sketch.plan.hasFeedback)
    sketch.load(100)
    sketch.fail(from: 0, to: 1, errors: 1)
    #expect(!sketch.plan.hasFeedback)
    sketch.plan.queue = 5
    #expect(!sketch.plan.hasFeedback)
    sketch.fail(from: 0, to: 1, errors: 0, capacity: 0)
    #expect(sketch.plan.hasFeedback)
    #expect(Sketch(capacity: 0).plan.hasFeedback)
    sketch = Sketch()
    sketch.cache(keys: 1, ttl: .second)
    #expect(sketch.plan.hasFeedback)
    sketch = Sketch()
    sketch.limit(1)
    #expect(sketch.plan.hasFeedback)
  }

  @Test func knownConditions() {
    var sketch = Sketch()
    #expect(sketch.plan.knownConditions(at: .start) == .fine)
    sketch.fail(from: 1, to: 3, errors: 0.5)
    #expect(sketch.plan.knownConditions(at: .start) == .fine)
    #expect(sketch.plan.knownConditions(at: .start + .second) == Conditions(outage: .of(0.5)))
    #expect(sketch.plan.knownConditions(at: .start + .milliseconds(3_000)) == .fine)
  }

  @Test(
    arguments: [
      (0, 9, 0), (9, 9, 0), (10, 9, 0.1), (12, 9, 0.25), (90, 9, 0.9), (10, 0, 1), (0, 0, 0),
    ] as [(Double, Double, Double)])
  func excessOverALimit(requests: Double, rate: Double, share: Double) {
    let limit = RateLimitPlan(rate: RequestRate(perSecond: rate), retryAfter: .zero)
    var second = TokenBucket(limit, step: .second)
    var fourSeconds = TokenBucket(limit, step: .seconds(4))
    for _ in 0..<3 {
      #expect(second.excess(of: requests).fraction == share)
      #expect(fourSeconds.excess(of: requests * 4).fraction == share)
    }
  }

  /// Target 50 %, step 25 %: the capacity rises above 0.5 and falls below 0.375, within [100, 400].
  @Test(
    arguments: [
      (200, 0.5, 200), (200, 0.500_001, 250), (200, 0.375, 200), (200, 0.374_999, 150), (200, 0, 150),
      (360, 1, 400), (400, 9, 400), (120, 0, 100), (100, 0, 100), (500, 9, 500), (500, 0, 375), (50, 0, 50),
      (50, 1, 62.5), (0, 9, 0),
    ] as [(Double, Double, Double)])
  func autoscaling(present: Double, load: Double, next: Double) {
    var sketch = Sketch()
    sketch.scale(target: 0.5, delay: 60, step: 0.25, minimum: 100, maximum: 400)
    let capacity = sketch.plan.autoscale?.capacity(after: RequestRate(perSecond: present), load: load)
    #expect(capacity?.perSecond == next)
  }

  /// Pieces that start within a step are exact too.
  @Test func baseLoadOfASpan() {
    func piece(_ milliseconds: Int64, _ rate: Double) -> BaseLoadPlan.Piece {
      BaseLoadPlan.Piece(
        from: Instant(millisecondsSinceStart: milliseconds), rate: RequestRate(perSecond: rate))
    }
    let plan = BaseLoadPlan(pieces: storage.keep([piece(0, 8), piece(1_500, 0), piece(2_250, 4)]))
    let rows: [(Int64, Int64, Double)] = [
      (0, 1_000, 8), (1_000, 2_000, 4), (2_000, 3_000, 3), (3_000, 4_000, 4), (0, 4_000, 19), (-1_000, 0, 8),
      (1_500, 1_500, 0), (1_500, 2_250, 0),
    ]
    for (from, to, requests) in rows {
      let sum = plan.requests(
        from: Instant(millisecondsSinceStart: from), to: Instant(millisecondsSinceStart: to), factors: [1, 1, 1])
      #expect(sum == requests, "\(from)..<\(to)")
    }
  }
}
