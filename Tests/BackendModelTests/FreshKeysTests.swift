import SimulationKernel
import Testing

@testable import BackendModel

@Suite struct FreshKeysTests {
  private func keys(
    _ count: Int64, ttl: TimeAmount, collapsing: Bool = true, step: TimeAmount = .second, steps: Int = 1 << 20
  ) -> FreshKeys {
    var sketch = Sketch()
    sketch.cache(keys: count, ttl: ttl, collapsing: collapsing)
    sketch.grid = StepGrid(beginning: .start, length: step, count: steps)
    return sketch.keys
  }

  @Test(
    arguments: [
      (0, 0.5, 0), (-1, 0.5, 0), (1, 0.5, 0.5), (2, 0.5, 0.75), (10, 0.5, 1 - 1 / 1_024), (3, 0.25, 1 - 27.0 / 64),
      (7, 1, 1), (0, 1, 0), (5, 0, 0), (1 << 62, 0.001, 1), (.max, 1, 1),
    ] as [(Int64, Double, Double)])
  func shareOfTouchedKeysIsComputed(count: Int64, p: Double, share: Double) {
    #expect(FreshKeys.share(touchedBy: count, each: p) == share)
  }

  /// 1 - (1 - p)^n stays precise for tiny n p, and agrees with 1 - exp(-n p).
  @Test func smallSharesArePrecise() {
    #expect(abs(FreshKeys.share(touchedBy: 3, each: 1e-12) / (3e-12 - 3e-24) - 1) < 1e-15)
    // (1 - 1/n)^n = exp(-1) (1 - 1/(2n) + ...), from the series of log(1 - 1/n).
    let oneOverE = 0.367_879_441_171_442_33
    let billion = FreshKeys.share(touchedBy: 1_000_000_000, each: 1e-9)
    #expect(abs(billion - (1 - oneOverE * (1 - 0.5e-9))) < 1e-13)
  }

  /// One key: a miss fetches it, and it stays fresh for steps that start less than the ttl after that step.
  @Test(arguments: [(10_000, 10), (10_001, 11), (9_999, 10), (1_000, 1), (1, 1)] as [(Int64, Int)])
  func freshUntilTTL(ttl: Int64, steps: Int) {
    var keys = keys(1, ttl: .milliseconds(ttl))
    for cycle in 0..<3 {
      #expect(keys.take(1, answered: .all) == 1, "\(cycle)")
      for step in 0..<steps { #expect(keys.take(5, answered: .all) == 0, "\(cycle), \(step)") }
    }
  }

  @Test func keysThatNeverExpireAreFetchedOnce() {
    var keys = keys(1, ttl: .days(400), steps: 50)
    #expect(keys.take(1, answered: .all) == 1)
    for _ in 0..<49 { #expect(keys.take(1, answered: .all) == 0) }
  }

  /// The share of a step's requests that go to stale keys is known at its start.
  @Test(arguments: [true, false]) func missShares(collapsing: Bool) {
    var keys = keys(2, ttl: .seconds(3), collapsing: collapsing)
    #expect(keys.shares == EdgeShares(misses: 1))
    _ = keys.take(0, answered: .all)
    #expect(keys.shares == EdgeShares(misses: 1))
    // Two requests to two keys touch 1.5 of them on average; 0.5 stay stale.
    #expect(keys.take(2, answered: .all) == (collapsing ? 1.5 : 2))
    #expect(keys.shares == EdgeShares(misses: 0.25))
    _ = keys.take(0, answered: .all)
    #expect(keys.shares == EdgeShares(misses: 0.25))
    #expect(keys.take(1, answered: .all) == 0.25)
    #expect(keys.shares == EdgeShares(misses: 0.125))
    #expect(keys.take(1_000_000, answered: .all) == (collapsing ? 0.25 : 125_000))
    // The rest was fetched, and keys fetched in the first of these steps have expired.
    #expect(keys.shares == EdgeShares(misses: 0.75))
  }

  /// A failed miss refreshes no key; of several misses for a key, one answer is enough.
  @Test func failedMisses() {
    var none = keys(4, ttl: .seconds(9))
    _ = none.take(1_000, answered: .none)
    #expect(none.shares.misses == 1)
    var half = keys(4, ttl: .seconds(9))
    _ = half.take(1, answered: .of(0.5))
    #expect(half.shares.misses == 3.5 / 4)
    var several = keys(1, ttl: .seconds(9), collapsing: false)
    _ = several.take(2, answered: .of(0.5))
    #expect(several.shares.misses == 0.25)
  }

  /// One key with requests at rate lambda has lambda / (1 + lambda ttl) origin requests.
  ///
  /// Without collapsing, they are multiplied by the batch size. Steps are ttl/200; cycles are the ttl plus a geometric
  /// gap with a mean of 100 steps.
  @Test(arguments: [true, false], [1, 77] as [UInt64]) func singleKeyHasTheRightRate(collapsing: Bool, seed: UInt64) {
    var dice = Dice(seed: seed)
    var keys = keys(1, ttl: .seconds(20), collapsing: collapsing, step: .milliseconds(100))
    let (steps, p, batch) = (300_000, 0.01, Int64(2))
    let chance = Chance(.of(p))
    var misses = 0.0
    for _ in 0..<steps { misses += keys.take(chance.happens(at: dice.uniform()) ? batch : 0, answered: .all) }
    let (lambda, ttl) = (p / 0.1, 20.0)
    let cycles = Double(steps) * 0.1 * lambda / (1 + lambda * ttl)
    // The count is a renewal process with variance time x variance / mean^3 of the cycle.
    let deviation = (Double(steps) * (1 - p) / (p * p) / (300.0 * 300 * 300)).squareRoot()
    #expect(abs(misses / (collapsing ? 1 : Double(batch)) - cycles) < 4.5 * deviation, "seed \(seed)")
  }

  /// Many keys under a steady load: m = (K - M m s) w misses per step, w = 1 - (1 - 1/K)^a, M = ttl in steps.
  @Test(arguments: [1, 0.5]) func manyKeysHaveTheExpectedMissRate(answered: Double) {
    var keys = keys(100, ttl: .seconds(20))
    var misses = 0.0
    for _ in 0..<20_000 { misses = keys.take(3, answered: .of(answered)) }
    let touched = 1 - 0.99 * 0.99 * 0.99
    #expect(abs(misses - 100 * touched / (1 + 20 * touched * answered)) < 1e-5)
  }
}
