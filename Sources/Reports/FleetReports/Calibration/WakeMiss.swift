import Calibration
import RequestStatistics
import Scenario

/// A figure of the wakes that the simulation misses, in words.
struct WakeMiss {
  let text: String
  /// The distance in standard deviations by chance.
  let distance: Double

  /// The smallest miss that changes a plan.
  private static let least = 0.1
  /// The number of deviations that one of a kind's some hundred figures exceeds by chance in one of 150 logs.
  private static let far = 4.0
  /// The max number of sentences.
  static let mostNamed = 5

  /// Returns the misses, the largest distance first.
  static func all(_ report: CalibrationReport, _ simulated: LogEvidence) -> [WakeMiss] {
    let hasHoles = !report.logs.picture.silences.isEmpty
    return report.evidence.kinds.flatMap { kind, own -> [WakeMiss] in
      guard let other = simulated.kinds.first(where: { $0.kind == kind })?.estimates else { return [] }
      let name = report.base.kinds[kind].name
      // Hours with a hole have fewer wakes than the simulation, which has no holes.
      let ofDay = hasHoles ? [] : hours(own, other, name) + twelfths(own, other, name)
      return ofDay + ages(own, other, name)
    }.sorted { $0.distance > $1.distance }
  }

  /// One part of a whole, measured and simulated.
  private struct Part {
    var measured: Double
    var simulated: Double
    /// The variance of their difference by chance.
    var variance: Double

    var distance: Double { variance > 0 ? (measured - simulated) / variance.squareRoot() : 0 }
    var share: Double { simulated > 0 ? measured / simulated - 1 : 0 }
    var isMiss: Bool { simulated > 0 && share.magnitude >= WakeMiss.least && distance.magnitude >= WakeMiss.far }
  }

  /// Returns misses, with neighbours in the same direction merged.
  ///
  /// - Parameter text: makes a sentence from `12 % more` and the range of the parts.
  private static func misses(_ parts: [Part], _ text: (String, Range<Int>) -> String) -> [WakeMiss] {
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
      let amount = NumberText.percent(part.share.magnitude) + (part.share > 0 ? " more" : " fewer")
      return WakeMiss(text: text(amount, range) + " than the scenario gives.", distance: part.distance.magnitude)
    }
  }

  /// Returns shares of all wakes, from counts.
  private static func parts(_ measured: [Int], _ simulated: [Int]) -> [Part] {
    let totals = (Double(max(measured.reduce(0, +), 1)), Double(max(simulated.reduce(0, +), 1)))
    return zip(measured, simulated).map { own, other in
      let both = (Double(own) + Double(other)) / (totals.0 + totals.1)
      return Part(
        measured: Double(own) / totals.0, simulated: Double(other) / totals.1,
        variance: both * (1 - both) * (1 / totals.0 + 1 / totals.1))
    }
  }

  private static func hours(_ own: KindEstimates, _ other: KindEstimates, _ name: String) -> [WakeMiss] {
    misses(parts(own.wallMarks.heat.map { $0.reduce(0, +) }, other.wallMarks.heat.map { $0.reduce(0, +) })) {
      "\($0) wakes of \(name) between \(TimeText.two($1.lowerBound)) and \(TimeText.two($1.upperBound)) by the phones' "
        + "clocks"
    }
  }

  private static func twelfths(_ own: KindEstimates, _ other: KindEstimates, _ name: String) -> [WakeMiss] {
    let sums = { (estimates: KindEstimates) in
      (0..<12).map { twelfth in
        estimates.wallMarks.heat.reduce(0) { $0 + ($1.indices.contains(twelfth) ? $1[twelfth] : 0) }
      }
    }
    return misses(parts(sums(own), sums(other))) {
      "\($0) wakes of \(name) from minute \(5 * $1.lowerBound) to \(5 * $1.upperBound) of the hour"
    }
  }

  /// Returns misses of the rates by time since the last wake.
  private static func ages(_ own: KindEstimates, _ other: KindEstimates, _ name: String) -> [WakeMiss] {
    func rate(_ curve: HazardCurve, _ bin: Range<Int>) -> (rate: Double, variance: Double) {
      let exposure = bin.reduce(0) { $0 + curve.exposure[$1] }
      let events = Double(bin.reduce(0) { $0 + curve.events[$1] })
      return exposure > 0 ? (events / exposure, events / exposure / exposure) : (0, 0)
    }
    let bins = HazardCurve.bins
    let parts = bins.map { bin -> Part in
      let (measured, simulated) = (rate(own.hazard, bin), rate(other.hazard, bin))
      return Part(
        measured: measured.rate, simulated: simulated.rate, variance: measured.variance + simulated.variance)
    }
    return misses(parts) { amount, range in
      let ends = [bins[range.lowerBound].lowerBound, bins[range.upperBound - 1].upperBound].map {
        TimeText.seconds(Double($0))
      }
      return "\(amount) phones of those that still wait wake for \(name) \(ends[0]) to \(ends[1]) after the last wake"
    }
  }
}
