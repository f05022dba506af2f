package import BackendModel
package import Scenario
package import SimulationKernel

/// An event-by-event record of one device, with the reason for each decision, used for debugging policies.
package struct DeviceDiary: Sendable {
  /// The entries of the measured period in chronological order.
  package private(set) var entries: [DiaryEntry] = []
  /// The kind and family of the instance in each slot.
  package private(set) var instances: [(kind: Int, family: Family)] = []
  /// The index of the device's time zone in the plan.
  package private(set) var zone = 0

  /// Simulates a device again and records its events.
  ///
  /// - Parameters:
  ///   - conditions: the conditions of every step, for a backend with feedback.
  ///   - until: the end of the diary, no later than the end of the clock.
  /// - Throws: `DeviceFailure` if time stops, or a provider returns an unusable timeline.
  package init(
    plan: FleetPlan, shape: Tally.Shape, _ life: (device: Int, cohort: Int, replication: Int),
    conditions: ConditionsTable?,
    until: Instant = .never
  ) throws(DeviceFailure) {
    var simulator = DeviceSimulator(plan: plan, shape: shape)
    simulator.backend = conditions.map { .trajectory($0) }
    simulator.observed = []
    simulator.begin(device: life.device, cohort: life.cohort, replication: life.replication)
    zone = simulator.device.widgets.phone.zone
    instances = simulator.widgets.map { ($0.kind.place, $0.family) }
    var before = DeviceSnapshot(simulator)
    var (last, eventsAtOnce) = (Instant.longAgo, 0)
    while let (now, _) = simulator.step(), now < until {
      eventsAtOnce = now == last ? eventsAtOnce + 1 : 1
      last = now
      if eventsAtOnce > DeviceFailure.maxEvents { throw simulator.device.eventLivelock(at: now) }
      let after = DeviceSnapshot(simulator)
      if plan.isMeasured(now) {
        entries += (after.changes(since: before, at: now) + Self.requests(simulator)).map {
          DiaryEntry(at: now, note: $0)
        }
      }
      simulator.observed = []
      before = after
    }
    try simulator.device.throwFault()
    simulator.finish()
  }

  /// Returns the request outcomes of the last event.
  private static func requests(_ simulator: borrowing DeviceSimulator) -> [DiaryNote] {
    (simulator.observed ?? []).map {
      .request(
        $0.isOfRun ? $0.slot?.place : nil, endpoint: $0.endpoint.place, failure: $0.failure, isRetry: $0.attempt > 0)
    }
  }
}

package struct DiaryEntry: Hashable, Sendable {
  package var at: Instant
  package var note: DiaryNote
}

/// A note about something that happened on a device; instances are identified by their slot on the device.
package enum DiaryNote: Hashable, Sendable {
  case unlock(until: Instant)
  case lock
  case network(isOnWifi: Bool, isOffline: Bool)
  case charger(isPlugged: Bool)
  case lowPowerMode(isOn: Bool)
  case placed(Int)
  /// A counted view, with the age of the data shown; `age` is `nil` if there was no entry to show.
  case view(Int, age: TimeAmount?)
  /// The start of a run, with its due date if it was scheduled, and the balance after the charge; `balance` is `nil` if
  /// there is no budget.
  case run(Int, Cause, due: Instant?, balance: RunMillionths?)
  /// The crash of a run at its start.
  case crash(Int)
  /// Requests that arrive together and have the same outcome.
  case request(Int?, endpoint: Int, failure: FailureReason?, isRetry: Bool)
  /// The end of a run.
  case end(Int, DiaryOutcome)
  /// A pending scheduled reload with its due, eligible and planned instants. `planned` is `nil` until it is known
  /// whether a session is in progress at the eligible instant.
  case ticket(Int, Cause, due: Instant, eligible: Instant, planned: Instant?)
  /// A withheld reload; `until` is `nil` if the reload waits for the user.
  case wait(Int, WaitReason, until: Instant?)
}

package enum DiaryOutcome: Hashable, Sendable {
  case data(since: Instant)
  case nothing
  case failed
}

/// A snapshot of a device between two events, used to detect the changes made by the next event.
struct DeviceSnapshot {
  private let presence: Presence
  private let network: NetworkState
  private let battery: Battery
  private let widgets: [WidgetSnapshot]
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

  /// Returns notes about the changes between an earlier snapshot and this snapshot.
  func changes(since before: DeviceSnapshot, at now: Instant) -> [DiaryNote] {
    var notes = surroundings(since: before)
    for slot in widgets.indices { notes += changes(of: slot, since: before, at: now) }
    return notes
  }

  private func surroundings(since before: DeviceSnapshot) -> [DiaryNote] {
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

  private func changes(of slot: Int, since before: DeviceSnapshot, at now: Instant) -> [DiaryNote] {
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

  private func outcome(of new: WidgetSnapshot, _ old: WidgetSnapshot) -> DiaryOutcome {
    if old.flight.fails { return .failed }
    return new.dataTime == .longAgo ? .nothing : .data(since: new.dataTime)
  }

  private func ticket(of widget: WidgetSnapshot, _ slot: Int) -> DiaryNote {
    let ticket = widget.ticket
    return .ticket(
      slot, ticket.cause ?? .policy, due: ticket.due, eligible: widget.eligible,
      planned: ticket.planned == .never ? nil : ticket.planned)
  }
}

/// A snapshot of a widget between two events, for diaries.
struct WidgetSnapshot {
  let kind: KindIndex
  let family: Family
  let isPlaced: Bool
  let isRunning: Bool
  let runs: UInt32
  /// The requests of the run in progress, or of the last run.
  let flight: Flight
  /// The time of the data shown; `.longAgo` if there is no data.
  let dataTime: Instant
  /// The ticket; it does not exist during a run.
  let ticket: Ticket
  /// The eligible instant e of the ticket, which is its earliest start.
  let eligible: Instant
  let wait: Wait
  /// The instant at which the ticket is checked next.
  let look: Instant?
  let account: BudgetAccount
  /// The widget's view history; it is empty on a phone without a user.
  let history: ViewHistory

  /// The number of counted views so far.
  var views: UInt32 { history.total }
}

extension WidgetHost where Rules == WidgetKitRules {
  func picture(of slot: Slot) -> WidgetSnapshot {
    let (widget, isRunning) = (phone.widget(slot), provider.isRunning(slot))
    return WidgetSnapshot(
      kind: widget.kind, family: widget.family, isPlaced: provider.isPlaced(slot), isRunning: isRunning,
      runs: provider.runs(of: slot), flight: provider.flights.ofRun(slot), dataTime: provider.dataTime(of: slot),
      ticket: isRunning ? .none : scheduler.ticket(of: slot),
      eligible: scheduler.eligible(slot, after: provider.lastRun(of: slot), phone.cohort),
      wait: scheduler.wait(of: slot), look: phone.queue.instant(of: .start(slot)),
      account: scheduler.allowance(of: slot), history: phone.hasPeople ? views.history(of: slot) : ViewHistory())
  }
}

/// Event-by-event simulation with access to the state of a device between events.
extension DeviceSimulator {
  mutating func begin(device number: Int, cohort: Int, replication: Int) {
    device.begin(PhoneIdentity(number: number, cohort: CohortIndex(cohort), replication: replication))
  }

  /// Handles the next event and returns it with its instant; returns `nil` at the end of the clock.
  mutating func step() -> (at: Instant, event: DeviceEvent)? { device.step() }

  /// Counts the device's remaining days.
  mutating func finish() { device.finish() }

  /// The request outcomes of a watched phone; `nil` if it is not watched.
  var observed: [ObservedRequest]? {
    get { device.widgets.phone.observed }
    set { device.widgets.phone.observed = newValue }
  }

  /// A snapshot of each widget of the current device, in slot order.
  var widgets: [WidgetSnapshot] { device.widgets.phone.slots.map { device.widgets.picture(of: $0) } }
  var presence: Presence { device.widgets.phone.presence }
  var network: NetworkState { device.widgets.connection.network }
  var battery: Battery { device.widgets.power.battery }
  /// The current or next session of a phone that has a user.
  var session: SessionState { device.widgets.phone.session }
  var person: PersonState { device.owner.person }
}
