import Calibration
import RequestStatistics
import Scenario

/// A figure of the wakes that the simulation misses, in words.
struct WakeMiss {
  let text: String
  /// Distance in standard deviations of chance.
  let distance: Double

  /// Smaller misses change no plan.
  private static let least = 0.1
  /// Chance takes one of a kind's some hundred figures beyond four deviations in one of a hundred and fifty logs.
  private static let far = 4.0
  /// More sentences would not be read.
  static let mostNamed = 5

  /// The farthest first.
  static func all(_ report: CalibrationReport, _ simulated: LogEvidence) -> [WakeMiss] {
    let hasHoles = !report.logs.picture.silences.isEmpty
    let kinds = report.evidence.kinds.flatMap { kind, estimates -> [WakeMiss] in
      guard let other = simulated.kinds.first(where: { $0.kind == kind })?.estimates else { return [] }
      let name = report.base.kinds[kind].name
      // Hours of which a part is a hole have fewer wakes than the simulation, which has none.
      let ofDay = hasHoles ? [] : hours(estimates, other, name) + twelfths(estimates, other, name)
      return ofDay + ages(estimates, other, name)
    }
    return kinds.sorted { $0.distance > $1.distance }
  }

  /// One part of a whole, measured and simulated.
  private struct Part {
    var measured: Double
    var simulated: Double
    /// Variance of the difference of the two, by chance.
    var variance: Double

    var distance: Double { variance > 0 ? (measured - simulated) / variance.squareRoot() : 0 }
    var share: Double { simulated > 0 ? measured / simulated - 1 : 0 }
    var isMiss: Bool { simulated > 0 && share.magnitude >= WakeMiss.least && distance.magnitude >= WakeMiss.far }
  }

  /// Runs of neighbouring misses to the same side, each as one.
  private static func runs(_ parts: [Part]) -> [(range: Range<Int>, part: Part)] {
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
    return runs
  }

  /// Shares of all wakes, by counts.
  private static func parts(_ measured: [Int], _ simulated: [Int]) -> [Part] {
    let totals = (Double(max(measured.reduce(0, +), 1)), Double(max(simulated.reduce(0, +), 1)))
    return zip(measured, simulated).map { own, other in
      let shares = (Double(own) / totals.0, Double(other) / totals.1)
      let both = (Double(own) + Double(other)) / (totals.0 + totals.1)
      return Part(
        measured: shares.0, simulated: shares.1, variance: both * (1 - both) * (1 / totals.0 + 1 / totals.1))
    }
  }

  private static func amount(_ part: Part, _ more: String, _ less: String) -> String {
    NumberText.percent(part.share.magnitude) + " " + (part.share > 0 ? more : less)
  }

  private static func hours(_ own: KindEstimates, _ other: KindEstimates, _ name: String) -> [WakeMiss] {
    let parts = parts(own.wallMarks.heat.map { $0.reduce(0, +) }, other.wallMarks.heat.map { $0.reduce(0, +) })
    return runs(parts).map { range, part in
      WakeMiss(
        text: "\(amount(part, "more", "fewer")) wakes of \(name) between \(TimeText.two(range.lowerBound)) and "
          + "\(TimeText.two(range.upperBound)) by the phones' clocks than the scenario gives.",
        distance: part.distance.magnitude)
    }
  }

  private static func twelfths(_ own: KindEstimates, _ other: KindEstimates, _ name: String) -> [WakeMiss] {
    func sums(_ estimates: KindEstimates) -> [Int] {
      (0..<12).map { twelfth in
        estimates.wallMarks.heat.reduce(0) { $0 + ($1.indices.contains(twelfth) ? $1[twelfth] : 0) }
      }
    }
    return runs(parts(sums(own), sums(other))).map { range, part in
      WakeMiss(
        text: "\(amount(part, "more", "fewer")) wakes of \(name) from minute \(5 * range.lowerBound) to "
          + "\(5 * range.upperBound) of the hour than the scenario gives.", distance: part.distance.magnitude)
    }
  }

  /// Rates by time since the last wake.
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
    return runs(parts).map { range, part in
      let from = TimeText.seconds(Double(bins[range.lowerBound].lowerBound))
      let to = TimeText.seconds(Double(bins[range.upperBound - 1].upperBound))
      return WakeMiss(
        text:
          "\(amount(part, "more", "fewer")) phones of those that still wait wake for \(name) \(from) to \(to) after "
          + "the last wake than the scenario gives.", distance: part.distance.magnitude)
    }
  }
}
