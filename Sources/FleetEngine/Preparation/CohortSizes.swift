import DeviceModel
package import Scenario
import SimulationKernel

/// How many devices each cohort gets: exact sizes by the largest remainder (MODEL.md 1).
enum CohortSizes {
  /// Devices of each cohort that are simulated, of those that there are at the start of the clock.
  static func atStart(_ scenario: Scenario) -> [Int] {
    sizes(of: scenario.fleet.cohorts.map(\.share), devices: scenario.devicesSimulated)
  }

  /// Devices of each cohort that live, those that come later too.
  static func all(_ scenario: Scenario) -> [Int] {
    atStart(scenario).map { growth(of: $0, scenario)?.all ?? $0 }
  }

  /// The cohort that a device number falls in, by the devices of each.
  static func cohort(of device: Int, in sizes: [Int]) -> Int {
    var last = 0
    for (index, size) in sizes.enumerated() {
      last += size
      if device < last { return index }
    }
    return sizes.count - 1
  }

  /// How a cohort grows; nil: it stays as it is.
  static func growth(of size: Int, _ scenario: Scenario) -> GrowthPlan? {
    GrowthPlan(atStart: size, logarithm: scenario.fleet.growthLogarithm, duration: scenario.clock.duration)
  }

  /// - Parameter shares: from 0 to 1, adding up to 1.
  /// - Returns: sizes that add up to `devices`; of equal remainders the earlier cohort's is rounded up.
  static func sizes(of shares: [Share], devices: Int) -> [Int] {
    let quotas = shares.map { $0.fraction * Double(devices) }
    // Shares are decimal fractions, so a quota a hair below a whole number is that number.
    var sizes = quotas.map { Int(($0 + 1e-6).rounded(.down)) }
    let left = devices - sizes.reduce(0, +)
    // Equal remainders differ in their last bits: whole millionths tell.
    let remainders = sizes.indices.map { index in
      (index: index, remainder: Int(((quotas[index] - Double(sizes[index])) * 1e6).rounded()))
    }
    let ranked = remainders.sorted { ($1.remainder, $0.index) < ($0.remainder, $1.index) }
    for place in ranked.prefix(max(left, 0)) { sizes[place.index] += 1 }
    return sizes
  }
}

extension Scenario {
  /// Devices that live in each replication, those that come later too.
  package var devicesLived: Int { CohortSizes.all(self).reduce(0, +) }
}
