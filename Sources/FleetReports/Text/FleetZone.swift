package import Scenario
import SimulationKernel

/// A time zone in which phones of the fleet are, with its clock.
package struct FleetZone: Hashable, Sendable {
  package var table: ZoneTable
  /// How much of the fleet is in it, from 0 to 1.
  package var share: Double

  /// Those of a fleet whose clocks are known, that of most phones first.
  package static func all(_ scenario: Scenario, _ tables: [String: ZoneTable]) -> [FleetZone] {
    var shares: [String: Double] = [:]
    for cohort in scenario.fleet.cohorts {
      let weights = cohort.zones.reduce(0) { $0 + $1.weight }
      for zone in cohort.zones where weights > 0 {
        shares[zone.value, default: 0] += cohort.share.fraction * zone.weight / weights
      }
    }
    return shares.compactMap { name, share in tables[name].map { FleetZone(table: $0, share: share) } }
      .sorted { ($1.share, $0.name) < ($0.share, $1.name) }
  }

  var name: String { table.name }

  /// `Buenos Aires` of America/Argentina/Buenos_Aires.
  var city: String {
    name.split(separator: "/").last.map { String($0).replacing("_", with: " ") } ?? name
  }

  /// Whether its clock shows UTC all the time.
  var isUTC: Bool { table.segments.allSatisfy { $0.offset == .zero } }

  /// Local time less UTC.
  func offset(at instant: Instant) -> TimeAmount {
    table.segments.last { $0.from <= instant }?.offset ?? table.segments[0].offset
  }

  /// What its clock shows.
  func time(_ instant: Instant, of clock: Clock) -> UTCTime { UTCTime(instant + offset(at: instant), of: clock) }

  /// `19:30 in Berlin`, or `19:30 UTC`; with the date where the period is longer than a day.
  static func spoken(_ instant: Instant, _ zones: [FleetZone], _ clock: Clock) -> String {
    let zone = zones.first.flatMap { $0.isUTC ? nil : $0 }
    let time = zone?.time(instant, of: clock) ?? UTCTime(instant, of: clock)
    let place = zone.map { " in " + $0.city } ?? "\u{A0}UTC"
    return time.shortTime + place + (clock.duration > .day ? " on " + time.day : "")
  }
}
