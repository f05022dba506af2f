package import BackendModel
package import Scenario
package import SimulationKernel

/// A scenario prepared for the event path, consisting of tables and lists that threads read but do not modify.
package struct FleetPlan: BitwiseCopyable, Sendable {
  package var seed: UInt64
  /// The start of the simulation, which is before the warm-up.
  package var beginning: Instant
  /// The end of the measured period, which starts at `Instant.start`.
  package var end: Instant
  package var kinds: PreparedList<KindPlan>
  package var cohorts: PreparedList<CohortPlan>
  package var endpoints: PreparedList<EndpointPlan>
  package var reloads: PreparedList<AppReloadPlan>
  /// The external events that reach devices.
  package var events: PreparedList<EventPlan>
  /// The time span, from the start of the simulation, within which widgets are placed.
  package var placementSpan: TimeAmount
  /// Whether budgets only count charges, and never withhold runs.
  package var countsDemand = false
  /// The bits that must be 0 in the number of a followed phone.
  package var unfollowedBits = 0
  /// The value of the `unfollowedBits` in the number of a followed phone: 0, or an impossible value if no phone is
  /// followed.
  private(set) var followedRest = 0

  /// A copy of this plan in which no phone is followed.
  package var withoutFollowing: FleetPlan {
    var plan = self
    plan.followedRest = -1
    return plan
  }
  /// The cells of the named windows; `nil` if there are no named windows.
  package var windows: WindowCells?
  package var clocks: PreparedList<WallClock>
  /// Whether requests from devices affect the answers to other devices, so that the simulation must proceed in steps
  /// (MODEL.md 6.1).
  package var hasFeedback: Bool
  /// Whether the energy of phones is counted; see `EnergyAccount.isKept`.
  package var keepsEnergy = true
  let hasCaches: Bool
  let hasPushes: Bool
  /// The number of events, up to and including the last push that is sent at the same time to all phones.
  private let startedPushes: Int
  /// Whether the app ever requests reloads.
  let hasCalls: Bool
  let hasMovements: Bool
  /// Whether any requests are sent by downloads or gallery snapshots, which are not part of runs.
  let hasKindFlights: Bool
  /// Whether any taps send requests.
  let hasActions: Bool
  /// Whether the number of consecutive failed runs is counted.
  let hasBackoffs: Bool
  /// The size of the memory available to the providers' code for each widget.
  let providerBytes: Int
  /// Whether the code of any kind chooses the requests of its runs.
  let choosesRequests: Bool
  /// The maximum number of silent pushes per hour that a system accepts; it is 0 if there are no silent pushes.
  let maxSilentPushes: Int

  package init(
    seed: UInt64, beginning: Instant, end: Instant, kinds: PreparedList<KindPlan>,
    cohorts: PreparedList<CohortPlan>, endpoints: PreparedList<EndpointPlan>,
    reloads: PreparedList<AppReloadPlan>, events: PreparedList<EventPlan>, clocks: PreparedList<WallClock>,
    placementSpan: TimeAmount? = nil
  ) {
    self.seed = seed
    self.beginning = beginning
    self.end = end
    self.kinds = kinds
    self.cohorts = cohorts
    self.endpoints = endpoints
    self.reloads = reloads
    self.events = events
    self.clocks = clocks
    self.placementSpan = placementSpan ?? .start - beginning
    hasFeedback = endpoints.contains { $0.hasFeedback }
    hasCaches = kinds.contains { $0.cache != nil }
    hasPushes = events.contains { $0.isPush }
    startedPushes = (events.indices.last { events[$0].isPush && events[$0].hasStart } ?? -1) + 1
    hasCalls = !reloads.isEmpty || !events.isEmpty
    hasMovements = kinds.contains { $0.locationChangesPerDay > 0 }
    hasActions = kinds.contains { !$0.taps.requests.isEmpty }
    hasBackoffs = kinds.contains { $0.onError.isBackoff }
    choosesRequests = kinds.contains { $0.choosesRequests }
    providerBytes = kinds.indices.reduce(0) { max($0, (kinds[$1].provider?.memoryBytes ?? 0) + 7 & ~7) }
    hasKindFlights = kinds.contains { $0.isBackgroundSession } || events.contains { $0.isGallery }
    maxSilentPushes =
      events.contains { $0.isSilentPush }
      ? cohorts.indices.map { cohorts[$0].system.silentPushesPerHour }.max() ?? 0 : 0
  }

  /// Returns the plan for the days before the simulation, in which the phones' demand on their budgets is measured.
  ///
  /// In this plan, backends answer as if they were never overloaded.
  package func countingDemand(for span: TimeAmount) -> FleetPlan {
    var plan = self
    plan.end = beginning
    plan.beginning = beginning - span
    plan.placementSpan = .day
    plan.countsDemand = true
    plan.windows = nil
    plan.hasFeedback = false
    return plan
  }

  @inline(__always)
  func kind(_ index: KindIndex) -> Prepared<KindPlan> { kinds.element(at: index.place) }
  @inline(__always)
  func endpoint(_ index: EndpointIndex) -> Prepared<EndpointPlan> { endpoints.element(at: index.place) }
  @inline(__always)
  func event(_ index: EventIndex) -> Prepared<EventPlan> { events.element(at: index.place) }
  @inline(__always)
  func reload(_ index: ReloadIndex) -> Prepared<AppReloadPlan> { reloads.element(at: index.place) }

  var kindIndices: Indices<KindIndex> { Indices(kinds.count) }
  var eventIndices: Indices<EventIndex> { Indices(events.count) }
  /// The events whose pushes a phone may not have shown yet.
  var waitingEvents: Indices<EventIndex> { Indices(startedPushes) }
  var eventWaits: Int { startedPushes * kinds.count }
  var reloadIndices: Indices<ReloadIndex> { Indices(reloads.count) }

  /// Returns the number of payers on a phone: its instances and, if there is a gallery, the user who visits it.
  func energyOwners(instances: Int) -> Int {
    min(instances + (hasKindFlights ? 1 : 0), Slot.maximum)
  }

  /// Whether an instant belongs to the measured period.
  @inlinable package func isMeasured(_ instant: Instant) -> Bool { instant >= .start && instant < end }
}

/// A reload that the app requests, prepared for the event path (MODEL.md 2.8).
package struct AppReloadPlan: BitwiseCopyable, Sendable {
  package enum Occasion: BitwiseCopyable, Sendable {
    case open
    /// An opening of the app, with the probability that it is a cold launch.
    case launch(Chance)
    case close
    /// A change in the app, with the distribution of the number of changes per foreground spell.
    case change(ChoiceTable<Int>)
    /// A background refresh, with exponentially distributed gaps.
    case backgroundRefresh(gap: SpanSampler)
    case audio(every: TimeAmount)
  }

  package var occasion: Occasion
  package var effect: ReloadEffect

  package init(occasion: Occasion, effect: ReloadEffect) {
    self.occasion = occasion
    self.effect = effect
  }
}

/// The actions of the app before it requests a reload, whether or not a push has woken it (MODEL.md 2.8).
package struct ReloadEffect: BitwiseCopyable, Sendable {
  package var kinds: PreparedList<KindIndex>
  package var clearsCache: Bool
  package var fillsCache: Bool
  package var restarts: Bool

  package init(kinds: PreparedList<KindIndex>, clearsCache: Bool, fillsCache: Bool, restarts: Bool) {
    self.kinds = kinds
    self.clearsCache = clearsCache
    self.fillsCache = fillsCache
    self.restarts = restarts
  }
}

extension PreparedList {
  fileprivate func contains(where holds: (Element) -> Bool) -> Bool { indices.contains { holds(self[$0]) } }
}

extension EventPlan {
  fileprivate var isGallery: Bool { if case .gallery = action { true } else { false } }
  fileprivate var isPush: Bool {
    switch action {
    case .silentPush, .widgetPush: true
    case .systemChange, .reboot, .gallery: false
    }
  }

  /// Whether the event occurs at the same time on all phones, at least by their local clocks.
  fileprivate var hasStart: Bool { if case .perDevice = timing { false } else { true } }

  fileprivate var isSilentPush: Bool { if case .silentPush = action { true } else { false } }
}

/// An external event that reaches devices, prepared for the event path: a push, a system change, or a gallery visit.
package struct EventPlan: BitwiseCopyable, Sendable {
  package enum Timing: BitwiseCopyable, Sendable {
    case once(Instant)
    /// A time of day at which the event occurs every day.
    case daily(CalendarPlan)
    /// A Poisson process on each device, with exponentially distributed gaps.
    case perDevice(gap: SpanSampler)
  }

  package enum Action: BitwiseCopyable, Sendable {
    case silentPush(ReloadEffect)
    /// A widget push; if `restarts` is true, the kind restarts with the first of its phases.
    case widgetPush(restarts: Bool)
    /// A change of locale, account or time, or an app update.
    case systemChange
    /// A restart of the phone.
    case reboot
    /// Snapshots for the widget gallery; `network` is the probability that a snapshot sends its requests.
    case gallery(network: Chance)
  }

  package var timing: Timing
  package var action: Action
  /// The probability that the event reaches a given device.
  package var audience: Chance
  /// The cohorts whose devices the event may reach; `nil` if it may reach all cohorts.
  package var cohorts: PreparedList<CohortIndex>?
  /// The index of the event's named audience, which has the same members for all events; `nil` if the members are drawn
  /// only for this event.
  ///
  /// For a daily event, members are drawn again each day.
  package var group: Int?
  /// The time span within which the event reaches all devices.
  package var over: TimeAmount
  /// The number of the event in the scenario file, used as the key of its draws.
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
