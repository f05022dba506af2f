package import Scenario
import SimulationKernel

/// What widgets ask of their budgets while nothing is withheld (MODEL.md 1.4).
extension DeviceSimulator {
  /// What a widget did in an hour.
  package struct DemandHour: Sendable {
    /// When the hour began, on the wall of the phone's owner.
    package var local: LocalTime
    package var member: Int
    package var charged: Double
    package var views: Double
  }

  /// The owner of the present device, as far as demand depends on it.
  package var unlocksPerDay: Double { mutating get { device.owner.unlocksPerDay(&device.widgets.phone) } }

  /// The factor of the unlocks on a local date.
  package mutating func dayFactor(on date: LocalDay) -> Double { device.widgets.phone.dayFactor(on: date) }

  /// Lives one device of a plan that counts demand, up to the end of its clock, and reports its hours.
  ///
  /// - Throws: when events at one instant follow each other without end.
  package mutating func reportDemand(
    device number: Int, cohort: Int, replication: Int, _ report: (DemandHour) -> Void
  ) throws(EndlessInstant) {
    device.begin(PhoneIdentity(number: number, cohort: CohortIndex(cohort), replication: replication))
    let plan = device.widgets.phone.plan
    var seen = Array(repeating: DemandCount(), count: device.widgets.phone.widgetCount)
    var hour = plan.beginning
    while hour < plan.end {
      let local = device.widgets.phone.wall.reading(at: hour)
      hour = hour + .hour
      try device.live(upTo: hour)
      for slot in device.widgets.phone.slots {
        let count = device.widgets.demandCount(of: slot)
        let before = seen[slot.place]
        report(
          DemandHour(
            local: local, member: device.widgets.phone.widget(slot).member.place,
            charged: Double((count.charged - before.charged) / RunMillionths.one.count),
            views: Double(count.views - before.views)))
        seen[slot.place] = count
      }
    }
    device.widgets.phone.queue.free()
  }
}

/// What a widget has done so far.
private struct DemandCount {
  /// Millionths of a run that its budget was charged.
  var charged: Int64 = 0
  var views: UInt32 = 0
}

extension WidgetHost where Rules == WidgetKitRules {
  fileprivate func demandCount(of slot: Slot) -> DemandCount {
    let counting = BudgetAccount.counting.balance
    let left = provider.isPlaced(slot) ? scheduler.allowance(of: slot).balance : counting
    return DemandCount(
      charged: counting.count - left.count, views: phone.hasPeople ? views.total(of: slot) : 0)
  }
}
