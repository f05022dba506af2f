import SimulationKernel

/// The keys that a CDN holds, as a fluid: how many were fetched in each step whose answers are still fresh (6.6).
///
/// Kept in units of 2^-24 of a key, so that what expires is exactly what was fetched.
struct FreshKeys: Equatable {
  private let plan: CDNPlan
  /// By step, round and round; the next place holds what expires with the present step.
  private var fetched: [Int64]
  private var place = 0
  private var fresh: Int64 = 0
  /// The share of the last step's requests that were misses.
  private(set) var missShare = Share.all

  private static let unitsPerKey: Int64 = 1 << 24

  /// A step is fresh as long as it begins before ttl has passed since the end of the step that fetched.
  init(_ plan: CDNPlan, grid: StepGrid) {
    self.plan = plan
    let steps = -(-plan.ttl.milliseconds).floorDivided(by: grid.length.milliseconds)
    fetched = Array(repeating: 0, count: max(min(Int(steps), grid.count), 1))
  }

  /// Keys that the present step would have to fetch.
  var staleKeys: Double { Double(plan.keys * Self.unitsPerKey - fresh) / Double(Self.unitsPerKey) }

  /// Takes a step's requests and returns its misses; keys become fresh by the share of the misses that are answered.
  mutating func meet(_ arrivals: Int64, answered: Share) -> Double {
    let keys = Double(plan.keys)
    let stale = staleKeys
    let misses: Double
    let found: Double
    if plan.isCollapsing {
      misses = stale * Self.share(touchedBy: arrivals, each: 1 / keys)
      found = misses * answered.fraction
    } else {
      misses = Double(arrivals) * (stale / keys)
      found = stale * Self.share(touchedBy: arrivals, each: answered.fraction / keys)
    }
    missShare = Share(fraction: min(arrivals > 0 ? misses / Double(arrivals) : stale / keys, 1))
    keep(found)
    return misses
  }

  private mutating func keep(_ keys: Double) {
    let limit = plan.keys * Self.unitsPerKey - fresh
    let units = min(Int64(keys * Double(Self.unitsPerKey) + 0.5), limit)
    fresh += units - fetched[place]
    fetched[place] = units
    place = place + 1 < fetched.count ? place + 1 : 0
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
