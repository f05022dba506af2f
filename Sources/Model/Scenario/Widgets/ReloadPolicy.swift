package import SimulationKernel

/// WidgetKit's `TimelineReloadPolicy`, including how apps compute the date of `after` (MODEL.md 4.1).
package enum ReloadPolicy: Hashable, Sendable {
  /// The date of the last entry.
  case atEnd
  /// No date; runs happen only on other requests.
  case never
  /// A span after the end of the run.
  case after(Distribution<TimeAmount>)
  /// The next occurrence of this time of day on these days, strictly after the end of the run.
  case afterClock(TimeOfDay, zone: ZoneChoice, days: Set<Weekday>)
  /// The next wall-clock multiple of `every`, counted from local midnight.
  case afterMultiple(of: TimeAmount, zone: ZoneChoice)

  /// The interval of a simple policy; `nil` if there is none.
  package var interval: TimeAmount? {
    switch self {
    case .after(.constant(let span)), .afterMultiple(of: let span, zone: _): span
    default: nil
    }
  }

  /// The time between the dates that devices share; `nil` if there are no shared dates.
  package var sharedPeriod: TimeAmount? {
    switch self {
    case .afterMultiple(of: let span, zone: _): span
    case .afterClock: .day
    case .atEnd, .never, .after: nil
    }
  }

  /// Sets another interval; a policy that does not follow the clock becomes a simple policy.
  package mutating func renew(every span: TimeAmount) {
    if case .afterMultiple(of: _, zone: let zone) = self {
      self = .afterMultiple(of: span, zone: zone)
    } else {
      self = .after(.constant(span))
    }
  }
}

extension Kind {
  /// The reload policies of phases and windows.
  package var policies: [ReloadPolicy] { phases.map(\.reload) + windows.map(\.reload) }

  /// The interval of a kind with a single policy; `nil` if there is none.
  package var onlyInterval: TimeAmount? { phases.count == 1 && windows.isEmpty ? phases[0].reload.interval : nil }
}

/// The wall clock used to read a date.
package enum ZoneChoice: Hashable, Sendable {
  /// The device's own zone.
  case local
  /// A zone by its IANA name.
  case named(String)
}

/// A local time of day, as time since midnight below 24 h (or 24 h at the end of a window).
package struct TimeOfDay: Hashable, Comparable, Sendable {
  package var sinceMidnight: TimeAmount

  package init(sinceMidnight: TimeAmount) { self.sinceMidnight = sinceMidnight }

  package static func < (left: TimeOfDay, right: TimeOfDay) -> Bool { left.sinceMidnight < right.sinceMidnight }
}

/// A day of the week; raw values start with Monday = 0.
package enum Weekday: Int, CaseIterable, Comparable, Sendable {
  case monday, tuesday, wednesday, thursday, friday, saturday, sunday

  package static func < (left: Weekday, right: Weekday) -> Bool { left.rawValue < right.rawValue }
}
