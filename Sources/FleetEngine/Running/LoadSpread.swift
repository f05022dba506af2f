package import Scenario

/// How the requests of equal groups of devices differ, in each window length that the clock has (MODEL.md 8.1).
package struct LoadSpread: Equatable, Sendable {
  package var windows: [WindowSpread]

  package init(windows: [WindowSpread]) { self.windows = windows }
}

/// Variances of the sum over all groups, as the differences between groups tell them: of windows, and of longer spans.
package struct WindowSpread: Equatable, Sendable {
  package var window: LoadWindow
  package var groups: Int
  /// Element i: of the requests in the i-th window.
  package var variances: [Float]
  /// Element j: sums over all complete blocks of 2^j windows.
  package var blocks: [Sums]
  /// Element j: of the difference between two neighbouring blocks of 2^j windows.
  package var differences: [Sums]

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
  }

  /// - Parameter counts: by group, then window.
  package init(_ window: LoadWindow, _ counts: [[Int64]]) {
    self.window = window
    groups = counts.count
    variances = []
    (blocks, differences) = ([], [])
    var level = counts
    while let length = level.first?.count, length > 0 {
      let moments = Self.moments(level)
      if blocks.isEmpty { variances = moments.variances.map { Float($0) } }
      blocks.append(moments.sums)
      guard length > 1 else { break }
      differences.append(Self.differences(level))
      level = level.map { counts in (0..<counts.count / 2).map { counts[2 * $0] + counts[2 * $0 + 1] } }
    }
  }

  /// The variance of the sum of G independent equal counts y is estimated by (G sum y^2 - (sum y)^2) / (G - 1).
  private static func variance(_ sum: Int64, _ squares: Int64, _ groups: Int) -> Double {
    guard groups > 1 else { return Double(sum) }
    return Double(Int128(groups) * Int128(squares) - Int128(sum) * Int128(sum)) / Double(groups - 1)
  }

  private static func moments(_ level: [[Int64]]) -> (variances: [Double], sums: Sums) {
    let length = level[0].count
    var (sums, squares) = (Array(repeating: Int64(0), count: length), Array(repeating: Int64(0), count: length))
    for counts in level {
      for index in 0..<length {
        sums[index] &+= counts[index]
        squares[index] &+= counts[index] &* counts[index]
      }
    }
    var all = Sums(variance: 0, requests: 0, places: 0)
    let variances = (0..<length).map { index in
      let variance = sums[index] == 0 ? 0 : variance(sums[index], squares[index], level.count)
      all.variance += variance
      all.requests += Double(sums[index])
      all.places += sums[index] == 0 ? 0 : 1
      return variance
    }
    return (variances, all)
  }

  private static func differences(_ level: [[Int64]]) -> Sums {
    var all = Sums(variance: 0, requests: 0, places: 0)
    for pair in 0..<level[0].count / 2 {
      var (sum, squares, requests) = (Int64(0), Int64(0), Int64(0))
      for counts in level {
        let (left, right) = (counts[2 &* pair], counts[2 &* pair &+ 1])
        sum &+= left &- right
        squares &+= (left &- right) &* (left &- right)
        requests &+= left &+ right
      }
      guard requests > 0 else { continue }
      all.variance += variance(sum, squares, level.count)
      all.requests += Double(requests)
      all.places += 1
    }
    return all
  }
}
