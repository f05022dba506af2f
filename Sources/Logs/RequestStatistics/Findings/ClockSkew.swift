/// The offsets between servers' clocks, estimated from wakes with requests to two servers. If there are no such wakes,
/// the gaps between wakes are used instead.
///
/// The requests of a wake arrive within two seconds of each other. If they are sent to two servers, their timestamps
/// differ by the offset between the servers' clocks, plus at most two seconds. Therefore, the differences between all
/// pairs of requests to different servers within an hour have a peak at the offset. All other differences are random.
package enum ClockSkew {
  /// The maximum offset in milliseconds. Offsets of whole hours indicate a wrong time zone, which is detected
  /// separately.
  private static let reach: Int64 = 3_700_000
  private static let bin: Int64 = 1_000
  /// The maximum number of requests to compare for each sender, limited because comparing pairs takes time.
  private static let maxRequests = 20_000
  /// The minimum number of pairs in a peak.
  private static let minimum = 20
  /// The minimum ratio of a peak to the surrounding counts.
  private static let maximum = 8.0
  private static let neighbourhood = 60

  /// Returns whether an offset is close to a whole number of hours, as would result from a wrong time zone.
  package static func isWrongZone(_ milliseconds: Int64) -> Bool {
    let hours = (Double(milliseconds) / 3_600_000).rounded()
    return hours != 0 && abs(Double(milliseconds) - hours * 3_600_000) <= 3_000
  }

  /// Returns how many milliseconds each server's clock is ahead of the clock of the server with the most lines. Offsets
  /// of up to two seconds are ignored.
  ///
  /// - Parameters:
  ///   - requests: requests sorted by sender and time.
  ///   - names: the names of the servers, which determine the order of servers with the same number of lines.
  package static func offsets(in requests: [SampledRequest], _ names: NameTable) -> [NameIndex: Int64] {
    var lines: [NameIndex: Int] = [:]
    for request in requests { lines[request.node, default: 0] += 1 }
    guard lines.count > 1, lines.count <= LogCensus.maxNodes,
      let reference = lines.max(by: { ($0.value, names[$1.key] ?? "") < ($1.value, names[$0.key] ?? "") })?.key
    else { return [:] }
    var offsets: [NameIndex: Int64] = [:]
    for node in lines.keys where node != reference {
      let shared = offset(of: node, against: reference, requests)
      if let offset = shared ?? gapOffset(of: node, against: reference, requests),
        abs(offset) > SenderHabits.wakeMilliseconds
      {
        offsets[node] = offset
      }
    }
    return offsets
  }

  private static func gapOffset(
    of node: NameIndex, against reference: NameIndex, _ requests: [SampledRequest]
  ) -> Int64? {
    var gaps = GapSkew()
    for sender in SenderSample.senders(of: requests) where sender.count <= maxRequests {
      gaps.add(requests[sender], of: node, against: reference)
    }
    return gaps.offset()
  }

  private static func offset(
    of node: NameIndex, against reference: NameIndex, _ requests: [SampledRequest]
  ) -> Int64? {
    var counts = [Int](repeating: 0, count: Int(2 * reach / bin) + 1)
    for sender in SenderSample.senders(of: requests) {
      let own = requests[sender].filter { $0.node == node }
      let other = requests[sender].filter { $0.node == reference }
      guard !own.isEmpty, !other.isEmpty, sender.count <= maxRequests else { continue }
      count(own, other, &counts)
    }
    let total = counts.reduce(0, +)
    // A peak is as wide as the period within which requests are treated as one wake.
    let windows: [Int] = (0..<counts.count - 2).map { (place: Int) -> Int in counts[place...place + 2].reduce(0, +) }
    guard let best = windows.indices.max(by: { windows[$0] < windows[$1] }) else { return nil }
    let mean = max(Double(total) * 3 / Double(counts.count), Self.mean(of: windows, around: best))
    guard windows[best] >= minimum, Double(windows[best]) > maximum * max(mean, 1) else { return nil }
    return Int64(best + 1) * bin - reach
  }

  /// Returns the mean count of the windows within a minute of a given window, excluding adjacent ones. A local mean is
  /// used because gaps that reflect an interval also form clusters.
  private static func mean(of windows: [Int], around best: Int) -> Double {
    let near = (best - neighbourhood...best + neighbourhood).filter { place in
      windows.indices.contains(place) && abs(place - best) > 2
    }
    return near.isEmpty ? 0 : Double(near.reduce(0) { $0 + windows[$1] }) / Double(near.count)
  }

  /// Counts the time differences between all pairs of requests that are close enough in time.
  private static func count(_ own: [SampledRequest], _ other: [SampledRequest], _ counts: inout [Int]) {
    var first = 0
    for request in own {
      while first < other.count, other[first].time < request.time - reach { first += 1 }
      var place = first
      while place < other.count, other[place].time <= request.time + reach {
        counts[Int((request.time - other[place].time + reach) / bin)] += 1
        place += 1
      }
    }
  }
}

/// An estimate of the offset of a server's clock from the gaps between phones' wakes, used if no wake reaches both
/// servers.
///
/// A gap from one server to the other is too long by the offset, and a gap in the opposite direction is too short by
/// the same amount. Phones change servers about equally often in both directions, so the offset is half the difference
/// between the mean gaps. If gaps have a sharp minimum, because they reflect an interval, half the difference between
/// the two edges is more precise.
struct GapSkew {
  /// The gaps from a phone's request to the reference server to its next request to the other server, in milliseconds.
  private var there: [Int64] = []
  /// The gaps in the opposite direction, in milliseconds.
  private var back: [Int64] = []

  /// The lengths of the gaps to compare, from two seconds to four hours, in milliseconds.
  private static let gaps: Range<Int64> = SenderHabits.wakeMilliseconds..<14_400_000
  /// The minimum number of gaps in each direction.
  private static let minimum = 100
  /// The minimum offset in standard errors, which is exceeded by chance with a probability of less than 1e-9.
  private static let minDeviate = 6.1
  /// The length, in milliseconds, of the ranges before and after an edge whose gaps are counted and compared.
  private static let edgeWindow: Int64 = 20_000

  /// Adds the gaps between one phone's wakes to the counts.
  ///
  /// - Parameter requests: the requests of one sender in chronological order.
  mutating func add(_ requests: ArraySlice<SampledRequest>, of node: NameIndex, against reference: NameIndex) {
    for (one, next) in zip(requests, requests.dropFirst()) where Self.gaps.contains(next.time - one.time) {
      if one.node == reference, next.node == node { there.append(next.time - one.time) }
      if one.node == node, next.node == reference { back.append(next.time - one.time) }
    }
  }

  /// Returns how many milliseconds the server's clock is ahead; `nil` if the offset is not significant.
  func offset() -> Int64? {
    guard there.count >= Self.minimum, back.count >= Self.minimum else { return nil }
    let (out, home) = (Self.moments(there), Self.moments(back))
    let rough = (out.mean - home.mean) / 2
    let error = (out.variance / Double(there.count) + home.variance / Double(back.count)).squareRoot() / 2
    guard abs(rough) > Self.minDeviate * error else { return nil }
    return edgeOffset(near: Int64(rough), within: Int64(6 * error)) ?? Int64(rough)
  }

  /// Returns the offset that aligns the sharpest increases of both distributions of gaps; `nil` if there are none.
  private func edgeOffset(near rough: Int64, within reach: Int64) -> Int64? {
    let pooled = (there.map { $0 - rough } + back.map { $0 + rough }).sorted()
    guard let edge = Self.edge(of: pooled, in: Self.gaps) else { return nil }
    let around = edge - reach - Self.edgeWindow..<edge + reach + Self.edgeWindow
    guard let out = Self.edge(of: there.map { $0 - rough }.sorted(), in: around),
      let home = Self.edge(of: back.map { $0 + rough }.sorted(), in: around)
    else { return nil }
    return rough + (out - home) / 2
  }

  /// Returns the gap length at which the number of gaps increases most from the previous 20 s to the next 20 s. The
  /// result is `nil` if no increase is significant.
  private static func edge(of sorted: [Int64], in range: Range<Int64>) -> Int64? {
    var best: (edge: Int64, excess: Double)?
    var (before, after) = (0, 0)
    for (place, gap) in sorted.enumerated() {
      while sorted[before] < gap - edgeWindow { before += 1 }
      while after < sorted.count, sorted[after] < gap + edgeWindow { after += 1 }
      let (less, more) = (Double(place - before), Double(after - place))
      let excess = (more - less) / (more + less).squareRoot()
      if range.contains(gap), excess > max(best?.excess ?? 0, minDeviate) { best = (gap, excess) }
    }
    return best?.edge
  }

  private static func moments(_ gaps: [Int64]) -> (mean: Double, variance: Double) {
    let mean = Double(gaps.reduce(0, +)) / Double(gaps.count)
    let squares = gaps.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) }
    return (mean, squares / Double(gaps.count - 1))
  }
}
