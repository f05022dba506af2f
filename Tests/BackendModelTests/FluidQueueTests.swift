import SimulationKernel
import Testing

@testable import BackendModel

@Suite struct FluidQueueTests {
  /// Inputs: backlog, requests, base, capacity and limit; outputs: served, backlog, overflow and share refused.
  struct Row: CustomTestStringConvertible, Sendable {
    var given: [Double]
    var expected: [Double]
    var testDescription: String { "\(given)" }

    init(_ given: [Double], _ expected: [Double]) {
      self.given = given
      self.expected = expected
    }
  }

  @Test(arguments: [
    Row([0, 0, 0, 10, 5], [0, 0, 0, 0]), Row([0, 10, 0, 10, 5], [10, 0, 0, 0]), Row([0, 12, 0, 10, 5], [10, 2, 0, 0]),
    Row([0, 20, 0, 10, 5], [10, 5, 5, 0.25]), Row([5, 0, 0, 10, 5], [5, 0, 0, 0]), Row([5, 0, 0, 2, 5], [2, 3, 0, 0]),
    Row([5, 8, 0, 10, 5], [10, 3, 0, 0]), Row([5, 0, 0, 0, 5], [0, 5, 0, 0]), Row([5, 4, 0, 0, 5], [0, 5, 4, 1]),
    Row([0, 4, 0, 0, 0], [0, 0, 4, 1]), Row([0, 16, 0, 4, 0], [4, 0, 12, 0.75]),
    Row([0, 8, 8, 4, 0], [4, 0, 12, 0.75]),
    Row([0, 0, 16, 4, 4], [4, 4, 8, 0.5]), Row([7, 9, 0, .infinity, 5], [16, 0, 0, 0]),
    Row([7, 9, 0, 3, .infinity], [3, 13, 0, 0]), Row([0, 9, 0, 0, .infinity], [0, 9, 0, 0]),
  ])
  func steps(row: Row) {
    var queue = FluidQueue()
    _ = queue.pass(requests: row.given[0], base: 0, room: 0, limit: .infinity)
    let passage = queue.pass(requests: row.given[1], base: row.given[2], room: row.given[3], limit: row.given[4])
    #expect([passage.served, queue.backlog, passage.overflow, passage.refusedShare] == row.expected)
  }

  /// A burst of N over J leaves a backlog of N - (c - b) J, which is drained N / (c - b) - J after the burst ends
  /// (MODEL.md 9).
  ///
  /// c is the capacity, b the base load.
  @Test(
    arguments: [(1_000, 60, 500, 100, 1), (640, 45, 512, 384, 2), (10_000, 7, 200, 0, 1)]
      as [(Int64, Int64, Int64, Int64, Int64)])
  func burst(perSecond: Int64, seconds: Int64, capacity: Int64, base: Int64, step: Int64) {
    var sketch = Sketch(capacity: Double(capacity))
    sketch.grid = StepGrid(beginning: .start, length: .seconds(step), count: 100_000)
    sketch.load(Double(base))
    var state = sketch.state
    let steps = (seconds + step - 1) / step
    let last = (0..<steps).map { _ in state.advance(arrivals: perSecond * step) }.last
    let burst = perSecond * steps * step
    let backlog = burst - (capacity - base) * steps * step
    #expect(state.record?.backlog == Double(backlog))
    #expect(last?.wait.last.milliseconds == (backlog * 1_000 + capacity / 2) / capacity)
    var drained = 0
    while (state.record?.backlog ?? 0) > 0 {
      state.advance(arrivals: 0)
      drained += 1
    }
    let exact = Double(burst) / Double(capacity - base) - Double(steps * step)
    #expect(Double(drained) * Double(step) >= exact)
    #expect(Double(drained - 1) * Double(step) < exact)
  }

  /// All arrivals are served, wait or are refused, which is exact for whole numbers.
  @Test(arguments: 0..<20) func wholeNumbersAreConserved(seed: UInt64) {
    var dice = Dice(seed: seed)
    var queue = FluidQueue()
    let limit = [0, 1, 100, 10_000, Double.infinity][Int(dice.below(5))]
    for _ in 0..<2_000 {
      let before = queue
      let (requests, base) = (Double(dice.below(1_000)), Double(dice.below(300)))
      let room = dice.below(10) == 0 ? 0 : Double(dice.below(1_200)) / 4
      let passage = queue.pass(requests: requests, base: base, room: room, limit: limit)
      #expect(before.backlog + requests + base == passage.served + queue.backlog + passage.overflow)
      #expect(queue.backlog >= 0 && queue.backlog <= limit && passage.served <= room && passage.overflow >= 0)
      #expect(passage.refusedShare >= 0 && passage.refusedShare <= 1)
      #expect(queue.baseBacklog >= 0 && queue.baseBacklog <= queue.backlog)
      #expect(passage.servedBase >= 0 && passage.servedBase <= passage.served)
      if requests == 0, base == 0 { #expect(passage.refusedShare == 0) }
    }
  }

  /// The base load's share of service in simple cases: all, none, half.
  @Test(arguments: [(8, 0, 0), (0, 8, 4), (4, 4, 2)] as [(Double, Double, Double)])
  func partOfTheBaseLoad(requests: Double, base: Double, served: Double) {
    var queue = FluidQueue()
    for _ in 0..<3 {
      let passage = queue.pass(requests: requests, base: base, room: 4, limit: 2)
      #expect(passage.servedBase == served)
      #expect(queue.baseBacklog == served / 2)
    }
  }

  /// A step without requests refuses nothing and serves the base load along with the queue.
  ///
  /// 8 requests wait, half of them from the base load, and 2 are served.
  @Test func stepWithoutRequestsServesQueueAndBaseLoad() {
    var queue = FluidQueue()
    _ = queue.pass(requests: 4, base: 4, room: 0, limit: .infinity)
    let passage = queue.pass(requests: 0, base: 0, room: 2, limit: .infinity)
    #expect(
      passage
        == FluidQueue.Passage(before: 8, growth: -2, served: 2, servedBase: 1, overflow: 0, refusedShare: 0))
    #expect(queue.backlog == 6 && queue.baseBacklog == 3)
  }

  /// The refused share is at most 1: 8 requests wait where only 4 fit, so more are refused than arrived.
  @Test func refusedShareIsAtMostOne() {
    var queue = FluidQueue()
    _ = queue.pass(requests: 8, base: 0, room: 0, limit: .infinity)
    let passage = queue.pass(requests: 2, base: 0, room: 0, limit: 4)
    #expect(passage.overflow == 6 && queue.backlog == 4)
    #expect(passage.refusedShare == 1)
  }
}
