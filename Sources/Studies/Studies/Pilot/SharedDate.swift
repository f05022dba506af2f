package import Scenario
import SimulationKernel

/// The first policy of a kind whose dates are shared by devices.
struct SharedDate {
  /// The path of the policy in the scenario file.
  var path: [String]
  /// A phrase for the date, such as `at 09:30` or `every 1h`.
  var words: String
  var period: TimeAmount
  /// The number of the kind's widgets in the fleet.
  var widgets: Double
  /// Whether any of the dates causes requests to servers. Requests that a cache on the phone can answer are not
  /// counted.
  var reachesServers: Bool

  /// Creates the shared date of a kind; `nil` if the kind has no shared dates, widgets or requests.
  init?(_ index: Int, of scenario: Scenario) {
    let kind = scenario.kinds[index]
    let periods = kind.sharedPeriods
    guard let found = periods.firstIndex(where: { $0 != nil }), !kind.requests.isEmpty, let period = periods[found]
    else { return nil }
    let aligned = kind.alignedEntries(of: found)
    guard
      let words = aligned.map({ "at each multiple of " + LintText.span($0.every) }) ?? kind.policies[found].dateWords
    else { return nil }
    // Each phone renews aligned entries every (count - 1)th time, and different phones do so at different times.
    let turns = Double(aligned.map { $0.count - 1 } ?? 1)
    widgets = Double(scenario.fleet.devices) * scenario.fleet.widgetsPerPhone(index) / turns
    guard widgets > 0 else { return nil }
    let place =
      found >= kind.phases.count
      ? ["when", "\(found - kind.phases.count)"] : kind.phases.count > 1 ? ["phases", "\(found)"] : []
    path = ["kinds", kind.name] + place + (aligned == nil ? ["reload", "after"] : ["entries", "align"])
    let own = period.seconds * turns
    reachesServers = kind.cache.map { cache in cache.ttl.map { $0.seconds <= own } ?? false } ?? true
    (self.words, self.period) = (words, period)
  }
}

extension ReloadPolicy {
  fileprivate var dateWords: String? {
    switch self {
    case .afterClock(let time, zone: _, days: _): "at " + LintText.time(time)
    case .afterMultiple(let every, zone: _): "every " + LintText.span(every)
    case .earliest(let date): date.rules.lazy.compactMap(\.words).first
    case .never, .atEnd, .after, .provider: nil
    }
  }
}

extension DateRule {
  /// A phrase for a date that devices share; `nil` if devices do not share the date.
  fileprivate var words: String? {
    switch self {
    case .clock(let times, zone: _, days: _): "at " + times.map { LintText.time($0) }.joined(separator: ", ")
    case .instants: "at an instant"
    case .multiple(of: let every, zone: _): "every " + LintText.span(every)
    case .span, .hint: nil
    }
  }
}

extension Kind {
  /// The shortest time between two dates that the kind's widgets share; `nil` if there are no shared dates.
  var shortestPeriod: TimeAmount? { sharedPeriods.compactMap { $0 }.min() }

  /// Returns the number of requests that a run sends to an endpoint.
  func requests(to endpoint: Int) -> Double {
    requests.reduce(0) { $0 + ($1.endpoint == endpoint ? Double($1.count) : 0) }
  }
}

extension Endpoint {
  /// A phrase for the effect of an unlimited queue.
  package var wordsWithoutQueue: String {
    "no queue is set (backend.endpoints.\(name).queue): all requests wait, however long it takes"
  }
}

extension Scenario {
  /// The kinds that send requests and have dates shared by devices.
  var datedKinds: [Int] { kinds.indices.filter { SharedDate($0, of: self) != nil } }
}

extension Fleet {
  /// Returns the mean number of a kind's widgets per phone in the fleet.
  fileprivate func widgetsPerPhone(_ kind: Int) -> Double {
    cohorts.reduce(0) { sum, cohort in
      sum + cohort.share.fraction
        * cohort.widgets.reduce(0) { sum, placement in
          sum + placement.share.fraction * Double(placement.members.count { $0.kind == kind })
        }
    }
  }
}
