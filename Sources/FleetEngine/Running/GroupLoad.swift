import DeviceModel
import Scenario
import SimulationKernel

/// Requests by group of devices, endpoint and time step: from how groups differ follows how far chance moves the load
/// (MODEL.md 8.1).
struct GroupLoad: Sendable {
  private let endpoints: Int
  private let steps: Int
  private let groups: Int
  /// By step, then endpoint, then group.
  private var counts: [UInt32]

  init(groups: Int, endpoints: Int, steps: Int) {
    self.groups = groups
    self.endpoints = endpoints
    self.steps = steps
    counts = Array(repeating: 0, count: groups * endpoints * steps)
  }

  /// Takes what was counted of a group's devices by endpoint, then step, and clears it there.
  mutating func take(_ arrivals: UnsafeMutablePointer<UInt32>, of group: Int) {
    let (endpoints, groups, steps) = (endpoints, groups, steps)
    counts.withUnsafeMutableBufferPointer { counts in
      for endpoint in 0..<endpoints {
        for step in 0..<steps where arrivals[endpoint &* steps &+ step] > 0 {
          counts[(step &* endpoints &+ endpoint) &* groups &+ group] &+= arrivals[endpoint &* steps &+ step]
          arrivals[endpoint &* steps &+ step] = 0
        }
      }
    }
  }

  /// Counts requests of a group in a step.
  mutating func add(_ requests: Int64, group: Int, endpoint: Int, step: Int) {
    counts[(step * endpoints + endpoint) * groups + group] &+= UInt32(truncatingIfNeeded: requests)
  }

  /// Requests per step at an endpoint, of all groups.
  func arrivals(endpoint: Int) -> [UInt32] {
    counts.withUnsafeBufferPointer { counts in
      (0..<steps).map { step in
        let first = (step &* endpoints &+ endpoint) &* groups
        return (first..<first &+ groups).reduce(UInt32(0)) { $0 &+ counts[$1] }
      }
    }
  }

  /// How groups differ: at each endpoint, then, where there are several, at all together.
  func spreads(_ clock: Clock) -> [LoadSpread] {
    let each = (0..<endpoints).map { $0...$0 }
    return (endpoints > 1 ? each + [0...endpoints - 1] : each).map { spread(of: $0, clock) }
  }

  private func spread(of endpoints: ClosedRange<Int>, _ clock: Clock) -> LoadSpread {
    var windows: [WindowSpread] = []
    var counts = GroupCounts(groups: groups, counts: steps(of: endpoints))
    var length = 1
    for window in LoadWindow.all(of: clock) {
      guard let steps = window.steps(of: clock) else { continue }
      counts = steps % length == 0 ? counts.joined(steps / length) : counts
      length = steps
      windows.append(WindowSpread(window, counts))
    }
    return LoadSpread(windows: windows)
  }

  /// By step, then group.
  private func steps(of endpoints: ClosedRange<Int>) -> [Double] {
    let (width, groups) = (self.endpoints, groups)
    return [Double](unsafeUninitializedCapacity: steps * groups) { sums, count in
      counts.withUnsafeBufferPointer { counts in
        sums.initialize(repeating: 0)
        for step in 0..<steps {
          for endpoint in endpoints.lowerBound..<endpoints.upperBound &+ 1 {
            let first = (step &* width &+ endpoint) &* groups
            for group in 0..<groups { sums[step &* groups &+ group] += Double(counts[first &+ group]) }
          }
        }
      }
      count = steps * groups
    }
  }
}

extension GroupLoad: SummedFields {
  static func list(_ fields: inout some FieldList<GroupLoad>) {
    fields.label(\.endpoints)
    fields.label(\.steps)
    fields.label(\.groups)
    fields.sum(\.counts)
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

  private static let mostGroups = 8
  private static let mostGroupCells = 64_000_000

  /// The group of a device: its cohort in equal parts, by number, and so those of it that come later.
  func group(of device: Int, cohort: Int) -> Int {
    let (place, size) = part(of: device, cohort: cohort)
    return place * groupCount / max(size, 1)
  }

  /// What groups do, counted from nothing.
  var emptyGroupLoad: GroupLoad {
    GroupLoad(groups: groupCount, endpoints: tallyShape.endpoints, steps: tallyShape.steps)
  }
}
