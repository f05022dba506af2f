import Foundation
package import Scenario
import SimulationKernel

/// The IANA time zones that Foundation supports.
enum Zones {
  /// The IANA names of zones without a city.
  static let namesWithoutCity = [
    "UTC", "GMT", "CET", "EET", "MET", "WET", "EST5EDT", "CST6CDT", "MST7MDT", "PST8PDT",
  ]

  /// Returns the zone with an IANA name; abbreviations and offsets such as GMT+3 are not IANA names.
  static func zone(_ name: String) -> TimeZone? {
    let isName = name.contains("/") || namesWithoutCity.contains(name)
    guard isName, name.utf8.count <= 64, name.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    return TimeZone(identifier: name)
  }

  /// Returns the UTC offsets of the fleet's and base loads' zones at `clock.start`.
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
    // This call keeps ICU's zones in a statically linked program (RELIABILITY.md).
    let near = Spelling.hint(name, among: ["UTC"] + TimeZone.knownTimeZoneIdentifiers)
    throw ValueProblem(
      .unknownZone, "is not a time zone", note: "not an IANA zone",
      help: near ?? "zones are IANA names such as Europe/Berlin or UTC")
  }
}

/// The clocks of one zone, for times without an offset.
package struct WallClock: Sendable {
  /// The offsets from UTC, each from an instant on, in milliseconds.
  private let changes: [(from: Int64, offset: Int64)]

  /// The first and last year for which changes are known, as seconds since 1970.
  private static let years = stride(from: 631_152_000, to: 2_208_988_800, by: 86_400)

  /// - Returns: `nil` if the zone has no IANA name.
  package init?(zone name: String) {
    guard let zone = Zones.zone(name) else { return nil }
    func offset(_ seconds: Int) -> Int { zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))) }
    var changes: [(from: Int64, offset: Int64)] = []
    for day in Self.years where changes.isEmpty || Int64(offset(day)) * 1_000 != changes[changes.count - 1].offset {
      var (before, after) = (day - 86_400, day)
      while !changes.isEmpty, after - before > 1 {
        let middle = (before + after) / 2
        if offset(middle) == offset(day) { after = middle } else { before = middle }
      }
      changes.append((changes.isEmpty ? .min : Int64(after) * 1_000, Int64(offset(day)) * 1_000))
    }
    self.changes = changes
  }

  /// Returns the instant at which the clocks show a time, both in milliseconds since 1970; `nil` if they skip or repeat
  /// it.
  package func instant(of local: Int64) -> Int64? {
    var (low, high) = (0, changes.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if changes[middle].from <= local + Self.day { low = middle } else { high = middle }
    }
    let instants = (max(low - 2, 0)...low).compactMap { place -> Int64? in
      let instant = local - changes[place].offset
      let end = place + 1 < changes.count ? changes[place + 1].from : .max
      return instant >= changes[place].from && instant < end ? instant : nil
    }
    return instants.count == 1 ? instants[0] : nil
  }

  private static let day: Int64 = 86_400_000
}

/// Returns a table of (UTC, offset) for each zone named in the scenario.
///
/// The tables cover the time from two days before the scenario's start to 400 days after its end.
///
/// Complexity: four lookups in Foundation's zone per simulated day and zone.
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
  /// The IANA names used in the scenario, including duplicates.
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
