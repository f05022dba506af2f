package import RequestStatistics
package import Scenario
internal import SimulationKernel

/// All estimates that a log provides for a scenario.
package struct LogEvidence: Sendable {
  package let traffic: KindTraffic
  /// The estimates for the fleet; `nil` if no line has a sender ID.
  package let fleet: FleetEstimates?
  /// The kinds that have requests, each with its index in the scenario and its estimates.
  package let kinds: [(kind: Int, estimates: KindEstimates)]
  /// The estimates based only on request counts, for a scenario with one kind; `nil` if the log has IDs or there are
  /// several kinds.
  package let aggregate: AggregateEstimates?
  package let endpoints: [EndpointEvidence]
  /// The wakes of sampled phones, for all kinds; `nil` if there are none.
  package let history: WakeHistory?
  /// The lifetime of sender IDs.
  package let lifetime: SenderSample.Lifetime
  /// Whether the log contains only a sample of the requests, in which case loads are scaled and gaps are not used.
  package let isSampled: Bool

  /// - Parameters:
  ///   - picture: the summary of a log with at least one line.
  ///   - clocks: the clocks of zones that the scenario's phones may be in.
  package init(_ picture: LogSummary, _ scenario: Scenario, clocks: [ZoneClock]) {
    let traffic = KindTraffic(picture, scenario)
    self.traffic = traffic
    isSampled = picture.recorded < 1
    lifetime = picture.senders.lifetime
    endpoints = traffic.endpoints.sorted().map { EndpointEvidence($0, traffic, picture) }
    guard picture.recorded == 1 else {
      (fleet, kinds, aggregate, history) = (nil, [], nil, nil)
      return
    }
    let span = picture.span ?? 0..<60_000
    let all = picture.senders.history(span: span, holes: picture.silences) { traffic.kind(of: $0) }
    guard !all.phones.isEmpty else {
      (fleet, kinds, history) = (nil, [], nil)
      aggregate = Self.aggregate(picture, scenario)
      return
    }
    history = all
    let resolution: StampResolution = picture.census.digits.resolution == 1 ? .millisecond : .second
    let own = scenario.kinds.indices.map { kind -> (kind: Int, history: WakeHistory, known: KnownPolicy) in
      let index = KindTraffic.index(ofKind: kind)
      let history = picture.senders.history(span: span, holes: picture.silences) { request in
        traffic.kind(of: request) == index ? index : nil
      }
      let known = KnownPolicy(scenario.kinds[kind], scenario, traffic.durations(of: kind, picture, scenario))
      return (kind, history, known)
    }.filter { !$0.history.wakes.isEmpty }
    let maximum = own.max { $0.history.wakes.count < $1.history.wakes.count }
    let fleet = FleetEstimates(all, known: maximum?.known ?? KnownPolicy(), clocks: clocks)
    self.fleet = fleet
    kinds = own.map { kind in
      (kind.kind, KindEstimates(kind.history, known: kind.known, phones: fleet.phoneZones, resolution: resolution))
    }
    aggregate = nil
  }

  /// Creates the evidence from runs whose requests do not appear in a log.
  init(
    traffic: KindTraffic, fleet: FleetEstimates, kinds: [(kind: Int, estimates: KindEstimates)], history: WakeHistory
  ) {
    (self.traffic, self.fleet, self.kinds, self.history) = (traffic, fleet, kinds, history)
    (aggregate, endpoints, lifetime, isSampled) = (nil, [], .unknown, false)
  }

  /// Creates the evidence from a table of counts, assigning all requests to the only kind.
  package init(_ counted: CountedLoad, _ picture: LogSummary, _ scenario: Scenario) {
    traffic = KindTraffic(picture, scenario)
    (fleet, kinds, endpoints, history) = (nil, [], [], nil)
    lifetime = .unknown
    isSampled = false
    aggregate =
      scenario.kinds.count == 1
      ? Self.aggregate(counts: counted.counts, step: counted.stepSeconds, scenario) : nil
  }

  /// Returns the estimates for a kind; `nil` if it has no requests.
  package func estimates(of kind: Int) -> KindEstimates? { kinds.first { $0.kind == kind }?.estimates }

  private static let step = 60.0

  /// Returns the estimates from counts per minute for the only kind.
  private static func aggregate(_ picture: LogSummary, _ scenario: Scenario) -> AggregateEstimates? {
    guard scenario.kinds.count == 1, picture.span != nil else { return nil }
    let widget = picture.minutes(of: .widget)
    let counts = widget.contains { $0 > 0 } ? widget : picture.minutes(of: .unknown)
    guard counts.contains(where: { $0 > 0 }) else { return nil }
    return aggregate(counts: counts.map(Double.init), step: step, scenario)
  }

  private static func aggregate(counts: [Double], step: Double, _ scenario: Scenario) -> AggregateEstimates {
    AggregateEstimates(counts: counts, step: step, known: KnownPolicy(scenario.kinds[0], scenario, nil))
  }
}

/// The estimates that a log provides for one endpoint.
package struct EndpointEvidence: Sendable {
  /// The index of the endpoint in the scenario.
  package let endpoint: Int
  package let row: NameCounts.Row
  package let durations: DurationBins?
  /// The rate of requests not sent by widgets, per second.
  package let otherRate: Double
  /// The rate of successful requests in the busiest minute of the log, per second.
  package let servedPeak: Double?

  init(_ endpoint: Int, _ traffic: KindTraffic, _ picture: LogSummary) {
    self.endpoint = endpoint
    row = traffic.rows(of: endpoint, in: picture)
    durations = traffic.durations(of: endpoint, in: picture)
    let seconds = max(Double(picture.census.last - picture.census.first) / 1_000, 1)
    let widget = row.classes[Int(RequestClass.widget.rawValue)]
    otherRate = widget > 0 ? Double(row.lines - widget) / seconds / picture.recorded : 0
    // Loads per minute are stored by class rather than by endpoint, so they can be attributed to an endpoint only if
    // there is no other.
    guard traffic.endpoints.count == 1, let span = picture.span, !picture.isTooLong else {
      servedPeak = nil
      return
    }
    let answered = RequestClass.allCases.map { LoadSeries($0, .answered).index }
    servedPeak = picture.census.loads.counts(in: span, of: answered).max().map { Double($0) / 60 / picture.recorded }
  }
}

extension KindTraffic {
  /// Returns the durations of responses from an endpoint.
  func durations(of endpoint: Int, in picture: LogSummary) -> DurationBins? {
    let parts = picture.census.paths.durations.filter { self.endpoint(ofPath: $0.key) == endpoint }.map(\.value)
    return parts.isEmpty ? nil : parts.dropFirst().reduce(parts[0]) { $0.merged(with: $1) }
  }

  /// Returns the durations of responses to a kind, over all of its endpoints.
  func durations(of kind: Int, _ picture: LogSummary, _ scenario: Scenario) -> DurationBins? {
    let parts = Set(scenario.kinds[kind].requests.map(\.endpoint)).sorted().compactMap {
      durations(of: $0, in: picture)
    }
    return parts.isEmpty ? nil : parts.dropFirst().reduce(parts[0]) { $0.merged(with: $1) }
  }
}

extension KnownPolicy {
  /// Creates the known properties of a kind from a scenario.
  ///
  /// - Parameter durations: the durations of responses to the kind, if the log contains them.
  init(_ kind: Kind, _ scenario: Scenario, _ durations: DurationBins?) {
    self.init()
    let systems = [scenario.os] + scenario.fleet.cohorts.compactMap(\.os)
    jitter = kind.jitter?.upTo.seconds ?? 0
    cacheTTL = kind.cache.map { $0.ttl?.seconds ?? .infinity } ?? 0
    minSpacing = systems.map(\.minSpacing.seconds).min() ?? minSpacing
    if case .uniform(_, let maximum) = scenario.os.startDelay.inUse { inUseWindow = maximum.seconds }
    idleGiveUp = scenario.os.idle.map(\.giveUp.seconds)
    requestsPerRun = Double(max(kind.requests.reduce(0) { $0 + $1.count }, 1))
    hours = scenario.fleet.cohorts.count == 1 ? scenario.fleet.cohorts[0].person.hours : nil
    runTime = Self.runTime(kind, scenario, durations)
  }

  /// Returns the range of the part of a cycle, in seconds, that is neither interval nor delay. It extends from a
  /// request's arrival to the end of its run, and from the next start to its request's arrival.
  ///
  /// It includes the response, processor time and network transit, which takes longest if the radio is asleep.
  private static func runTime(
    _ kind: Kind, _ scenario: Scenario, _ durations: DurationBins?
  ) -> ClosedRange<Double> {
    let latencies = kind.requests.compactMap { scenario.endpoints[$0.endpoint].latency }
    let minimum = durations?.quantile(0.05).map { $0 / 1_000 } ?? latencies.map(\.median.seconds).min() ?? 0
    let maximum = durations?.quantile(0.95).map { $0 / 1_000 } ?? latencies.map(\.p99.seconds).max() ?? 0
    let processor = kind.cpu.seconds
    return processor + minimum + shortestWay...processor + max(minimum, maximum) + longestWay
  }

  /// The shortest round trip in seconds, which uses Wi-Fi.
  private static let shortestWay = 0.02
  /// The longest round trip in seconds, which uses LTE with a radio that must first wake up.
  private static let longestWay = 0.6
}
