import SimulationKernel

/// What a date that widgets share does to one endpoint: N requests within the width W of the start delay and the jitter J,
/// a plateau of N / max(W, J) (MODEL.md 9: the trapezoid of U(0, W) + U(0, J)).
///
/// Phones in use have a W of their own; the parts are added up. Widgets that coalesce on a phone make it higher still.
struct AlignedPeak {
  /// Where the policy stands in the file.
  var path: [String]
  /// For messages: `at 00:00`.
  var date: String
  /// Zone of the largest group; nil: one clock for all.
  var zone: String?
  /// Seconds from one date to the next.
  var period: Double
  var endpoint: Int
  /// Widgets of the kind that are due at one instant.
  var widgets: Double
  /// Requests that they send to the endpoint.
  var requests: Double
  /// In seconds; 0: none.
  var jitter: Double
  /// Whether a cache on the phone answers some of the dates.
  var isCached: Bool
  /// Requests per second under the scenario's own delay.
  var plateau: Double
  /// Over how long it would last, in seconds.
  var width: Double
  /// Requests per second if the system starts everything within a minute; nil where the file gives the delay.
  var prompt: Double?

  /// Whether nothing but the system's own delay spreads it, to more than twice the mean.
  var isHerd: Bool { jitter == 0 && !isCached && requests >= 60 && plateau > 2 * requests / period }
}

extension FleetSurvey {
  /// The peak of the first policy of a kind that follows the clock; nil where there is none.
  func alignedPeak(_ index: Int) -> AlignedPeak? {
    let kind = kind(index)
    guard !kind.requests.isEmpty else { return nil }
    for (path, policy, _) in policies(index) {
      guard let date = policy.clockDate else { continue }
      return peak(index, at: path, date)
    }
    return nil
  }

  private func peak(_ index: Int, at path: [String], _ date: ClockDate) -> AlignedPeak? {
    let kind = kind(index)
    let (group, members) = largestGroup(index, period: date.period, zone: date.zone)
    let widgets = members.reduce(0) { $0 + $1.widgets }
    let perRun = Dictionary(kind.requests.map { ($0.endpoint, Double($0.count)) }, uniquingKeysWith: +)
    guard widgets > 0, let worst = perRun.max(by: { strain($0, widgets) < strain($1, widgets) }) else { return nil }
    let jitter = kind.jitter?.upTo.seconds ?? 0
    let least = max(jitter, DayLoad.window)
    let plateau = members.reduce(0) { $0 + $1.widgets * $1.use.density(at: date.local, least: least) } * worst.value
    let requests = widgets * worst.value
    return AlignedPeak(
      path: path, date: date.words, zone: group, period: date.period, endpoint: worst.key, widgets: widgets,
      requests: requests, jitter: jitter, isCached: !cacheExpires(kind, within: date.period), plateau: plateau,
      width: requests / plateau,
      prompt: promptSpread.map { requests / max($0, jitter) })
  }

  /// Seconds over which starts spread under prompt; nil: as in the scenario, whose file gives them.
  private var promptSpread: Double? {
    guard !scenario.givenConstants.contains(.policyDelay) else { return nil }
    let isMeasured = scenario.profile?.constants.contains { $0.constant == .policyDelay } == true
    return max((isMeasured ? scenario.profile?.low.startDelay.policy.widthSeconds : nil) ?? 60, DayLoad.window)
  }

  private func cacheExpires(_ kind: Kind, within period: Double) -> Bool {
    guard let cache = kind.cache else { return true }
    return cache.ttl.map { $0.seconds <= period } ?? false
  }

  /// The endpoint that suffers most: by load over free capacity, else by load.
  private func strain(_ request: (key: Int, value: Double), _ widgets: Double) -> (Double, Double) {
    let load = request.value * widgets
    let endpoint = scenario.endpoints[request.key]
    guard endpoint.capacity != nil else { return (0, load - Double(request.key) * 1e-6) }
    let forecast = ServerForecast(self, endpoint: request.key, herds: .expected)
    return (forecast.worst.fleet / max(forecast.capacity - forecast.worst.base, 1e-9), load)
  }

  /// The widgets that have their dates together: by the offset of their zone modulo the period.
  private func largestGroup(
    _ index: Int, period: Double, zone: ZoneChoice
  ) -> (zone: String?, members: [(use: WidgetUse, widgets: Double)]) {
    if case .named = zone { return (nil, uses[index].map { ($0, $0.instances) }) }
    var groups: [Int64: [(use: WidgetUse, widgets: Double, zone: String)]] = [:]
    for use in uses[index] {
      for zone in use.cohort.zones {
        let offset = (offsets[zone.value] ?? .zero).milliseconds
        let milliseconds = Int64(period * 1_000)
        let key =
          86_400_000 % milliseconds == 0 ? offset.floorDivided(by: milliseconds) * -milliseconds + offset : offset
        groups[key, default: []].append((use, use.instances * zone.weight, zone.value))
      }
    }
    let largest = groups.max { left, right in
      let (a, b) = (left.value.reduce(0) { $0 + $1.widgets }, right.value.reduce(0) { $0 + $1.widgets })
      return (a, -left.key) < (b, -right.key)
    }
    let name = groups.count > 1 ? largest?.value.max { $0.widgets < $1.widgets }?.zone : nil
    return (name, (largest?.value ?? []).map { ($0.use, $0.widgets) })
  }
}

extension WidgetUse {
  /// The greatest density of the start after a shared date, per second.
  ///
  /// - Parameter least: the jitter or the window of loads: over at least so many seconds all are spread.
  fileprivate func density(at second: Double?, least: Double) -> Double {
    let inUse = shareInUse(at: second)
    let delay = system.startDelay
    return (1 - inUse) / max(delay.policy.widthSeconds, least) + inUse / max(delay.inUse.widthSeconds, least)
  }
}
