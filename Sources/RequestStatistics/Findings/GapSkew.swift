/// A server's clock against another's by the gaps between a phone's wakes, where no wake reaches both.
///
/// A gap from the one server to the other is too long by what the clocks differ, the gap back too short by as much. Phones
/// go to and fro about equally often, so half the difference of the mean gaps is the offset; where gaps have a sharp
/// least length, as an interval makes it, half the difference of the two edges is a much better one.
struct GapSkew {
  /// Milliseconds from a request at the reference to the next one of the same phone at the server.
  private var there: [Int64] = []
  /// And back.
  private var back: [Int64] = []

  /// Gaps of two seconds to four hours are compared.
  private static let gaps: Range<Int64> = SenderHabits.wakeMilliseconds..<14_400_000
  /// Gaps that are needed each way.
  private static let least = 100
  /// An offset counts when its odds by chance are below 1e-9.
  private static let leastDeviate = 6.1
  /// Milliseconds before and after an edge whose numbers of gaps are compared.
  private static let edgeWindow: Int64 = 20_000

  /// Counts the gaps of one phone.
  ///
  /// - Parameter requests: of one sender, in order of time.
  mutating func add(_ requests: ArraySlice<SampledRequest>, of node: NameIndex, against reference: NameIndex) {
    for (one, next) in zip(requests, requests.dropFirst()) where Self.gaps.contains(next.time - one.time) {
      if one.node == reference, next.node == node { there.append(next.time - one.time) }
      if one.node == node, next.node == reference { back.append(next.time - one.time) }
    }
  }

  /// Milliseconds by which the server is ahead; nil: no more than chance.
  func offset() -> Int64? {
    guard there.count >= Self.least, back.count >= Self.least else { return nil }
    let (out, home) = (Self.moments(there), Self.moments(back))
    let rough = (out.mean - home.mean) / 2
    let error = (out.variance / Double(there.count) + home.variance / Double(back.count)).squareRoot() / 2
    guard abs(rough) > Self.leastDeviate * error else { return nil }
    return edgeOffset(near: Int64(rough), within: Int64(6 * error)) ?? Int64(rough)
  }

  /// The offset that makes the sharpest rises of both kinds of gaps one; nil: they have none.
  private func edgeOffset(near rough: Int64, within reach: Int64) -> Int64? {
    let pooled = (there.map { $0 - rough } + back.map { $0 + rough }).sorted()
    guard let edge = Self.edge(of: pooled, in: Self.gaps) else { return nil }
    let around = edge - reach - Self.edgeWindow..<edge + reach + Self.edgeWindow
    guard let out = Self.edge(of: there.map { $0 - rough }.sorted(), in: around),
      let home = Self.edge(of: back.map { $0 + rough }.sorted(), in: around)
    else { return nil }
    return rough + (out - home) / 2
  }

  /// The gap from which there are most more than before it, compared over 20 s; nil: nowhere beyond chance.
  private static func edge(of sorted: [Int64], in range: Range<Int64>) -> Int64? {
    var best: (edge: Int64, excess: Double)?
    var (before, after) = (0, 0)
    for (place, gap) in sorted.enumerated() {
      while sorted[before] < gap - edgeWindow { before += 1 }
      while after < sorted.count, sorted[after] < gap + edgeWindow { after += 1 }
      let (less, more) = (Double(place - before), Double(after - place))
      let excess = (more - less) / (more + less).squareRoot()
      if range.contains(gap), excess > max(best?.excess ?? 0, leastDeviate) { best = (gap, excess) }
    }
    return best?.edge
  }

  private static func moments(_ gaps: [Int64]) -> (mean: Double, variance: Double) {
    let mean = Double(gaps.reduce(0, +)) / Double(gaps.count)
    let squares = gaps.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) }
    return (mean, squares / Double(gaps.count - 1))
  }
}
