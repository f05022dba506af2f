internal import Numerics
internal import RequestStatistics
internal import SimulationKernel

/// The interval and the start delay for a known jitter, which turns the edge into a ramp. The ramp is the distribution
/// function of a sum of two uniform variables.
///
/// The hazard r + f / S as a function of age is fitted by maximum likelihood. Here f and S are the density and the
/// survival function of due runs. Free runs have a constant rate r. A due run starts after the interval, the jitter and
/// the delay or, with some probability, only after the window. The error is estimated by omitting one group of phones
/// at a time, because a jitter may be drawn once per phone.
struct JitteredCycle {
  private let jitter: Double
  private let inUseWindow: Double
  /// The age, in seconds, at the centre of the bins.
  private let origin: Double
  private let first: Double
  private let width: Double
  /// The number of wakes by phone group, then by bin.
  private var events: [[Double]]
  private var exposure: [[Double]]

  /// The number of phone groups, which are omitted from the fit one at a time to estimate its error.
  private static let groups = 32
  private static let bins = 400

  /// The fitted parameters of the cycle and of the free runs.
  struct Law: Sendable {
    /// The interval plus the run time, and the end of the window, in seconds.
    var cycle: Double
    var window: Double
    var inUse: Double
    var later: Double
    var freeRate: Double
  }

  struct Fit {
    var law: Law
    var cycle: ClosedRange<Double>
    var window: ClosedRange<Double>
    var inUse: ClosedRange<Double>
  }

  /// - Parameters:
  ///   - edge: an age, in seconds, that lies on the ramp.
  ///   - window: the approximate range of start delays after that age.
  init(_ gaps: Gaps, _ history: WakeHistory, around edge: Double, window: Double, known: KnownPolicy) {
    (jitter, inUseWindow, origin) = (known.jitter, known.inUseWindow, edge)
    let reach = known.jitter + Self.margin
    first = max(edge - reach, edge / 3)
    width = (edge + window + reach - first) / Double(Self.bins)
    let empty = Array(repeating: Array(repeating: 0.0, count: Self.bins), count: Self.groups)
    (events, exposure) = (empty, empty)
    for gap in gaps.all where gap.seconds > first {
      let group = history.phones[Int(gap.phone)].group % Self.groups
      let place = (gap.seconds - first) / width
      let last = min(Int(place), Self.bins)
      for bin in 0..<last { exposure[group][bin] += width }
      guard last < Self.bins else { continue }
      exposure[group][last] += (place - Double(last)) * width
      if gap.isComplete { events[group][last] += 1 }
    }
  }

  /// The margin, in seconds, before and after the ramp, in which only free runs occur.
  private static let margin = 240.0

  func fit(from start: Law) -> Fit? {
    guard let all = maximum(leavingOut: nil, from: start) else { return nil }
    let parts = (0..<Self.groups).compactMap { maximum(leavingOut: $0, from: all) }
    guard parts.count == Self.groups else { return nil }
    return Fit(
      law: all, cycle: interval(all, parts, \.cycle), window: interval(all, parts, \.window),
      inUse: interval(all, parts, \.inUse))
  }

  private func interval(_ all: Law, _ parts: [Law], _ key: KeyPath<Law, Double>) -> ClosedRange<Double> {
    let mean = parts.reduce(0) { $0 + $1[keyPath: key] } / Double(parts.count)
    let squares = parts.reduce(0) { $0 + square($1[keyPath: key] - mean) }
    let error = (squares * Double(parts.count - 1) / Double(parts.count)).squareRoot()
    let half = error * StudentTable.upper(freedom: Double(parts.count - 1))
    return all[keyPath: key] - half...all[keyPath: key] + half
  }

  private func maximum(leavingOut group: Int?, from start: Law) -> Law? {
    var (ownEvents, ownExposure) = (Array(repeating: 0.0, count: Self.bins), Array(repeating: 0.0, count: Self.bins))
    for other in 0..<Self.groups where other != group {
      for bin in 0..<Self.bins {
        ownEvents[bin] += events[other][bin]
        ownExposure[bin] += exposure[other][bin]
      }
    }
    let place = try? SimplexMinimum.place(
      from: parameters(start), step: 0.2, iterations: group == nil ? 800 : 300, size: 1e-4
    ) { -logLikelihood(law($0), ownEvents, ownExposure) }
    return place.map(law)
  }

  /// The change in the cycle, in seconds, that corresponds to a change of 1 in the logarithm of another parameter.
  private var unit: Double { jitter / 4 + 20 }

  private func parameters(_ law: Law) -> [Double] {
    [
      (law.cycle - origin) / unit, SteadyMath.log(law.window), Self.logit(law.inUse), Self.logit(law.later),
      SteadyMath.log(max(law.freeRate, 1e-9)),
    ]
  }

  private func law(_ place: [Double]) -> Law {
    Law(
      cycle: origin + place[0] * unit, window: SteadyMath.exp(place[1]), inUse: Self.share(place[2]),
      later: Self.share(place[3]), freeRate: SteadyMath.exp(place[4]))
  }

  private static func logit(_ share: Double) -> Double {
    let inside = min(max(share, 0.001), 0.999)
    return SteadyMath.log(inside / (1 - inside))
  }

  private static func share(_ logit: Double) -> Double { 1 / (1 + SteadyMath.exp(-logit)) }

  private func logLikelihood(_ law: Law, _ events: [Double], _ exposure: [Double]) -> Double {
    var sum = 0.0
    var before = reached(law, first)
    for bin in 0..<Self.bins where exposure[bin] > 0 {
      let after = reached(law, first + Double(bin + 1) * width)
      // The mean hazard over the bin is computed from the phones that survive until the bin, and from those whose wait
      // ends in it.
      let left = max(1 - before, 1e-12)
      let passed = -SteadyMath.log(max(1 - after, 1e-12) / left)
      let rate = law.freeRate + passed / width
      sum += (events[bin] > 0 ? events[bin] * SteadyMath.log(rate) : 0) - exposure[bin] * rate
      before = after
    }
    return sum
  }

  /// Returns the fraction of due runs that have started by a given age.
  private func reached(_ law: Law, _ age: Double) -> Double {
    let delay = age - law.cycle
    let even = Self.sum(delay, jitter, law.window)
    let short = Self.sum(delay, jitter, min(inUseWindow, law.window))
    return (1 - law.later) * (law.inUse * short + (1 - law.inUse) * even)
  }

  /// Returns the distribution function of the sum of two uniform variables that range from 0 to `one` and from 0 to
  /// `other`.
  static func sum(_ place: Double, _ one: Double, _ other: Double) -> Double {
    func half(_ value: Double) -> Double { value > 0 ? value * value / 2 : 0 }
    let area = half(place) - half(place - one) - half(place - other) + half(place - one - other)
    return area / (one * other)
  }
}

/// A derivation of the policy's interval from the edge in the gaps.
struct CycleReading {
  /// The interval plus the run time, in seconds.
  let cycle: Estimate
  let known: KnownPolicy

  init(_ cycle: Estimate, known: KnownPolicy, resolution: StampResolution) {
    self.cycle = cycle
    self.known = known
  }

  /// - Parameter resolution: the resolution of stamps. Because stamps are truncated, their differences may be wrong by
  ///   up to one step of this resolution.
  init(edge: HazardEdge, known: KnownPolicy, resolution: StampResolution) {
    let blur = resolution.step
    cycle = .judged(edge.place, edge.low - blur...edge.high + blur, count: edge.count)
    self.known = known
  }

  var interval: Estimate {
    guard let place = cycle.value, let low = cycle.low, let high = cycle.high else { return cycle }
    let run = known.runTime
    let plain = Estimate.judged(
      place - (run.lowerBound + run.upperBound) / 2, low - run.upperBound...high - run.lowerBound, count: cycle.count,
      reason: cycle.reason)
    if low - run.upperBound <= known.minSpacing * Self.near {
      return Estimate(
        nil, high: plain.high, verdict: .oneSided, count: cycle.count, reason: .minimumSpacingHidesInterval)
    }
    // A run that is served entirely from the cache leaves no line in the log. Therefore, half the interval with a
    // longer TTL would produce the same gaps.
    guard known.cacheTTL * Self.near > place / 2 else { return plain }
    return known.cacheTTL * Self.near > place
      ? Estimate(nil, high: plain.high, verdict: .oneSided, count: cycle.count, reason: .cacheHidesInterval)
      : plain.limited(to: .weakly, .cacheHidesInterval)
  }

  /// The maximum ratio of two spans that are treated as equal.
  private static let near = 1.02
}

/// The estimates from gaps for a policy with jitter.
struct JitteredReading {
  let gaps: Gaps
  let history: WakeHistory
  let edge: HazardEdge
  let freeRate: Double
  let known: KnownPolicy

  /// Returns the interval plus run time, and the start delays, from a joint fit of jitter and delay.
  func estimates(_ law: ExcessLaw) -> (Estimate, StartDelayEvidence?) {
    let spread = law.windowEnd()?.place ?? known.jitter
    let cycle = JitteredCycle(gaps, history, around: edge.place, window: spread, known: known)
    let start = JitteredCycle.Law(
      cycle: edge.place - known.jitter / 8, window: max(spread - known.jitter / 2, 30), inUse: 0.1, later: 0.05,
      freeRate: freeRate)
    guard let fit = cycle.fit(from: start) else { return (.unknown(.tooFewObservations, count: edge.count), nil) }
    let count = gaps.all.count
    let delays = StartDelayEvidence(
      window: .judged(fit.law.window, fit.window, count: count),
      inUseShare: .judged(fit.law.inUse, fit.inUse, scale: 0.5, count: count),
      laterShare: Estimate(fit.law.later, verdict: .weakly, count: count), unevenness: 0, law: [])
    return (.judged(fit.law.cycle, fit.cycle, count: count), delays)
  }
}
