import DeviceModel
import Scenario
import SimulationKernel

/// Requests by group of devices, endpoint and time step: from how groups differ follows how far chance moves the load
/// (MODEL.md 8.1).
struct GroupLoad: Sendable {
  private let endpoints: Int
  private let steps: Int
  /// By group, then endpoint, then step.
  private var counts: [UInt32]

  init(groups: Int, endpoints: Int, steps: Int) {
    self.endpoints = endpoints
    self.steps = steps
    counts = Array(repeating: 0, count: groups * endpoints * steps)
  }

  private var groups: Int { endpoints * steps == 0 ? 0 : counts.count / (endpoints * steps) }

  /// Takes what was counted of a group's devices by endpoint, then step, and clears it there.
  mutating func take(_ arrivals: UnsafeMutablePointer<UInt32>, of group: Int) {
    let size = endpoints * steps
    counts.withUnsafeMutableBufferPointer { counts in
      for index in 0..<size where arrivals[index] > 0 {
        counts[group &* size &+ index] &+= arrivals[index]
        arrivals[index] = 0
      }
    }
  }

  /// Counts requests of a group in a step.
  mutating func add(_ requests: Int64, group: Int, endpoint: Int, step: Int) {
    counts[(group * endpoints + endpoint) * steps + step] &+= UInt32(truncatingIfNeeded: requests)
  }

  /// Requests per step at an endpoint, of all groups.
  func arrivals(endpoint: Int) -> [UInt32] {
    var sums = Array(repeating: UInt32(0), count: steps)
    for group in 0..<groups {
      let first = (group * endpoints + endpoint) * steps
      for step in 0..<steps { sums[step] &+= counts[first + step] }
    }
    return sums
  }

  /// How groups differ: at each endpoint, then, where there are several, at all together.
  func spreads(_ clock: Clock) -> [LoadSpread] {
    let each = (0..<endpoints).map { [$0] }
    return (endpoints > 1 ? each + [Array(0..<endpoints)] : each).map { spread(of: $0, clock) }
  }

  private func spread(of endpoints: [Int], _ clock: Clock) -> LoadSpread {
    LoadSpread(
      windows: LoadWindow.all(of: clock).compactMap { window in
        window.steps(of: clock).map { length in
          WindowSpread(window, (0..<groups).map { windowed($0, endpoints, length) })
        }
      })
  }

  /// A group's requests in each complete window.
  private func windowed(_ group: Int, _ endpoints: [Int], _ length: Int) -> [Int64] {
    var sums = Array(repeating: Int64(0), count: steps / length)
    counts.withUnsafeBufferPointer { counts in
      for endpoint in endpoints {
        let first = (group &* self.endpoints &+ endpoint) &* steps
        for window in sums.indices {
          var sum: Int64 = 0
          for step in window &* length..<(window &+ 1) &* length { sum &+= Int64(counts[first &+ step]) }
          sums[window] &+= sum
        }
      }
    }
    return sums
  }
}

extension Engine {
  /// Groups of devices that are counted apart: fewer in a tiny fleet, and where the steps would take too much memory.
  var groupCount: Int {
    let clock = scenario.clock
    let steps = Int(clock.duration.milliseconds / clock.step.milliseconds)
    let cells = max(scenario.endpoints.count * steps, 1)
    let fitting = Self.mostGroupCells / cells
    return max(2, min(Self.mostGroups, fitting, devicesSimulated))
  }

  private static let mostGroups = 16
  private static let mostGroupCells = 64_000_000

  /// The group of a device: its cohort in equal parts, by number.
  func group(of device: Int, cohort: Int) -> Int {
    let first = cohortSizes[..<cohort].reduce(0, +)
    return (device - first) * groupCount / max(cohortSizes[cohort], 1)
  }

  /// What groups do, counted from nothing.
  var emptyGroupLoad: GroupLoad {
    GroupLoad(groups: groupCount, endpoints: tallyShape.endpoints, steps: tallyShape.steps)
  }
}
