import Foundation
package import Scenario
import SimulationKernel

/// The IANA time zones that Foundation supports.
enum Zones {
  /// The IANA names of time zones that are not named after a city.
  static let namesWithoutCity = [
    "UTC", "GMT", "CET", "EET", "MET", "WET", "EST5EDT", "CST6CDT", "MST7MDT", "PST8PDT",
  ]

  /// Returns the time zone with an IANA name; `nil` for abbreviations and for offsets such as GMT+3.
  static func zone(_ name: String) -> TimeZone? {
    let isName = name.contains("/") || namesWithoutCity.contains(name)
    guard isName, name.utf8.count <= 64, name.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    return TimeZone(identifier: name)
  }

  /// Returns the UTC offset at `clock.start` of each time zone used by the fleet or by base loads.
  static func offsets(of scenario: Scenario) -> [String: TimeAmount] {
    let start = Date(timeIntervalSince1970: Double(scenario.clock.startUnixMilliseconds) / 1_000)
    var offsets: [String: TimeAmount] = [:]
    let names =
      scenario.fleet.cohorts.flatMap { $0.zones.map(\.value) } + scenario.endpoints.compactMap(\.baseLoad?.zone)
    for name in names where offsets[name] == nil {
      offsets[name] = zone(name).map { .seconds(Int64($0.secondsFromGMT(for: start))) }
    }
    return offsets
  }

  static func check(_ name: String) throws(ValueProblem) {
    guard zone(name) == nil else { return }
    // This call ensures that a statically linked program includes ICU's time zones (RELIABILITY.md).
    let near = Spelling.hint(name, among: ["UTC"] + TimeZone.knownTimeZoneIdentifiers)
    throw ValueProblem(
      .unknownZone, "is not a time zone", note: "not an IANA zone",
      help: near ?? "zones are IANA names such as Europe/Berlin or UTC")
  }
}

/// A conversion from the local times of a time zone, used to interpret timestamps without an offset.
package struct LocalTimes: Sendable {
  private let segments: [ZoneTable.Segment]

  /// The period for which clock changes are known: from 1990 to 2040.
  private static let known =
    Instant(millisecondsSinceStart: 631_152_000_000)...Instant(millisecondsSinceStart: 2_208_988_800_000)

  /// - Returns: the local times; `nil` if no time zone has the given IANA name.
  package init?(zone name: String) {
    guard let zone = Zones.zone(name) else { return nil }
    segments = table(name, zone, over: Self.known, startUnixMilliseconds: 0).segments
  }

  /// Returns the instant that corresponds to a local time, both in milliseconds since 1970; `nil` if a clock change
  /// skips or repeats the local time.
  package func instant(of local: Int64) -> Int64? {
    let latest = Instant(millisecondsSinceStart: local) + .day
    var (low, high) = (0, segments.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if segments[middle].from <= latest { low = middle } else { high = middle }
    }
    let instants = (max(low - 2, 0)...low).compactMap { place -> Int64? in
      let instant = Instant(millisecondsSinceStart: local) - segments[place].offset
      let end = place + 1 < segments.count ? segments[place + 1].from : .never
      return instant >= segments[place].from && instant < end ? instant.millisecondsSinceStart : nil
    }
    return instants.count == 1 ? instants[0] : nil
  }
}

/// Returns a table of UTC instants and offsets for each time zone used in the scenario.
///
/// Each table covers the period from two days before the start of the scenario to 400 days after its end.
///
/// Complexity: Foundation's time zone is queried four times per simulated day and time zone.
package func zoneTables(for scenario: Scenario) -> [String: ZoneTable] {
  let clock = scenario.clock
  let period = (clock.firstInstant - .days(2))...(clock.end + .days(400))
  var tables: [String: ZoneTable] = [:]
  for name in scenario.zoneNames where tables[name] == nil {
    guard let zone = Zones.zone(name) else { continue }
    tables[name] = table(name, zone, over: period, startUnixMilliseconds: clock.startUnixMilliseconds)
  }
  return tables
}

private func table(
  _ name: String, _ zone: TimeZone, over period: ClosedRange<Instant>, startUnixMilliseconds start: Int64
) -> ZoneTable {
  func offset(at instant: Instant) -> TimeAmount {
    let seconds = Double(start + instant.millisecondsSinceStart) / 1_000
    return .seconds(Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds.rounded(.down)))))
  }
  var segments = [ZoneTable.Segment(from: .longAgo, offset: offset(at: period.lowerBound))]
  var known = period.lowerBound
  while known < period.upperBound {
    let next = min(known + .hours(6), period.upperBound)
    let changed = offset(at: next)
    if let last = segments.last, changed != last.offset {
      let change = firstInstant(between: known, and: next) { offset(at: $0) == changed }
      segments.append(ZoneTable.Segment(from: change, offset: changed))
    }
    known = next
  }
  return ZoneTable(name: name, segments: segments)
}

/// Returns the first instant after `before`, and no later than `after`, at which the predicate is true.
///
/// - Precondition: the predicate is true at `after`.
private func firstInstant(between before: Instant, and after: Instant, where holds: (Instant) -> Bool) -> Instant {
  var (low, high) = (before.millisecondsSinceStart, after.millisecondsSinceStart)
  while high - low > 1 {
    let middle = low + (high - low) / 2
    if holds(Instant(millisecondsSinceStart: middle)) { high = middle } else { low = middle }
  }
  return Instant(millisecondsSinceStart: high)
}

extension Scenario {
  /// The IANA names in the scenario, possibly with duplicates.
  fileprivate var zoneNames: [String] {
    let named = kinds.flatMap { kind -> [ZoneChoice] in
      let policies = kind.policies + (kind.errorPolicy.map { [$0] } ?? [])
      return policies.flatMap(\.zones) + kind.windows.map(\.time.zone)
    }
    let timed = events.compactMap { if case .daily(_, let zone) = $0.timing { zone } else { nil } }
    return fleet.cohorts.flatMap { $0.zones.map(\.value) } + endpoints.compactMap(\.baseLoad?.zone)
      + (named + timed + windows.map(\.time.zone)).compactMap { if case .named(let name) = $0 { name } else { nil } }
  }
}
