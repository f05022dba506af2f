internal import RequestStatistics
internal import SimulationKernel

/// In which time zones phones are, from when in the day they wake.
package struct ZoneEvidence: Sendable {
  package var names: [String]
  /// By zone: its share of the phones. Of zones whose clocks agree the first stands for all.
  package var shares: [Estimate]
  /// By phone: the most probable zone.
  package var zones: [Int]
  /// Wakes by local half hour, as shares of the day.
  package var profile: [Double]
}

/// A mixture of zones with one daily profile in local time, by expectation and maximization.
struct ZoneMix {
  /// What a phone's wakes count for, by zone and local half hour.
  private struct Member {
    let group: Int
    let counts: [[Double]]
  }

  private let clocks: LocalClocks
  /// Zones whose clocks differ.
  private let zones: [Int]
  private let members: [Member]
  private let start: [Double]
  private let areHoursKnown: Bool

  static let bins = 48
  /// Phones that are looked at: their zone shares are known to a hundredth.
  private static let mostMembers = 3_000
  /// Unlocks by hour where nobody knows better: few before six, many in the evening.
  private static let usualHours: [Double] = [
    3, 2, 1, 1, 1, 1, 3, 5, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 7, 7, 7, 7, 6, 4,
  ]

  init(_ history: WakeHistory, clocks: LocalClocks, hours: [Double]?) {
    self.clocks = clocks
    let twins = clocks.twins
    zones = (0..<clocks.count).filter { twins[$0] == $0 }
    areHoursKnown = hours != nil
    let hours = hours ?? Self.usualHours
    let sum = hours.reduce(0, +)
    // Half the wakes keep to no hour.
    start = (0..<Self.bins).map { 0.5 / Double(Self.bins) + 0.25 * hours[$0 / 2 % hours.count] / sum }
    let stride = max(1, (history.phones.count + Self.mostMembers - 1) / Self.mostMembers)
    let own = zones
    members = Swift.stride(from: 0, to: history.phones.count, by: stride).map { index in
      let phone = history.phones[index]
      return Member(
        group: phone.group, counts: own.map { Self.counts(history.wakes[phone.wakes], clocks, zone: $0) })
    }
  }

  private static func counts(_ wakes: ArraySlice<WakeHistory.Wake>, _ clocks: LocalClocks, zone: Int) -> [Double] {
    var counts = Array(repeating: 0.0, count: bins)
    for wake in wakes { counts[Int(clocks.local(wake.time, zone: zone) / 1_800_000 % 48)] += 1 }
    return counts
  }

  private struct State {
    var weights: [Double]
    var profile: [Double]
  }

  func evidence(_ history: WakeHistory) -> ZoneEvidence {
    guard zones.count > 1 else {
      let one = zones.map { _ in Estimate(1, low: 1, high: 1, verdict: .identified, count: members.count) }
      return result(one, State(weights: [1], profile: start), history)
    }
    let all = maximum(from: State(weights: zones.map { _ in 1 / Double(zones.count) }, profile: start), rounds: 300)
    guard isTelling(all) else {
      return result(zones.map { _ in .unknown(.flatDay, count: members.count) }, all, history)
    }
    let parts = (0..<Self.groups).map { maximum(leavingOut: $0, from: all, rounds: 25).weights }
    let estimates = zones.indices.map { zone -> Estimate in
      let interval = Self.interval(all.weights[zone], parts.map { $0[zone] })
      let plain = Estimate.judged(all.weights[zone], interval, scale: 0.5, count: members.count)
      return areHoursKnown ? plain : plain.limited(to: .weakly, .assumedHours)
    }
    return result(estimates, all, history)
  }

  /// Groups that are left out in turn.
  private static let groups = 32

  private static func interval(_ value: Double, _ parts: [Double]) -> ClosedRange<Double> {
    let mean = parts.reduce(0, +) / Double(parts.count)
    let squares = parts.reduce(0) { $0 + square($1 - mean) }
    let error = (squares * Double(parts.count - 1) / Double(parts.count)).squareRoot()
    let half = error * StudentTable.upper(freedom: Double(parts.count - 1))
    return max(value - half, 0)...min(value + half, 1)
  }

  private func maximum(leavingOut group: Int? = nil, from start: State, rounds: Int) -> State {
    var state = start
    for _ in 0..<rounds {
      let logs = state.profile.map(SteadyMath.log)
      var weights = zones.map { _ in 0.0 }
      var profile = Array(repeating: Self.smallest, count: Self.bins)
      for member in members where group == nil || member.group % Self.groups != group {
        for (zone, share) in shares(member, state.weights, logs).enumerated() where share > 0 {
          weights[zone] += share
          for bin in 0..<Self.bins { profile[bin] += share * member.counts[zone][bin] }
        }
      }
      let (count, wakes) = (weights.reduce(0, +), profile.reduce(0, +))
      let next = State(weights: weights.map { $0 / max(count, 1) }, profile: profile.map { $0 / wakes })
      let moved = zip(next.weights, state.weights).reduce(0) { $0 + abs($1.0 - $1.1) }
      state = next
      if moved < 1e-7 { break }
    }
    return state
  }

  /// A wake in every half hour of some phone: no half hour is impossible.
  private static let smallest = 1.0

  /// How probable each zone is for a phone.
  private func shares(_ member: Member, _ weights: [Double], _ logs: [Double]) -> [Double] {
    shares(counts: member.counts, weights, logs)
  }

  private func shares(counts: [[Double]], _ weights: [Double], _ logs: [Double]) -> [Double] {
    let terms = counts.indices.map { zone -> Double in
      guard weights[zone] > 0 else { return -.infinity }
      var sum = SteadyMath.log(weights[zone])
      for bin in 0..<Self.bins { sum += counts[zone][bin] * logs[bin] }
      return sum
    }
    let most = terms.max() ?? 0
    let parts = terms.map { $0.isFinite ? SteadyMath.exp($0 - most) : 0 }
    let sum = parts.reduce(0, +)
    return parts.map { $0 / sum }
  }

  /// Whether days have enough shape to tell clocks apart.
  ///
  /// The divergence between the profile and itself an hour later, summed over all wakes, must exceed what chance gives a
  /// flat day, twice its number of free half hours, by far.
  private func isTelling(_ state: State) -> Bool {
    let logs = state.profile.map(SteadyMath.log)
    let wakes = members.reduce(0) { $0 + $1.counts[0].reduce(0, +) }
    let divergence = (0..<Self.bins).reduce(0) {
      $0 + state.profile[$1] * (logs[$1] - logs[($1 + 2) % Self.bins])
    }
    return divergence * wakes > Self.leastDivergence
  }

  /// Chance gives some 94, aligned by the mixture to at most twice that.
  private static let leastDivergence = 300.0

  private func result(_ estimates: [Estimate], _ state: State, _ history: WakeHistory) -> ZoneEvidence {
    let twins = clocks.twins
    let shares = (0..<clocks.count).map { zone -> Estimate in
      zones.firstIndex(of: zone).map { estimates[$0] } ?? .unknown(.equalClocks)
    }
    let merged = shares.enumerated().map { zone, share -> Estimate in
      let hasTwin = twins.enumerated().contains { $0.element == zone && $0.offset != zone }
      return hasTwin && zones.count > 1 ? share.limited(to: .weakly, .equalClocks) : share
    }
    return ZoneEvidence(names: clocks.names, shares: merged, zones: assigned(state, history), profile: state.profile)
  }

  private func assigned(_ state: State, _ history: WakeHistory) -> [Int] {
    guard zones.count > 1 else { return history.phones.map { _ in zones.first ?? 0 } }
    let logs = state.profile.map(SteadyMath.log)
    return history.phones.map { phone in
      let counts = zones.map { Self.counts(history.wakes[phone.wakes], clocks, zone: $0) }
      let shares = shares(counts: counts, state.weights, logs)
      return zones[shares.indices.max { shares[$0] < shares[$1] } ?? 0]
    }
  }
}
