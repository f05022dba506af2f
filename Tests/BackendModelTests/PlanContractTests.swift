import SimulationKernel
import Testing

@testable import BackendModel

/// Valid plans, and plans that are refused at once instead of leading to wrong counts later (MODEL.md 6, 10).
@Suite struct PlanContractTests {
  /// Numbers of keys and their share of requests, at the limits of valid values.
  @Test(arguments: [(1, 0), (1, 1), (1 << 38, 0), (1 << 38, 1)] as [(Int64, Double)])
  func extremeClassesOfKeys(keys: Int64, share: Double) {
    let keyClass = KeyClass(keys: keys, share: share)
    #expect(keyClass.keys == keys && keyClass.share == share)
  }

  @Test(arguments: [(0, 0.5), (-1, 0.5), (1 << 38 + 1, 0.5), (5, -0.01), (5, 1.01)] as [(Int64, Double)])
  func classesWithoutKeysOrShare(keys: Int64, share: Double) async {
    await #expect(processExitsWith: .failure) { [keys, share] in _ = KeyClass(keys: keys, share: share) }
  }

  /// The ttl, stale_if_error and error_ttl, in milliseconds.
  @Test(arguments: [(1, 0, 0), (1, 5, 0), (1, 0, 5)] as [(Int64, Int64, Int64)])
  func shortestSpansOfACache(ttl: Int64, stale: Int64, error: Int64) {
    let plan = CDNPlan(
      classes: SamplerStorage().keep([]), ttl: .milliseconds(ttl), isCollapsing: true,
      staleIfError: .milliseconds(stale), errorTTL: .milliseconds(error))
    #expect(plan.ttl == .milliseconds(ttl))
    #expect(plan.staleIfError == .milliseconds(stale) && plan.errorTTL == .milliseconds(error))
  }

  @Test(arguments: [(0, 0, 0), (-1, 0, 0), (0, 5, 5), (1, -1, 0), (1, 0, -1)] as [(Int64, Int64, Int64)])
  func cachesWithoutDurationAreRejected(ttl: Int64, stale: Int64, error: Int64) async {
    await #expect(processExitsWith: .failure) { [ttl, stale, error] in
      _ = CDNPlan(
        classes: SamplerStorage().keep([]), ttl: .milliseconds(ttl), isCollapsing: true,
        staleIfError: .milliseconds(stale), errorTTL: .milliseconds(error))
    }
  }

  /// A queue of length 0 refuses at once; an unlimited one never does.
  @Test(arguments: [0, 1, .infinity] as [Double])
  func extremeQueues(queue: Double) {
    #expect(EndpointPlan(latency: .constant(.zero), timeout: .second, queue: queue).queue == queue)
  }

  @Test(arguments: [-1, -0.5] as [Double])
  func invalidQueuesAreRejected(queue: Double) async {
    await #expect(processExitsWith: .failure) { [queue] in
      _ = EndpointPlan(latency: .constant(.zero), timeout: .second, queue: queue)
    }
  }

  /// A fleet without devices sends nothing, whatever its sample sends.
  @Test func extremeScales() {
    var nobody = ArrivalScale(fleet: 0, simulated: 1)
    #expect(nobody.scaled(1_000) == 0)
    var everybody = ArrivalScale(fleet: 1, simulated: 1)
    #expect(everybody.scaled(1_000) == 1_000)
  }

  @Test(arguments: [(0, 0), (5, 0), (5, -1), (-1, 5)])
  func scaleWithoutSimulatedPhonesIsRejected(fleet: Int, simulated: Int) async {
    await #expect(processExitsWith: .failure) { [fleet, simulated] in
      _ = ArrivalScale(fleet: fleet, simulated: simulated)
    }
  }

  /// Two grids are equal if they start together and have the same number of steps of the same length.
  @Test(
    arguments: [
      (0, 1_000, 10, true), (1, 1_000, 10, false), (0, 1_001, 10, false), (0, 1_000, 11, false), (1, 1_001, 10, false),
      (1, 1_000, 11, false), (0, 1_001, 11, false), (1, 1_001, 11, false),
    ] as [(Int64, Int64, Int, Bool)])
  func gridsAreEqualIfStartCountAndLengthMatch(beginning: Int64, length: Int64, count: Int, isEqual: Bool) {
    let grid = StepGrid(beginning: .start, length: .second, count: 10)
    let other = StepGrid(
      beginning: Instant(millisecondsSinceStart: beginning), length: .milliseconds(length), count: count)
    #expect((grid == other) == isEqual)
  }
}
