import SimulationKernel

/// A named time window that policies and metrics can refer to (`windows` in the file).
package struct NamedWindow: Hashable, Sendable {
  package var name: String
  package var time: WindowTime

  package init(name: String, time: WindowTime) { (self.name, self.time) = (name, time) }

  /// The maximum number of named windows in a scenario.
  package static let maximum = 8
}

/// The times at which a window applies: either [from, to) on a wall clock on certain days, or a single time span
/// (MODEL.md 5.7).
///
/// The part of a window after midnight belongs to the day on which the window started.
package struct WindowTime: Hashable, Sendable {
  package var days: Set<Weekday>
  package var from: TimeOfDay
  package var to: TimeOfDay
  package var zone: ZoneChoice
  /// The single time span of a window, in milliseconds since 1970; `nil` if the window recurs.
  package var once: Range<Int64>?

  package init(days: Set<Weekday>, from: TimeOfDay, to: TimeOfDay, zone: ZoneChoice) {
    self.days = days
    self.from = from
    self.to = to
    self.zone = zone
  }

  package init(once: Range<Int64>) {
    self.init(days: [], from: TimeOfDay(sinceMidnight: .zero), to: TimeOfDay(sinceMidnight: .day), zone: .local)
    self.once = once
  }
}

extension Fleet {
  /// Whether a window applies at the same instants on all phones, so that load metrics can be computed for the window.
  package func shares(_ window: WindowTime) -> Bool {
    if window.once != nil { return true }
    if case .named = window.zone { return true }
    return Set(cohorts.flatMap { $0.zones.map(\.value) }).count <= 1
  }
}
