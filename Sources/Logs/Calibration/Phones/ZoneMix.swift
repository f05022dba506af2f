internal import RequestStatistics
internal import Scenario
internal import SimulationKernel

/// The time zones of phones, estimated from the times of day at which they wake.
package struct ZoneEvidence: Sendable {
  package var names: [String]
  /// The share of phones in each zone. If several zones have equal clocks, the first one represents all of them.
  package var shares: [Estimate]
  /// The most probable zone of each phone.
  package var zones: [Int]
  /// The wakes in each local half hour, as fractions of all wakes. There are 48 values each for due runs, runs on
  /// phones in use, and free runs.
  package var profile: [Double]
}

/// Classes of wakes, determined by the preceding gap, that reflect users' daily habits to different degrees.
struct WakeClasses {
  /// The interval plus the run time in seconds; `nil` if the interval is unknown, in which case all wakes are treated
  /// alike.
  let cycle: Double?
  let inUseWindow: Double

  static let count = 3

  /// Returns the class of a wake, and the instant to whose hour the wake is assigned.
  ///
  /// Class 0 contains due wakes and wakes of unknown cause. Class 1 contains due wakes that are early enough to show
  /// that the phone was in use. Class 2 contains free wakes. Due wakes are assigned to their due date, because they may
  /// have waited all night.
  func place(_ time: Int64, after previous: Int64) -> (number: Int, time: Int64) {
    guard let cycle, previous > 0 else { return (0, time) }
    let delay = Double(time - previous) / 1_000 - cycle
    guard delay >= -1 else { return (2, time) }
    return (delay < inUseWindow ? 1 : 0, previous + Int64(cycle * 1_000))
  }

  static func followsPeople(_ number: Int) -> Bool { number > 0 }
}

/// The probabilities of the local hours of a phone's wakes.
struct HourLaw {
  private let logs: [Double]
  /// The fraction of due runs during which the phone is in use, by half hour, and its logarithm.
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
  ///   - counts: the counts by class and local half hour.
  ///   - isCycleKnown: whether classes are meaningful. If so, the result is conditional on each user's level of
  ///     activity. It then depends only on the times of free runs, and on which due runs found the phone in use. The
  ///     numbers of runs and the due times are taken as given. Users differ in how long due runs wait at night, which
  ///     would look like a different clock.
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

/// A mixture of zones with the same daily profile in local time, fitted by expectation–maximization.
struct ZoneMix {
  /// The counts of one phone's wakes, by zone and local half hour.
  private struct Member {
    let group: Int
    let counts: [[Double]]
  }

  private let clocks: LocalClocks
  private let classes: WakeClasses
  /// The indices of zones whose clocks differ from those of all earlier zones.
  private let zones: [Int]
  private let members: [Member]
  private let start: [Double]
  /// The known fractions of unlocks in each local half hour; `nil` if unknown.
  private let hours: [Double]?
  /// The excluded times, in chronological order: holes, and whole days around long holes.
  private let gaps: [Range<Int64>]

  /// The number of half hours in a day, times the number of wake classes.
  static let bins = 48 * WakeClasses.count
  /// The maximum number of phones used, which is enough to estimate zone shares to within 1 %.
  static let maxMembers = 3_000
  /// The default distribution of unlocks by hour, with few unlocks before 6:00 and many in the evening.
  private static let usualHours = HourWeights(weights: [
    3, 2, 1, 1, 1, 1, 3, 5, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 7, 7, 7, 7, 6, 4,
  ])

  /// - Parameters:
  ///   - hours: the known fractions of unlocks by local half hour; `nil` if unknown.
  ///   - maximum: the maximum number of phones to use.
  init(
    _ history: WakeHistory, clocks: LocalClocks, hours: [Double]?, classes: WakeClasses, maximum: Int = maxMembers
  ) {
    self.clocks = clocks
    self.classes = classes
    let twins = clocks.twins
    zones = (0..<clocks.count).filter { twins[$0] == $0 }
    self.hours = hours
    let usual = hours ?? Self.usualHours.halfHours
    start = (0..<Self.bins).map { bin in
      let half = usual[bin % 48] * 48
      return (WakeClasses.followsPeople(bin / 48) ? 0.1 + 0.9 * half : 0.8 + 0.2 * half) / Double(Self.bins)
    }
    let stride = max(1, (history.phones.count + maximum - 1) / maximum)
    let own = zones
    let gaps = Self.gaps(of: history)
    self.gaps = gaps
    members = Swift.stride(from: 0, to: history.phones.count, by: stride).map { index in
      let phone = history.phones[index]
      return Member(
        group: phone.group, counts: own.map { Self.counts(phone, history, without: gaps, clocks, classes, zone: $0) })
    }
  }

  /// The longest hole, in milliseconds, for which only the hole itself is excluded. Around longer holes, whole days are
  /// excluded, because the log would otherwise favour some hours of the day.
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
    // Only the holes are excluded if excluding whole days would remove more than half of the log.
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
      // After missing lines, the due time of a wake is unknown.
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
    let isElsewhere = hours != nil && fitsElsewhere(history)
    guard !isElsewhere, isInformative() else {
      let reason = isElsewhere ? Estimate.Reason.otherZones : .flatDay
      return result(zones.map { _ in .unknown(reason, count: members.count) }, all, history)
    }
    let parts = (0..<Self.groups).map { left in maximum(from: all, rounds: 60) { $0 % Self.groups != left }.weights }
    let law = HourLaw(all.profile)
    let memberShares = members.map { shares($0.counts, all.weights, law) }
    let seen = Double(members.count) / max(history.estimatedPhones, 1)
    let estimates = zones.indices.map { zone -> Estimate in
      let doubt = Doubt(memberShares.map { $0[zone] }, share: all.weights[zone], seen: min(seen, 1))
      let interval = interval(all.weights[zone], parts.map { $0[zone] }, doubt)
      let plain = Estimate.judged(all.weights[zone], interval, scale: Self.scale, count: members.count)
      return hours != nil ? plain : plain.limited(to: .weakly, .assumedHours)
    }
    return result(estimates, all, history)
  }

  /// The maximum share of phones that may fit other clocks better due to chance or users' habits.
  private static let maxElsewhere = 0.15
  /// The number of phones that is sufficient to detect whether clocks other than those of the zones fit better.
  private static let fewMembers = 400

  /// Returns whether the daily activity fits clocks that are more than an hour away from all of the zones.
  ///
  /// The tested mixture contains the zones, and clocks that differ from the first zone by whole hours. It fits better
  /// if those clocks have some weight, and if it predicts wakes better than the zones do. It is fitted to half of the
  /// phones, and the prediction is tested on the other half.
  private func fitsElsewhere(_ history: WakeHistory) -> Bool {
    let all = clocks.withEveryHour()
    guard all.count > clocks.count else { return false }
    let mix = ZoneMix(history, clocks: all, hours: hours, classes: classes, maximum: Self.fewMembers)
    let isOwn = mix.zones.map { $0 < clocks.count }
    let even = State(weights: isOwn.map { _ in 1 / Double(isOwn.count) }, profile: mix.start)
    let own = State(weights: isOwn.map { $0 ? 1 / Double(zones.count) : 0 }, profile: mix.start)
    let found = mix.maximum(from: even, rounds: 100)
    guard zip(isOwn, found.weights).reduce(0, { $1.0 ? $0 : $0 + $1.1 }) > Self.maxElsewhere else { return false }
    return [0, 1].allSatisfy { half in
      let states = [found, own].map { mix.maximum(from: $0, rounds: 60) { $0 % 2 == half } }
      let laws = states.map { HourLaw($0.profile) }
      let gain = mix.members.filter { $0.group % 2 != half }.reduce(0.0) { sum, member in
        sum + mix.logProbability(member.counts, states[0].weights, laws[0])
          - mix.logProbability(member.counts, states[1].weights, laws[1])
      }
      return gain > Self.minGain
    }
  }

  /// Returns the shares of groups of zones with similar clocks. Each group is named after the zone nearest to its mean.
  func roughShares() -> [(name: String, share: Double)] {
    let even = State(weights: zones.map { _ in 1 / Double(zones.count) }, profile: start)
    let all = zip(zones, maximum(from: even, rounds: 100).weights).sorted { $0.1 > $1.1 }
    let groups = all.reduce(into: [[(zone: Int, share: Double)]]()) { groups, next in
      if let near = groups.firstIndex(where: {
        clocks.shift(from: $0[0].zone, to: next.0).magnitude <= LocalClocks.nearby
      }) {
        groups[near].append(next)
      } else {
        groups.append([next])
      }
    }
    return groups.map { group in
      let share = group.reduce(0) { $0 + $1.share }
      let shift = { (zone: Int) in Double(clocks.shift(from: group[0].zone, to: zone)) }
      let mean = group.reduce(0) { $0 + $1.share * shift($1.zone) } / max(share, .leastNormalMagnitude)
      let middle = group.min { (shift($0.zone) - mean).magnitude < (shift($1.zone) - mean).magnitude } ?? group[0]
      return (clocks.names[middle.zone], share)
    }
  }

  /// The scale for judging the precision of shares. A share known to within 0.05 is identified, and a share known to
  /// within about 0.2 is weakly known.
  private static let scale = 0.25
  /// The number of phone groups, which are omitted from the fit one at a time to estimate its error.
  private static let groups = 32

  /// The error in a zone's estimated share that is due to uncertainty about each phone's zone.
  private struct Doubt {
    /// The variance of the estimate if it refers to the share in a distribution from which phones are drawn.
    ///
    /// It is the inverse of the observed information of the mixture (Louis, J. R. Statist. Soc. B 44, 1982).
    let ofLaw: Double
    /// The variance of the estimate if it refers to the share among the fleet's existing phones. It is smaller than
    /// `ofLaw` by the sampling variance times the fraction of phones used.
    let ofFleet: Double

    /// - Parameters:
    ///   - memberShares: each phone's probability of being in the zone.
    ///   - seen: the number of phones in `memberShares`, as a fraction of all phones.
    init(_ memberShares: [Double], share: Double, seen: Double) {
      let spread = share * (1 - share)
      let count = Double(memberShares.count)
      let missing = memberShares.reduce(0) { $0 + $1 * (1 - $1) }
      // The share is unknown if the missing information equals the total information.
      let known = max(count * spread - missing, 1e-9)
      ofLaw = spread * spread / known
      ofFleet = max(ofLaw - seen * spread / max(count, 1), 0)
    }
  }

  /// - Parameter parts: estimates, each of which omits one group of phones. Variation that exceeds the uncertainty
  ///   about phones' zones is due to the profile, which is estimated together with the shares.
  private func interval(_ value: Double, _ parts: [Double], _ doubt: Doubt) -> ClosedRange<Double> {
    let mean = parts.reduce(0, +) / Double(parts.count)
    let squares = parts.reduce(0) { $0 + square($1 - mean) }
    let varied = squares * Double(parts.count - 1) / Double(parts.count)
    let error = (doubt.ofFleet + max(varied - doubt.ofLaw, 0)).squareRoot()
    let half = error * StudentTable.upper(freedom: Double(parts.count - 1))
    // If none of n phones is in the zone, up to three such phones may be expected (the rule of three for a 95 % limit).
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

  /// Returns a profile in which free runs and in-use fractions are each a constant plus a multiple of the known hourly
  /// weights.
  ///
  /// Without this constraint, a zone could be mistaken for its neighbour, because the zone and the profile could shift
  /// together. If the hours are unknown, the profile is unchanged.
  private func anchored(_ profile: [Double]) -> [Double] {
    guard let hours else { return profile }
    var anchored = profile
    let free = profile[96..<144]
    let sum = free.reduce(0, +)
    var part = 0.5
    for _ in 0..<40 {
      // The expected fraction of free runs that are distributed like the known hourly weights.
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

  /// Returns the fraction of due runs on phones in use as a linear function of the hourly weights. The fit uses least
  /// squares, weighted by the number of due runs.
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

  /// The count that is added to every half hour, so that no half hour has a probability of zero.
  private static let smallest = 1.0

  /// Returns a phone's probability of being in each zone.
  private func shares(_ counts: [[Double]], _ weights: [Double], _ law: HourLaw) -> [Double] {
    let terms = terms(counts, weights, law)
    let maximum = terms.max() ?? 0
    let parts = terms.map { $0.isFinite ? SteadyMath.exp($0 - maximum) : 0 }
    let sum = parts.reduce(0, +)
    return parts.map { $0 / sum }
  }

  /// Returns the log of a zone's weight times the probability of a phone's wakes in that zone, for each zone.
  private func terms(_ counts: [[Double]], _ weights: [Double], _ law: HourLaw) -> [Double] {
    counts.indices.map { zone in
      guard weights[zone] > 0 else { return -.infinity }
      return SteadyMath.log(weights[zone]) + law.logProbability(counts[zone], isCycleKnown: classes.cycle != nil)
    }
  }

  private func logProbability(_ counts: [[Double]], _ weights: [Double], _ law: HourLaw) -> Double {
    let terms = terms(counts, weights, law)
    let maximum = terms.max() ?? 0
    return maximum + SteadyMath.log(terms.reduce(0) { $1.isFinite ? $0 + SteadyMath.exp($1 - maximum) : $0 })
  }

  /// Returns whether activity varies enough over the day to distinguish clocks.
  ///
  /// A mixture fitted to half of the phones must predict the other half's wakes better than a flat profile does. Random
  /// variation in the first half's profile does not improve this prediction.
  private func isInformative() -> Bool {
    let start = State(weights: zones.map { _ in 1 / Double(zones.count) }, profile: start)
    return [0, 1].allSatisfy { half in
      let own = maximum(from: start, rounds: 60) { $0 % 2 == half }
      let flat = Self.flattened(own.profile)
      // A zone that is missing from one half of the phones may still occur in the other half.
      let weights = own.weights.map { 0.9 * $0 + 0.1 / Double(zones.count) }
      let (law, flatLaw) = (HourLaw(own.profile), HourLaw(flat))
      let gain = members.filter { $0.group % 2 != half }.reduce(0.0) { sum, member in
        sum + logProbability(member.counts, weights, law) - logProbability(member.counts, weights, flatLaw)
      }
      return gain > Self.minGain
    }
  }

  /// The smallest gain in log-likelihood that is considered significant.
  private static let minGain = 20.0

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
  /// A function that returns the zone's UTC offset at an instant, both in milliseconds.
  package let offset: @Sendable (Int64) -> Int64

  package init(_ name: String, offset: @escaping @Sendable (Int64) -> Int64) {
    self.name = name
    self.offset = offset
  }
}

/// The UTC offsets of several time zones throughout a log, computed in advance.
struct LocalClocks: Sendable {
  private(set) var names: [String]
  private let begin: Int64
  /// The UTC offsets by zone and quarter hour.
  private var offsets: [[Int64]]

  /// The step in milliseconds; zones change their clocks at quarter hours.
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

  /// Returns a zone's local time for an instant, both in milliseconds since 1970.
  func local(_ time: Int64, zone: Int) -> Int64 {
    let place = min(max(Int(time / Self.step - begin), 0), offsets[zone].count - 1)
    return time + offsets[zone][place]
  }

  /// Returns the local hour of an instant, from 0 to 23.
  func hour(_ time: Int64, zone: Int) -> Int { Int(local(time, zone: zone) / 3_600_000 % 24) }

  /// Returns these clocks, together with all clocks that differ from the first one by whole hours and from each of
  /// these clocks by more than an hour.
  func withEveryHour() -> LocalClocks {
    let own = offsets.map { $0[0] }
    let others = (1..<24).map { $0 * 3_600_000 }.filter { shift in
      own.allSatisfy { Self.shift(from: $0, to: own[0] + Int64(shift)).magnitude > Self.nearby }
    }
    var all = self
    all.names += others.map { "+\($0)" }
    all.offsets += others.map { shift in offsets[0].map { $0 + Int64(shift) } }
    return all
  }

  /// Returns how many milliseconds one zone's clock is ahead of another's; at most half a day.
  func shift(from zone: Int, to other: Int) -> Int64 { Self.shift(from: offsets[zone][0], to: offsets[other][0]) }

  private static func shift(from offset: Int64, to other: Int64) -> Int64 {
    let day: Int64 = 86_400_000
    let ahead = ((other - offset) % day + day) % day
    return ahead > day / 2 ? ahead - day : ahead
  }

  /// The largest difference, in milliseconds, at which clocks cannot be distinguished because users' habits differ.
  static let nearby: Int64 = 5_400_000

  /// The first zone with the same clocks throughout the log, for each zone.
  var twins: [Int] { offsets.map { own in offsets.firstIndex { $0 == own } ?? 0 } }
}
