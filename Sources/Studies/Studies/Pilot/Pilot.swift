import FleetEngine
import Numerics
import Scenario
import SimulationKernel

/// A day of some hundred phones on servers that answer everything, as a forecast of the fleet's load (MODEL.md 8.5).
struct Pilot {
  private let result: RunResult
  private let servers: PilotServers

  init(_ result: RunResult, _ servers: PilotServers) { (self.result, self.servers) = (result, servers) }

  /// Load at the servers of an endpoint, base load included; behind a CDN the requests that pass it.
  ///
  /// - Parameter window: in which its mean is taken; its peak is that of a second.
  /// - Returns: `nil` where nothing was measured.
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

  /// Requests of a kind to an endpoint.
  func requests(of kind: Int, _ endpoint: Int) -> Int64 {
    result.replications.reduce(0) { sum, replication in
      sum
        + replication.groups.filter { $0.kind == kind }.reduce(0) { sum, group in
          sum + group.traffic[endpoint].reduce(0) { $0 + $1.requests }
        }
    }
  }
}

/// Requests per second at the servers of an endpoint, as a pilot estimates them.
struct PilotLoad {
  /// In the fullest windows without chance: of the fleet, and of others.
  var fleet: Double
  var others: Double
  /// In the busiest second.
  var peak: Double
  /// Range of the busiest second that a pilot of this size leaves open.
  private var sure: ClosedRange<Double>

  /// Standard errors of the fullest mean on either side: 95 % below the upper end.
  private static let margin = 1.64
  /// Standard deviations that the busiest of a day's seconds is above the mean.
  private static let reach = 4.5

  init(_ estimate: LoadEstimate) {
    let (plateau, peak) = (estimate.plateau, estimate.peak)
    (fleet, others, self.peak) = (plateau.fleet, plateau.known, peak.value)
    sure = peak.value - Self.margin * plateau.error...peak.value + Self.margin * plateau.error
  }

  /// Load behind a CDN, from the requests that pass it in each window.
  init?(passing: [Double], others: [Double]?, _ window: LoadWindow) {
    let all = passing.indices.map { passing[$0] + (others?[$0] ?? 0) }
    guard let fullest = all.indices.max(by: { all[$0] < all[$1] }) else { return nil }
    let seconds = window.length.seconds
    (fleet, self.others) = (passing[fullest] / seconds, (others?[fullest] ?? 0) / seconds)
    let level = fleet + self.others
    peak = level + Self.reach * fleet.squareRoot()
    sure = level...peak
  }

  /// In the fullest windows without chance.
  var level: Double { fleet + others }

  /// Whether the busiest second fits into a capacity.
  func fits(_ capacity: Double) -> Bool { sure.upperBound <= capacity }

  /// Whether the busiest second brings more than a capacity.
  func exceeds(_ capacity: Double) -> Bool { sure.lowerBound > capacity }
}

/// CDNs between the phones of a pilot and the servers, and the base loads there.
struct PilotServers {
  /// Requests of the base load by endpoint and second.
  let others: [[Double]?]
  /// Engine prepared with the CDNs; `nil` where there is none.
  private let edges: Engine?

  /// - Parameter scenario: of a pilot, with its base loads and CDNs.
  init(_ scenario: Scenario, _ zones: [String: ZoneTable]) {
    others = scenario.endpoints.map { $0.baseLoad?.counts(over: scenario.clock, zones) }
    edges = scenario.endpoints.contains { $0.cdn != nil } ? try? Engine(preparing: scenario, zones: zones) : nil
  }

  func isBehindCDN(_ endpoint: Int) -> Bool { edges?.scenario.endpoints[endpoint].cdn != nil }

  /// Requests that pass a CDN in each second of spans with one intensity: few phones that stand for many would request all
  /// its keys at once.
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
  /// Sums of so many elements that follow each other.
  fileprivate func summed(_ count: Int) -> [Double] {
    guard count > 1 else { return self }
    return (0..<self.count / count).map { place in self[place * count..<(place + 1) * count].reduce(0, +) }
  }
}

extension BaseLoad {
  /// Its requests in each second of a clock.
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
