package import SimulationKernel

/// A `TimelineReloadPolicy` of WidgetKit, including how apps compute the date of `after` (MODEL.md 4.1).
package enum ReloadPolicy: Hashable, Sendable {
  /// A reload at the date of the last entry.
  case atEnd
  /// No reload at a requested date; runs can still have other causes.
  case never
  /// A reload after a time span, which is counted from the end of the run.
  case after(Distribution<TimeAmount>)
  /// A reload at the next occurrence of a time of day on certain days, strictly after the end of the run.
  case afterClock(TimeOfDay, zone: ZoneChoice, days: Set<Weekday>)
  /// A reload at the next multiple of a time span on the wall clock, counted from local midnight.
  case afterMultiple(of: TimeAmount, zone: ZoneChoice)
  /// A reload at the earliest of several dates, or at a date that is subject to additional conditions.
  case earliest(EarliestDate)
  /// A reload at the date that code returns; it takes the place of all policies of the kind (MODEL.md 5.8).
  case provider(ProviderName)

  /// The interval of a policy that has only one interval; `nil` for other policies.
  package var interval: TimeAmount? {
    switch self {
    case .after(.constant(let span)), .afterMultiple(of: let span, zone: _): span
    default: nil
    }
  }

  /// The interval between dates that many devices share; `nil` if there are no such dates.
  package var sharedPeriod: TimeAmount? {
    switch self {
    case .afterMultiple(of: let span, zone: _): span
    case .afterClock: .day
    case .earliest(let date): date.rules.compactMap(\.sharedPeriod).min()
    case .atEnd, .never, .after, .provider: nil
    }
  }

  /// The zones whose local time determines the requested dates.
  package var zones: [ZoneChoice] {
    switch self {
    case .afterClock(_, let zone, days: _), .afterMultiple(of: _, let zone): [zone]
    case .earliest(let date): date.rules.compactMap(\.zone)
    case .atEnd, .never, .after, .provider: []
    }
  }

  /// Whether the requested date depends on a hint from a server.
  package var takesHint: Bool {
    if case .earliest(let date) = self { date.rules.contains(.hint) } else { false }
  }

  /// Whether the policy may request a reload at the date of the last entry.
  package var mayBeAtEnd: Bool {
    switch self {
    case .atEnd, .provider: true
    case .never, .after, .afterClock, .afterMultiple, .earliest: false
    }
  }

  /// Replaces the interval; a policy that does not follow the clock becomes a policy with only this interval.
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
  /// Whether time spans are counted from the arrival of the data instead of the end of the run.
  package var isFromData = false
  /// The minimum time from the end of the run to the requested date.
  package var atLeast = TimeAmount.zero

  package init(_ rules: [DateRule], isFromData: Bool = false, atLeast: TimeAmount = .zero) {
    (self.rules, self.isFromData, self.atLeast) = (rules, isFromData, atLeast)
  }
}

/// A rule that determines one of several dates.
package enum DateRule: Hashable, Sendable {
  case span(Distribution<TimeAmount>)
  /// A rule that yields the next occurrence of one of several clock times.
  case clock([TimeOfDay], zone: ZoneChoice, days: Set<Weekday>)
  /// A rule that yields the next of several instants, in milliseconds since 1970, and no date after the last one.
  case instants([Int64])
  case multiple(of: TimeAmount, zone: ZoneChoice)
  /// A rule that yields the time span that servers return with the data; it is drawn from the `hint` of their
  /// endpoints.
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
  /// The reload policies of all phases, followed by those of all windows.
  package var policies: [ReloadPolicy] { phases.map(\.reload) + windows.map(\.reload) }

  /// The minimum time between two dates that phones share, for each policy; `nil` if the policy's dates are specific to
  /// each phone.
  ///
  /// If entries are aligned, the date of the last entry is shared.
  package var sharedPeriods: [TimeAmount?] {
    policies.enumerated().map { number, policy in
      policy == .atEnd ? alignedEntries(of: number)?.every : policy.sharedPeriod
    }
  }

  /// Returns the entries that align the dates of an `at-end` policy; `nil` if no entries do.
  ///
  /// The policy of a window can apply in any phase, so the entries of all phases are considered.
  package func alignedEntries(of policy: Int) -> Entries? {
    guard policies[policy] == .atEnd else { return nil }
    let entries = phases.indices.contains(policy) ? [phases[policy].entries] : phases.map(\.entries)
    return entries.first { $0.alignment == .wall && $0.count > 1 }
  }

  /// The reload policy after errors; `nil` if the delay depends on the server or on the number of consecutive failures.
  package var errorPolicy: ReloadPolicy? { if case .reload(let policy) = onError { policy } else { nil } }

  /// The interval of a kind that has only one policy; `nil` if the kind has several policies or no interval.
  package var onlyInterval: TimeAmount? { phases.count == 1 && windows.isEmpty ? phases[0].reload.interval : nil }
}

/// The time zone in which a date is interpreted.
package enum ZoneChoice: Hashable, Sendable {
  /// The time zone of the device.
  case local
  /// The time zone with a given IANA name.
  case named(String)
}

/// A local time of day, stored as the time since midnight. The time is below 24 h, except at the end of a window, where
/// 24 h is allowed.
package struct TimeOfDay: Hashable, Comparable, Sendable {
  package var sinceMidnight: TimeAmount

  package init(sinceMidnight: TimeAmount) { self.sinceMidnight = sinceMidnight }

  package static func < (left: TimeOfDay, right: TimeOfDay) -> Bool { left.sinceMidnight < right.sinceMidnight }
}

/// A day of the week, where the raw value of Monday is 0.
public enum Weekday: Int, BitwiseCopyable, CaseIterable, Comparable, Sendable {
  case monday, tuesday, wednesday, thursday, friday, saturday, sunday

  public static func < (left: Weekday, right: Weekday) -> Bool { left.rawValue < right.rawValue }
}
