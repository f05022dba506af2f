import FleetEngine
import Numerics
import Scenario
import SimulationKernel

/// A simulation of one day with a few hundred phones and servers that answer every request. It is used to forecast the
/// fleet's load (MODEL.md 8.5).
struct Pilot {
  private let result: RunResult
  private let servers: PilotServers

  init(_ result: RunResult, _ servers: PilotServers) { (self.result, self.servers) = (result, servers) }

  /// Returns the load at an endpoint's servers, including base load. For an endpoint behind a CDN, only requests that
  /// pass the CDN are counted.
  ///
  /// - Parameter window: the window over which the mean is taken; the peak is always per second.
  /// - Returns: `nil` if nothing was measured.
  func load(_ endpoint: Int, _ window: LoadWindow) -> PilotLoad? {
    guard let replication = result.replications.first, let steps = window.steps(of: result.scenario.clock) else {
      return nil
    }
    let scale = Double(result.scenario.fleet.devices) / Double(max(result.devicesSimulated, 1))
    let isBehindCDN = servers.isBehindCDN(endpoint)
    let (own, others) = isBehindCDN ? (1, nil) : (steps, servers.others[endpoint])
    let estimate = LoadEstimate(
      replication.load[endpoint].arrivals.map { Double($0) }.summed(own), isBehindCDN ? .second : window,
      replication.dispersion(endpoint: endpoint, isBehindCDN ? .second : window),
      of: FleetSample(scale: scale, known: 0), base: KnownLoad(others?.summed(steps)))
    guard let estimate else { return nil }
    guard isBehindCDN else { return PilotLoad(estimate) }
    return PilotLoad(
      passing: servers.misses(of: estimate.means, endpoint).summed(steps),
      others: servers.others[endpoint]?.summed(steps), window)
  }

  /// Returns the number of requests from a kind to an endpoint in the pilot.
  func requests(of kind: Int, _ endpoint: Int) -> Int64 {
    result.replications.reduce(0) { sum, replication in
      sum
        + replication.groups.filter { $0.kind == kind }.reduce(0) { sum, group in
          sum + group.traffic[endpoint].reduce(0) { $0 + $1.requests }
        }
    }
  }
}

/// The requests per second at an endpoint's servers, estimated by a pilot.
struct PilotLoad {
  /// The mean load, without random variation, in the windows where it is highest; one part is due to the fleet and the
  /// other part to other users.
  var fleet: Double
  var others: Double
  /// The load in the busiest second.
  var peak: Double
  /// The range that contains the load of the busiest second, given the small number of phones in the pilot.
  private var sure: ClosedRange<Double>

  /// The half-width of this range in standard errors. The load is below the upper bound with 95 % probability.
  private static let margin = 1.64
  /// The distance between the load of a day's busiest second and the mean load, in standard deviations.
  private static let reach = 4.5

  init(_ estimate: LoadEstimate) {
    let (plateau, peak) = (estimate.plateau, estimate.peak)
    (fleet, others, self.peak) = (plateau.fleet, plateau.known, peak.value)
    sure = peak.value - Self.margin * plateau.error...peak.value + Self.margin * plateau.error
  }

  /// Creates the load behind a CDN from the requests that pass the CDN in each window.
  init?(passing: [Double], others: [Double]?, _ window: LoadWindow) {
    let all = passing.indices.map { passing[$0] + (others?[$0] ?? 0) }
    guard let fullest = all.indices.max(by: { all[$0] < all[$1] }) else { return nil }
    let seconds = window.length.seconds
    (fleet, self.others) = (passing[fullest] / seconds, (others?[fullest] ?? 0) / seconds)
    let level = fleet + self.others
    peak = level + Self.reach * fleet.squareRoot()
    sure = level...peak
  }

  /// The total mean load, without random variation, in the windows where it is highest.
  var level: Double { fleet + others }

  /// Returns whether a capacity is sufficient for the busiest second, even at the upper bound of the load.
  func fits(_ capacity: Double) -> Bool { sure.upperBound <= capacity }

  /// Returns whether the busiest second exceeds a capacity, even at the lower bound of the load.
  func exceeds(_ capacity: Double) -> Bool { sure.lowerBound > capacity }
}

/// The CDNs between a pilot's phones and the servers, and the base loads at the servers.
struct PilotServers {
  /// The number of base load requests by endpoint and second.
  let others: [[Double]?]
  /// The engine that simulates the CDNs; `nil` if there are none.
  private let edges: Engine?

  /// - Parameter scenario: the pilot's scenario, with its base loads and CDNs.
  init(_ scenario: Scenario, _ zones: [String: ZoneTable]) {
    others = scenario.endpoints.map { $0.baseLoad?.counts(over: scenario.clock, zones) }
    edges = scenario.endpoints.contains { $0.cdn != nil } ? try? Engine(preparing: scenario, zones: zones) : nil
  }

  func isBehindCDN(_ endpoint: Int) -> Bool { edges?.scenario.endpoints[endpoint].cdn != nil }

  /// Returns the number of requests that pass a CDN in each second, for spans with constant intensity.
  ///
  /// The CDN must be simulated because each of the pilot's few phones represents many phones and would request all of
  /// the CDN's keys simultaneously.
  func misses(of spans: [(windows: Range<Int>, mean: Double)], _ endpoint: Int) -> [Double] {
    var (arrivals, sum): ([Int64], Double) = ([], 0)
    for (windows, mean) in spans {
      for _ in windows {
        sum += mean
        arrivals.append(Int64(sum))
        sum -= Double(Int64(sum))
      }
    }
    return edges?.edgeMisses(of: arrivals, endpoint: endpoint) ?? arrivals.map { Double($0) }
  }
}

extension [Double] {
  /// Returns the sums of consecutive blocks of `count` elements each.
  fileprivate func summed(_ count: Int) -> [Double] {
    guard count > 1 else { return self }
    return (0..<self.count / count).map { place in self[place * count..<(place + 1) * count].reduce(0, +) }
  }
}

extension BaseLoad {
  /// Returns the base load's requests in each second of a clock.
  fileprivate func counts(over clock: Clock, _ zones: [String: ZoneTable]) -> [Double]? {
    guard let zone = zones[zone] else { return nil }
    let storage = SamplerStorage()
    let wall = WallClock(
      segments: storage.keep(zone.segments), startUnixMilliseconds: clock.startUnixMilliseconds)
    var counts = Array(repeating: 0.0, count: Int(clock.duration.milliseconds / 1_000))
    for line in hours.lines(from: .start, to: clock.end, of: wall) {
      let seconds = Int(line.from.milliseconds / 1_000)..<min(Int(line.end.milliseconds / 1_000), counts.count)
      for second in seconds { counts[second] = rate * line.intensity(at: Double(second) + 0.5) }
    }
    return counts
  }
}
