package import SimulationKernel

/// The keys that a CDN holds, as a fluid of popularity classes (MODEL.md 6.6).
package struct FreshKeys: Sendable {
  private let isCollapsing: Bool
  private var classes: [KeyClassState]
  /// What becomes of the present step's requests before the origin.
  private(set) var shares = EdgeShares()

  package init(_ plan: CDNPlan, grid: StepGrid) {
    isCollapsing = plan.isCollapsing
    let steps = KeySteps(plan, grid: grid)
    classes = plan.classes.indices.map { KeyClassState(plan.classes[$0], steps) }
    shares = total
  }

  /// Returns the origin requests that the present step's requests make.
  package mutating func misses(of arrivals: Int64) -> Double {
    var misses = 0.0
    for index in classes.indices { misses += classes[index].misses(of: arrivals, isCollapsing: isCollapsing) }
    return misses
  }

  /// Ends the present step.
  ///
  /// - Parameter answered: the share of its origin requests that are answered.
  package mutating func close(_ arrivals: Int64, answered: Share) {
    for index in classes.indices { classes[index].close(arrivals, answered: answered, isCollapsing: isCollapsing) }
    shares = total
  }

  private var total: EdgeShares {
    var sum = EdgeShares()
    for index in classes.indices { classes[index].add(to: &sum) }
    return sum
  }

  /// 1 - (1 - p)^n: the share of keys that at least one of n requests touches, if each touches a key with p.
  ///
  /// By squaring, from the highest bit of n down, on w = 1 - (1 - p)^m: doubling m makes w (2 - w), one more makes
  /// w + p (1 - w). Small shares keep their precision, as they would not in 1 - p; the same bits on every machine.
  static func share(touchedBy count: Int64, each p: Double) -> Double {
    guard count > 0 else { return 0 }
    var share = 0.0
    for bit in (0..<(Int64.bitWidth - count.leadingZeroBitCount)).reversed() {
      share = share * (2 - share)
      if count >> Int64(bit) & 1 == 1 { share += p * (1 - share) }
    }
    return min(share, 1)
  }
}

/// Shares of all requests, by what the CDN does with them; the rest are hits.
struct EdgeShares: Equatable {
  /// Ask the origin: their key is open.
  var misses = 0.0
  /// Ask the origin, and have a copy to fall back on.
  var missesWithCopy = 0.0
  /// Meet an error that the CDN remembers, without a copy.
  var errors = 0.0
  /// Meet such an error, and get a copy in its place.
  var copies = 0.0

  /// The share of all requests that get a copy, where this share of the origin requests fails.
  func staleAnswers(failing: Double) -> Double { copies + missesWithCopy * failing }
}
