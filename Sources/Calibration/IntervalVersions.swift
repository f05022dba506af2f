internal import RequestStatistics

/// One of the intervals that phones of a kind follow: versions of the code, or one before and one after a release.
package struct IntervalVersion: Sendable {
  package var edge: HazardEdge
  /// The share of all stretches of wakes that follow it.
  package var share: Estimate
  /// By day of the log: the share of that day's stretches.
  package var byDay: [Double]
  /// By the system's major version: the share of its stretches; 0 stands for phones that do not say.
  package var bySystem: [UInt8: Double]
}

/// A phone's wakes cut into stretches, and which interval each follows.
struct IntervalVersions {
  /// So many gaps of one phone in a row.
  private struct Stretch {
    let gaps: Range<Int>
    let time: Int64
    let system: UInt8
  }

  private let history: WakeHistory
  private let gaps: Gaps
  private let ages: Range<Int>
  private let stretches: [Stretch]

  /// Enough to tell free runs from due ones, few enough to see a release within days.
  private static let length = 12
  private static let mostVersions = 3
  /// Due runs come this long after an edge: windows are up to a quarter of an hour.
  private static let reach = 960.0
  /// Less than this share of a stretch's long gaps ends after an edge that is not its own.
  private static let least = 0.3
  /// Fewer stretches than this, in number and as a share, are no version.
  private static let fewest = 20
  private static let rarest = 0.02

  init(_ history: WakeHistory, gaps: Gaps, ages: Range<Int>) {
    self.history = history
    self.gaps = gaps
    self.ages = ages
    var stretches: [Stretch] = []
    var first = 0
    while first < gaps.all.count {
      var end = first
      let phone = gaps.all[first].phone
      while end < gaps.all.count, end - first < Self.length, gaps.all[end].phone == phone { end += 1 }
      let wake = history.wakes[Int(gaps.all[first].wake)]
      if end - first == Self.length {
        stretches.append(Stretch(gaps: first..<end, time: wake.time, system: wake.system))
      }
      first = end
    }
    self.stretches = stretches
  }

  /// The versions, the most common first, and the gaps of the first one's stretches.
  func versions(from edge: HazardEdge) -> (versions: [IntervalVersion], own: Gaps) {
    var rest = stretches
    var next: HazardEdge? = edge
    var found: [(edge: HazardEdge, stretches: [Stretch])] = []
    while let edge = next, found.count < Self.mostVersions {
      let own = rest.filter { isFollowed(edge, in: $0) }
      found.append((edge, own))
      rest = rest.filter { !isFollowed(edge, in: $0) }
      next = isEnough(rest) ? self.edge(among: rest, apartFrom: found.map(\.edge)) : nil
    }
    found = found.filter { $0.edge == edge || isEnough($0.stretches) }
    let count = found.reduce(0) { $0 + $1.stretches.count }
    let versions = found.map { version($0.edge, $0.stretches, of: count) }
      .sorted { ($0.share.value ?? 0) > ($1.share.value ?? 0) }
    guard found.count > 1, let most = found.max(by: { $0.stretches.count < $1.stretches.count }) else {
      return (versions, gaps)
    }
    return (versions, Gaps(gaps, within: most.stretches.map(\.gaps)))
  }

  private func isEnough(_ some: [Stretch]) -> Bool {
    some.count >= Self.fewest && Double(some.count) >= Self.rarest * Double(stretches.count)
  }

  /// Whether due runs of this interval end enough of the gaps that are no bursts.
  private func isFollowed(_ edge: HazardEdge, in stretch: Stretch) -> Bool {
    var (long, due) = (0, 0)
    for gap in gaps.all[stretch.gaps] where gap.isComplete && gap.seconds >= Double(ages.lowerBound) {
      long += 1
      if gap.seconds >= edge.low - 1, gap.seconds < edge.place + Self.reach { due += 1 }
    }
    return Double(due) >= Self.least * Double(max(long, 1))
  }

  private func edge(among rest: [Stretch], apartFrom known: [HazardEdge]) -> HazardEdge? {
    let own = Gaps(gaps, within: rest.map(\.gaps))
    guard let edge = EdgeSearch(gaps: own, curve: HazardCurve(own), ages: ages).edge() else { return nil }
    // The long gaps of phones that miss a run are no version of their own.
    let isNew = known.allSatisfy { other in
      let ratio = edge.place / other.place
      return abs(ratio - 1) > 0.02 && !isMultiple(edge, of: other, stretches: rest)
    }
    return isNew ? edge : nil
  }

  /// A version at a multiple of another's interval has gaps there alone; one that misses runs has others too.
  private func isMultiple(_ edge: HazardEdge, of other: HazardEdge, stretches: [Stretch]) -> Bool {
    let followers = stretches.filter { isFollowed(edge, in: $0) }.count
    return edge.place > other.place && followers * 2 < stretches.count
  }

  private func version(_ edge: HazardEdge, _ own: [Stretch], of count: Int) -> IntervalVersion {
    let days = Int((history.span.upperBound - history.span.lowerBound + 86_399_999) / 86_400_000)
    var sums = CrossedSums(of: history.span, width: 2)
    var byDay = Array(repeating: (own: 0.0, all: 0.0), count: max(days, 1))
    var bySystem: [UInt8: (own: Double, all: Double)] = [:]
    let places = Set(own.map(\.gaps.lowerBound))
    for stretch in stretches {
      let isOwn = places.contains(stretch.gaps.lowerBound) ? 1.0 : 0
      let phone = history.phones[Int(gaps.all[stretch.gaps.lowerBound].phone)]
      sums.add(isOwn, to: 0, group: phone.group, at: stretch.time)
      sums.add(1, to: 1, group: phone.group, at: stretch.time)
      let day = min(Int((stretch.time - history.span.lowerBound) / 86_400_000), byDay.count - 1)
      byDay[day].own += isOwn
      byDay[day].all += 1
      bySystem[stretch.system, default: (0, 0)].own += isOwn
      bySystem[stretch.system, default: (0, 0)].all += 1
    }
    let share = sums.interval { $0[0] / $0[1] }
    return IntervalVersion(
      edge: edge, share: .judged(share.value, share.interval, scale: 0.5, count: own.count),
      byDay: byDay.map { $0.all > 0 ? $0.own / $0.all : 0 }, bySystem: bySystem.mapValues { $0.own / $0.all })
  }
}
