internal import RequestStatistics
internal import Scenario
internal import SimulationKernel

/// In which time zones phones are, from when in the day they wake.
package struct ZoneEvidence: Sendable {
  package var names: [String]
  /// By zone: its share of the phones. Of zones whose clocks agree the first stands for all.
  package var shares: [Estimate]
  /// By phone: the most probable zone.
  package var zones: [Int]
  /// Wakes by local half hour, as shares of all: those that were due, those of phones in use, free runs, 48 each.
  package var profile: [Double]
}

/// Kinds of wakes that keep to people's days more or less, told apart by the gap before them.
struct WakeClasses {
  /// Seconds of interval and run time; nil: no interval is known, all wakes are alike.
  let cycle: Double?
  let inUseWindow: Double

  static let count = 3

  /// The class of a wake and the instant whose hour counts: 0: due, or unknown; 1: due, and so soon after it that the
  /// phone was in use; 2: free. Of due runs the due date counts, for they may have waited all night.
  func place(_ time: Int64, after previous: Int64) -> (number: Int, time: Int64) {
    guard let cycle, previous > 0 else { return (0, time) }
    let delay = Double(time - previous) / 1_000 - cycle
    guard delay >= -1 else { return (2, time) }
    return (delay < inUseWindow ? 1 : 0, previous + Int64(cycle * 1_000))
  }

  static func followsPeople(_ number: Int) -> Bool { number > 0 }
}

/// How probable the local hours of a phone's wakes are.
struct HourLaw {
  private let logs: [Double]
  /// By half hour: the share of due runs that find the phone in use, and its logarithm.
  private let inUse: [Double]
  private let inUseLogs: [Double]

  init(_ profile: [Double]) {
    let free = profile[96..<144].reduce(0, +)
    logs = profile.enumerated().map { bin, value in SteadyMath.log(bin < 96 ? value : value / free) }
    let shares = (0..<48).map { bin -> Double in
      let early = profile[48 + bin]
      return early / (profile[bin] + early)
    }
    inUse = shares
    inUseLogs = shares.map(SteadyMath.log)
  }

  /// - Parameters:
  ///   - counts: by class and local half hour.
  ///   - isCycleKnown: whether classes mean anything. Then people's own levels are conditioned away: which of a phone's
  ///     due runs found it in use, given how many did and when all were due, and when free runs came, given how many.
  ///     How long due runs wait at night differs from person to person, and would pass for another clock.
  func logProbability(_ counts: [Double], isCycleKnown: Bool) -> Double {
    guard isCycleKnown else { return (0..<48).reduce(0) { $0 + counts[$1] * logs[$1] } }
    var (sum, early, expected) = (0.0, 0.0, 0.0)
    for bin in 0..<48 {
      sum += counts[48 + bin] * inUseLogs[bin] + counts[96 + bin] * logs[96 + bin]
      early += counts[48 + bin]
      expected += (counts[bin] + counts[48 + bin]) * inUse[bin]
    }
    return expected > 0 ? sum - early * SteadyMath.log(expected) : sum
  }
}

/// A mixture of zones with one daily profile in local time, by expectation and maximization.
struct ZoneMix {
  /// What a phone's wakes count for, by zone and local half hour.
  private struct Member {
    let group: Int
    let counts: [[Double]]
  }

  private let clocks: LocalClocks
  private let classes: WakeClasses
  /// Zones whose clocks differ.
  private let zones: [Int]
  private let members: [Member]
  private let start: [Double]
  /// Known unlocks by local half hour, as shares; nil: unknown.
  private let hours: [Double]?
  /// What is not looked at, in order: holes, and around long ones whole days.
  private let gaps: [Range<Int64>]

  /// Half hours of a day, for each class of wakes.
  static let bins = 48 * WakeClasses.count
  /// Phones that are looked at: their zone shares are known to a hundredth.
  private static let mostMembers = 3_000
  /// Unlocks by hour where nobody knows better: few before six, many in the evening.
  private static let usualHours = HourWeights(weights: [
    3, 2, 1, 1, 1, 1, 3, 5, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 7, 7, 7, 7, 6, 4,
  ])

  init(_ history: WakeHistory, clocks: LocalClocks, hours: HourWeights?, classes: WakeClasses) {
    self.clocks = clocks
    self.classes = classes
    let twins = clocks.twins
    zones = (0..<clocks.count).filter { twins[$0] == $0 }
    self.hours = hours?.halfHours
    let usual = (hours ?? Self.usualHours).halfHours
    start = (0..<Self.bins).map { bin in
      let half = usual[bin % 48] * 48
      return (WakeClasses.followsPeople(bin / 48) ? 0.1 + 0.9 * half : 0.8 + 0.2 * half) / Double(Self.bins)
    }
    let stride = max(1, (history.phones.count + Self.mostMembers - 1) / Self.mostMembers)
    let own = zones
    let gaps = Self.gaps(of: history)
    self.gaps = gaps
    members = Swift.stride(from: 0, to: history.phones.count, by: stride).map { index in
      let phone = history.phones[index]
      return Member(
        group: phone.group, counts: own.map { Self.counts(phone, history, without: gaps, clocks, classes, zone: $0) })
    }
  }

  /// A hole that is longer takes whole days with it: of each hour of the day as much is left.
  private static let longestHole: Int64 = 2 * 3_600_000
  private static let day: Int64 = 86_400_000

  private static func gaps(of history: WakeHistory) -> [Range<Int64>] {
    let span = history.span
    let wide = history.holes.map { hole -> Range<Int64> in
      guard hole.upperBound - hole.lowerBound > longestHole else { return hole }
      let length = (hole.upperBound - hole.lowerBound + day - 1) / day * day
      let start = max(min(hole.lowerBound, span.upperBound - length), span.lowerBound)
      return start..<min(start + length, span.upperBound)
    }
    let merged = wide.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: [Range<Int64>]()) { merged, next in
      if let last = merged.last, next.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, next.upperBound)
      } else {
        merged.append(next)
      }
    }
    // A log of which little would be left is read as it is.
    let lost = merged.reduce(0) { $0 + $1.upperBound - $1.lowerBound }
    return lost > (span.upperBound - span.lowerBound) / 2 ? history.holes : merged
  }

  private static func counts(
    _ phone: WakeHistory.Phone, _ history: WakeHistory, without gaps: [Range<Int64>], _ clocks: LocalClocks,
    _ classes: WakeClasses, zone: Int
  ) -> [Double] {
    var counts = Array(repeating: 0.0, count: bins)
    var previous: Int64 = 0
    var gap = gaps.startIndex
    for wake in history.wakes[phone.wakes] {
      while gap < gaps.endIndex, gaps[gap].upperBound < previous { gap += 1 }
      // Of a wake before which lines are missing nobody knows when it was due.
      let isOpen = gap < gaps.endIndex && gaps[gap].lowerBound <= wake.time && previous > 0
      guard !isOpen else {
        previous = wake.time
        continue
      }
      let place = classes.place(wake.time, after: previous)
      counts[place.number * 48 + Int(clocks.local(place.time, zone: zone) / 1_800_000 % 48)] += 1
      previous = wake.time
    }
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
    guard isTelling() else {
      return result(zones.map { _ in .unknown(.flatDay, count: members.count) }, all, history)
    }
    let parts = (0..<Self.groups).map { left in maximum(from: all, rounds: 60) { $0 % Self.groups != left }.weights }
    let law = HourLaw(all.profile)
    let told = members.map { shares($0.counts, all.weights, law) }
    let seen = Double(members.count) / max(Double(history.phones.count) / history.share, 1)
    let estimates = zones.indices.map { zone -> Estimate in
      let doubt = Doubt(told.map { $0[zone] }, share: all.weights[zone], seen: min(seen, 1))
      let interval = interval(all.weights[zone], parts.map { $0[zone] }, doubt)
      let plain = Estimate.judged(all.weights[zone], interval, scale: Self.scale, count: members.count)
      return hours != nil ? plain : plain.limited(to: .weakly, .assumedHours)
    }
    return result(estimates, all, history)
  }

  /// A share known to five points is identified, to a fifth weakly.
  private static let scale = 0.25
  /// Groups that are left out in turn.
  private static let groups = 32

  /// How the share of the phones that are there may differ from its estimate, by which phones are in a zone.
  private struct Doubt {
    /// The variance of the estimate as the share of a law that phones are drawn from: 1 over the observed information of
    /// the mixture (Louis, J. R. Statist. Soc. B 44, 1982).
    let ofLaw: Double
    /// That of the estimate around the share of the phones themselves, which are the fleet and no draw from it: less
    /// what a count of all phones would leave, but for phones that are not looked at.
    let ofFleet: Double

    /// - Parameters:
    ///   - told: by phone, how probable it is that it is in the zone.
    ///   - seen: the share of all phones that these are.
    init(_ told: [Double], share: Double, seen: Double) {
      let spread = share * (1 - share)
      let count = Double(told.count)
      let missing = told.reduce(0) { $0 + $1 * (1 - $1) }
      // Nothing is told where as much is missing as there is.
      let known = max(count * spread - missing, 1e-9)
      ofLaw = spread * spread / known
      ofFleet = max(ofLaw - seen * spread / max(count, 1), 0)
    }
  }

  /// - Parameter parts: estimates with one group left out each: what they vary more than by who is in the zone comes from
  ///   the profile, which is found with them.
  private func interval(_ value: Double, _ parts: [Double], _ doubt: Doubt) -> ClosedRange<Double> {
    let mean = parts.reduce(0, +) / Double(parts.count)
    let squares = parts.reduce(0) { $0 + square($1 - mean) }
    let varied = squares * Double(parts.count - 1) / Double(parts.count)
    let error = (doubt.ofFleet + max(varied - doubt.ofLaw, 0)).squareRoot()
    let half = error * StudentTable.upper(freedom: Double(parts.count - 1))
    // None of n phones is compatible with three (the rule of three for a 95 % limit).
    return max(value - half, 0)...min(max(value + half, 3 / Double(max(members.count, 3))), 1)
  }

  private func maximum(from start: State, rounds: Int, of isKept: (_ group: Int) -> Bool = { _ in true }) -> State {
    var state = start
    for _ in 0..<rounds {
      let law = HourLaw(state.profile)
      var weights = zones.map { _ in 0.0 }
      var profile = Array(repeating: Self.smallest, count: Self.bins)
      for member in members where isKept(member.group) {
        for (zone, share) in shares(member.counts, state.weights, law).enumerated() where share > 0 {
          weights[zone] += share
          for bin in 0..<Self.bins { profile[bin] += share * member.counts[zone][bin] }
        }
      }
      let (count, wakes) = (weights.reduce(0, +), profile.reduce(0, +))
      let next = State(weights: weights.map { $0 / max(count, 1) }, profile: anchored(profile.map { $0 / wakes }))
      let moved = zip(next.weights, state.weights).reduce(0) { $0 + abs($1.0 - $1.1) }
      state = next
      if moved < 1e-7 { break }
    }
    return state
  }

  /// A profile whose free runs and shares in use are a level part and the known hours, so that no zone can pass for its
  /// neighbour by a shift of both; as it is where the hours are not known.
  private func anchored(_ profile: [Double]) -> [Double] {
    guard let hours else { return profile }
    var anchored = profile
    let free = profile[96..<144]
    let sum = free.reduce(0, +)
    var part = 0.5
    for _ in 0..<40 {
      // The expected share of the free runs that keep to hours.
      let kept = zip(free, hours).reduce(0) { $0 + $1.0 * part * $1.1 / (part * $1.1 + (1 - part) / 48) }
      part = kept / sum
    }
    for bin in 0..<48 { anchored[96 + bin] = sum * (part * hours[bin] + (1 - part) / 48) }
    guard classes.cycle != nil else { return anchored }
    let line = inUseLine(profile, hours)
    for bin in 0..<48 {
      let due = profile[bin] + profile[48 + bin]
      let inUse = min(max(line.level + line.slope * hours[bin], 0.001), 0.999)
      (anchored[bin], anchored[48 + bin]) = (due * (1 - inUse), due * inUse)
    }
    return anchored
  }

  /// The share of due runs in use as a line over the hours' weights, by least squares with the due runs for weights.
  private func inUseLine(_ profile: [Double], _ hours: [Double]) -> (level: Double, slope: Double) {
    let due = (0..<48).map { profile[$0] + profile[48 + $0] }
    let sum = due.reduce(0, +)
    let meanHour = zip(due, hours).reduce(0) { $0 + $1.0 * $1.1 } / sum
    let meanShare = profile[48..<96].reduce(0, +) / sum
    var (products, squares) = (0.0, 0.0)
    for bin in 0..<48 {
      products += (profile[48 + bin] - due[bin] * meanShare) * (hours[bin] - meanHour)
      squares += due[bin] * square(hours[bin] - meanHour)
    }
    let slope = squares > 0 ? products / squares : 0
    return (meanShare - slope * meanHour, slope)
  }

  /// A wake in every half hour of some phone: no half hour is impossible.
  private static let smallest = 1.0

  /// How probable each zone is for a phone.
  private func shares(_ counts: [[Double]], _ weights: [Double], _ law: HourLaw) -> [Double] {
    let terms = terms(counts, weights, law)
    let most = terms.max() ?? 0
    let parts = terms.map { $0.isFinite ? SteadyMath.exp($0 - most) : 0 }
    let sum = parts.reduce(0, +)
    return parts.map { $0 / sum }
  }

  /// By zone the logarithm of its weight and of the probability of a phone's wakes in it.
  private func terms(_ counts: [[Double]], _ weights: [Double], _ law: HourLaw) -> [Double] {
    counts.indices.map { zone in
      guard weights[zone] > 0 else { return -.infinity }
      return SteadyMath.log(weights[zone]) + law.logProbability(counts[zone], isCycleKnown: classes.cycle != nil)
    }
  }

  private func logProbability(_ counts: [[Double]], _ weights: [Double], _ law: HourLaw) -> Double {
    let terms = terms(counts, weights, law)
    let most = terms.max() ?? 0
    return most + SteadyMath.log(terms.reduce(0) { $1.isFinite ? $0 + SteadyMath.exp($1 - most) : $0 })
  }

  /// Whether days have enough shape to tell clocks apart: a mixture that half of the phones make must foretell the
  /// other half's days better than a flat day does. What chance has put into it does not.
  private func isTelling() -> Bool {
    let start = State(weights: zones.map { _ in 1 / Double(zones.count) }, profile: start)
    return [0, 1].allSatisfy { half in
      let own = maximum(from: start, rounds: 60) { $0 % 2 == half }
      let flat = Self.flattened(own.profile)
      // A zone that one half lacks is not impossible in the other.
      let weights = own.weights.map { 0.9 * $0 + 0.1 / Double(zones.count) }
      let (law, flatLaw) = (HourLaw(own.profile), HourLaw(flat))
      let gain = members.filter { $0.group % 2 != half }.reduce(0.0) { sum, member in
        sum + logProbability(member.counts, weights, law) - logProbability(member.counts, weights, flatLaw)
      }
      return gain > Self.leastGain
    }
  }

  /// Log-likelihood beyond chance.
  private static let leastGain = 20.0

  private static func flattened(_ profile: [Double]) -> [Double] {
    profile.indices.map { bin in
      let own = profile[bin / 48 * 48..<bin / 48 * 48 + 48]
      return own.reduce(0, +) / 48
    }
  }

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
    let law = HourLaw(state.profile)
    return history.phones.map { phone in
      let counts = zones.map { Self.counts(phone, history, without: gaps, clocks, classes, zone: $0) }
      let shares = shares(counts, state.weights, law)
      return zones[shares.indices.max { shares[$0] < shares[$1] } ?? 0]
    }
  }
}

/// A time zone that phones may be in.
package struct ZoneClock: Sendable {
  package let name: String
  /// Milliseconds that its clocks are ahead of UTC at an instant.
  package let offset: @Sendable (Int64) -> Int64

  package init(_ name: String, offset: @escaping @Sendable (Int64) -> Int64) {
    self.name = name
    self.offset = offset
  }
}

/// Offsets of some zones over the hours of a log, looked up once.
struct LocalClocks: Sendable {
  let names: [String]
  private let begin: Int64
  /// By zone and quarter of an hour.
  private let offsets: [[Int64]]

  /// Zones shift their clocks at whole quarters of an hour.
  private static let step: Int64 = 900_000

  init(_ clocks: [ZoneClock], over span: Range<Int64>) {
    let clocks = clocks.isEmpty ? [ZoneClock("UTC") { _ in 0 }] : clocks
    let first = span.lowerBound / Self.step
    let last = span.upperBound / Self.step
    names = clocks.map(\.name)
    begin = first
    offsets = clocks.map { clock in (first...last).map { clock.offset($0 * Self.step) } }
  }

  var count: Int { names.count }

  /// Milliseconds since 1970 as the zone's clocks show them.
  func local(_ time: Int64, zone: Int) -> Int64 {
    let place = min(max(Int(time / Self.step - begin), 0), offsets[zone].count - 1)
    return time + offsets[zone][place]
  }

  /// The local hour, 0 to 23.
  func hour(_ time: Int64, zone: Int) -> Int { Int(local(time, zone: zone) / 3_600_000 % 24) }

  /// For each zone the first one whose clocks show the same time all through the log.
  var twins: [Int] { offsets.map { own in offsets.firstIndex { $0 == own } ?? 0 } }
}
