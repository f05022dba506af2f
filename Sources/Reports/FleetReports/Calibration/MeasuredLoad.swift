import Calibration
import RequestStatistics

/// The measured load in steps of five minutes.
package struct MeasuredLoad {
  /// The start in milliseconds since 1970.
  let start: Int64
  let counts: [Int64]
  /// The number of requests that come together, for the variance of counts: the mean square per run over the mean.
  let requestsPerRun: Double
  /// The steps with incomplete data: those that touch a hole, and the log's ends.
  let unknown: [Range<Int>]

  func isKnown(_ bin: Int) -> Bool { !unknown.contains { $0.contains(bin) } }

  /// Returns the requests of the step that starts at a time in milliseconds since 1970; `nil` where the log is
  /// incomplete.
  package func count(at time: Int64) -> Double? {
    let bin = Int((time - start).quotientAndRemainder(dividingBy: CalibrationReport.binMilliseconds).quotient)
    return time >= start && counts.indices.contains(bin) && isKnown(bin) ? Double(counts[bin]) : nil
  }

  /// Returns the milliseconds since 1970 at the start of a step.
  func time(_ bin: Int) -> Int64 { start + Int64(bin) * CalibrationReport.binMilliseconds }
}

extension MeasuredLoad {
  init(_ report: CalibrationReport) { self.init(report.logs, requestsPerRun: report.requestsPerRun) }

  package init(_ logs: LogsReport, requestsPerRun: Double) {
    let measured = logs.measured
    self.init(
      start: measured.start, counts: measured.counts, requestsPerRun: requestsPerRun,
      unknown: Self.unknown(logs, start: measured.start, count: measured.counts.count))
  }

  private static func unknown(_ logs: LogsReport, start: Int64, count: Int) -> [Range<Int>] {
    let bin = CalibrationReport.binMilliseconds
    let end = start + Int64(count) * bin
    guard let span = logs.span else { return [] }
    let missing = logs.picture.span == nil ? logs.counted?.missing ?? [] : logs.picture.silences
    let silent = [start..<max(span.lowerBound, start)] + missing + [min(span.upperBound, end)..<end]
    return silent.filter { !$0.isEmpty }.map { silence in
      let from = max((silence.lowerBound - start) / bin, 0)
      let to = (silence.upperBound - start + bin - 1) / bin
      return Int(from)..<Int(max(min(to, Int64(count)), from))
    }.filter { !$0.isEmpty }
  }
}

extension LogsReport {
  /// The span of lines or of a table's steps in milliseconds since 1970; `nil` without any.
  package var span: Range<Int64>? { picture.span ?? counted?.span }

  /// The milliseconds since 1970 at the start of the first line's day, in UTC.
  package var firstDay: Int64 {
    let first = picture.census.lines > 0 ? picture.census.first : counted?.start ?? 0
    return first / BacktestReport.dayMilliseconds * BacktestReport.dayMilliseconds
  }

  /// The requests of widgets per step of five minutes of the log, from the step of its first line on.
  var measured: (start: Int64, counts: [Int64]) {
    if picture.census.lines == 0, let counted = counted?.counts(per: CalibrationReport.binMilliseconds) {
      return (counted.start, counted.counts.map { Int64($0.rounded()) })
    }
    guard let span = picture.span, !picture.isTooLong else { return (0, []) }
    let bin = CalibrationReport.binMilliseconds
    let range = span.lowerBound / bin * bin..<(span.upperBound + bin - 1) / bin * bin
    let hasWidgets = LoadSeries.lines(of: .widget, in: picture.census) > 0
    let minutes = picture.census.loads.counts(in: range, of: LoadSeries.of(hasWidgets ? .widget : .unknown))
    let perBin = Int(bin / picture.census.loads.millisecondsPerBin)
    let counts = stride(from: 0, to: minutes.count, by: perBin).map { place -> Int64 in
      let lines = Double(minutes[place..<place + perBin].reduce(0, +))
      return Int64((lines / picture.recorded).rounded())
    }
    return (range.lowerBound, counts)
  }
}

extension CalibrationReport {
  /// The number of requests that come together, for the variance of counts: the mean square per run over the mean.
  package var requestsPerRun: Double {
    let sizes = (evidence.history?.wakes ?? []).reduce(into: (sum: 0.0, squares: 0.0)) { sums, wake in
      sums.sum += Double(wake.requests)
      sums.squares += Double(wake.requests) * Double(wake.requests)
    }
    return sizes.sum > 0 ? sizes.squares / sizes.sum : 1
  }
}

/// The fit of a simulated load to the measured one, over the steps of five minutes that both cover completely.
struct LoadFit {
  /// The weighted absolute percentage error, as a share: the sum of the distances over the sum of the measured
  /// requests.
  let error: Double
  /// The expected error by chance alone, for a correct scenario.
  let floor: Double
  /// The simulated peak over the measured one, less 1.
  let peakError: Double
  /// Simulated requests over measured ones, less 1.
  let totalError: Double
  /// The standard deviation of the difference between two correct peaks, as a share.
  let peakChance: Double

  /// Makes the fit; `nil` where nothing can be compared.
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
    // The mean distance of two counts with the same expectation, which their mean estimates.
    floor =
      pairs.reduce(0) { $0 + (spread * ($1.measured + $1.simulated) / Double.pi).squareRoot() } / total
    peakError = simulatedPeak / peak - 1
    totalError = pairs.reduce(0) { $0 + $1.simulated } / total - 1
    peakChance = (spread / peak).squareRoot()
  }

  /// The max errors of a usable plan, beyond chance.
  private static let mostError = 0.05
  private static let mostPeakError = 0.1

  /// Whether a plan may use it.
  var isNear: Bool { isErrorNear && isPeakNear }
  var isErrorNear: Bool { error - floor <= Self.mostError }
  private var isPeakNear: Bool { abs(peakError) <= Self.mostPeakError + peakChance }

  /// The error in words: `12 % per five minutes, of which chance alone makes 9 %`.
  var text: String {
    NumberText.percent(error) + " per five minutes, "
      + (error > floor ? "of which chance alone makes \(NumberText.percent(floor))" : "no more than chance makes")
  }

  /// The error of the peak in words: `its peak is 3 % higher`.
  var peakText: String { "its peak is " + DifferenceText.higher(peakError) }
}

/// Counts of requests as charts take them.
enum ChartCount {
  /// The nearest whole number, at least 0 and at most as many as a table's step may have.
  static func whole(_ count: Double) -> Int64 { count > 0 ? Int64(min(count, CountedLoad.mostPerStep).rounded()) : 0 }
}

/// Differences as shares, in words.
enum DifferenceText {
  /// The smallest difference that matters.
  private static let least = 0.005

  /// Returns `3 % higher`, `3 % lower`, `the same`.
  static func higher(_ share: Double) -> String {
    guard share.magnitude >= least else { return "the same" }
    return NumberText.percent(share.magnitude) + (share > 0 ? " higher" : " lower")
  }

  /// Returns `+3 %`.
  static func signed(_ share: Double) -> String {
    guard share.magnitude >= least / 10 else { return "0\u{A0}%" }
    return (share > 0 ? "+" : "−") + NumberText.percent(share.magnitude)
  }
}
