import Scenario
import SimulationKernel

@testable import FleetEngine

/// Results made by hand, so that every figure of a test can be computed on paper.
struct SyntheticRun {
  var name = "synthetic"
  var description = "made by hand"
  var fleetDevices = 100
  var simulated = 100
  var cohorts = ["west", "east"]
  var kinds = ["weather", "news"]
  var endpoints = ["api", "images"]
  var step = TimeAmount.second
  var duration = TimeAmount.day
  /// By kind; nil for the kinds beyond the list.
  var staleAfter: [TimeAmount?] = []
  var cache: [Cache?] = []
  var replications: [ReplicationResult] = []

  /// The result with what was set.
  var result: RunResult {
    RunResult(
      scenario: scenario, devicesSimulated: simulated, cohortSizes: cohorts.map { _ in simulated / cohorts.count },
      replications: replications)
  }

  var scenario: Scenario {
    Scenario(
      name: name, description: description,
      clock: Clock(startUnixMilliseconds: 1_800_230_400_000, warmup: .zero, duration: duration, step: step),
      run: RunSettings(seed: 42, replications: replications.count, simulate: simulated),
      app: App(),
      kinds: kinds.indices.map(kind), fleet: Fleet(devices: fleetDevices, cohorts: cohorts.map(cohort)),
      os: OperatingSystem(),
      endpoints: endpoints.map { Endpoint(name: $0, latency: nil, timeout: .seconds(30)) }, events: [])
  }

  private func kind(_ index: Int) -> Kind {
    var kind = Kind()
    kind.name = kinds[index]
    kind.phases[0].reload = .after(.constant(.minutes(15)))
    kind.cache = index < cache.count ? cache[index] : nil
    kind.onError = .retryAfter
    kind.staleAfter = index < staleAfter.count ? staleAfter[index] : nil
    return kind
  }

  private func cohort(_ name: String) -> Cohort {
    var person = Person()
    person.unlocksPerDay = .constant(0)
    return Cohort(
      name: name, share: Share(fraction: 1 / Double(cohorts.count)), zones: [Weighted("Europe/Berlin", weight: 1)],
      phones: [Weighted("iphone-15", weight: 1)], person: person, network: .fixed(.wifi), power: .mains, os: nil,
      widgets: [])
  }

  /// A replication with arrivals per endpoint and step, and nothing else.
  static func replication(arrivals: [[UInt32]], groups: [GroupResult] = []) -> ReplicationResult {
    ReplicationResult(
      load: arrivals.map { LoadSeries(arrivals: $0, failures: $0.map { $0 / 10 }) }, causeMinutes: [], groups: groups,
      devices: DeviceTable(), eventCount: 0, runCount: 0)
  }

  /// A group without any runs.
  static func group(cohort: Int, kind: Int, instances: Int64, endpoints: Int = 2) -> GroupResult {
    GroupResult(
      cohort: cohort, kind: kind, instances: instances, runs: Array(repeating: 0, count: Cause.allCases.count),
      runsPerDay: CountHistogram(), runsPerDayByCause: Cause.allCases.map { _ in CountHistogram() },
      chargedRunsPerDay: CountHistogram(), freeRunsPerDay: CountHistogram(), lateness: SpanHistogram(),
      waits: WaitReason.allCases.map { _ in WaitTally() }, budgetExhausted: CountHistogram(), cacheHits: 0,
      views: 0, staleViews: 0, staleViewsAfter: 0, dataAge: SpanHistogram(),
      traffic: (0..<endpoints).map { _ in Cause.allCases.map { _ in Traffic() } },
      saved: (0..<endpoints).map { _ in Traffic() })
  }
}
