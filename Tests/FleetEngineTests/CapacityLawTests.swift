import DeviceModel
import Numerics
import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel
@testable import FleetEngine

/// Budgets whose capacity is drawn from a distribution (MODEL.md 4.7).
struct CapacityLawTests {
  private static func sample(_ capacity: String, devices: Int, model: String = "bucket") -> FleetSample {
    var sample = FleetSample(devices: devices)
    sample.kinds = "{k: {reload: {after: 30min}}, m: {reload: never}}"
    sample.widgets = "[{kind: k}, {kind: k, page: 2}, {kind: m}]"
    sample.os = "{idle: none, budget: {model: \(model), capacity: \(capacity)}}"
    return sample
  }

  /// Returns the capacities of each phone's widgets in runs a day: two of one kind, one of another.
  private static func capacities(_ sample: FleetSample, replication: Int = 0) throws -> [[Double]] {
    let engine = try sample.engine()
    var simulator = DeviceSimulator(plan: engine.plan, shape: engine.tallyShape)
    var found: [[Double]] = []
    for device in 0..<sample.devices {
      try simulator.simulate(device: device, cohort: 0, replication: replication)
      let slots = Array(simulator.device.widgets.phone.slots)
      found.append(slots.map { simulator.device.widgets.scheduler.allowance(of: $0).capacity.runs })
    }
    withExtendedLifetime(engine) {}
    return found
  }

  /// Lognormal capacities with median 50 and sigma 0.3 are equal for a kind's widgets on one phone.
  ///
  /// Capacities of different kinds are independent.
  @Test(arguments: ["bucket", "fixed"])
  func capacitiesAreDrawnPerPhoneAndKind(model: String) throws {
    let found = try Self.capacities(
      Self.sample("{lognormal: {median: 50/day, sigma: 0.3}}", devices: 1_500, model: model))
    #expect(found.allSatisfy { $0[0] == $0[1] })
    let law = ContinuousDistribution.lognormal(median: 50, sigma: 0.3)
    #expect(try agrees(found.map { $0[0] }) { try law.lowerTail($0) })
    #expect(try agrees(found.map { $0[2] }) { try law.lowerTail($0) })
    // The mean is 50 exp(0.3^2 / 2).
    let mean = 50 * SteadyMath.exp(0.045)
    #expect(Sample(found.map { ($0[0] - mean) * ($0[2] - mean) }).agrees(with: 0))
  }

  /// A choice has its probabilities, an exponential its distribution, and each replication its own draws.
  @Test func otherLaws() throws {
    let chosen = try Self.capacities(Self.sample("{choice: {20/day: 25%, 60/day: 75%}}", devices: 800))
    let few = chosen.count { $0[0] == 20 }
    #expect(chosen.allSatisfy { $0[0] == 20 || $0[0] == 60 })
    #expect(isWithin(Double(few) / 800, of: 0.25, deviation: (0.25 * 0.75).squareRoot(), count: 800), "\(few)")
    let sample = Self.sample("{exponential: 40/day}", devices: 800)
    let drawn = try Self.capacities(sample).map { $0[0] }
    #expect(try agrees(drawn) { 1 - SteadyMath.exp(-$0 / 40) })
    let again = try Self.capacities(sample, replication: 1).map { $0[0] }
    #expect(Sample(zip(drawn, again).map { ($0 - 40) * ($1 - 40) }).agrees(with: 0))
  }

  /// No draw grants more than the key's max.
  ///
  /// With a median of 5 10^5 and sigma 10, half of the draws are above the median and Phi(-ln 2 / 10) above twice the
  /// median.
  @Test func drawsAreBounded() throws {
    let found = try Self.capacities(Self.sample("{lognormal: {median: 500k/day, sigma: 10}}", devices: 400))
    let maximum = Double(found.count { $0[0] == Budget.maxCapacity }) / 400
    let share = try ContinuousDistribution.lognormal(median: 500_000, sigma: 10).upperTail(1_000_000)
    #expect(found.allSatisfy { $0[0] <= Budget.maxCapacity })
    #expect(isWithin(maximum, of: share, deviation: (share * (1 - share)).squareRoot(), count: 400), "\(maximum)")
    let key = try #require(KeyTable.standard["os.budget.capacity"])
    #expect(key.maximum == "\(Int(Budget.maxCapacity / 1_000_000))M/day")
  }

  /// Widgets request 38.4 runs a day from budgets with median 40 and sigma 0.3 (MODEL.md 9).
  ///
  /// On a proportion Phi(ln(38.4 / 40) / 0.3) of the phones the budget is not enough, whatever the warm-up, and both
  /// widgets of the kind exhaust theirs.
  @Test func expectedShareExhaustsItsBudgetDaily() throws {
    var sample = FleetSample(devices: 400)
    sample.kinds = "{k: {reload: {after: 30min}}}"
    sample.widgets = "[{kind: k}, {kind: k, page: 2}]"
    sample.power = "{overnight: 85%}"
    sample.os =
      "{idle: none, coalescing_window: 0s, budget: {capacity: {lognormal: {median: 40/day, sigma: 0.3}}}}"
    sample.clock = "{start: 2027-01-18T00:00:00Z, warmup: 1d, duration: 1d, step: 1min}"
    let exhausted = Double(try sample.replication().groups[0].budgetExhausted.counts.reduce(0, +))
    let share = try ContinuousDistribution.lognormal(median: 40, sigma: 0.3).lowerTail(38.4)
    // A phone's two widgets behave alike, so the deviation is that of a proportion of phones.
    #expect(
      isWithin(exhausted / 800, of: share, deviation: (share * (1 - share)).squareRoot(), count: 400),
      "\(exhausted / 800) for \(share)")
  }
}
