/// A time range in which the number of a kind's wakes in the simulation differs significantly from that in the log.
package struct WakeMiss: Hashable, Sendable {
  /// The index of the kind in the scenario.
  package let kind: Int
  package let place: Place
  /// The ratio of measured to simulated wakes, minus 1.
  package let share: Double
  /// The difference between the measured and the simulated wakes, in standard deviations of the random variation.
  let distance: Double

  package enum Place: Hashable, Sendable {
    /// A range of hours of the day, on the phones' clocks.
    case hours(Range<Int>)
    /// A range of minutes of the hour, on the phones' clocks.
    case minutes(Range<Int>)
    /// A range of seconds since the last wake; only phones that are still waiting for the next wake are considered.
    case ages(Range<Int>)
  }

  /// The smallest relative deviation of wakes that affects planning.
  private static let minimum = 0.1
  /// The number of standard deviations beyond which a deviation is significant. By chance, at least one of a kind's
  /// several hundred values exceeds it in one log out of 150.
  private static let far = 4.0

  /// Returns the misses in descending order of distance.
  ///
  /// - Parameter hasHoles: whether the log has holes; hours with a hole have fewer wakes than in the simulation.
  package static func all(_ measured: LogEvidence, _ simulated: LogEvidence, hasHoles: Bool) -> [WakeMiss] {
    measured.kinds.flatMap { kind, own in
      simulated.estimates(of: kind).map { all(of: kind, own, $0, hasHoles: hasHoles) } ?? []
    }.sorted { $0.distance > $1.distance }
  }

  static func all(of kind: Int, _ own: KindEstimates, _ other: KindEstimates, hasHoles: Bool) -> [WakeMiss] {
    let (marks, otherMarks) = (own.wallMarks, other.wallMarks)
    let bins = HazardCurve.bins
    let rates = bins.map { Part(own.hazard.sums($0), other.hazard.sums($0)) }
    let hours = hasHoles ? [] : Part.all(marks.wakesByHour, otherMarks.wakesByHour)
    let twelfths = hasHoles ? [] : Part.all(marks.wakesByTwelfth, otherMarks.wakesByTwelfth)
    return misses(of: kind, hours) { .hours($0) }
      + misses(of: kind, twelfths) { .minutes(5 * $0.lowerBound..<5 * $0.upperBound) }
      + misses(of: kind, rates) { .ages(bins[$0.lowerBound].lowerBound..<bins[$0.upperBound - 1].upperBound) }
  }

  /// A share or rate of wakes, both as measured and as simulated.
  struct Part {
    var measured: Double
    var simulated: Double
    /// The variance of the difference between the two values that is expected of random variation.
    var variance: Double

    var distance: Double { variance > 0 ? (measured - simulated) / variance.squareRoot() : 0 }
    var share: Double { simulated > 0 ? measured / simulated - 1 : 0 }
    var isMiss: Bool { simulated > 0 && share.magnitude >= WakeMiss.minimum && distance.magnitude >= WakeMiss.far }

    /// Returns each part's share of all wakes.
    static func all(_ measured: [Int], _ simulated: [Int]) -> [Part] {
      let totals = (Double(max(measured.reduce(0, +), 1)), Double(max(simulated.reduce(0, +), 1)))
      return zip(measured, simulated).map { own, other in
        let both = (Double(own) + Double(other)) / (totals.0 + totals.1)
        return Part(
          measured: Double(own) / totals.0, simulated: Double(other) / totals.1,
          variance: both * (1 - both) * (1 / totals.0 + 1 / totals.1))
      }
    }
  }

  /// Returns the misses; adjacent parts that deviate in the same direction are merged.
  static func misses(of kind: Int, _ parts: [Part], _ place: (Range<Int>) -> Place) -> [WakeMiss] {
    var runs: [(range: Range<Int>, part: Part)] = []
    for (index, part) in parts.enumerated() where part.isMiss {
      if let last = runs.last, last.range.upperBound == index, (last.part.share > 0) == (part.share > 0) {
        let sum = Part(
          measured: last.part.measured + part.measured, simulated: last.part.simulated + part.simulated,
          variance: last.part.variance + part.variance)
        runs[runs.count - 1] = (last.range.lowerBound..<index + 1, sum)
      } else {
        runs.append((index..<index + 1, part))
      }
    }
    return runs.map { range, part in
      WakeMiss(kind: kind, place: place(range), share: part.share, distance: part.distance.magnitude)
    }
  }
}

extension WakeMiss.Part {
  /// Creates rates from wakes and exposures, with Poisson variances.
  init(_ own: (events: Double, exposure: Double), _ other: (events: Double, exposure: Double)) {
    let rate = { (sums: (events: Double, exposure: Double)) in sums.exposure > 0 ? sums.events / sums.exposure : 0 }
    let variance = { (sums: (events: Double, exposure: Double)) in
      sums.exposure > 0 ? sums.events / sums.exposure / sums.exposure : 0
    }
    self.init(measured: rate(own), simulated: rate(other), variance: variance(own) + variance(other))
  }
}
