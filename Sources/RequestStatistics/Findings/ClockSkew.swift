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
