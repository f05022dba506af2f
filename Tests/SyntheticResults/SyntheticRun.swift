import Scenario
import SimulationKernel

@testable import FleetEngine

/// Handmade results, so that every figure in a test can be worked out on paper.
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
  /// The limits by kind; `nil` for kinds beyond the end of the list.
  var staleAfter: [TimeAmount?] = []
  var cache: [Cache?] = []
  /// The code in place of policies, by kind.
  var providers: [String: ProviderName] = [:]
  var replications: [ReplicationResult] = []

  /// The result with these values.
  var result: RunResult {
    RunResult(
      scenario: scenario, devicesSimulated: simulated, cohortSizes: cohorts.map { _ in simulated / cohorts.count },
      replications: replications.map { replication in
        var replication = replication
        for index in replication.groups.indices { fillTime(of: &replication.groups[index]) }
        return replication
      })
  }

  /// Makes instances exist all the time unless set otherwise.
  private func fillTime(of group: inout GroupResult) {
    guard group.milliseconds == 0 else { return }
    group.milliseconds = group.instances * duration.milliseconds
    group.millisecondsByHalf = MeasuredHalves(of: duration).ranges.map {
      group.instances * Int64($0.count) * TimeAmount.day.milliseconds
    }
  }

  var scenario: Scenario {
    Scenario.with {
      $0.name = name
      $0.description = description
      $0.clock = Clock(startUnixMilliseconds: 1_800_230_400_000, warmup: .zero, duration: duration, step: step)
      $0.run = RunSettings.with {
        $0.seed = 42
        $0.replications = replications.count
        $0.simulate = .count(simulated)
      }
      $0.kinds = kinds.indices.map(kind)
      $0.fleet = Fleet.with {
        $0.devices = fleetDevices
        $0.cohorts = cohorts.map(cohort)
      }
      $0.endpoints = endpoints.map { name in .with { $0.name = name } }
    }
  }

  private func kind(_ index: Int) -> Kind {
    var kind = Kind()
    kind.name = kinds[index]
    kind.phases[0].reload = .after(.constant(.minutes(15)))
    kind.cache = index < cache.count ? cache[index] : nil
    kind.onError = .retryAfter
    kind.staleAfter = index < staleAfter.count ? staleAfter[index] : nil
    if let provider = providers[kind.name] { kind.follow(provider) }
    return kind
  }

  private func cohort(_ name: String) -> Cohort {
    Cohort.with {
      $0.name = name
      $0.share = Share(fraction: 1 / Double(cohorts.count))
      $0.zones = [Weighted("Europe/Berlin", weight: 1)]
      $0.person.unlocksPerDay = .constant(0)
      $0.network = .fixed(.wifi)
      $0.power = .mains
    }
  }

  /// Returns a replication with arrivals by endpoint and step, and nothing else.
  static func replication(arrivals: [[UInt32]], groups: [GroupResult] = []) -> ReplicationResult {
    ReplicationResult(
      load: arrivals.map { LoadSeries(arrivals: $0, failures: $0.map { $0 / 10 }) }, causeMinutes: [], groups: groups,
      devices: DeviceTable(), eventCount: 0, runCount: 0)
  }

  /// Returns a group without any runs.
  static func group(cohort: Int, kind: Int, instances: Int64, endpoints: Int = 2) -> GroupResult {
    GroupResult(
      cohort: cohort, kind: kind, instances: instances, runs: Array(repeating: 0, count: Cause.allCases.count),
      runsPerDay: CountHistogram(), runsPerDayByCause: Cause.allCases.map { _ in CountHistogram() },
      chargedRunsPerDay: CountHistogram(), freeRunsPerDay: CountHistogram(), lateness: SpanHistogram(),
      waits: WaitReason.allCases.map { _ in WaitTally() }, budgetExhausted: CountHistogram(), cacheHits: 0,
      views: 0, staleViews: 0, staleViewsAfter: 0, dataAge: SpanHistogram(),
      traffic: (0..<endpoints).map { _ in Cause.allCases.map { _ in Traffic() } },
      saved: (0..<endpoints).map { _ in Traffic() }, milliseconds: 0,
      wholeDays: instances, millisecondsByHalf: [0, 0])
  }
}
