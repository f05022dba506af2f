package import Scenario

/// How the requests of equal groups of devices differ, in each window length that the clock has (MODEL.md 8.1).
package struct LoadSpread: Equatable, Sendable {
  package var windows: [WindowSpread]

  package init(windows: [WindowSpread]) { self.windows = windows }
}

/// Requests of groups of devices in windows of one length.
package struct GroupCounts: Sendable {
  package let groups: Int
  /// By window, then group.
  package let counts: [Double]

  package init(groups: Int, counts: [Double]) {
    self.groups = groups
    self.counts = counts
  }

  /// In windows so many times as long, complete ones alone.
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

/// Variances of the sum over all groups, as the differences between groups tell them: of windows, and of longer spans.
package struct WindowSpread: Equatable, Sendable {
  package var window: LoadWindow
  package var groups: Int
  /// Element i: of the requests in the i-th window.
  package var variances: [Float]
  /// Element j: sums over all complete blocks of 2^j windows.
  package var blocks: [Sums]

  /// Sums over the places where something was counted.
  package struct Sums: Equatable, Sendable {
    package var variance: Double
    package var requests: Double
    package var places: Int

    package init(variance: Double, requests: Double, places: Int) {
      self.variance = variance
      self.requests = requests
      self.places = places
    }

    /// The variance of the sum of G independent equal counts y is estimated by (G sum y^2 - (sum y)^2) / (G - 1).
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
    // By level: the block that waits for its neighbour, as the digits of a counter.
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
