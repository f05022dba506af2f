package import SimulationKernel

/// An event that affects the fleet or the backend (an entry of `events` in the file).
package struct Event: Hashable, Sendable {
  package var name: String
  package var timing: EventTiming
  package var action: EventAction

  package init(name: String, timing: EventTiming, action: EventAction) {
    self.name = name
    self.timing = timing
    self.action = action
  }

  /// The push, if the event is a push; `nil` for other events.
  package var push: Push? { if case .push(let push) = action { push } else { nil } }

  /// Whether the event is a push with a start time, from which `event_to_view` is measured (MODEL.md 8.4).
  package var isStartedPush: Bool {
    if case .perDevicePerDay = timing { false } else { push != nil }
  }

  /// The endpoint that answers requests with errors during an outage; `nil` for other events.
  package var failingEndpoint: Int? {
    if case .outage(let outage) = action, outage.errors > .none { outage.endpoint } else { nil }
  }

  /// The endpoint whose capacity is limited by an outage; `nil` for other events.
  package var limitedEndpoint: Int? {
    if case .outage(let outage) = action, outage.capacity != nil { outage.endpoint } else { nil }
  }
}

package enum EventTiming: Hashable, Sendable {
  /// An instant no earlier than the start of the clock and before its end.
  case once(Instant)
  /// A time of day before 24:00, on every day; `.local` refers to the device's time zone.
  case daily(TimeOfDay, ZoneChoice)
  /// A Poisson process on each device of the audience, given by its mean number of events per 24 h; it is allowed only
  /// for pushes (MODEL.md 4.2).
  case perDevicePerDay(Double)
}

package enum EventAction: Hashable, Sendable {
  case push(Push)
  /// An outage, which occurs either once or daily at a time in a named zone.
  case outage(Outage)
  /// One run with the cause `system` on each device of the audience, spread evenly over the time span `over`.
  case appUpdate(Audience, over: TimeAmount)
  /// A change of locale or account, or a significant time change, each of which starts runs with the cause `system`.
  case systemChange(Audience)
  /// A restart of the phone, after which runs with the cause `system` start at the first unlock.
  case reboot(Audience)
  /// Visits to the widget gallery; `network` is the share of the gallery's snapshots that send requests.
  case gallery(Audience, over: TimeAmount, network: Share)
}

/// Pushes to the devices (MODEL.md 4.2).
package struct Push: Hashable, Keyed, Sendable {
  package enum Kind: String, BitwiseCopyable, KeyWord {
    /// A push that wakes the app so that it requests reloads in the background.
    case silent
    /// A push that reloads all widgets without involving the app (iOS 26).
    case widget
  }

  package var kind = Kind.silent
  package var audience = Audience(share: .all, group: nil)
  /// The time span over which the pushes are spread evenly.
  package var over = TimeAmount.zero
  /// The sender, which determines the time span instead of `over`; `nil` if `over` is given.
  package var sender: PushSender?
  /// The indices into `Scenario.kinds` in ascending order; every kind for `all` and for a widget push.
  package var kinds: [Int] = []
  /// The indices into `Fleet.cohorts` of the targeted cohorts, in ascending order; `nil` if all cohorts are targeted.
  package var cohorts: [Int]?
  package var clearsCache = false
  package var fillsCache = false
  /// Whether the push resets the kinds to their first phase.
  package var restarts = false

  package init() {}

  /// Whether the audience may include phones of a cohort.
  func reaches(cohort: Int) -> Bool { cohorts?.contains(cohort) ?? true }
}

/// A server that sends the pushes of an event at a steady rate (MODEL.md 4.2).
package struct PushSender: Hashable, Keyed, Sendable {
  /// The number of pushes per second to the whole fleet.
  package var rate = 0.0

  package init() {}
}

extension Push {
  /// Returns the time span over which the push is sent. For a sender, it is the number of addressed phones divided by
  /// the rate.
  package func sendingTime(in scenario: Scenario) -> TimeAmount {
    guard let rate = sender?.rate, rate > 0 else { return over }
    return .milliseconds(Int64(min(addressedPhones(in: scenario) / rate, Self.longestSending) * 1_000))
  }

  /// Returns the expected number of phones to which the push is sent, based on the fleet when the clock starts.
  private func addressedPhones(in scenario: Scenario) -> Double {
    let cohorts = scenario.fleet.cohorts
    let addressed = cohorts.indices.filter { cohort in
      reaches(cohort: cohort) && (kind == .silent || (cohorts[cohort].os ?? scenario.os).preset != .ios17)
    }
    let share = addressed.reduce(0) { $0 + cohorts[$1].share.fraction }
    return Double(scenario.fleet.devices) * audience.share.fraction * share
  }

  /// The maximum time over which a push is sent, in seconds: 400 days, as for `over`.
  private static let longestSending = 400.0 * 86_400
}

/// The devices that an event reaches.
package struct Audience: Hashable, Sendable {
  package var share: Share
  /// The name of a group that has the same members in all events; `nil` if the members are drawn only for this event.
  package var group: String?

  package init(share: Share, group: String?) {
    self.share = share
    self.group = group
  }
}

/// A temporary failure of an endpoint (MODEL.md 6.3).
package struct Outage: Hashable, Keyed, Sendable {
  /// The index of the endpoint in `Scenario.endpoints`.
  package var endpoint = 0
  package var lasts = TimeAmount.zero
  /// The share of requests that are answered immediately with an error.
  package var errors = Share.all
  /// The capacity during the outage, in requests per second; `nil` if the outage does not change it.
  package var capacity: Double?

  package init() {}
}
