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
  /// The earliest of several dates, or a date under further conditions.
  case earliest(EarliestDate)

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
    case .earliest(let date): date.rules.compactMap(\.sharedPeriod).min()
    case .atEnd, .never, .after: nil
    }
  }

  /// The zones whose clocks determine the policy's dates.
  package var zones: [ZoneChoice] {
    switch self {
    case .afterClock(_, let zone, days: _), .afterMultiple(of: _, let zone): [zone]
    case .earliest(let date): date.rules.compactMap(\.zone)
    case .atEnd, .never, .after: []
    }
  }

  /// Whether the policy's date depends on a server's hint.
  package var takesHint: Bool {
    if case .earliest(let date) = self { date.rules.contains(.hint) } else { false }
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

/// The earliest of several dates (MODEL.md 4.1).
package struct EarliestDate: Hashable, Sendable {
  package var rules: [DateRule]
  /// Whether spans count from the arrival of the data instead of the end of the run.
  package var isFromData = false
  /// The minimum time from the end of the run to the date.
  package var atLeast = TimeAmount.zero

  package init(_ rules: [DateRule], isFromData: Bool = false, atLeast: TimeAmount = .zero) {
    (self.rules, self.isFromData, self.atLeast) = (rules, isFromData, atLeast)
  }
}

/// A rule for one of several dates.
package enum DateRule: Hashable, Sendable {
  case span(Distribution<TimeAmount>)
  /// The next occurrence of one of these clock times.
  case clock([TimeOfDay], zone: ZoneChoice, days: Set<Weekday>)
  /// The next of these instants, in milliseconds since 1970; there is no date after the last one.
  case instants([Int64])
  case multiple(of: TimeAmount, zone: ZoneChoice)
  /// The span that the servers returned with the data, drawn from the `hint` of their endpoints.
  case hint

  fileprivate var sharedPeriod: TimeAmount? {
    switch self {
    case .clock, .instants: .day
    case .multiple(of: let span, zone: _): span
    case .span, .hint: nil
    }
  }

  fileprivate var zone: ZoneChoice? {
    switch self {
    case .clock(_, let zone, days: _), .multiple(of: _, let zone): zone
    case .span, .instants, .hint: nil
    }
  }
}

extension Kind {
  /// The reload policies of phases and windows.
  package var policies: [ReloadPolicy] { phases.map(\.reload) + windows.map(\.reload) }

  /// For each policy, the minimum time between two dates that phones share; `nil` if its dates depend on each phone.
  ///
  /// The last of aligned entries has a shared date.
  package var sharedPeriods: [TimeAmount?] {
    policies.enumerated().map { number, policy in
      policy == .atEnd ? alignedEntries(of: number)?.every : policy.sharedPeriod
    }
  }

  /// Returns the entries that align the dates of a policy `at-end`; `nil` if they do not.
  ///
  /// A window's policy is that of any phase.
  package func alignedEntries(of policy: Int) -> Entries? {
    guard policies[policy] == .atEnd else { return nil }
    let entries = phases.indices.contains(policy) ? [phases[policy].entries] : phases.map(\.entries)
    return entries.first { $0.alignment == .wall && $0.count > 1 }
  }

  /// The policy after errors; `nil` if the delay depends on the server or on the number of failures in a row.
  package var errorPolicy: ReloadPolicy? { if case .reload(let policy) = onError { policy } else { nil } }

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
