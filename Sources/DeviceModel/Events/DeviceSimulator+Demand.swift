package import Scenario
import SimulationKernel

/// What widgets ask of their budgets while nothing is withheld (MODEL.md 1.4).
extension DeviceSimulator {
  /// What an instance did in an hour.
  package struct DemandHour: Sendable {
    /// When the hour began, on the wall of the phone's owner.
    package var local: LocalTime
    package var member: Int
    package var charged: Double
    package var views: Double
  }

  /// The owner of the present device, as far as demand depends on it.
  package var unlocksPerDay: Double { cohort.pointee.hasPeople ? person.unlocksPerDay : 0 }

  /// The factor of the unlocks on a local date.
  package mutating func dayFactor(on date: LocalDay) -> Double {
    guard cohort.pointee.hasPeople else { return 1 }
    var factor = DayFactor()
    return factor.value(date, cohort.pointee.person.dayFactor, stream)
  }

  /// Lives one device of a plan that counts demand, up to the end of its clock, and reports its hours.
  ///
  /// - Throws: when events at one instant follow each other without end.
  package mutating func reportDemand(
    device number: Int, cohort cohortIndex: Int, replication: Int, _ report: (DemandHour) -> Void
  ) throws(EndlessInstant) {
    begin(device: number, cohort: cohortIndex, replication: replication)
    defer { queue.free() }
    var seen: [(charged: Int64, views: UInt32)] = Array(repeating: (0, 0), count: device.instanceCount)
    var hour = plan.beginning
    while hour < plan.end {
      let local = wall.reading(at: hour)
      hour = hour + .hour
      try live(upTo: hour)
      for slot in 0..<device.instanceCount {
        let left = instances[slot].isPlaced ? instances[slot].account.balance : BudgetAccount.counting.balance
        let charged = BudgetAccount.counting.balance.count - left.count
        let views = cohort.pointee.hasPeople ? views[slot].total : 0
        report(
          DemandHour(
            local: local, member: Int(instances[slot].member),
            charged: Double((charged - seen[slot].charged) / RunMillionths.one.count),
            views: Double(views - seen[slot].views)))
        seen[slot] = (charged, views)
      }
    }
  }

  /// Handles every event before an instant.
  private mutating func live(upTo end: Instant) throws(EndlessInstant) {
    var last = Instant.longAgo
    var eventsAtOnce = 0
    while let next = queue.next, next.at < end, next.at < plan.end {
      _ = step()
      eventsAtOnce = next.at == last ? eventsAtOnce &+ 1 : 1
      last = next.at
      if eventsAtOnce > EndlessInstant.mostEvents { throw endlessInstant(at: last) }
    }
  }
}
