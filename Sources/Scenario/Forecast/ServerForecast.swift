import SimulationKernel

/// Whether the load of a day fits the servers of an endpoint, as far as policies, habits, budgets and the CDN foretell it.
package struct ServerForecast {
  /// An instant of the day (UTC).
  package struct Moment: Sendable {
    package var second: Double
    /// Requests per second of the fleet at the servers: behind a CDN what it lets through.
    package var fleet: Double
    /// Requests per second of others.
    package var base: Double

    package var sum: Double { fleet + base }
  }

  /// Requests per second that the servers take, scaled up where they scale; infinite without a limit.
  package let capacity: Double
  /// The instant at which the servers are asked most.
  package let worst: Moment
  /// The most that the phones send, before any CDN.
  package let edge: Double
  /// The most that chance makes of some second, of the fleet and others, in requests per second.
  private let highest: Double
  private let likely: Double

  /// Standard deviations of a second's requests that none of the 86 400 seconds of a day exceeds, but for one day in hundreds;
  /// and such as a few seconds of an hour exceed.
  private static let (never, sometimes) = (5.5, 3.0)

  /// - Parameter herds: taken together as `atMost`, the forecast is one from above.
  init(_ survey: FleetSurvey, endpoint: Int, herds: ScheduleLoad.Herds) {
    let target = survey.scenario.endpoints[endpoint]
    let schedule = ScheduleLoad(survey, endpoint: endpoint, herds: herds)
    let edges = schedule.load.moments
    let servers = target.cdn.map { OriginForecast($0).moments(of: schedule.load) } ?? edges
    let others = BaseForecast(target.baseLoad, survey.offsets)
    let moments =
      servers.map { Moment(second: $0.second, fleet: $0.rate, base: others.rate(at: $0.second)) }
      + others.changes(servers)
    let most = { (deviations: Double) in
      moments.map { $0.sum + deviations * ($0.fleet * schedule.clump / DayLoad.window).squareRoot() }.max() ?? 0
    }
    capacity = target.autoscale?.most ?? target.capacity ?? .infinity
    worst = moments.max { $0.sum < $1.sum } ?? Moment(second: 0, fleet: 0, base: 0)
    edge = edges.map(\.rate).max() ?? 0
    highest = most(Self.never)
    likely = most(Self.sometimes)
  }

  /// Whether no second of the day brings more than the servers can take, but by a rare chance.
  package var fits: Bool { highest <= capacity * (1 + 1e-9) }

  /// Whether some seconds of the day bring more, if only by chance.
  package var exceeds: Bool { likely > capacity }

  /// Whether the mean load itself is more than the servers can take at some hour.
  package var isBeyond: Bool { worst.sum > capacity }
}

/// The other traffic of a shared API over a day (MODEL.md 6.2).
struct BaseForecast {
  private let mean: Double
  private let ahead: Double
  /// None without a load.
  private let lines: [HourWeights.Line]

  init(_ load: BaseLoad?, _ offsets: [String: TimeAmount]) {
    mean = load?.rate ?? 0
    ahead = load.flatMap { offsets[$0.zone]?.seconds } ?? 0
    lines = load?.hours.lines ?? []
  }

  /// Requests per second at a second of the day (UTC).
  func rate(at second: Double) -> Double {
    mean * HourWeights.intensity(at: DayLoad.secondOfDay(second + ahead), on: lines)
  }

  /// The instants at which it bends or jumps, with the fleet's load there.
  func changes(_ servers: [DayLoad.Moment]) -> [ServerForecast.Moment] {
    guard !servers.isEmpty else { return [] }
    var next = 0
    let ends = lines.flatMap { line in
      [(line.from, line.first), (line.end, line.last)].map {
        (second: DayLoad.secondOfDay($0.0.seconds - ahead), rate: mean * $0.1)
      }
    }
    return ends.sorted { $0.second < $1.second }.map { second, rate in
      while next + 1 < servers.count, servers[next + 1].second <= second { next += 1 }
      let (left, right) = (servers[next], servers[min(next + 1, servers.count - 1)])
      let part = right.second > left.second ? (second - left.second) / (right.second - left.second) : 0
      let fleet = left.rate + (right.rate - left.rate) * min(max(part, 0), 1)
      return ServerForecast.Moment(second: second, fleet: fleet, base: rate)
    }
  }
}
