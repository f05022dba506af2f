import DeviceModel
import Scenario
package import SimulationKernel

/// For how long the devices of a fleet that grows or shrinks are there (MODEL.md 1.5).
package struct DeviceTimes: Sendable {
  private let seed: UInt64
  private let duration: TimeAmount
  /// By cohort: its first device, and how it grows.
  private let cohorts: [(first: Int, growth: GrowthPlan?)]

  /// - Returns: nil where all devices are there all the time.
  package init?(of result: RunResult) {
    let scenario = result.scenario
    guard scenario.fleet.growthPerDay != nil else { return nil }
    (seed, duration) = (scenario.run.seed, scenario.clock.duration)
    var first = 0
    cohorts = zip(CohortSizes.atStart(scenario), result.cohortSizes).map { atStart, all in
      defer { first += all }
      return (first, CohortSizes.growth(of: atStart, scenario))
    }
  }

  /// A device's time in the measured period.
  package func time(ofDevice device: Int, cohort: Int, replication: Int) -> TimeAmount {
    let (first, growth) = cohorts[cohort]
    let stream = DeviceStream(
      seed: seed, device: UInt32(truncatingIfNeeded: device), replication: UInt32(truncatingIfNeeded: replication))
    return growth?.life(of: device - first, stream, until: .start + duration).measured(duration) ?? duration
  }
}
