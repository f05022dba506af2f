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
    plan: FleetPlan, shape: Tally.Shape, device: Int, cohort: Int, replication: Int, conditions: ConditionsTable?,
    until: Instant = .never
  ) throws(EndlessInstant) {
    var simulator = DeviceSimulator(plan: plan, shape: shape)
    simulator.backend = conditions.map { .trajectory($0) }
    simulator.observed = []
    simulator.begin(device: device, cohort: cohort, replication: replication)
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
