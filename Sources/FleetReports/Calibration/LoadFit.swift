import Calibration
import RequestStatistics
import SimulationKernel

/// How near a simulated load is to the measured one, over the steps of five minutes that both know as a whole.
struct LoadFit {
  /// The sum of the distances over the sum of the measured requests: the weighted absolute percentage error, as a share.
  let error: Double
  /// What it would be by chance alone, were the scenario right.
  let floor: Double
  /// The simulated peak over the measured one, less 1.
  let peakError: Double
  /// Simulated requests over measured ones, less 1.
  let totalError: Double
  /// What two right peaks may differ by, as a share: one standard deviation of their difference.
  let peakChance: Double

  /// nil: nothing can be compared.
  init?(_ load: SimulatedLoad, _ measured: MeasuredLoad) {
    let pairs = measured.counts.indices.compactMap { bin -> (measured: Double, simulated: Double)? in
      guard measured.isKnown(bin), let simulated = load.count(at: bin) else { return nil }
      return (Double(measured.counts[bin]), simulated)
    }
    let total = pairs.reduce(0) { $0 + $1.measured }
    guard total > 0, let peak = pairs.map(\.measured).max(), let simulatedPeak = pairs.map(\.simulated).max() else {
      return nil
    }
    let spread = measured.requestsPerRun * (1 + load.scale)
    error = pairs.reduce(0) { $0 + abs($1.measured - $1.simulated) } / total
    // The mean distance of two counts with one expectation, of which their mean is the best guess.
    floor =
      pairs.reduce(0) { $0 + (spread * ($1.measured + $1.simulated) / Double.pi).squareRoot() } / total
    peakError = simulatedPeak / peak - 1
    totalError = pairs.reduce(0) { $0 + $1.simulated } / total - 1
    peakChance = (spread / peak).squareRoot()
  }

  /// Beyond chance; more would be seen in a plan.
  private static let mostError = 0.05
  private static let mostPeakError = 0.1

  /// Whether a plan may rest on it.
  var isNear: Bool { isErrorNear && isPeakNear }
  var isErrorNear: Bool { error - floor <= Self.mostError }
  private var isPeakNear: Bool { abs(peakError) <= Self.mostPeakError + peakChance }

  /// `12 % per five minutes, of which chance alone makes 9 %`.
  var text: String {
    NumberText.percent(error) + " per five minutes, "
      + (error > floor ? "of which chance alone makes \(NumberText.percent(floor))" : "no more than chance makes")
  }

  /// `its peak is 3 % higher`.
  var peakText: String { "its peak is " + DifferenceText.higher(peakError) }
}

/// The measured load in steps of five minutes.
struct MeasuredLoad {
  /// Milliseconds since 1970.
  let start: Int64
  let counts: [Int64]
  /// Requests that come together, as the variance of counts sees them: the mean square of a run's over their mean.
  let requestsPerRun: Double
  /// Steps of which the log does not know all: those that touch a hole, and its ends.
  let unknown: [Range<Int>]

  func isKnown(_ bin: Int) -> Bool { !unknown.contains { $0.contains(bin) } }

  /// Milliseconds since 1970 at which a step begins.
  func time(_ bin: Int) -> Int64 { start + Int64(bin) * CalibrationReport.binMilliseconds }

}

extension MeasuredLoad {
  init(_ report: CalibrationReport) {
    let measured = report.measured
    self.init(
      start: measured.start, counts: measured.counts, requestsPerRun: Self.requestsPerRun(report.evidence.history),
      unknown: Self.unknown(report.logs.picture, start: measured.start, count: measured.counts.count))
  }

  private static func requestsPerRun(_ history: WakeHistory?) -> Double {
    let sizes = (history?.wakes ?? []).reduce(into: (sum: 0.0, squares: 0.0)) { sums, wake in
      sums.sum += Double(wake.requests)
      sums.squares += Double(wake.requests) * Double(wake.requests)
    }
    return sizes.sum > 0 ? sizes.squares / sizes.sum : 1
  }

  private static func unknown(_ picture: LogPicture, start: Int64, count: Int) -> [Range<Int>] {
    guard let span = picture.span else { return [] }
    let bin = CalibrationReport.binMilliseconds
    let end = start + Int64(count) * bin
    let silent = [start..<span.lowerBound] + picture.silences + [min(span.upperBound, end)..<end]
    return silent.filter { !$0.isEmpty }.map { silence in
      let from = max((silence.lowerBound - start) / bin, 0)
      let to = (silence.upperBound - start + bin - 1) / bin
      return Int(from)..<Int(max(min(to, Int64(count)), from))
    }.filter { !$0.isEmpty }
  }
}

/// Differences as shares, in words.
enum DifferenceText {
  /// Differences below this are none that anybody acts on.
  private static let least = 0.005

  /// `3 % higher`, `3 % lower`, `the same`.
  static func higher(_ share: Double) -> String {
    guard share.magnitude >= least else { return "the same" }
    return NumberText.percent(share.magnitude) + (share > 0 ? " higher" : " lower")
  }

  /// `+3 %`.
  static func signed(_ share: Double) -> String {
    guard share.magnitude >= least / 10 else { return "0\u{A0}%" }
    return (share > 0 ? "+" : "−") + NumberText.percent(share.magnitude)
  }
}
