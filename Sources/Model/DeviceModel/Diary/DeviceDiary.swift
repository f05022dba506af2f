package import BackendModel
package import Scenario
package import SimulationKernel

/// One device's life event by event, with the reason of each decision: what people debug policies with.
package struct DeviceDiary: Sendable {
  /// In the order in which things happened, over the measured period.
  package private(set) var entries: [DiaryEntry] = []
  /// By slot: kind and family.
  package private(set) var instances: [(kind: Int, family: Family)] = []
  /// Number of the device's zone in the plan.
  package private(set) var zone = 0

  /// Lives a device's life again.
  ///
  /// - Parameters:
  ///   - conditions: of every step, where the backend answers back.
  ///   - until: when the diary ends, before the clock does.
  /// - Throws: when events at one instant follow each other without end.
  package init(
    plan: FleetPlan, shape: Tally.Shape, _ life: (device: Int, cohort: Int, replication: Int),
    conditions: ConditionsTable?,
    until: Instant = .never
  ) throws(EndlessInstant) {
    var simulator = DeviceSimulator(plan: plan, shape: shape)
    simulator.backend = conditions.map { .trajectory($0) }
    simulator.observed = []
    simulator.begin(device: life.device, cohort: life.cohort, replication: life.replication)
    zone = simulator.device.widgets.phone.zone
    instances = simulator.widgets.map { ($0.kind.place, $0.family) }
    var before = DevicePicture(simulator)
    var (last, eventsAtOnce) = (Instant.longAgo, 0)
    while let (now, _) = simulator.step(), now < until {
      eventsAtOnce = now == last ? eventsAtOnce + 1 : 1
      last = now
      if eventsAtOnce > EndlessInstant.mostEvents { throw simulator.device.endlessInstant(at: now) }
      let after = DevicePicture(simulator)
      if plan.isMeasured(now) {
        entries += (after.changes(since: before, at: now) + Self.requests(simulator)).map {
          DiaryEntry(at: now, note: $0)
        }
      }
      simulator.observed = []
      before = after
    }
    simulator.finish()
  }

  /// What became of requests in the last event.
  private static func requests(_ simulator: borrowing DeviceSimulator) -> [DiaryNote] {
    (simulator.observed ?? []).map {
      .request(
        $0.isOfRun ? $0.slot?.place : nil, endpoint: $0.endpoint.place, failure: $0.failure, isRetry: $0.attempt > 0)
    }
  }
}

/// One thing that happens on a device, as its diary tells it.
package struct DiaryEntry: Hashable, Sendable {
  package var at: Instant
  package var note: DiaryNote
}

/// What happens; instances by their slot on the device.
package enum DiaryNote: Hashable, Sendable {
  case unlock(until: Instant)
  case lock
  case network(isOnWifi: Bool, isOffline: Bool)
  case charger(isPlugged: Bool)
  case lowPowerMode(isOn: Bool)
  case placed(Int)
  /// A counted view; nil: there is nothing to see yet.
  case view(Int, age: TimeAmount?)
  /// A run starts; of a scheduled one when it was due; what the budget holds after it, nil without a budget.
  case run(Int, Cause, due: Instant?, balance: RunMillionths?)
  /// A run crashed as it started.
  case crash(Int)
  /// Requests that arrive together with the same end.
  case request(Int?, endpoint: Int, failure: FailureReason?, isRetry: Bool)
  /// A run has ended.
  case end(Int, DiaryOutcome)
  /// A scheduled reload that is pending: due, not before, planned (nil: not before the session of then is known).
  case ticket(Int, Cause, due: Instant, eligible: Instant, planned: Instant?)
  /// A reload is withheld; nil: until somebody comes.
  case wait(Int, WaitReason, until: Instant?)
}

/// How a run ended.
package enum DiaryOutcome: Hashable, Sendable {
  case data(since: Instant)
  case nothing
  case failed
}

/// A device between two events, to see what the next one changes.
struct DevicePicture {
  private let presence: Presence
  private let network: NetworkState
  private let battery: Battery
  private let widgets: [WidgetPicture]
  private let sessionEnd: Instant
  private let hasBudget: Bool

  init(_ simulator: borrowing DeviceSimulator) {
    presence = simulator.presence
    network = simulator.network
    battery = simulator.battery
    widgets = simulator.widgets
    let cohort = simulator.device.widgets.phone.cohort
    sessionEnd = cohort.hasPeople ? simulator.session.end : .longAgo
    hasBudget = cohort.system.budget.model != .off
  }

  /// What has changed, in the order in which people think of it.
  func changes(since before: DevicePicture, at now: Instant) -> [DiaryNote] {
    var notes = surroundings(since: before)
    for slot in widgets.indices { notes += changes(of: slot, since: before, at: now) }
    return notes
  }

  private func surroundings(since before: DevicePicture) -> [DiaryNote] {
    var notes: [DiaryNote] = []
    let (new, old) = (self, before)
    if new.presence.isInSession != old.presence.isInSession {
      notes.append(new.presence.isInSession ? .unlock(until: sessionEnd) : .lock)
    }
    if new.network.isOnWifi != old.network.isOnWifi || new.network.isOffline != old.network.isOffline {
      notes.append(.network(isOnWifi: new.network.isOnWifi, isOffline: new.network.isOffline))
    }
    if new.battery.isCharging != old.battery.isCharging { notes.append(.charger(isPlugged: new.battery.isCharging)) }
    if new.battery.isSaving != old.battery.isSaving { notes.append(.lowPowerMode(isOn: new.battery.isSaving)) }
    return notes
  }

  private func changes(of slot: Int, since before: DevicePicture, at now: Instant) -> [DiaryNote] {
    let (new, old) = (widgets[slot], before.widgets[slot])
    var notes: [DiaryNote] = []
    if new.isPlaced, !old.isPlaced { notes.append(.placed(slot)) }
    if new.views != old.views {
      notes.append(.view(slot, age: old.dataTime == .longAgo ? nil : now - old.dataTime))
    }
    if old.isRunning, !new.isRunning || new.runs != old.runs { notes.append(.end(slot, outcome(of: new, old))) }
    if new.runs != old.runs {
      let due = new.flight.cause.isCharged && old.ticket.exists ? old.ticket.due : nil
      notes.append(.run(slot, new.flight.cause, due: due, balance: hasBudget ? new.account.balance : nil))
      if !new.isRunning { notes.append(.crash(slot)) }
    }
    if new.ticket.exists, new.ticket != old.ticket { notes.append(ticket(of: new, slot)) }
    if let reason = new.wait.reason, new.wait != old.wait { notes.append(.wait(slot, reason, until: new.look)) }
    return notes
  }

  private func outcome(of new: WidgetPicture, _ old: WidgetPicture) -> DiaryOutcome {
    if old.flight.fails { return .failed }
    return new.dataTime == .longAgo ? .nothing : .data(since: new.dataTime)
  }

  private func ticket(of widget: WidgetPicture, _ slot: Int) -> DiaryNote {
    let ticket = widget.ticket
    return .ticket(
      slot, ticket.cause ?? .policy, due: ticket.due, eligible: widget.eligible,
      planned: ticket.planned == .never ? nil : ticket.planned)
  }
}

/// A widget between two events, as diaries see it.
struct WidgetPicture {
  let kind: KindIndex
  let family: Family
  let isPlaced: Bool
  let isRunning: Bool
  let runs: UInt32
  /// The run in progress, or the last one.
  let flight: Flight
  /// When the data came that it shows; `.longAgo` without data.
  let dataTime: Instant
  /// None during a run.
  let ticket: Ticket
  /// e of the ticket.
  let eligible: Instant
  let wait: Wait
  /// When its ticket is looked at next.
  let look: Instant?
  let account: BudgetAccount
  /// None where nobody uses the phone.
  let history: ViewHistory

  /// Views so far.
  var views: UInt32 { history.total }
}

extension WidgetHost where Rules == WidgetKitRules {
  func picture(of slot: Slot) -> WidgetPicture {
    let (widget, isRunning) = (phone.widget(slot), provider.isRunning(slot))
    return WidgetPicture(
      kind: widget.kind, family: widget.family, isPlaced: provider.isPlaced(slot), isRunning: isRunning,
      runs: provider.runs(of: slot), flight: provider.flights.ofRun(slot), dataTime: provider.dataTime(of: slot),
      ticket: isRunning ? .none : scheduler.ticket(of: slot),
      eligible: scheduler.eligible(slot, after: provider.lastRun(of: slot), phone.cohort),
      wait: scheduler.wait(of: slot), look: phone.queue.instant(of: .start(slot)),
      account: scheduler.allowance(of: slot), history: phone.hasPeople ? views.history(of: slot) : ViewHistory())
  }
}

/// Event by event, for whoever looks at a device between them.
extension DeviceSimulator {
  mutating func begin(device number: Int, cohort: Int, replication: Int) {
    device.begin(PhoneIdentity(number: number, cohort: CohortIndex(cohort), replication: replication))
  }

  /// Handles the next event and says what it was and when; nil when the clock has come to its end.
  mutating func step() -> (at: Instant, event: DeviceEvent)? { device.step() }

  /// Counts the days that are left.
  mutating func finish() { device.finish() }

  /// What became of requests, for whoever watches the phone; nil: nobody does.
  var observed: [ObservedRequest]? {
    get { device.widgets.phone.observed }
    set { device.widgets.phone.observed = newValue }
  }

  /// The widgets of the present device, by slot.
  var widgets: [WidgetPicture] { device.widgets.phone.slots.map { device.widgets.picture(of: $0) } }
  var presence: Presence { device.widgets.phone.presence }
  var network: NetworkState { device.widgets.connection.network }
  var battery: Battery { device.widgets.power.battery }
  /// The present or next session of a phone that has an owner, and the owner.
  var session: SessionState { device.widgets.phone.session }
  var person: PersonState { device.owner.person }
}
