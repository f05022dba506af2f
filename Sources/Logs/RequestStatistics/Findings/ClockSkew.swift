/// The offsets between servers' clocks, from wakes with requests at two servers, else from the gaps between wakes.
///
/// Requests of one wake arrive within two seconds of each other. If two servers share a wake, the difference of their
/// stamps is that of their clocks and at most two seconds more. So the differences over all neighbours at different
/// servers within an hour have a peak there; elsewhere they are random.
package enum ClockSkew {
  /// The max offset in milliseconds; a whole hour is a wrong zone and is detected separately.
  private static let reach: Int64 = 3_700_000
  private static let bin: Int64 = 1_000
  /// The max requests of a sender that is compared: each pair takes time.
  private static let mostRequests = 20_000
  /// The min number of pairs at a peak, and the min ratio to its neighbourhood.
  private static let least = 20
  private static let most = 8.0
  private static let neighbourhood = 60

  /// Returns whether an offset is close to a whole number of hours, as a wrong zone makes it.
  package static func isWrongZone(_ milliseconds: Int64) -> Bool {
    let hours = (Double(milliseconds) / 3_600_000).rounded()
    return hours != 0 && abs(Double(milliseconds) - hours * 3_600_000) <= 3_000
  }

  /// Returns the milliseconds by which each server's stamps are ahead of those of the server with the most lines.
  /// Offsets within two seconds count as none.
  ///
  /// - Parameters:
  ///   - requests: in order of sender and time.
  ///   - names: of servers, which decide between two with equally many lines.
  package static func offsets(in requests: [SampledRequest], _ names: NameTable) -> [NameIndex: Int64] {
    var lines: [NameIndex: Int] = [:]
    for request in requests { lines[request.node, default: 0] += 1 }
    guard lines.count > 1, lines.count <= LogCensus.mostNodes,
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
    for sender in SenderSample.senders(of: requests) where sender.count <= mostRequests {
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
      guard !own.isEmpty, !other.isEmpty, sender.count <= mostRequests else { continue }
      count(own, other, &counts)
    }
    let total = counts.reduce(0, +)
    // A peak is as wide as a wake.
    let windows: [Int] = (0..<counts.count - 2).map { (place: Int) -> Int in counts[place...place + 2].reduce(0, +) }
    guard let best = windows.indices.max(by: { windows[$0] < windows[$1] }) else { return nil }
    let mean = max(Double(total) * 3 / Double(counts.count), Self.mean(of: windows, around: best))
    guard windows[best] >= least, Double(windows[best]) > most * max(mean, 1) else { return nil }
    return Int64(best + 1) * bin - reach
  }

  /// Returns the mean of the windows within a minute of one, without adjacent ones. An interval's gaps are clustered,
  /// too.
  private static func mean(of windows: [Int], around best: Int) -> Double {
    let near = (best - neighbourhood...best + neighbourhood).filter { place in
      windows.indices.contains(place) && abs(place - best) > 2
    }
    return near.isEmpty ? 0 : Double(near.reduce(0) { $0 + windows[$1] }) / Double(near.count)
  }

  /// Counts the differences of all pairs within reach.
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

/// The offset of a server's clock from the gaps between a phone's wakes, where no wake reaches both servers.
///
/// A gap from one server to the other is too long by the offset, and the gap back too short. Phones change servers
/// about equally often in both directions, so half the difference of the mean gaps is the offset. With a sharp min of
/// the gaps, as from an interval, half the difference of the two edges is more precise.
struct GapSkew {
  /// The milliseconds from a request at the reference to the same phone's next one at the server.
  private var there: [Int64] = []
  /// The milliseconds in the opposite direction.
  private var back: [Int64] = []

  /// The compared gaps: two seconds to four hours.
  private static let gaps: Range<Int64> = SenderHabits.wakeMilliseconds..<14_400_000
  /// The min number of gaps in each direction.
  private static let least = 100
  /// The min deviate of an offset, for odds by chance below 1e-9.
  private static let leastDeviate = 6.1
  /// The milliseconds before and after an edge whose numbers of gaps are compared.
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

  /// Returns the milliseconds by which the server is ahead; `nil` where it is not beyond chance.
  func offset() -> Int64? {
    guard there.count >= Self.least, back.count >= Self.least else { return nil }
    let (out, home) = (Self.moments(there), Self.moments(back))
    let rough = (out.mean - home.mean) / 2
    let error = (out.variance / Double(there.count) + home.variance / Double(back.count)).squareRoot() / 2
    guard abs(rough) > Self.leastDeviate * error else { return nil }
    return edgeOffset(near: Int64(rough), within: Int64(6 * error)) ?? Int64(rough)
  }

  /// Returns the offset that aligns the sharpest rises of both kinds of gaps; `nil` where they have none.
  private func edgeOffset(near rough: Int64, within reach: Int64) -> Int64? {
    let pooled = (there.map { $0 - rough } + back.map { $0 + rough }).sorted()
    guard let edge = Self.edge(of: pooled, in: Self.gaps) else { return nil }
    let around = edge - reach - Self.edgeWindow..<edge + reach + Self.edgeWindow
    guard let out = Self.edge(of: there.map { $0 - rough }.sorted(), in: around),
      let home = Self.edge(of: back.map { $0 + rough }.sorted(), in: around)
    else { return nil }
    return rough + (out - home) / 2
  }

  /// Returns the gap with the largest increase of gaps within 20 s after it over 20 s before it; `nil` where none is
  /// beyond chance.
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
