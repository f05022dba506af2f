import Scenario
import SimulationKernel

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
