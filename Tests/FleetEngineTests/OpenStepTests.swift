import SimulationKernel
import Synchronization
import Testing

@testable import FleetEngine

/// Threads that process the parts of one step after another.
@Suite struct OpenStepTests {
  /// Work done by threads in steps whose parts they claim one by one; each step has one part more than the last, up to
  /// 5.
  private final class Work: Sendable {
    static let steps = 3_000
    let open: OpenStep
    /// The step and the number of parts claimed in it.
    private let claimed = Atomic<Int>(0)
    /// The parts finished in the open step, and in total.
    private let here = Atomic<Int>(0)
    let all = Atomic<Int>(0)
    /// The number of steps that a thread finished before all their parts were done.
    let early = Atomic<Int>(0)

    init(threads: Int, sharesAll: Bool) {
      open = OpenStep(0, parts: Self.parts(0), threads: threads, ranks: 1, sharesAll: sharesAll)
    }

    static func parts(_ step: Int) -> Int { step % 5 + 1 }

    func run() {
      var step = 0
      while step != OpenStep.ended {
        let done = claim(step)
        if done > 0, open.finish(parts: done) { finish(step) }
        step = open.next(after: step)
      }
    }

    private func claim(_ step: Int) -> Int {
      var done = 0
      while true {
        let seen = claimed.load(ordering: .relaxed)
        guard seen / 8 == step, seen % 8 < Self.parts(step) else { return done }
        guard claimed.compareExchange(expected: seen, desired: seen + 1, ordering: .relaxed).exchanged else { continue }
        here.add(1, ordering: .relaxed)
        all.add(1, ordering: .relaxed)
        done += 1
      }
    }

    private func finish(_ step: Int) {
      if here.exchange(0, ordering: .relaxed) != Self.parts(step) { early.add(1, ordering: .relaxed) }
      let next = step + 1
      guard next < Self.steps else { return open.end() }
      claimed.store(next * 8, ordering: .relaxed)
      open.open(next, parts: Self.parts(next), due: next % 100)
    }
  }

  /// Every part is done once, and a step ends when all its parts are done, even with more threads than processors.
  @Test(arguments: [1, 2, 3, 8], [false, true])
  func eachPartOfAStepIsDoneOnce(threads: Int, sharesAll: Bool) {
    let work = Work(threads: threads, sharesAll: sharesAll)
    Workers.run(atMost: threads) { _ in { _ in work.run() } }
    #expect(work.all.load(ordering: .relaxed) == (0..<Work.steps).reduce(0) { $0 + Work.parts($1) })
    #expect(work.early.load(ordering: .relaxed) == 0)
  }

  /// A thread that never comes does not delay a step; one that holds a part does.
  @Test func absentThreadDoesNotDelayAStep() {
    let open = OpenStep(0, parts: 2, threads: 2, ranks: 1, sharesAll: false)
    #expect(!open.finish(parts: 1))
    open.add(parts: 3)
    #expect(!open.finish(parts: 3))
    #expect(open.finish(parts: 1))
    open.open(1, parts: 1, due: 1)
    #expect(open.next(after: 0) == 1)
    #expect(open.finish(parts: 1))
    open.end()
    #expect(open.next(after: 0) == OpenStep.ended && open.next(after: 1) == OpenStep.ended)
  }
}
