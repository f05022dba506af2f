package import SimulationKernel

/// Something that comes over devices from outside, prepared: a push, a change of the system, a look at the gallery.
package struct EventPlan: BitwiseCopyable, Sendable {
  package enum Timing: BitwiseCopyable, Sendable {
    case once(Instant)
    /// Every day at a clock time.
    case daily(CalendarPlan)
    /// A Poisson process per device: exponential gaps.
    case perDevice(gap: SpanSampler)
  }

  package enum Action: BitwiseCopyable, Sendable {
    case silentPush(ReloadEffect)
    /// `restarts`: takes phases back to the first.
    case widgetPush(restarts: Bool)
    /// A change of locale, account or time, or an update of the app.
    case systemChange
    /// Snapshots for the widget gallery; `network`: of a snapshot to send its requests.
    case gallery(network: Chance)
  }

  package var timing: Timing
  package var action: Action
  /// Chance of a device being among those that the event comes over.
  package var audience: Chance
  /// The cohorts whose devices it may reach; nil: all.
  package var cohorts: PreparedList<CohortIndex>?
  /// A named audience, by number, keeps its members over all its events; nil: drawn for this event, of a daily one
  /// anew each day.
  package var group: Int?
  /// The event comes to each device within this time.
  package var over: TimeAmount
  /// Number of the event in its file, which keys its draws.
  package var number: Int

  package init(
    timing: Timing, action: Action, audience: Chance, group: Int?, over: TimeAmount, number: Int
  ) {
    self.timing = timing
    self.action = action
    self.audience = audience
    self.group = group
    self.over = over
    self.number = number
  }
}
