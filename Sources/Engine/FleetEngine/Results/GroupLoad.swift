import DeviceModel
package import Scenario
import SimulationKernel

/// The number of requests by device group, endpoint and time step.
///
/// Differences between device groups are used to estimate the random variation of the load (MODEL.md 8.1).
struct GroupLoad: Sendable {
  private let endpoints: Int
  private let steps: Int
  private let groups: Int
  /// The counts, indexed by step, then by endpoint, then by group.
  private var counts: [UInt32]

  init(groups: Int, endpoints: Int, steps: Int) {
    self.groups = groups
    self.endpoints = endpoints
    self.steps = steps
    counts = Array(repeating: 0, count: groups * endpoints * steps)
  }

  /// Adds the counts of a group's devices, given by endpoint and then by step, and clears the source.
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

  /// Adds requests that a group sent to an endpoint in a step.
  mutating func add(_ requests: Int64, group: Int, endpoint: Int, step: Int) {
    counts[(step * endpoints + endpoint) * groups + group] &+= UInt32(truncatingIfNeeded: requests)
  }

  /// Returns the number of requests per step at an endpoint, summed over all groups.
  func arrivals(endpoint: Int) -> [UInt32] {
    counts.withUnsafeBufferPointer { counts in
      (0..<steps).map { step in
        let first = (step &* endpoints &+ endpoint) &* groups
        return (first..<first &+ groups).reduce(UInt32(0)) { $0 &+ counts[$1] }
      }
    }
  }

  /// Returns the spread between groups at each endpoint and, if there are several endpoints, for all of them combined.
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

  /// Returns the number of requests, indexed by step and then by group.
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
  /// The number of groups that are counted separately. It is reduced for tiny fleets, or if the counts would need too
  /// much memory.
  var groupCount: Int {
    let clock = scenario.clock
    let steps = Int(clock.duration.milliseconds / clock.step.milliseconds)
    let cells = max(scenario.endpoints.count * steps, 1)
    let fitting = Self.maxGroupCells / cells
    return max(2, min(Self.maxGroups, fitting, devicesSimulated))
  }

  private static let maxGroups = 8
  private static let maxGroupCells = 64_000_000

  /// Returns the group of a device. In each cohort, the initial devices and the devices added later are each divided
  /// evenly among the groups by number.
  func group(of device: Int, cohort: Int) -> Int {
    let (place, size) = part(of: device, cohort: cohort)
    return place * groupCount / max(size, 1)
  }

  /// The counts of all groups before the first request.
  var emptyGroupLoad: GroupLoad {
    GroupLoad(groups: groupCount, endpoints: tallyShape.endpoints, steps: tallyShape.steps)
  }
}

/// The spread between the requests of device groups of equal size, for each window length of the clock (MODEL.md 8.1).
package struct LoadSpread: Equatable, Sendable {
  package var windows: [WindowSpread]

  package init(windows: [WindowSpread]) { self.windows = windows }
}

/// The number of requests by device group in windows of equal length.
package struct GroupCounts: Sendable {
  package let groups: Int
  /// The number of requests, indexed by window and then by group.
  package let counts: [Double]

  package init(groups: Int, counts: [Double]) {
    self.groups = groups
    self.counts = counts
  }

  /// Returns the counts for windows that are `factor` times as long; an incomplete last window is omitted.
  func joined(_ factor: Int) -> GroupCounts {
    guard factor > 1, groups > 0 else { return self }
    let size = factor * groups
    let windows = counts.count / size
    return GroupCounts(
      groups: groups,
      counts: [Double](unsafeUninitializedCapacity: windows * groups) { sums, count in
        sums.initialize(repeating: 0)
        counts.withUnsafeBufferPointer { counts in
          for window in 0..<windows {
            for part in 0..<factor {
              let first = window &* size &+ part &* groups
              for group in 0..<groups { sums[window &* groups &+ group] += counts[first &+ group] }
            }
          }
        }
        count = windows * groups
      })
  }
}

/// The variances of the number of requests in windows and in longer blocks, estimated from the differences between
/// groups.
package struct WindowSpread: Equatable, Sendable {
  package var window: LoadWindow
  package var groups: Int
  /// The variance of the number of requests in each window.
  package var variances: [Float]
  /// The sums over all complete blocks of 2^j windows, at index j.
  package var blocks: [Sums]

  /// Sums over the blocks that contain requests.
  package struct Sums: Equatable, Sendable {
    package var variance: Double
    package var requests: Double
    package var places: Int

    /// Adds the estimated variance of the sum of G independent, identically distributed counts y, which is (G sum y^2 -
    /// (sum y)^2) / (G - 1).
    @inline(__always)
    fileprivate mutating func add(_ counts: UnsafePointer<Double>, _ groups: Int) -> Double {
      var (sum, squares) = (0.0, 0.0)
      for group in 0..<groups {
        sum += counts[group]
        squares += counts[group] * counts[group]
      }
      guard sum > 0 else { return 0 }
      let variance = groups > 1 ? (Double(groups) * squares - sum * sum) / Double(groups - 1) : sum
      self.variance += variance
      requests += sum
      places += 1
      return variance
    }
  }

  package init(_ window: LoadWindow, _ counts: GroupCounts) {
    self.window = window
    groups = counts.groups
    let (groups, windows) = (counts.groups, groups > 0 ? counts.counts.count / groups : 0)
    let levels = windows > 0 ? Int.bitWidth - windows.leadingZeroBitCount : 0
    var blocks = Array(repeating: Sums(variance: 0, requests: 0, places: 0), count: levels)
    // Each level holds a block that waits for its pair, like a digit of a binary counter.
    var waiting = Array(repeating: 0.0, count: max(levels * groups, 1))
    variances = [Float](unsafeUninitializedCapacity: windows) { variances, count in
      counts.counts.withUnsafeBufferPointer { counts in
        waiting.withUnsafeMutableBufferPointer { waiting in
          guard let counts = counts.baseAddress, let waiting = waiting.baseAddress else { return }
          for window in 0..<windows {
            let first = counts + window * groups
            variances[window] = Float(blocks[0].add(first, groups))
            for group in 0..<groups { waiting[group] = first[group] + (window & 1 == 1 ? waiting[group] : 0) }
            var level = 0
            while window >> level & 1 == 1 {
              let (sum, next) = (waiting + level * groups, waiting + (level + 1) * groups)
              level += 1
              _ = blocks[level].add(sum, groups)
              let isSecond = window >> level & 1 == 1
              for group in 0..<groups { next[group] = sum[group] + (isSecond ? next[group] : 0) }
            }
          }
        }
      }
      count = windows
    }
    self.blocks = blocks
  }
}
