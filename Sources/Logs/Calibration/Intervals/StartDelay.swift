internal import RequestStatistics
internal import SimulationKernel

/// The start delays of scheduled runs, estimated from the amounts by which gaps exceed the interval.
package struct StartDelayEvidence: Sendable {
  /// The upper bound of the uniform start delay on a phone that is not in use, in seconds.
  package var window: Estimate
  /// The fraction of starts that have the short delay of a phone in use.
  package var inUseShare: Estimate
  /// The fraction of due runs that do not start within the window, because phones are idle or offline, or runs are
  /// withheld.
  package var laterShare: Estimate
  /// The maximum distance, from 0 to 1, between a uniform distribution and the distribution of delays beyond the short
  /// window.
  package var unevenness: Double
  /// The starts in each twentieth of the window, as fractions of all due runs, corrected for earlier free runs.
  package var law: [Double]

  /// The sections of the window, each with its bounds in minutes and its fraction of due runs; empty if unknown.
  package var parts: [(from: Double, to: Double, share: Double)] {
    guard let window = window.value, !law.isEmpty else { return [] }
    let width = window / 60 / Double(law.count)
    return law.enumerated().map { (Double($0) * width, Double($0 + 1) * width, max($1, 0)) }
  }
}

/// The distribution of the amounts by which gaps exceed a sharp edge.
struct ExcessLaw {
  let gaps: Gaps
  let history: WakeHistory
  /// The age at the edge, from which delays are measured. It is the interval plus the run time.
  let edge: Double
  /// The distances from the edge to the lowest and to the highest plausible value of its true position.
  let edgeErrors: (below: Double, above: Double)
  /// The rate of free runs per second of waiting.
  let freeRate: Double
  let known: KnownPolicy

  /// The longest start delay that is searched for, in seconds.
  private static let longest = 7_200

  init(gaps: Gaps, history: WakeHistory, edge: HazardEdge, freeRate: Double, known: KnownPolicy) {
    self.gaps = gaps.filter { $0.seconds >= edge.place }
    self.history = history
    self.edge = edge.place
    edgeErrors = (edge.place - edge.low, edge.high - edge.place)
    self.freeRate = freeRate
    self.known = known
  }

  func evidence() -> StartDelayEvidence {
    guard let step = windowEnd() else {
      let unknown = Estimate.unknown(.noEdge, count: gaps.all.count)
      return StartDelayEvidence(window: unknown, inUseShare: unknown, laterShare: unknown, unevenness: 1, law: [])
    }
    let window = step.place
    let errors = (below: step.place - step.low, above: step.high - step.place)
    // The latest starts occur after the longest runs, but delays are measured from the end of the shortest run.
    let runs = known.runTime.upperBound - known.runTime.lowerBound
    let low = window - runs - (square(errors.below) + square(edgeErrors.above)).squareRoot()
    let high = window + (square(errors.above) + square(edgeErrors.below)).squareRoot()
    let unevenness = unevenness(window: window)
    let isEven = unevenness < max(Self.evenDistance, Self.kolmogorov / Double(max(step.count, 1)).squareRoot())
    let shares = shares(window: window)
    return StartDelayEvidence(
      window: isEven
        ? .judged(window, low...high, count: step.count)
        : Estimate.judged(window, low...high, count: step.count).limited(to: .weakly, .notUniform),
      inUseShare: isEven ? shares.inUse : shares.inUse.limited(to: .weakly, .notUniform),
      laterShare: shares.later, unevenness: unevenness,
      law: law(from: 0, to: window))
  }

  /// The maximum distance from a uniform distribution that has no effect on the load.
  private static let evenDistance = 0.03
  /// The scaled Kolmogorov–Smirnov distance that is exceeded by chance with a probability of 1 %.
  private static let kolmogorov = 1.63

  /// Returns the downward step in the density of starts at the end of the window.
  func windowEnd() -> StepLikelihood.Step? {
    let delays = gaps.all.compactMap { $0.isComplete ? $0.seconds - edge : nil }
    return DensityDrop.step(delays, longest: Self.longest, head: known.inUseWindow)
  }

  /// Returns the starts whose delays lie in a range, corrected for earlier free runs.
  func starts(_ low: Double, _ high: Double) -> CorrectedStarts {
    CorrectedStarts(edge: edge, freeRate: freeRate, low: low, high: high)
  }

  /// The number of equal sections into which the window is divided.
  private static let parts = 20

  /// Returns the starts in each twentieth of a range of delays, relative to the number of due runs.
  private func law(from low: Double, to high: Double) -> [Double] {
    let width = (high - low) / Double(Self.parts)
    let parts = (0..<Self.parts).map { starts(low + Double($0) * width, low + Double($0 + 1) * width) }
    var law = Array(repeating: 0.0, count: Self.parts)
    var ending = Array(repeating: 0, count: Self.parts + 1)
    for gap in gaps.all where gap.seconds - edge >= low {
      let part = min(Int((gap.seconds - edge - low) / width), Self.parts)
      ending[part] += 1
      if part < Self.parts { law[part] += parts[part].count(gap) }
    }
    // Runs that wait throughout a section can be preceded by a free run anywhere in the section.
    var waiting = 0
    for part in (0..<Self.parts).reversed() {
      waiting += ending[part + 1]
      law[part] -= Double(waiting) * parts[part].risk
    }
    return law.map { $0 / Double(max(gaps.all.count, 1)) }
  }

  /// Returns the distance between a uniform distribution and the distribution of delays beyond the short window.
  private func unevenness(window: Double) -> Double {
    let law = law(from: isShort(window) ? 0 : known.inUseWindow, to: window)
    let sum = law.reduce(0, +)
    guard sum > 0 else { return 1 }
    var (reached, distance) = (0.0, 0.0)
    for (index, part) in law.enumerated() {
      reached += part / sum
      distance = max(distance, abs(reached - Double(index + 1) / Double(law.count)))
    }
    return distance
  }

  /// Returns whether the window is so similar to that of a phone in use that the two cannot be distinguished.
  func isShort(_ window: Double) -> Bool { known.inUseWindow > window * Self.evenLimit }

  private func shares(window: Double) -> (inUse: Estimate, later: Estimate) {
    var sums = CrossedSums(of: history.span, width: 3)
    let short = min(known.inUseWindow, window)
    let (early, late) = (starts(0, short), starts(short, max(window, short)))
    for gap in gaps.all {
      let group = history.phones[Int(gap.phone)].group
      let time = history.wakes[Int(gap.wake)].time
      sums.add(early.count(gap), to: 0, group: group, at: time)
      sums.add(late.count(gap), to: 1, group: group, at: time)
      sums.add(1, to: 2, group: group, at: time)
    }
    let count = gaps.all.count
    let later = sums.interval { 1 - ($0[0] + $0[1]) / $0[2] }
    let even = short / window
    guard !isShort(window) else { return (.unknown(.noEdge, count: count), share(later, count)) }
    let inUse = sums.interval { ($0[0] / ($0[0] + $0[1]) - even) / (1 - even) }
    return (share(inUse, count), share(later, count))
  }

  /// The maximum ratio of the short window to the whole window for which shares can be estimated.
  private static let evenLimit = 0.7

  /// Returns a share, which is considered identified if the half-width of its interval is at most 0.1.
  private func share(_ estimate: (value: Double, interval: ClosedRange<Double>?), _ count: Int) -> Estimate {
    Estimate.judged(min(max(estimate.value, 0), 1), estimate.interval, scale: 0.5, count: count)
  }
}

/// The contribution of gaps to the expected number of starts with delays in a range, corrected for earlier free runs.
///
/// A start after a wait x counts as exp(r x), where r is the rate of free runs. The compensator of the free runs'
/// process removes the free runs among the starts. It is the integral of r exp(r x) over the waiting time. The mean
/// over gaps is the fraction of delays in the range.
struct CorrectedStarts {
  private let edge: Double
  private let freeRate: Double
  private let low: Double
  private let high: Double
  private let minimum: Double
  /// The amount deducted for a gap that lasts longer than the range.
  let risk: Double

  init(edge: Double, freeRate: Double, low: Double, high: Double) {
    (self.edge, self.freeRate, self.low, self.high) = (edge, freeRate, low, high)
    minimum = SteadyMath.exp(freeRate * low)
    risk = SteadyMath.exp(freeRate * high) - minimum
  }

  func count(_ gap: Gaps.Gap) -> Double {
    let delay = gap.seconds - edge
    guard delay >= low else { return 0 }
    guard delay < high else { return -risk }
    // A complete gap adds exp(r x) and loses exp(r x) - exp(r low).
    return gap.isComplete ? minimum : minimum - SteadyMath.exp(freeRate * delay)
  }
}
