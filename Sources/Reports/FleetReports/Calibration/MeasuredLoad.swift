import Calibration
import RequestStatistics

/// The measured load in steps of five minutes.
package struct MeasuredLoad {
  /// Milliseconds since 1970.
  let start: Int64
  let counts: [Int64]
  /// Requests that come together, as the variance of counts sees them: the mean square of a run's over their mean.
  let requestsPerRun: Double
  /// Steps of which the log does not know all: those that touch a hole, and its ends.
  let unknown: [Range<Int>]

  func isKnown(_ bin: Int) -> Bool { !unknown.contains { $0.contains(bin) } }

  /// Requests of the step that begins at a time in milliseconds since 1970; nil: the log does not know all of it.
  package func count(at time: Int64) -> Double? {
    let bin = Int((time - start).quotientAndRemainder(dividingBy: CalibrationReport.binMilliseconds).quotient)
    return time >= start && counts.indices.contains(bin) && isKnown(bin) ? Double(counts[bin]) : nil
  }

  /// Milliseconds since 1970 at which a step begins.
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
  /// Milliseconds since 1970 that lines or a table's steps are of; nil: there are none.
  package var span: Range<Int64>? { picture.span ?? counted?.span }

  /// Milliseconds since 1970 at which the day of the first line begins, in UTC.
  package var firstDay: Int64 {
    let first = picture.census.lines > 0 ? picture.census.first : counted?.start ?? 0
    return first / BacktestReport.dayMilliseconds * BacktestReport.dayMilliseconds
  }

  /// Widgets' requests per step of five minutes of the log, from the step of its first line on.
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
  /// Requests that come together, as the variance of counts sees them: the mean square of a run's over their mean.
  package var requestsPerRun: Double {
    let sizes = (evidence.history?.wakes ?? []).reduce(into: (sum: 0.0, squares: 0.0)) { sums, wake in
      sums.sum += Double(wake.requests)
      sums.squares += Double(wake.requests) * Double(wake.requests)
    }
    return sizes.sum > 0 ? sizes.squares / sizes.sum : 1
  }
}

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

/// Counts of requests as charts take them.
enum ChartCount {
  /// The nearest whole number, at least 0 and at most as many as a table's step may have.
  static func whole(_ count: Double) -> Int64 { count > 0 ? Int64(min(count, CountedLoad.mostPerStep).rounded()) : 0 }
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
