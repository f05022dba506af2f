import SimulationKernel

/// Places of keys as often as they explain the log: samples of the posterior over a box, in which every place was alike
/// before.
///
/// An ensemble of walkers that stretch away from each other (Goodman and Weare 2010): it needs no scale, follows ridges,
/// and keeps places that are far apart.
struct FitPosterior {
  let samples: [[Double]]

  /// Moves of every walker that are left out at the beginning.
  private static let burnIn = 200
  private static let thinning = 5
  private static let leastWalkers = 32
  /// Walkers begin at the best of so many points of the box for each.
  private static let choices = 32
  /// Goodman and Weare's a.
  private static let stretch = 2.0

  /// - Parameter lengths: how many times as many moves are kept as are left out at the beginning.
  /// - Parameter points: more than there are walkers, spread over the box, from 0 to 1.
  /// - Parameter logarithm: of the density, but for a constant.
  init(in box: FitBox, from points: [[Double]], lengths: Int, logarithm: ([Double]) -> Double) {
    let scored = points.map(box.place).map { (places: $0, height: logarithm($0)) }
    let best = scored.enumerated().sorted { ($1.element.height, $0.offset) < ($0.element.height, $1.offset) }
    var walkers = best.prefix(Self.walkers(box.keys)).map(\.element)
    var samples: [[Double]] = []
    for sweep in 0..<Self.burnIn * (1 + lengths) {
      for number in walkers.indices {
        Self.step(number, of: &walkers, sweep: sweep, in: box, logarithm)
      }
      if sweep >= Self.burnIn, sweep % Self.thinning == 0 { samples += walkers.map(\.places) }
    }
    self.samples = samples
  }

  static func walkers(_ keys: Int) -> Int { max(leastWalkers, 4 * (keys + 1)) }

  static func starts(_ keys: Int) -> Int { walkers(keys) * choices }

  /// One walker moves on the line through one of the other half.
  private static func step(
    _ number: Int, of walkers: inout [(places: [Double], height: Double)], sweep: Int, in box: FitBox,
    _ logarithm: ([Double]) -> Double
  ) {
    let block = Philox.block(counter: Philox.Block(UInt32(number), UInt32(sweep), 0, 0), key: 0)
    let choice = Philox.block(counter: Philox.Block(UInt32(number), UInt32(sweep), 1, 0), key: 0)
    let half = walkers.count / 2
    let other = (number < half ? half : 0) + Int(choice.first % UInt64(half))
    // Of the density 1 / sqrt(z) between 1/a and a.
    let root = ((stretch - 1) * uniform(block.first) + 1)
    let factor = root * root / stretch
    let (own, center) = (walkers[number], walkers[other].places)
    let next = zip(own.places, center).map { $1 + factor * ($0 - $1) }
    guard box.holds(next) else { return }
    let height = logarithm(next)
    let gain = Double(box.keys - 1) * SteadyMath.log(factor) + height - own.height
    if SteadyMath.log(uniform(block.second)) < gain { walkers[number] = (next, height) }
  }

  /// Between 0 and 1, both excluded.
  private static func uniform(_ bits: UInt64) -> Double { (Double(bits >> 11) + 0.5) * 0x1p-53 }

  // MARK: What it says

  var mean: [Double] {
    let keys = samples.first?.count ?? 0
    return (0..<keys).map { key in samples.reduce(0) { $0 + $1[key] } / Double(samples.count) }
  }

  var covariance: [[Double]] {
    let mean = self.mean
    return mean.indices.map { one in
      mean.indices.map { other in
        samples.reduce(0) { $0 + ($1[one] - mean[one]) * ($1[other] - mean[other]) } / Double(samples.count)
      }
    }
  }

  /// The place of a key below which these shares of the posterior lie.
  func quantiles(_ shares: [Double], of key: Int) -> [Double] {
    let sorted = samples.map { $0[key] }.sorted()
    return shares.map { sorted[min(Int($0 * Double(sorted.count)), sorted.count - 1)] }
  }
}
