package import RequestStatistics
internal import SimulationKernel

/// The times between consecutive wakes of each phone.
///
/// A gap that is cut off by a hole or by the end of the log is censored, so only its minimum length is known. After a
/// hole, the next gap starts at the next wake.
package struct Gaps: Sendable {
  package struct Gap: Sendable, BitwiseCopyable {
    /// The index of the preceding wake among all wakes.
    package let wake: Int32
    package let phone: Int32
    /// The length of the gap in milliseconds, which is limited to 24 days.
    package let length: Int32
    /// Whether the gap ended with the phone's next wake, rather than with a hole or the end of the log.
    package let isComplete: Bool

    /// The length of the gap in seconds.
    var seconds: Double { Double(length) / 1_000 }
  }

  package let all: [Gap]

  package init(of history: WakeHistory) {
    var gaps: [Gap] = []
    gaps.reserveCapacity(history.wakes.count)
    for (index, phone) in history.phones.enumerated() {
      var hole = history.holes.startIndex
      for wake in phone.wakes {
        let start = history.wakes[wake].time
        while hole < history.holes.endIndex, history.holes[hole].lowerBound < start { hole += 1 }
        let silence = hole < history.holes.endIndex ? history.holes[hole].lowerBound : history.span.upperBound
        let next = wake + 1 < phone.wakes.upperBound ? history.wakes[wake + 1].time : .max
        let end = min(next, silence)
        gaps.append(
          Gap(
            wake: Int32(wake), phone: Int32(index), length: Int32(clamping: max(end - start, 0)),
            isComplete: next <= silence))
      }
    }
    all = gaps
  }

  private init(_ gaps: [Gap]) { all = gaps }

  /// Selects the gaps at the given positions.
  init(_ gaps: Gaps, within places: [Range<Int>]) { all = places.flatMap { gaps.all[$0] } }

  func filter(_ isKept: (Gap) -> Bool) -> Gaps { Gaps(all.filter(isKept)) }
}

/// The distribution of the times between wakes, corrected for holes and the end of the log.
///
/// The fraction of waits longer than t is exp(-H(t)). Here H(t) is the sum of wakes divided by exposure, over all ages
/// up to t (Breslow's estimator).
package struct WaitingTimes: Sendable {
  /// The fraction of waits that have ended by the end of each whole second.
  private let over: [Double]
  /// The number of waits whose ends were observed.
  package let count: Int

  package init(_ curve: HazardCurve) {
    var (sum, last) = (0.0, 0)
    let known = curve.exposure.lastIndex { $0 > 0 }.map { $0 + 1 } ?? 0
    over = (0..<known).map { second in
      if curve.events[second] > 0 { sum += Double(curve.events[second]) / max(curve.exposure[second], 1) }
      last += curve.events[second]
      return 1 - SteadyMath.exp(-sum)
    }
    count = last
  }

  /// Returns the time in seconds within which a fraction of the waits ends; `nil` if the log is too short.
  package func quantile(_ share: Double) -> Double? {
    var (low, high) = (0, over.count)
    while low < high {
      let middle = (low + high) / 2
      if over[middle] < share { low = middle + 1 } else { high = middle }
    }
    return low < over.count ? Double(low + 1) : nil
  }

  /// Returns the largest difference between two distributions in the fraction of ended waits, and the age in seconds at
  /// which it occurs. Only ages known in both distributions are compared.
  package func farthest(from other: Self) -> (distance: Double, age: Double)? {
    let known = min(over.count, other.over.count)
    let place = (0..<known).max { abs(over[$0] - other.over[$0]) < abs(over[$1] - other.over[$1]) }
    return place.map { (abs(over[$0] - other.over[$0]), Double($0 + 1)) }
  }

  /// The smallest distance between two waiting-time distributions that has an effect on the load.
  private static let minimum = 0.03
  /// The scaled Kolmogorov–Smirnov distance that is exceeded by chance in 1 % of comparisons.
  private static let chance = 1.63

  /// Returns the largest distance expected by chance between equal distributions. If the largest distance that does not
  /// affect the load is greater, it is returned instead.
  package func tolerance(for other: Self) -> Double {
    let numbers = 1 / Double(max(count, 1)) + 1 / Double(max(other.count, 1))
    return max(Self.minimum, Self.chance * numbers.squareRoot())
  }

  private static let shares = [0.01, 0.02] + (1...19).map { Double($0) / 20 } + [0.98, 0.99]

  /// Returns the ages at which equal fractions of the waits have ended in both distributions. The fractions range from
  /// 1 % to 99 %, as far as these ages are known.
  package func quantiles(with other: Self) -> [(own: Double, other: Double)] {
    Self.shares.compactMap { share in
      quantile(share).flatMap { own in other.quantile(share).map { (own, $0) } }
    }
  }

  /// Half the age at which one in 500 waits has ended; `nil` if the log is too short. At earlier ages, the rate is
  /// mostly random.
  package var firstAge: Double? { quantile(0.002).map { max($0 / 2, Double(HazardCurve.bins[0].lowerBound)) } }
}

/// The rate of the next wake in each second since the previous one, among the phones still waiting.
///
/// This is the Nelson–Aalen estimator: events divided by exposure over all gaps, including the known part of censored
/// ones.
package struct HazardCurve: Sendable {
  /// The number of wakes for each whole second since the previous wake.
  package let events: [Int]
  /// The total waiting time at each age over all gaps, in seconds.
  package let exposure: [Double]

  /// The maximum age in seconds: 26 hours, so that daily runs and their delays are included.
  package static let seconds = 26 * 3_600

  private let eventsBefore: [Int]
  private let exposureBefore: [Double]

  package init(_ gaps: Gaps) {
    var events = Array(repeating: 0, count: Self.seconds)
    var exits = events
    var parts = Array(repeating: 0.0, count: Self.seconds)
    var waiting = 0
    for gap in gaps.all {
      waiting += 1
      let second = Int(gap.length / 1_000)
      guard second < Self.seconds else { continue }
      exits[second] += 1
      parts[second] += Double(gap.length % 1_000) / 1_000
      if gap.isComplete { events[second] += 1 }
    }
    var exposure: [Double] = []
    exposure.reserveCapacity(Self.seconds)
    for second in 0..<Self.seconds {
      waiting -= exits[second]
      exposure.append(Double(waiting) + parts[second])
    }
    self.init(events: events, exposure: exposure)
  }

  /// - Parameters:
  ///   - events: the number of wakes for each whole second; must have `seconds` elements.
  ///   - exposure: the exposure for each whole second; must also have `seconds` elements.
  init(events: [Int], exposure: [Double]) {
    self.events = events
    self.exposure = exposure
    eventsBefore = events.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
    exposureBefore = exposure.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
  }

  /// Returns the total wakes and the total exposure over a range of ages in whole seconds.
  func sums(_ ages: Range<Int>) -> (events: Double, exposure: Double) {
    let ages = ages.clamped(to: 0..<Self.seconds)
    return (
      Double(eventsBefore[ages.upperBound] - eventsBefore[ages.lowerBound]),
      exposureBefore[ages.upperBound] - exposureBefore[ages.lowerBound]
    )
  }

  /// Returns the number of wakes per second of waiting in a range of ages; 0 if no phones are still waiting.
  package func rate(_ ages: Range<Int>) -> Double {
    let sums = sums(ages)
    return sums.exposure > 0 ? sums.events / sums.exposure : 0
  }

  /// The minimum number of waiting phones needed to estimate a rate reliably.
  private static let fewestWaiting = 50.0

  /// The rates of all bins before the first bin in which too few phones are waiting.
  package var knownRates: [(ages: Range<Int>, rate: Double)] {
    Self.bins.prefix { bin in bin.reduce(0) { $0 + exposure[$1] } >= Self.fewestWaiting * Double(bin.count) }
      .map { ($0, rate($0)) }
  }

  /// The bins of ages for tables and charts. They start at 2 s and widen with age, so that each is a sixteenth of an
  /// octave.
  package static let bins: [Range<Int>] = {
    var bins: [Range<Int>] = []
    var low = 2
    while low < seconds {
      let high = min(seconds, max(low + 1, Int((Double(low) * 1.044_273_782_427_413_8).rounded())))
      bins.append(low..<high)
      low = high
    }
    return bins
  }()
}
