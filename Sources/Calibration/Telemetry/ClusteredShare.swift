/// A share of observations that come in clusters, such as the runs of some phones.
struct ClusteredShare {
  private(set) var counts: [UInt64: (hits: Double, all: Double)] = [:]

  mutating func add(_ isHit: Bool, of cluster: UInt64) {
    let own = counts[cluster, default: (0, 0)]
    counts[cluster] = (own.hits + (isHit ? 1 : 0), own.all + 1)
  }

  var observations: Int { Int(counts.values.reduce(0) { $0 + $1.all }) }

  /// The share and its standard error; the error is nil with fewer than two clusters.
  ///
  /// A ratio of sums over clusters: variance k / (k - 1) sum (a - p n)^2 / (sum n)^2 (Cochran, Sampling Techniques,
  /// 1977, 10.4).
  var value: (share: Double, error: Double?)? {
    let clusters = counts.sorted { $0.key < $1.key }.map(\.value)
    let (hits, all) = (clusters.reduce(0) { $0 + $1.hits }, clusters.reduce(0) { $0 + $1.all })
    guard all > 0 else { return nil }
    let share = hits / all
    let count = Double(clusters.count)
    guard clusters.count > 1 else { return (share, nil) }
    let squares = clusters.reduce(0) { $0 + square($1.hits - share * $1.all) }
    return (share, (squares * count / (count - 1)).squareRoot() / all)
  }

  /// Judged by its width against 1, as other shares are.
  var estimate: Estimate {
    guard let value else { return .unknown(.tooFewObservations) }
    guard value.share > 0, value.share < 1 else {
      // What was never seen of n has less than 3 / n, chance of one in twenty apart.
      let most = min(1, 3 / Double(observations))
      return value.share == 0
        ? Estimate(nil, high: most, verdict: .oneSided, count: observations, reason: .neverReached)
        : Estimate(nil, low: 1 - most, verdict: .oneSided, count: observations, reason: .neverReached)
    }
    let half = value.error.map { $0 * StudentTable.upper(freedom: Double(counts.count - 1)) }
    return .judged(
      value.share, half.map { max(0, value.share - $0)...min(1, value.share + $0) }, scale: 0.5, count: observations)
  }
}
