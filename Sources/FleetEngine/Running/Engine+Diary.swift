package import BackendModel
package import DeviceModel
package import Scenario
package import SimulationKernel

/// Why a device cannot be lived again.
package enum DiaryError: Error, Hashable, Sendable {
  /// There are only so many devices, counted from 0.
  case noDevice(Int, devices: Int)
  /// The backend answers back: what it did must be given.
  case needsConditions
  /// The conditions are those of other endpoints, of another clock or of other steps.
  case otherConditions
  case endless(SimulationError)
}

extension Engine {
  /// One device's life in a replication, event by event.
  ///
  /// - Parameter conditions: what the backend did, where it answers back; `ConditionsTrajectory` of a run with the same
  ///   scenario and seed.
  package func diary(
    ofDevice device: Int, replication: Int = 0, conditions: ConditionsTrajectory?
  ) throws(DiaryError) -> DeviceDiary {
    try diaries(ofDevices: [device], replication: replication, conditions: conditions)[0]
  }

  /// Several devices' lives in a replication, by themselves, up to an instant.
  package func diaries(
    ofDevices devices: [Int], replication: Int = 0, conditions: ConditionsTrajectory?, until: Instant = .never
  ) throws(DiaryError) -> [DeviceDiary] {
    for device in devices where !(0..<devicesLived).contains(device) {
      throw .noDevice(device, devices: devicesLived)
    }
    if plan.hasFeedback, conditions == nil { throw .needsConditions }
    if let conditions, !fits(conditions) { throw .otherConditions }
    let storage = SamplerStorage()
    let engine = learned(for: replication) ?? self
    defer { withExtendedLifetime((engine, storage)) {} }
    let table = conditions?.prepared(in: storage)
    return try devices.map { device throws(DiaryError) in
      do throws(EndlessInstant) {
        return try DeviceDiary(
          plan: engine.plan, shape: tallyShape, device: device, cohort: cohort(of: device), replication: replication,
          conditions: table, until: until)
      } catch {
        throw .endless(SimulationError(error))
      }
    }
  }

  private func fits(_ conditions: ConditionsTrajectory) -> Bool {
    conditions.endpoints == scenario.endpoints.map(\.name) && conditions.grid == scenario.clock.grid
  }

  /// The time zone of a device's diary.
  package func zoneName(of diary: DeviceDiary) -> String { FleetPlanBuilder.zoneNames(of: scenario)[diary.zone] }

  /// What a device's clock on the wall shows.
  package func localTime(at instant: Instant, in diary: DeviceDiary) -> LocalTime {
    plan.clocks[diary.zone].reading(at: instant)
  }

  /// The conditions of a replication's run: what the backend did, or what outages alone did.
  package func conditions(of result: ReplicationResult) -> ConditionsTrajectory {
    result.backend?.conditions ?? conditionsByOutages
  }

  /// The conditions of every run where nothing that devices do changes them; nil: the backend answers back.
  package var knownConditions: ConditionsTrajectory? { plan.hasFeedback ? nil : conditionsByOutages }

  private var conditionsByOutages: ConditionsTrajectory {
    ConditionsTrajectory.fromOutages(
      scenario.endpoints.indices.map { plan.endpoints[$0] }, names: scenario.endpoints.map(\.name),
      grid: scenario.clock.grid)
  }
}

extension ConditionsTrajectory {
  /// As it is kept in conditions.csv.
  package var text: [UInt8] { ConditionsText.encode(self) }

  /// - Throws: a sentence with the line that is wrong.
  package init(text: [UInt8]) throws(ConditionsTextError) { self = try ConditionsText.decode(text) }
}
