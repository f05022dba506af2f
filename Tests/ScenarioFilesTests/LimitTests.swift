import Scenario
import SimulationKernel
import Testing

@testable import ScenarioFiles

/// Limits of endpoints, as read and checked.
@Suite struct LimitTests {
  private func read(_ endpoint: String, step: String) -> (endpoint: Endpoint?, problems: ProblemList) {
    let text =
      Samples.minimal.replacing("clock: {", with: "clock: {step: \(step), ")
      + "backend: {endpoints: {api: {\(endpoint)}}}\n"
    var problems = ProblemList(file: SourceText(name: "a.yaml", bytes: Array(text.utf8)))
    guard let root = TreeReader.read(source: 0, problems: &problems),
      TreeCheck.check(root, problems: &problems)
    else { return (nil, problems) }
    let builder = ScenarioBuilder(root, problems: problems)
    return (builder.build().endpoints.first, builder.problems)
  }

  @Test func everyEndpointPartIsRead() throws {
    let read = read(
      """
      capacity: 7k/s, queue: 20k, latency: {p50: 45ms, p99: 400ms}, timeout: 10s,
      base_load: {rate: 120/min, hours: flat, zone: Europe/Berlin}, rate_limit: {rate: 9k/s, retry_after: 30s},
      autoscale: {target: 60%, delay: 2min, step: 20%, min: 3k/s, max: 20k/s}, cdn: {keys: 10k, ttl: 10min}
      """, step: "1s")
    #expect(read.problems.diagnostics.humanText == "")
    #expect(
      read.endpoint
        == Endpoint.with {
          $0.name = "api"
          $0.latency = .with {
            $0.median = .milliseconds(45)
            $0.p99 = .milliseconds(400)
          }
          $0.timeout = .seconds(10)
          $0.capacity = 7_000
          $0.queue = 20_000
          $0.baseLoad = .with {
            $0.rate = 2
            $0.hours = .flat
            $0.zone = "Europe/Berlin"
          }
          $0.rateLimit = .with {
            $0.rate = 9_000
            $0.retryAfter = .seconds(30)
          }
          $0.autoscale = .with {
            $0.target = Share(fraction: 0.6)
            $0.delay = .minutes(2)
            $0.step = Share(fraction: 0.2)
            $0.minimum = 3_000
            $0.maximum = 20_000
          }
          $0.cdn = .with {
            $0.keys = 10_000
            $0.ttl = .minutes(10)
          }
        })
  }

  @Test func theirDefaults() throws {
    let read = read("base_load: {rate: 36/h}, rate_limit: {rate: 1/s}, queue: none, cdn: none", step: "1s")
    #expect(
      read.endpoint?.baseLoad
        == BaseLoad.with {
          $0.rate = 0.01
        })
    #expect(
      read.endpoint?.rateLimit
        == RateLimit.with {
          $0.rate = 1
          $0.retryAfter = .minutes(1)
        })
    let plain = self.read("timeout: 1s", step: "1s").endpoint
    #expect(
      plain
        == Endpoint.with {
          $0.name = "api"
          $0.timeout = .seconds(1)
        })
    #expect(plain?.hasFeedback == false)
    #expect(read.endpoint?.hasFeedback == true)
  }

  private static let scale = "autoscale: {target: 60%, delay: 2min, step: 20%, min: 3/s, max: 9/s}"

  @Test(arguments: [
    ("capacity: -7/s", "1s", [Code.outOfRange]), ("capacity: 7", "1s", [.unitMissing]), ("capacity: 0/s", "1s", []),
    ("capacity: 7/s, queue: 6", "1s", [.queueTooShort]), ("capacity: 7/s, queue: 7", "1s", []),
    ("capacity: 0.7/s, queue: 7", "10s", []), ("capacity: 1.1/s, queue: 11", "10s", []),
    ("capacity: 1.1/s, queue: 10", "10s", [.queueTooShort]), ("capacity: 0/s, queue: 0", "1s", []),
    ("queue: 0", "1s", []),
    ("capacity: 7/s", "10s", []), ("capacity: 7/s", "15s", [.stepTooLong]), ("queue: 7", "15s", []),
    ("rate_limit: {rate: 1/s}", "15s", [.stepTooLong]), ("base_load: {rate: 1/s}", "15s", []),
    ("rate_limit: {rate: 1/s, retry_after: 0s}", "10s", []),
    ("cdn: {keys: 1, ttl: 10s}", "1s", []), ("cdn: {keys: 1, ttl: 9999ms}", "1s", [.stepTooLong]),
    ("cdn: {keys: 1, ttl: 1s}", "100ms", []), ("cdn: {keys: 1, ttl: 1s}", "1min", [.stepTooLong, .stepTooLong]),
    ("cdn: {keys: 1, ttl: 10s, stale_if_error: 10s, error_ttl: 10s}", "1s", []),
    ("cdn: {keys: 1, ttl: 10s, stale_if_error: 0s, error_ttl: 0s, popularity: uniform}", "1s", []),
    ("cdn: {keys: 1, ttl: 10s, stale_if_error: 9s, error_ttl: 9s}", "1s", [.stepTooLong, .stepTooLong]),
    ("cdn: {keys: 1, ttl: 10s, stale_if_error: 401d}", "1s", [.outOfRange]),
    ("cdn: {keys: 1, ttl: 10s, popularity: zipf 0}", "1s", []),
    ("cdn: {keys: 1, ttl: 10s, popularity: zipf 5}", "1s", []),
    ("cdn: {keys: 1, ttl: 10s, popularity: zipf 5.1}", "1s", [.outOfRange]),
    ("cdn: {keys: 1, ttl: 10s, popularity: zipf -1}", "1s", [.unreadable]),
    ("cdn: {keys: 1, ttl: 10s, popularity: zipf}", "1s", [.unreadable]),
    ("cdn: {keys: 1, ttl: 10s, popularity: 1.0}", "1s", [.unreadable]),
    ("cdn: {keys: 1, ttl: 10s, popularity: zipf one}", "1s", [.unreadable]),
    ("cdn: {keys: 0, ttl: 10s}", "1s", [.outOfRange]), ("cdn: {keys: 5}", "1s", [.missingKey]),
    ("capacity: 3/s, " + scale, "10s", []), ("capacity: 9/s, " + scale, "10s", []),
    ("capacity: 2.9/s, " + scale, "10s", [.outOfRange]), ("capacity: 9.1/s, " + scale, "10s", [.outOfRange]),
    (scale, "1s", [.missingKey]), ("capacity: none, " + scale, "1s", [.missingKey]),
    ("capacity: , " + scale, "1s", [.missingValue]), ("capacity: x, " + scale, "1s", [.unreadable]),
    ("capacity: 3/s, " + scale.replacing("max: 9/s", with: "max: 2/s"), "1s", [.wrongOrder]),
    ("capacity: 3/s, " + scale.replacing("2min", with: "9s"), "1s", [.stepTooLong]),
    ("base_load: {rate: 1/s, zone: local}", "1s", [.unknownZone]),
    ("base_load: {rate: 1/s, hours: [1]}", "1s", [.wrongLength]),
    (
      "base_load: {rate: 1/s, hours: [0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]}", "1s", [.allZero]
    ),
    ("latency: {p50: 2s, p99: 1s}", "1s", [.wrongOrder]),
  ])
  func invalidRows(_ endpoint: String, _ step: String, _ codes: [Code]) {
    let diagnostics = read(endpoint, step: step).problems.diagnostics
    #expect(diagnostics.map(\.code) == codes, "\(diagnostics.humanText)")
  }

  /// An outage may lower a capacity or give one to an endpoint without one; both require short steps.
  @Test(
    arguments: [
      ("capacity: 7/s", "10s", []), ("timeout: 5s", "10s", []), ("timeout: 5s", "15s", [.stepTooLong]),
    ] as [(String, String, [Code])])
  func outageMaySetACapacity(endpoint: String, step: String, codes: [Code]) throws {
    let text =
      Samples.minimal.replacing("clock: {", with: "clock: {step: \(step), ")
      + "backend: {endpoints: {api: {\(endpoint)}}}\n"
      + "events: [{name: a, at: \"00:00\", zone: UTC, outage: {endpoint: api, for: 1min, errors: 0%, capacity: 90/min}}]\n"
    var problems = ProblemList(file: SourceText(name: "a.yaml", bytes: Array(text.utf8)))
    let root = try #require(TreeReader.read(source: 0, problems: &problems))
    let builder = ScenarioBuilder(root, problems: problems)
    let scenario = builder.build()
    #expect(builder.problems.diagnostics.map(\.code) == codes)
    #expect(
      scenario.events.map(\.action) == [
        .outage(
          Outage.with {
            $0.endpoint = 0
            $0.lasts = .minutes(1)
            $0.errors = .none
            $0.capacity = 1.5
          })
      ])
  }

  @Test(arguments: [
    (0.0, "0/s"), (7_000.0, "7000/s"), (0.01, "0.01/s"), (1.0 / 86_400, "1/day"), (1.0 / 60, "1440/day"),
    (13_000_000.0, "13000000/s"),
  ])
  func ratesReadBack(_ rate: Double, _ text: String) throws {
    #expect(QuantityText.rate(perSecond: rate) == text)
    let read = try Quantities.rate(text)
    #expect(Double(read.count) / 86_400_000_000 == rate)
  }
}
