internal import RequestStatistics

/// One of several intervals followed by phones with the same kind, such as the interval in the app's code before or
/// after a release.
package struct IntervalVersion: Sendable {
  package var edge: HazardEdge
  /// The fraction of phone time during which this interval is followed.
  package var share: Estimate
  /// The version's share of phone time on each day of the log.
  package var byDay: [Double]
  /// The version's share of phone time by major system version; 0 means an unknown version.
  package var bySystem: [(system: UInt8, share: Double)]
}

/// Sequences of consecutive wakes, each assigned to the interval that it follows.
struct IntervalVersions {
  /// A fixed number of consecutive gaps of one phone.
  private struct Stretch {
    let gaps: Range<Int>
    let phone: Int32
    let time: Int64
    let system: UInt8
    /// The total length of the stretch's gaps in seconds.
    let weight: Double
  }

  private let history: WakeHistory
  private let gaps: Gaps
  private let edge: HazardEdge
  private let ages: Range<Int>
  private let stretches: [Stretch]
  /// The time after an edge within which due runs start, in seconds.
  private let reach: Double

  /// The number of gaps in a stretch. It is large enough to distinguish free from due runs, and small enough to locate
  /// a release to within days.
  private static let length = 12
  private static let maxVersions = 3
  /// The longest start delay of any preset, plus a minute, in seconds. With longer delays, versions cannot be
  /// distinguished and are treated as one.
  private static let usualWindow = 960.0
  /// The minimum fraction of sufficiently long gaps in a stretch that end at an edge if the stretch follows that edge.
  private static let minimum = 0.5
  /// The smallest number and fraction of stretches that are treated as a version.
  private static let fewest = 20
  private static let rarest = 0.02

  /// - Parameter edge: the clearest edge in all gaps.
  init(_ history: WakeHistory, gaps: Gaps, edge: HazardEdge, known: KnownPolicy) {
    self.history = history
    self.gaps = gaps
    self.edge = edge
    ages = known.ages
    reach = Self.usualWindow + known.jitter
    var stretches: [Stretch] = []
    var first = 0
    while first < gaps.all.count {
      var end = first
      let phone = gaps.all[first].phone
      while end < gaps.all.count, end - first < Self.length, gaps.all[end].phone == phone { end += 1 }
      let wake = history.wakes[Int(gaps.all[first].wake)]
      let weight = gaps.all[first..<end].reduce(0) { $0 + $1.seconds }
      if end - first == Self.length {
        stretches.append(Stretch(gaps: first..<end, phone: phone, time: wake.time, system: wake.system, weight: weight))
      }
      first = end
    }
    self.stretches = stretches
  }

  /// Returns the versions, most common first, and the gaps of the first version's stretches.
  func versions() -> (versions: [IntervalVersion], own: Gaps) {
    var (edges, rest, next) = ([HazardEdge](), stretches, HazardEdge?(edge))
    while let edge = next, edges.count < Self.maxVersions {
      edges.append(edge)
      rest = rest.filter { followed(edge, in: $0) < Self.minimum }
      next = isEnough(rest) ? self.edge(among: rest, apartFrom: edges) : nil
    }
    var found = assigned(to: edges)
    let kept = edges.indices.filter { $0 == 0 || isEnough(found[$0]) }
    guard kept.count > 1 else { return ([version(edge, stretches, among: stretches)], gaps) }
    found = assigned(to: kept.map { edges[$0] })
    let following = found.flatMap { $0 }
    let versions = zip(kept, found).map { version(edges[$0.0], $0.1, among: following) }
      .sorted { ($0.share.value ?? 0) > ($1.share.value ?? 0) }
    let maximum = zip(kept, found).first { edges[$0.0] == versions[0].edge }?.1 ?? stretches
    return (versions, Gaps(gaps, within: maximum.map(\.gaps)))
  }

  /// Returns the stretches that follow each edge.
  ///
  /// A stretch is assigned to the earliest edge that its due runs follow, because few gaps reach a later edge by
  /// chance. A stretch without sufficiently long gaps follows the same edge as the phone's previous stretch or, if
  /// there is none, its next one.
  private func assigned(to edges: [HazardEdge]) -> [[Stretch]] {
    let order = edges.indices.sorted { edges[$0].place < edges[$1].place }
    var own = stretches.map { stretch in order.first { followed(edges[$0], in: stretch) >= Self.minimum } }
    func inherit(_ place: Int, from other: Int) {
      guard own[place] == nil, stretches.indices.contains(other), stretches[other].phone == stretches[place].phone
      else {
        return
      }
      own[place] = own[other]
    }
    for place in stretches.indices { inherit(place, from: place - 1) }
    for place in stretches.indices.reversed() { inherit(place, from: place + 1) }
    return edges.indices.map { edge in stretches.indices.filter { own[$0] == edge }.map { stretches[$0] } }
  }

  private func isEnough(_ some: [Stretch]) -> Bool {
    some.count >= Self.fewest && Double(some.count) >= Self.rarest * Double(stretches.count)
  }

  /// Returns the fraction of the gaps reaching an edge that end there with a due run; 0 if no gap reaches the edge.
  private func followed(_ edge: HazardEdge, in stretch: Stretch) -> Double {
    var (reached, due) = (0, 0)
    for gap in gaps.all[stretch.gaps] where gap.isComplete && gap.seconds >= edge.low - 1 {
      reached += 1
      if gap.seconds < edge.place + reach { due += 1 }
    }
    return reached > 0 ? Double(due) / Double(reached) : 0
  }

  private func edge(among rest: [Stretch], apartFrom known: [HazardEdge]) -> HazardEdge? {
    let own = Gaps(gaps, within: rest.map(\.gaps))
    guard let edge = EdgeSearch(gaps: own, curve: HazardCurve(own), ages: ages).edge() else { return nil }
    // Phones that skip a run have long gaps, which do not indicate a separate version.
    let isNew = known.allSatisfy { other in
      let ratio = edge.place / other.place
      return abs(ratio - 1) > 0.02 && !isMultiple(edge, of: other, stretches: rest)
    }
    return isNew ? edge : nil
  }

  /// Returns whether an edge at a longer age is due only to skipped runs. If it belonged to a separate version, most
  /// stretches would follow it.
  private func isMultiple(_ edge: HazardEdge, of other: HazardEdge, stretches: [Stretch]) -> Bool {
    let followers = stretches.filter { followed(edge, in: $0) >= Self.minimum }.count
    return edge.place > other.place && followers * 2 < stretches.count
  }

  private func version(_ edge: HazardEdge, _ own: [Stretch], among following: [Stretch]) -> IntervalVersion {
    let days = Int((history.span.upperBound - history.span.lowerBound + 86_399_999) / 86_400_000)
    var sums = CrossedSums(of: history.span, width: 2)
    var byDay = Array(repeating: (own: 0.0, all: 0.0), count: max(days, 1))
    var bySystem: [UInt8: (own: Double, all: Double)] = [:]
    let places = Set(own.map(\.gaps.lowerBound))
    for stretch in following {
      let isOwn = places.contains(stretch.gaps.lowerBound) ? stretch.weight : 0
      let phone = history.phones[Int(stretch.phone)]
      sums.add(isOwn, to: 0, group: phone.group, at: stretch.time)
      sums.add(stretch.weight, to: 1, group: phone.group, at: stretch.time)
      let day = min(Int((stretch.time - history.span.lowerBound) / 86_400_000), byDay.count - 1)
      byDay[day].own += isOwn
      byDay[day].all += stretch.weight
      bySystem[stretch.system, default: (0, 0)].own += isOwn
      bySystem[stretch.system, default: (0, 0)].all += stretch.weight
    }
    let share = sums.interval { $0[0] / $0[1] }
    return IntervalVersion(
      edge: edge, share: .judged(share.value, share.interval, scale: 0.5, count: own.count),
      byDay: byDay.map { $0.all > 0 ? $0.own / $0.all : 0 },
      bySystem: bySystem.sorted { $0.key < $1.key }.map { ($0.key, $0.value.own / $0.value.all) })
  }
}
