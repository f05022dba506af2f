import BackendModel
import Scenario
import SimulationKernel
import Testing

@testable import FleetEngine

/// A herd of N requests, however short, meeting a queue, limit or timeout of its own (MODEL.md 6.1, 6.2, 9).
@Suite struct HerdLawTests {
  private static let (devices, capacity, room, patience) = (20_000.0, 10.0, 1_000.0, 30.0)

  /// The endpoint's limit, and the share of a herd over J that fails in the exact fluid model.
  enum Barrier: CaseIterable {
    case queue, timeout, limit

    var endpoint: String {
      switch self {
      case .queue: "{capacity: 10/s, queue: 1k, timeout: 1h}"
      case .timeout: "{capacity: 10/s, queue: 1M, timeout: 30s}"
      case .limit: "{rate_limit: {rate: 10/s, retry_after: 3h}}"
      }
    }

    func share(over span: Double) -> Double {
      let (devices, capacity) = (HerdLawTests.devices, HerdLawTests.capacity)
      return switch self {
      case .queue: 1 - (capacity * span + HerdLawTests.room) / devices
      case .timeout: 1 - capacity * HerdLawTests.patience / (devices - capacity * span)
      case .limit: 1 - capacity * span / devices
      }
    }
  }

  private static func failures(
    _ barrier: Barrier, over span: Double, step: String, attempts: String = "", seed: Int = 1
  ) throws -> ReplicationResult {
    var sample = FleetSample(devices: Int(devices))
    sample.clock = "{start: 2027-01-18T08:29:50Z, settle: 0s, warmup: 4h, duration: 10min, step: \(step)}"
    sample.run = "{seed: \(seed)}"
    sample.kinds = """
      {k: {reload: {after: {at: "09:30", days: mon}}, jitter: {up_to: \(Int(span * 1_000))ms}, cpu: 0s,
       requests: [{endpoint: api}], on_error: {after: 3h}\(attempts)}}
      """
    sample.os = "{idle: none, min_spacing: 0s, start_delay: {policy: 0s, in_use: 0s}, budget: {model: off}}"
    sample.endpoints = "{api: \(barrier.endpoint)}"
    return try sample.replication()
  }

  /// The share is within 3 % of the exact fluid model for steps of any length: a step serves c d of N, 0.5 % at most.
  @Test(arguments: Barrier.allCases, [0, 0.5, 1, 2, 5, 60]) func herdFailsAsInTheExactFluid(
    barrier: Barrier, span: Double
  ) throws {
    for step in ["100ms", "1s", "10s"] {
      let result = try Self.failures(barrier, over: span, step: step)
      let share = Double(result.devices.sum(.failures)) / Self.devices
      let expected = barrier.share(over: span)
      #expect(abs(share - expected) <= 0.03 * expected, "\(step): \(share) for \(expected)")
    }
  }

  /// A share of 1 - (c d + Q) / N is refused, within 4.5 standard errors of as many draws.
  @Test(arguments: 1...2) func herdAtOneInstantIsRefusedBeyondCapacityAndQueue(seed: Int) throws {
    let share = 1 - (Self.capacity + Self.room) / Self.devices
    let result = try Self.failures(.queue, over: 0, step: "1s", seed: seed)
    let refused = Double(result.devices.sum(.failures))
    let deviation = (share * (1 - share)).squareRoot()
    #expect(isWithin(refused / Self.devices, of: share, deviation: deviation, count: Int(Self.devices)))
  }

  /// A retry right after a refusal, within the same step, meets the same conditions and joins the next step's queue.
  @Test func retriesWithinAStepMeetEqualConditions() throws {
    let result = try Self.failures(
      .queue, over: 0, step: "10s", attempts: ", attempts: {count: 2, backoff: 1s}")
    let share = 1 - (10 * Self.capacity + Self.room) / Self.devices
    let first = Self.devices
    let again = first * share
    let records = try #require(result.backend?.records[0])
    let step = try #require(records.firstIndex { $0.arrivals > 0 })
    #expect(records[step].arrivals == Int64(first))
    let deviation = 4.5 * (first * share * (1 - share)).squareRoot()
    #expect(abs(Double(records[step + 1].arrivals) - again) <= deviation)
    #expect(abs(Double(result.devices.sum(.failures)) - (again + again * share)) <= 3 * deviation)
  }

  /// In an outage of 100 %, only the base load reaches the servers, in steps or not (MODEL.md 8).
  @Test(arguments: ["", "capacity: 100/s, "]) func outageLeavesOnlyTheBaseLoadAtServers(capacity: String) throws {
    var sample = FleetSample(devices: 300)
    sample.clock = "{start: 2027-01-18T00:00:00Z, settle: 0s, warmup: 1h, duration: 1h}"
    sample.endpoints = "{api: {\(capacity)base_load: {rate: 2/s, hours: flat}}}"
    sample.events = "[{name: down, at: 2027-01-18T00:00:00Z, outage: {endpoint: api, for: 30min}}]"
    let result = try sample.replication()
    let records = try #require(result.backend?.records[0])
    let (within, after) = (records.prefix(1_800), records.dropFirst(1_800))
    #expect(within.reduce(0) { $0 + $1.arrivals } > 300)
    #expect(within.allSatisfy { $0.reached == 0 && $0.base == 2 && $0.failed == Double($0.arrivals) })
    #expect(after.allSatisfy { $0.reached == Double($0.arrivals) && $0.base == 2 })
  }
}
