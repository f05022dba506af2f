import Scenario
import SimulationKernel

/// A device between two events, to see what the next one changes.
struct DevicePicture {
  private let device: DeviceState
  private let instances: [InstanceState]
  private let sessionEnd: Instant
  /// By slot: views so far.
  private let views: [UInt32]
  /// By slot: when its ticket is looked at next.
  private let looks: [Instant?]
  private let hasBudget: Bool

  init(_ simulator: borrowing DeviceSimulator) {
    device = simulator.device
    instances = (0..<simulator.device.instanceCount).map { simulator.instances[$0] }
    let hasPeople = simulator.cohort.pointee.hasPeople
    sessionEnd = hasPeople ? simulator.person.session.end : .longAgo
    views = (0..<simulator.device.instanceCount).map { hasPeople ? simulator.views[$0].total : 0 }
    looks = instances.indices.map { simulator.queue.instant(of: .start(UInt8($0))) }
    hasBudget = simulator.cohort.pointee.system.budget.model != .off
  }

  /// What has changed, in the order in which people think of it.
  func changes(since before: DevicePicture, at now: Instant) -> [DiaryNote] {
    var notes = surroundings(since: before)
    for slot in instances.indices { notes += changes(of: slot, since: before, at: now) }
    return notes
  }

  private func surroundings(since before: DevicePicture) -> [DiaryNote] {
    var notes: [DiaryNote] = []
    let (new, old) = (device, before.device)
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
    let (new, old) = (instances[slot], before.instances[slot])
    var notes: [DiaryNote] = []
    if new.isPlaced, !old.isPlaced { notes.append(.placed(slot)) }
    if views[slot] != before.views[slot] {
      notes.append(.view(slot, age: old.dataTime == .longAgo ? nil : now - old.dataTime))
    }
    if old.isRunning, !new.isRunning || new.runs != old.runs { notes.append(.end(slot, outcome(of: new, old))) }
    if new.runs != old.runs {
      let due = new.run.flight.cause.isCharged && old.ticket.exists ? old.ticket.due : nil
      notes.append(.run(slot, new.run.flight.cause, due: due, balance: hasBudget ? new.account.balance : nil))
      if !new.isRunning { notes.append(.crash(slot)) }
    }
    if new.ticket.exists, new.ticket != old.ticket { notes.append(ticket(of: new, slot)) }
    if let reason = new.wait.reason, new.wait != old.wait { notes.append(.wait(slot, reason, until: looks[slot])) }
    return notes
  }

  private func outcome(of new: InstanceState, _ old: InstanceState) -> DiaryOutcome {
    if old.run.flight.fails { return .failed }
    return new.dataTime == .longAgo ? .nothing : .data(since: new.dataTime)
  }

  private func ticket(of instance: InstanceState, _ slot: Int) -> DiaryNote {
    let ticket = instance.ticket
    return .ticket(
      slot, ticket.cause ?? .policy, due: ticket.due, eligible: ticket.eligible,
      planned: ticket.planned == .never ? nil : ticket.planned)
  }
}
