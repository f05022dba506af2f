/// Servers whose clocks differ, seen in wakes of which two servers each got a part, else in the gaps between wakes.
///
/// Requests of one wake arrive within two seconds of each other. Where two servers share a wake, the difference of their
/// stamps is that of their clocks and at most two seconds more; so over all neighbours at different servers within an
/// hour the differences have a peak there, and elsewhere chance alone puts them.
package enum ClockSkew {
  /// Milliseconds within which clocks are compared; a whole hour is a wrong zone and told apart by who reads the result.
  private static let reach: Int64 = 3_700_000
  private static let bin: Int64 = 1_000
  /// Whoever sends more is not compared: each pair takes time.
  private static let mostRequests = 20_000
  /// Pairs at a peak that are taken for no chance, and how many times its neighbourhood they must be.
  private static let least = 20
  private static let most = 8.0
  private static let neighbourhood = 60

  /// Milliseconds by which a server's stamps are ahead of those of the server with the most lines; those within two
  /// seconds are taken for right.
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

  /// The mean of the windows within a minute of one, but for those that touch it: an interval's gaps lie close, too.
  private static func mean(of windows: [Int], around best: Int) -> Double {
    let near = (best - neighbourhood...best + neighbourhood).filter { place in
      windows.indices.contains(place) && abs(place - best) > 2
    }
    return near.isEmpty ? 0 : Double(near.reduce(0) { $0 + windows[$1] }) / Double(near.count)
  }

  /// Differences of all pairs within reach.
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
