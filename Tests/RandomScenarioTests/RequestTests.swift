import DeviceModel
import FleetEngine
import RandomScenario
import Scenario
import SimulationKernel
import Testing

/// In every scenario, the requests that a fleet passes on are those counted by its run.
@Suite struct RequestTests {
  /// A receiver that stores all requests.
  private final class Collection: RequestReceiver {
    private let requests = Locked<[SentRequest]>([])

    func blockSize(threads: Int) -> Int { 100 }

    func take(_ more: inout [SentRequest]) -> Bool {
      let taken = more
      requests.withLock { $0 += taken }
      more = []
      return true
    }

    var sorted: [SentRequest] { requests.withLock { $0.sorted(by: SentRequest.precedes) } }
  }

  /// The keys by which causes.csv distinguishes rows.
  private struct Key: Hashable {
    var minute: Int
    var endpoint: Int
    var cohort: Int
    var cause: Cause
  }

  private static func requests(
    _ engine: Engine, _ result: ReplicationResult, _ order: SentRequest.Order = .arrival, threads: Int = 1
  ) throws -> [SentRequest] {
    let collection = Collection()
    let isDone = try engine.repeatRequests(
      of: 0, engine.conditions(of: result), sortedBy: order, threads: threads, control: RunControl(), to: collection)
    #expect(isDone)
    return collection.sorted
  }

  private static func cohort(of request: SentRequest, _ engine: Engine) -> Int {
    var last = 0
    let ends = engine.cohortSizes.map { size in
      last += size
      return last
    }
    return ends.firstIndex { Int(request.device) < $0 } ?? 0
  }

  /// Returns the counts of requests, failures by reason, retries and bytes, by minute, endpoint, cohort and cause.
  private static func traffic(_ requests: [SentRequest], _ engine: Engine) -> [Key: Traffic] {
    var sums: [Key: Traffic] = [:]
    let scenario = engine.scenario
    let plans = scenario.kinds.map { kind in
      [kind.requests, kind.taps?.requests ?? []].map { $0.flatMap { Array(repeating: $0, count: $0.count) } }
    }
    for request in requests {
      let plan = plans[request.kind][request.cause == .action ? 1 : 0][request.number]
      let key = Key(
        minute: Int(request.arrival.millisecondsSinceStart / 60_000), endpoint: plan.endpoint,
        cohort: cohort(of: request, engine), cause: request.cause)
      sums[key, default: Traffic()].requests += 1
      sums[key, default: Traffic()].bytesUp += plan.up[request.family].bytes
      if request.attempt > 0 { sums[key, default: Traffic()].retries += 1 }
      if let failure = request.failure {
        sums[key, default: Traffic()].failures[Int(failure.rawValue)] += 1
      } else {
        sums[key, default: Traffic()].successes += 1
        sums[key, default: Traffic()].bytesDown += plan.down[request.family].bytes
      }
    }
    return sums
  }

  /// Returns the run's counts, without requests that found no network and therefore never arrived.
  private static func traffic(_ result: ReplicationResult) -> [Key: Traffic] {
    var sums: [Key: Traffic] = [:]
    for part in result.causeMinutes {
      var traffic = part.traffic
      traffic.failures[Int(FailureReason.offline.rawValue)] = 0
      if traffic == Traffic() { continue }
      sums[Key(minute: part.minute, endpoint: part.endpoint, cohort: part.cohort, cause: part.cause)] = traffic
    }
    return sums
  }

  @Test(arguments: 0..<8) func sentRequestsEqualTheCountedOnes(_ block: Int) throws {
    for seed in 300 + block * 5..<305 + block * 5 {
      let sample = try Sample(seed: UInt64(seed))
      let result = try sample.result(threads: 1).replications[0]
      let requests = try Self.requests(sample.engine, result)
      #expect(Self.traffic(requests, sample.engine) == Self.traffic(result), "seed \(seed)")
    }
  }

  /// With any number of threads and in either order, the requests are the same, and all of them differ.
  @Test(arguments: [20_000, 20_001, 20_002]) func anyNumberOfThreads(_ seed: Int) throws {
    let sample = try Sample(seed: UInt64(seed), devices: 130)
    let result = try sample.result(threads: 1).replications[0]
    for order in [SentRequest.Order.arrival, .end] {
      let one = try Self.requests(sample.engine, result, order)
      let two = try Self.requests(sample.engine, result, order, threads: 2)
      #expect(one.map(\.name) == two.map(\.name), "seed \(seed)")
      #expect(zip(one, one.dropFirst()).allSatisfy { SentRequest.precedes($0, $1) }, "seed \(seed)")
      let times = one.map { order == .arrival ? $0.arrival : $0.end }
      #expect(times == times.sorted(), "seed \(seed)")
    }
  }
}

extension SentRequest {
  /// All fields as text.
  fileprivate var name: String {
    "\(arrival) \(end) \(device) \(kind) \(number) \(String(describing: slot)) \(run) \(attempt) \(cause) \(family) "
      + "\(String(describing: failure)) \(edge) \(String(describing: dueMinute))"
  }
}
