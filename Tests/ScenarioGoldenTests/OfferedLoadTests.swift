import FleetEngine
import Scenario
import ScenarioFiles
import Studies
import Testing

/// The offered load is the load of servers that answer every request (MODEL.md 8 and 9).
struct OfferedLoadTests {
  private static func scenario(_ api: String, outage: String? = nil) throws -> (Scenario, [String: ZoneTable]) {
    let text = """
      schema: widgetfleet/v1
      name: offered
      clock: {start: 2027-01-18T06:00:00Z, settle: 0s, warmup: 1h, duration: 3h, step: 10s}
      kinds:
        k:
          reload: {after: 20min}
          on_error: {after: 5min}
          attempts: {count: 3, backoff: 20s}
          requests: [{endpoint: api}]
      fleet:
        devices: 400
        cohorts: [{name: all, zones: {Europe/Berlin: 100%}, widgets: [{kind: k}]}]
      backend: {endpoints: {api: {base_load: {rate: 2/s, hours: flat}\(api)}}}
      events:
        - {name: news, at: 2027-01-18T07:00:00Z, push: {type: widget, audience: 100%, over: 40s}}
      \(outage.map { "  - {name: crash, at: 2027-01-18T06:30:00Z, outage: \($0)}" } ?? "")
      """
    let outcome = ScenarioReader.read(text: Array(text.utf8), fileName: "offered.yaml")
    let scenario = try #require(outcome.scenario, "\(outcome.diagnostics.humanText)")
    return (scenario, zoneTables(for: scenario))
  }

  private static func summary(_ scenario: Scenario, _ zones: [String: ZoneTable]) throws -> (own: Summary, Summary) {
    let engine = try Engine(preparing: scenario, zones: zones)
    let own = Summary(of: try #require(try engine.run(threads: 2, control: RunControl())))
    let variants = VariantRuns(of: engine, zones: zones, threads: 2, control: RunControl())
    return (own, try #require(try variants.completed(own, of: scenario)))
  }

  private static func peak(_ metric: Metric, in summary: Summary, _ endpoint: String, _ window: String) -> Quantity? {
    summary.figure(FigureName(metric, .max, Labels().with(\.endpoint, endpoint).with(\.window, window)))?.value
  }

  /// The offered load is the servers' load without limits or failures, on the same draws.
  @Test(
    arguments: [
      (", capacity: 2/s, queue: 60, timeout: 20s", nil), (", rate_limit: {rate: 1/s, retry_after: 10s}", nil),
      (", capacity: 5/s, timeout: 20s", "{endpoint: api, for: 10min, capacity: 1/s}"),
      ("", "{endpoint: api, for: 10min, errors: 80%}"),
      (", capacity: 3/s, autoscale: {target: 70%, delay: 5min, step: 20%, min: 2/s, max: 5/s}", nil),
    ] as [(String, String?)])
  func offeredLoadIsTheLoadWithoutLimits(_ limits: String, _ outage: String?) throws {
    let (limited, zones) = try Self.scenario(limits, outage: outage)
    let (plain, _) = try Self.scenario("")
    let (own, completed) = try Self.summary(limited, zones)
    let (free, _) = try Self.summary(plain, zones)
    #expect(own.lacksOfferedLoad && !completed.lacksOfferedLoad)
    for endpoint in ["", "api"] {
      for window in ["10s", "1min", "5min"] {
        let wanted = try #require(Self.peak(.serverPeakRPS, in: free, endpoint, window))
        #expect(Self.peak(.offeredPeakRPS, in: completed, endpoint, window) == wanted, "\(endpoint) \(window)")
        #expect(Self.peak(.offeredPeakRPS, in: own, endpoint, window) == nil)
      }
    }
    // Without limits no row is needed, because the load at the servers is the offered load.
    #expect(!free.rows.contains { $0.metric == .offeredPeakRPS })
    #expect(Self.peak(.offeredPeakRPS, in: free, "api", "10s") == Self.peak(.serverPeakRPS, in: free, "api", "10s"))
  }

  /// 6 000 phones are due over 300 s, one 5-minute window, in addition to 5/s of other traffic: 6 000 / 300 + 5 = 25/s.
  /// The half round trip of 15 ms moves a few into the next window; 10, with a mean of 0.3, would be beyond chance.
  @Test func offeredLoadIncludesTheWholeHerd() throws {
    let text = """
      schema: widgetfleet/v1
      name: herd
      clock: {start: 2027-01-18T08:00:00Z, settle: 0s, warmup: 1h, duration: 90min, step: 1s}
      kinds:
        k: {reload: {after: {at: "09:30", days: mon}}, jitter: {up_to: 300s}, cpu: 0s, requests: [{endpoint: api}],
            on_error: {after: 1min}, attempts: {count: 3, backoff: 5s}}
      fleet:
        devices: 6000
        cohorts:
          - {name: all, zones: {Europe/Berlin: 100%}, person: {unlocks_per_day: 0}, network: wifi, power: mains,
             widgets: [{kind: k}]}
      os: {idle: none, min_spacing: 0s, start_delay: {policy: 0s, in_use: 0s}, budget: {model: off}}
      backend:
        endpoints: {api: {capacity: 8/s, queue: 100, timeout: 10s, base_load: {rate: 5/s, hours: flat}}}
      """
    let outcome = ScenarioReader.read(text: Array(text.utf8), fileName: "herd.yaml")
    let scenario = try #require(outcome.scenario, "\(outcome.diagnostics.humanText)")
    let (own, completed) = try Self.summary(scenario, zoneTables(for: scenario))
    let offered = try #require(Self.peak(.offeredPeakRPS, in: completed, "api", "5min")?.approximate)
    #expect(offered <= 25 && offered >= 25 - 10.0 / 300, "\(offered)")
    // The load including retries is higher.
    #expect(try #require(own.value(.serverPeakRPS, .max, Labels().with(\.endpoint, "api").with(\.window, "5min"))) > 26)
  }

  /// If servers never exceed their capacity, the offered load is their load, in every replication.
  @Test func offeredEqualsTheLoadBelowCapacity() throws {
    var (scenario, zones) = try Self.scenario(", capacity: 1k/s")
    scenario.run.replications = 2
    let (own, completed) = try Self.summary(scenario, zones)
    #expect(!own.lacksOfferedLoad && own == completed)
    let row = { (metric: Metric) in
      own.row(metric, .max, Labels().with(\.endpoint, "api").with(\.window, "10s"))?.replications
    }
    #expect(row(.offeredPeakRPS) != nil && row(.offeredPeakRPS) == row(.serverPeakRPS))
  }
}
