import Scenario
import SimulationKernel
import Testing

@testable import FleetEngine

/// The measured day is the same after any warm-up (MODEL.md 1.2, 1.4).
struct StationaryStartTests {
  /// Returns widgets that request 38.4 runs a day, with budgets from 30 to 50.
  private static func sample(_ clock: String) -> FleetSample {
    var sample = FleetSample(devices: 250)
    sample.kinds = "{k: {reload: {after: 30min}, requests: [{endpoint: api}]}}"
    sample.power = "{overnight: 85%}"
    sample.os = "{idle: none, budget: {capacity: 30/day..50/day}}"
    sample.clock = "{start: 2027-01-18T00:00:00Z, \(clock), duration: 1d, step: 1min}"
    return sample
  }

  /// Returns how many of 250 widgets exhaust their budget on a day.
  private func exhausted(_ clock: String) throws -> Double {
    let result = try Self.sample(clock).replication()
    return Double(result.groups[0].budgetExhausted.counts.reduce(0, +))
  }

  /// A widget counts at most once a day, so the count of 250 is binomial.
  ///
  /// The difference between two runs has at most twice that variance. Both have the same people, but different days.
  @Test func budgetsAreStationary() throws {
    let (short, long) = (try exhausted("warmup: 1d"), try exhausted("warmup: 20d"))
    let share = (short + long) / 500
    #expect(abs(short - long) < 3.5 * (2 * 250 * share * (1 - share)).squareRoot(), "\(short), \(long)")
    // The demand is 8.4 / 20 of the way from 30 to 50: this proportion cannot have all their runs.
    #expect(abs(short - 105) < 4.5 * (250 * 0.42 * 0.58).squareRoot(), "\(short)")
  }

  /// New widgets, which start at U(0, C), still have some of their initial balance.
  @Test func newWidgetsHaveInitialBalances() throws {
    let new = try exhausted("warmup: 1d, settle: 0s")
    #expect(new < 105 - 4.5 * (250 * 0.42 * 0.58).squareRoot(), "\(new)")
  }

  /// Comparing the halves of six measured days reveals new widgets.
  ///
  /// Budgets of 36 with a demand of 38.4 a day are exhausted every day, but a new one first uses up its initial
  /// balance, which takes up to 15 days. The counts over 750 widget-days are binomial; days are correlated, which at
  /// most triples the variance.
  @Test(arguments: [("warmup: 1d", false), ("warmup: 1h, settle: 0s", true)])
  func comparingHalvesRevealsNewWidgets(clock: String, isNew: Bool) throws {
    var sample = Self.sample(clock)
    sample.os = "{idle: none, budget: {capacity: 36/day}}"
    sample.clock = sample.clock.replacing("duration: 1d", with: "duration: 6d")
    let halves = try sample.replication().groups[0].budgetExhaustedByHalf.map(Double.init)
    let share = (halves[0] + halves[1]) / 1_500
    let error = (2 * 3 * 750 * share * (1 - share)).squareRoot()
    #expect(isNew ? halves[1] - halves[0] > 3.5 * error : abs(halves[1] - halves[0]) <= 3.5 * error, "\(halves)")
  }

  /// Budgets from views are stationary: 80 unlocks a day reach page 3 about 22 times, for a demand of about 21.
  ///
  /// The counts, over 6 replications of 250 phones, are binomial. The 128 phones that each replication learns from
  /// determine C to within 0.18 runs (21.7 views with variance 1.2 each, on 896 days), which shifts the proportion by
  /// about 0.02.
  @Test(arguments: ["mains", "{overnight: 85%}", "{overnight: 0%}"])
  func budgetsOfViewsAreStationary(power: String) throws {
    func exhausted(_ settle: String) throws -> Double {
      var sample = FleetSample(devices: 250)
      sample.run = "{seed: 1, replications: 6}"
      sample.kinds = "{k: {reload: {after: 1h}, requests: [{endpoint: api}]}}"
      sample.os = "{}"
      sample.cohorts = """
        [{name: all, zones: {UTC: 100%}, person: {unlocks_per_day: 80}, network: wifi, power: \(power),
        widgets: [{kind: k, page: 3}]}]
        """
      sample.clock = "{start: 2027-01-18T00:00:00Z, settle: \(settle), warmup: 1d, duration: 1d, step: 1min}"
      let counts = try sample.result(threads: 2).replications.flatMap { $0.groups[0].budgetExhausted.counts }
      return Double(counts.reduce(0, +)) / 1_500
    }
    let (short, long) = (try exhausted("1d"), try exhausted("28d"))
    let share = (short + long) / 2
    let error = (2 * share * (1 - share) / 1_500 + 0.02 * 0.02 / 6).squareRoot()
    #expect(abs(short - long) < 3.5 * error, "\(short), \(long)")
  }

  @Test func withoutWarmUpWidgetsAreNew() throws {
    let clock = try Self.sample("warmup: 0s").engine().scenario.clock
    #expect(clock.settle == .zero && clock.beginning == .start)
    let settled = try Self.sample("warmup: 0s, settle: 1d").engine().scenario.clock
    #expect(settled.beginning == .start - .day)
  }
}
