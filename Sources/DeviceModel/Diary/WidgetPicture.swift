import Scenario
import SimulationKernel

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
