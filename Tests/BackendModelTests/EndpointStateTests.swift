import SimulationKernel
import Testing

@testable import BackendModel

@Suite struct EndpointStateTests {
  /// Returns the conditions of steps with the given arrivals.
  private func conditions(_ sketch: Sketch, _ arrivals: [Int64]) -> [Conditions] {
    var state = sketch.state
    return arrivals.map { state.advance(arrivals: $0) }
  }

  @Test func unlimitedEndpointIsNeverOverloaded() {
    let sketch = Sketch()
    #expect(sketch.state.record == nil)
    #expect(conditions(sketch, [0, 1, 1 << 50]) == [.fine, .fine, .fine])
    var state = sketch.state
    state.advance(arrivals: 1 << 50)
    #expect(state.record?.served == Double(1 << 50) && state.record?.isOverloaded == false)
    #expect(state.step == 1)
  }

  /// Returns the waits of a step's first and last requests, in milliseconds.
  private func wait(_ first: Int64, _ last: Int64) -> QueueWait {
    QueueWait(first: .milliseconds(first), last: .milliseconds(last))
  }

  @Test func waitsAndRefusalsDependOnArrivalsInTheStep() {
    #expect(
      conditions(Sketch(capacity: 10, queue: 5), [10, 12, 16, 0, 0, 20, 5, 5]) == [
        .fine, Conditions(wait: wait(0, 200)), Conditions(refused: .of(3.0 / 16), wait: wait(200, 500)),
        Conditions(wait: wait(500, -500)), .fine, Conditions(refused: .of(0.25), wait: wait(0, 500)),
        Conditions(wait: wait(500, 0)), .fine,
      ])
  }

  /// N simultaneous requests at capacity c with queue Q: 1 - (c d + Q) / N are refused, the others wait up to Q / c.
  @Test(arguments: [100, 1_000, 10_000] as [Int64]) func herdInOneStepIsRefusedBeyondCapacityAndQueue(step: Int64) {
    var sketch = Sketch(capacity: 10, queue: 500)
    sketch.grid = StepGrid(beginning: .start, length: .milliseconds(step), count: 10)
    let served = 10 * Double(step) / 1_000
    #expect(
      conditions(sketch, [20_000]) == [
        Conditions(refused: .of((20_000 - served - 500) / 20_000), wait: wait(0, 50_000))
      ])
  }

  @Test func noQueueAndNoCapacity() {
    #expect(conditions(Sketch(capacity: 10, queue: 0), [10, 40, 0]) == [.fine, Conditions(refused: .of(0.75)), .fine])
    let timeouts = Conditions(wait: QueueWait(QueueWait.endless))
    #expect(conditions(Sketch(capacity: 0), [0, 7]) == [timeouts, timeouts])
    #expect(
      conditions(Sketch(capacity: 0, queue: 4), [8, 4]) == [
        Conditions(refused: .of(0.5), wait: timeouts.wait), Conditions(refused: .all, wait: timeouts.wait),
      ])
  }

  /// Errors use no capacity; the base load joins the queue after them.
  @Test func outages() {
    var sketch = Sketch(capacity: 10)
    sketch.load(4)
    sketch.fail(from: 1, to: 3, errors: 0.75)
    #expect(
      conditions(sketch, [6, 40, 40, 40]) == [
        .fine, Conditions(outage: .of(0.75), wait: wait(0, 400)), Conditions(outage: .of(0.75), wait: wait(400, 800)),
        Conditions(wait: wait(800, 4_200)),
      ])
    sketch.fail(from: 1, to: 3, errors: 1, capacity: 0)
    let dead = Conditions(outage: .all, wait: QueueWait(QueueWait.endless))
    // 8 base-load requests wait, 44 join, 10 are served; then 42 + 4.
    #expect(
      conditions(sketch, [6, 40, 40, 40, 0]) == [
        .fine, dead, dead, Conditions(wait: wait(800, 4_200)), Conditions(wait: wait(4_200, 3_600)),
      ])
  }

  /// An outage with a capacity creates a queue at an endpoint without one; when it ends, waiting requests are served at
  /// once.
  @Test func outageOfAnEndpointWithoutLimits() {
    var sketch = Sketch()
    sketch.fail(from: 0, to: 2, errors: 0, capacity: 10)
    #expect(
      conditions(sketch, [30, 30, 30]) == [
        Conditions(wait: wait(0, 2_000)), Conditions(wait: wait(2_000, 4_000)), .fine,
      ])
    var state = sketch.state
    for arrivals: Int64 in [30, 30, 30] { state.advance(arrivals: arrivals) }
    #expect(state.record?.served == 70 && state.record?.backlog == 0)
  }

  /// The limit applies before the queue, to the step's own requests only.
  @Test func limits() {
    var sketch = Sketch(capacity: 10, queue: 0)
    sketch.limit(8)
    #expect(
      conditions(sketch, [8, 16, 32, 0]) == [
        .fine, Conditions(limited: .of(0.5)), Conditions(limited: .of(0.75)), .fine,
      ])
    sketch.fail(from: 0, to: 9, errors: 0.5)
    #expect(
      conditions(sketch, [16, 32]) == [
        Conditions(outage: .of(0.5)), Conditions(outage: .of(0.5), limited: .of(0.5)),
      ])
    sketch = Sketch()
    sketch.load(1_000)
    sketch.limit(0)
    #expect(conditions(sketch, [1, 0]) == [Conditions(limited: .all), .fine])
  }

  /// A tenth of a second may use up a whole second's limit; after that each step gets its tenth.
  @Test func shortStepsShareTheLimitOfASecond() {
    var sketch = Sketch()
    sketch.grid = StepGrid(beginning: .start, length: .milliseconds(100), count: 100)
    sketch.limit(10)
    #expect(
      conditions(sketch, [20, 2, 0, 3, 1]) == [
        Conditions(limited: .of(0.5)), Conditions(limited: .of(0.5)), .fine, Conditions(limited: .of(1.0 / 3)), .fine,
      ])
  }

  /// The CDN, outage, limit and queue each get what the previous one passes on.
  @Test func recordsOfAStep() {
    var sketch = Sketch(capacity: 8, queue: 0)
    sketch.cache(keys: 64, ttl: .seconds(100), collapsing: false)
    sketch.fail(from: 0, to: 9, errors: 0.5)
    sketch.limit(16)
    sketch.load(4)
    var state = sketch.state
    let first = state.advance(arrivals: 64)
    #expect(
      state.record
        == EndpointRecord(
          arrivals: 64, origin: 64, failed: 32, limited: 16, reached: 16, base: 4, served: 8, servedBase: 1.6,
          refused: 12, backlog: 0, capacity: RequestRate(perSecond: 8), room: 8))
    #expect(state.record?.isOverloaded == true)
    #expect(first == Conditions(outage: .of(0.5), limited: .of(0.5), refused: .of(0.6)))
    // 0.5 x 0.5 x 0.4 of the misses are answered; a key is fetched if any of its misses is.
    let stale = (0..<64).reduce(1.0) { share, _ in share * (1 - 0.1 / 64) }
    let second = state.advance(arrivals: 64)
    #expect(abs(second.misses.fraction - stale) < 1e-7)
  }

  /// Target 50 %, step 25 %, every 4 s, starting at 100/s, with whole requests.
  @Test func capacityFollowsTheLoad() {
    var sketch = Sketch(capacity: 100)
    sketch.scale(target: 0.5, delay: 4, step: 0.25, minimum: 100, maximum: 190)
    var state = sketch.state
    let windows: [(arrivals: Int64, capacity: Double)] = [
      (50, 100), (60, 100), (60, 125), (90, 125), (90, 156.25), (90, 190), (72, 190), (71, 190), (0, 142.5),
      (0, 106.875), (0, 100), (0, 100),
    ]
    for window in windows {
      for _ in 0..<4 {
        state.advance(arrivals: window.arrivals)
        #expect(state.record?.capacity.perSecond == window.capacity)
      }
    }
  }

  /// The base load of a shared API also scales the capacity: it is 60 of 100 before any request.
  @Test func capacityFollowsTheBaseLoad() {
    var sketch = Sketch(capacity: 100)
    sketch.load(60)
    sketch.scale(target: 0.5, delay: 2, step: 0.25, minimum: 100, maximum: 190)
    var state = sketch.state
    for capacity in [100, 100, 125, 125, 125] as [Double] {
      state.advance(arrivals: 0)
      #expect(state.record?.capacity.perSecond == capacity)
    }
  }

  /// Failed misses refresh no key: once the ttl is over, all requests are misses.
  @Test(arguments: [nil, 0.0], [1, 0.0]) func cachesBecomeStaleInAnOutage(capacity: Double?, errors: Double) {
    var sketch = Sketch()
    sketch.cache(keys: 4, ttl: .seconds(10))
    sketch.fail(from: 20, to: 60, errors: errors, capacity: capacity)
    var state = sketch.state
    let before = (0..<20).map { _ in state.advance(arrivals: 1_000) }
    #expect(before.last.map { $0.misses.fraction < 0.1 } == true)
    let within = (0..<20).map { _ in state.advance(arrivals: 1_000) }
    let fails = errors == 1 || capacity == 0
    // Each of the 4 keys is fetched once per step for a thousand requests, which all get the result.
    #expect((within.last?.misses == .all) == fails)
    #expect((state.record?.origin == 4) == fails)
  }

  /// Windows are multiples of the delay, rounded up to whole steps: 2, 3, 2, 3 steps for 2.5 s.
  @Test func windowsOfAnUnevenDelay() {
    var window = LoadWindow()
    let looks = (0..<10).map { _ in
      window.add(1, room: 2, step: .second, delay: .milliseconds(2_500)) != nil
    }
    #expect(looks == [false, false, true, false, true, false, false, true, false, true])
  }

  /// A capacity of 0 stays 0, and the capacity returns after an outage.
  @Test func zeroCapacityStaysZero() {
    var sketch = Sketch(capacity: 0)
    sketch.scale(target: 0.5, delay: 2, step: 0.5, minimum: 10, maximum: 100)
    var state = sketch.state
    for _ in 0..<10 { state.advance(arrivals: 100) }
    #expect(state.record?.capacity == .zero)
    sketch.plan.capacity = RequestRate(perSecond: 40)
    sketch.fail(from: 2, to: 6, errors: 0, capacity: 0)
    state = sketch.state
    var capacities: [Double] = []
    for _ in 0..<9 {
      state.advance(arrivals: 20)
      capacities.append(state.record?.capacity.perSecond ?? -1)
    }
    #expect(capacities == [40, 40, 0, 0, 0, 0, 40, 40, 40])
    sketch.plan.capacity = nil
    state = sketch.state
    for _ in 0..<9 { state.advance(arrivals: 20) }
    #expect(state.record?.capacity == .unlimited)
  }

  /// All arrivals are answered, fail, wait or are refused; shares are between 0 and 1.
  @Test(arguments: 0..<30) func arrivalsAreConserved(seed: UInt64) {
    var dice = Dice(seed: seed)
    var sketch = Sketch(capacity: Double(dice.below(200)), queue: Double(dice.below(500)))
    if dice.below(2) == 0 { sketch.load(Double(dice.below(100))) }
    if dice.below(2) == 0 { sketch.limit(Double(dice.below(150))) }
    if dice.below(2) == 0 { sketch.fail(from: 100, to: 160, errors: dice.share(), capacity: Double(dice.below(50))) }
    if dice.below(2) == 0 {
      sketch.scale(target: dice.share(), delay: 10, step: dice.share(), minimum: 5, maximum: 400)
    }
    if dice.below(2) == 0 {
      sketch.cache(
        keys: Int64(1 + dice.below(300)), ttl: .seconds(20), collapsing: dice.below(2) == 0,
        staleIfError: .seconds(Int64(30 * dice.below(2))), errorTTL: .seconds(Int64(15 * dice.below(2))))
    }
    var state = sketch.state
    var backlog = 0.0
    for _ in 0..<500 {
      state.advance(arrivals: Int64(dice.below(400)))
      guard let record = state.record else { return }
      let tolerance = 1e-9
      #expect(record.origin <= Double(record.arrivals) + tolerance && record.origin >= 0)
      #expect(abs(record.origin - record.failed - record.limited - record.reached) < tolerance)
      let offered = backlog + record.reached + record.base
      #expect(abs(offered - record.served - record.backlog - record.refused) < tolerance, "seed \(seed)")
      #expect(record.backlog >= 0 && record.backlog <= sketch.plan.queue && record.refused >= 0)
      backlog = record.backlog
    }
  }

  /// Load at exactly the capacity is not an overload; one more request is, whether from phones or from the base load.
  @Test func onlyLoadAboveCapacityIsOverload() {
    var sketch = Sketch(capacity: 1_000)
    var state = sketch.state
    state.advance(arrivals: 1_000)
    #expect(state.record?.isOverloaded == false)
    state.advance(arrivals: 1_001)
    #expect(state.record?.isOverloaded == true)
    sketch.load(1_001)
    state = sketch.state
    state.advance(arrivals: 0)
    #expect(state.record?.isOverloaded == true)
  }

  /// A scale of 7/3: after any number of steps, the sum is the exact value, rounded down.
  @Test func scaledArrivals() {
    var scale = ArrivalScale(fleet: 7, simulated: 3)
    #expect([1, 1, 1, 0, 3, 2].map { scale.scaled($0) } == [2, 2, 3, 0, 7, 4])
    var whole = ArrivalScale(fleet: 5, simulated: 5)
    #expect([1, 0, .max].map { whole.scaled($0) } == [1, 0, .max])
  }

  /// The remainder is carried over when the product exceeds 64 bits, and between the two cases.
  @Test func scaledArrivalsHandleProductsAbove64Bits() {
    let (fleet, simulated) = (4_000_000_007, 4_000_000_003)
    var scale = ArrivalScale(fleet: fleet, simulated: simulated)
    var (arrivals, sum) = (Int128(0), Int128(0))
    for count: Int64 in [3, 4_000_000_000_000_000_000, 1, 2_305_843_010, 1 << 61, 0, 17] {
      arrivals += Int128(count)
      sum += Int128(scale.scaled(count))
      #expect(sum == arrivals * Int128(fleet) / Int128(simulated))
    }
  }
}
