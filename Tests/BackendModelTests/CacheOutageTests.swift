import SimulationKernel
import Testing

@testable import BackendModel

/// Failed fetches of a CDN (MODEL.md 6.6, 9), in steps of a second.
@Suite struct CacheOutageTests {
  /// The conditions of a step's requests, and its requests to the origin.
  private struct Step {
    var conditions: Conditions
    var origin: Double
    var staleAnswers: Double
  }

  private func live(_ sketch: Sketch, _ steps: Int, arrivals: Int64 = 100) -> [Step] {
    withExtendedLifetime(sketch) {
      var state = sketch.state
      return (0..<steps).map { _ in
        let conditions = state.advance(arrivals: arrivals)
        return Step(
          conditions: conditions, origin: state.record?.origin ?? -1, staleAnswers: state.record?.staleAnswers ?? -1)
      }
    }
  }

  /// One key, ttl 10 s, an outage of 100 % from 20 to 620 s: the last fetch is in step 11, and is fresh up to step 21.
  @Test(arguments: [true, false]) func allRequestsFailAfterTheTTL(collapsing: Bool) {
    var sketch = Sketch()
    sketch.cache(keys: 1, ttl: .seconds(10), collapsing: collapsing)
    sketch.fail(from: 20, to: 620, errors: 1)
    for (step, seen) in live(sketch, 640).enumerated() {
      let isMiss = step == 0 || step == 11 || 22...620 ~= step || step == 631
      #expect(seen.conditions.misses == (isMiss ? .all : .none), "step \(step)")
      #expect(seen.conditions.outage == (20..<620 ~= step ? .all : .none), "step \(step)")
      #expect(seen.origin == (isMiss ? collapsing ? 1 : 100 : 0), "step \(step)")
    }
  }

  /// Copies are served from the 11th to the (10 + stale_if_error)-th step after the fetch in step 11.
  @Test(arguments: [true, false], [598, 600, 3_600, 100] as [Int])
  func staleCopiesAreServedDuringAnOutage(collapsing: Bool, staleIfError: Int) {
    var sketch = Sketch()
    sketch.cache(keys: 1, ttl: .seconds(10), collapsing: collapsing, staleIfError: .seconds(Int64(staleIfError)))
    sketch.fail(from: 20, to: 620, errors: 1)
    for (step, seen) in live(sketch, 640).enumerated() {
      let isMiss = step == 0 || step == 11 || 22...620 ~= step || step == 631
      let hasCopy = step > 0 && isMiss && (step < 22 || step <= 21 + staleIfError || step > 620)
      #expect(seen.conditions.misses == (isMiss ? .all : .none), "step \(step)")
      // In step 631 the copy from step 620 is in use.
      #expect(seen.conditions.copies == (hasCopy ? .all : .none), "step \(step)")
      #expect(seen.staleAnswers == (hasCopy && 20..<620 ~= step ? 100 : 0), "step \(step)")
    }
  }

  /// Waits that reach the timeout and refusals make a fetch fail just as an outage's error does.
  @Test(arguments: [true, false]) func timeoutsAndRefusalsCountAsFailedFetches(refuses: Bool) {
    var sketch = refuses ? Sketch(capacity: 1, queue: 1) : Sketch(capacity: 0)
    if refuses { sketch.load(10_000_000) }
    sketch.cache(keys: 1, ttl: .seconds(10), errorTTL: .seconds(15))
    let steps = live(sketch, 60)
    // No request is refused before the first step.
    for (step, seen) in steps.enumerated() where step > 11 {
      #expect(abs(seen.conditions.misses.fraction + seen.conditions.errors.fraction - 1) < 1e-4, "step \(step)")
    }
    #expect(steps[12..<60].reduce(0) { $0 + $1.origin } <= 3.001)
  }

  /// With an error_ttl of 15 s, an outage has one origin request per key every 16 steps, and only errors.
  @Test(arguments: [1, 7] as [Int64]) func errorsAreRemembered(keys: Int64) {
    var sketch = Sketch()
    sketch.cache(keys: keys, ttl: .seconds(10), errorTTL: .seconds(15))
    sketch.fail(from: 0, to: 160, errors: 1)
    let steps = live(sketch, 200, arrivals: 100_000)
    for (step, seen) in steps.enumerated() where step < 160 {
      let asks = step % 16 == 0
      #expect(seen.origin == (asks ? Double(keys) : 0), "step \(step)")
      #expect(seen.conditions.misses == (asks ? .all : .none), "step \(step)")
      #expect(seen.conditions.errors == (asks ? .none : .all), "step \(step)")
    }
    // The errors cached in step 144 end with the outage; step 160 fetches.
    #expect(steps[160].origin == Double(keys) && steps[161].conditions == Conditions(misses: .none))
  }

  /// A copy takes precedence over a remembered error, and the origin still gets no request.
  @Test func copiesComeBeforeErrors() {
    var sketch = Sketch()
    sketch.cache(keys: 1, ttl: .seconds(10), staleIfError: .seconds(60), errorTTL: .seconds(15))
    sketch.fail(from: 20, to: 200, errors: 1)
    let steps = live(sketch, 190)
    // The key is fetched in step 11, is fresh up to step 21, and has a copy up to step 81.
    #expect(steps[22].conditions == Conditions(copies: .all, outage: .all) && steps[22].origin == 1)
    #expect(steps[22].staleAnswers == 100)
    for step in 23...37 {
      #expect(steps[step].conditions == Conditions(misses: .none, outage: .all) && steps[step].origin == 0, "\(step)")
      #expect(steps[step].staleAnswers == 100)
    }
    #expect(steps[38].origin == 1 && steps[70].origin == 1)
    #expect(steps[82].conditions == Conditions(errors: .all, misses: .none, outage: .all))
    #expect(steps[82].staleAnswers == 0)
  }

  /// One key and requests in every step: one fetch every ceil(ttl) + 1 steps.
  @Test(arguments: [(10_000, 11), (9_500, 11), (1_000, 2), (1_001, 3)] as [(Int64, Int)])
  func oneFetchPerTTL(ttl: Int64, period: Int) {
    var sketch = Sketch()
    sketch.cache(keys: 1, ttl: .milliseconds(ttl))
    for (step, seen) in live(sketch, 100, arrivals: 3).enumerated() {
      #expect(seen.origin == (step % period == 0 ? 1 : 0), "step \(step)")
    }
  }

  /// Each key is its own class under a steady load: sum(w / (1 + M w)) origin requests per step.
  @Test(arguments: [1, 3, 400] as [Int64]) func keyClassesAreIndependent(arrivals: Int64) {
    let weights = (1...10).map { 1 / Double($0) }
    let shares = weights.map { $0 / weights.reduce(0, +) }
    var sketch = Sketch()
    sketch.cache(shares.map { KeyClass(keys: 1, share: $0) }, ttl: .seconds(20))
    let touched = shares.map { share in
      1 - (0..<arrivals).reduce(1.0) { rest, _ in rest * (1 - share) }
    }
    let expected = touched.reduce(0) { $0 + $1 / (1 + 20 * $1) }
    // Keys with many requests stay in step for a long time, so the mean covers whole periods of 21 steps.
    let steps = live(sketch, 21 * 4_000, arrivals: arrivals).suffix(21 * 1_000)
    let mean = steps.reduce(0) { $0 + $1.origin } / Double(steps.count)
    #expect(abs(mean - expected) < 1e-4 * expected, "\(mean) for \(expected)")
    // Requests to a class are proportional to its share: the misses seen by devices are the shares of its stale keys.
    let open = zip(shares, touched).reduce(0) { $0 + $1.0 / (1 + 20 * $1.1) }
    let misses = steps.reduce(0) { $0 + $1.conditions.misses.fraction } / Double(steps.count)
    #expect(abs(misses - open) < 1e-4, "\(misses) for \(open)")
  }

  /// The copies of a class agree with the rule applied to every age.
  @Test(arguments: 1..<6) func copiesOfAnyAgeFollowTheRule(seed: UInt64) {
    var dice = Dice(seed: seed)
    var sketch = Sketch()
    sketch.cache(keys: 3, ttl: .seconds(4), staleIfError: .seconds(11))
    withExtendedLifetime(sketch) {
      var keys = sketch.keys
      var (fresh, copies) = ([0.0, 0, 0, 0], Array(repeating: 0.0, count: 11))
      for step in 0..<600 {
        let stale = 3 - fresh.reduce(0, +)
        let share = copies.reduce(0, +) / max(stale, 1e-9)
        let seen = keys.shares
        #expect(abs(seen.misses - stale / 3) < 1e-5, "step \(step)")
        if stale > 1e-3 { #expect(abs(seen.missesWithCopy - seen.misses * share) < 1e-4, "step \(step)") }
        let arrivals = Int64(dice.below(6))
        let answered = dice.below(3) == 0 ? 0 : dice.share()
        let found = keys.take(arrivals, answered: .of(answered)) * answered
        copies = copies.map { $0 * (1 - found / max(stale, 1e-9)) }
        copies = [fresh[3]] + copies.dropLast()
        fresh = [found] + fresh.dropLast()
      }
    }
  }
}
