package import RequestStatistics

/// The load that a log contains, in five-minute steps.
package struct MeasuredLoad: Sendable {
  /// The start of the load's first step, in milliseconds since 1970.
  package let start: Int64
  package let counts: [Int64]
  /// The number of requests that arrive together, which scales the variance of counts. It is the mean square of the
  /// number of requests per run, divided by the mean of that number.
  package let requestsPerRun: Double
  /// The steps with incomplete data, which overlap a hole, or the start or the end of the log.
  package let unknown: [Range<Int>]
  /// The steps during and shortly after outages, in which many requests fail or are retried.
  package var outages: [Range<Int>] = []

  /// The length of a step in milliseconds.
  package static let step: Int64 = 300_000

  /// Returns the number of requests per second for a step's count.
  package static func rate(_ count: Double) -> Double { count / 300 }

  func isKnown(_ bin: Int) -> Bool { !(unknown + outages).contains { $0.contains(bin) } }

  /// Returns the requests in the step that starts at a time in milliseconds since 1970; `nil` if it is incomplete or
  /// part of an outage.
  package func count(at time: Int64) -> Double? {
    let bin = Int((time - start).quotientAndRemainder(dividingBy: Self.step).quotient)
    return time >= start && counts.indices.contains(bin) && isKnown(bin) ? Double(counts[bin]) : nil
  }

  /// Returns the start of a step in milliseconds since 1970.
  package func time(_ bin: Int) -> Int64 { start + Int64(bin) * Self.step }
}

extension MeasuredLoad {
  /// Creates the widgets' load, starting with the step of the first line; empty if there are no lines or if the log is
  /// too long.
  ///
  /// - Parameter counted: the load from a table, for a log without lines.
  package init(_ picture: LogSummary, _ counted: CountedLoad?, requestsPerRun: Double) {
    self.requestsPerRun = requestsPerRun
    var outages: [Range<Int>] = []
    if picture.census.lines == 0, let table = counted?.counts(per: Self.step) {
      (start, counts) = (table.start, table.counts.map { Int64($0.rounded()) })
    } else if let range = picture.span?.wholeSteps(of: Self.step), !picture.isTooLong {
      let requestClass = picture.census.lines(of: .widget) > 0 ? RequestClass.widget : .unknown
      let lines = picture.census.loads.counts(in: range, per: Self.step, of: LoadSeries.of(requestClass))
      let failed = picture.census.loads.counts(
        in: range, per: Self.step, of: [LoadSeries(requestClass, .failed).index])
      outages = Self.outages(failed, of: lines)
      (start, counts) = (range.lowerBound, lines.map { Int64((Double($0) / picture.recorded).rounded()) })
    } else {
      (start, counts) = (0, [])
    }
    let span = picture.span ?? counted?.span ?? start..<start
    let missing = picture.span == nil ? counted?.missing ?? [] : picture.silences
    self.outages = outages
    unknown = Self.unknown(span, missing, start: start, count: counts.count)
  }

  /// The minimum share of failed requests in a step during an outage.
  private static let minFailed = 0.2
  /// The minimum number of failed requests in a step during an outage.
  private static let fewestFailed: Int64 = 10
  /// The number of steps in the two hours after an outage, which contain retries and shifted runs.
  private static let echo = 24
  /// The maximum share of a log that may consist of outages; above it, failures are considered normal.
  private static let maxOutages = 0.25

  /// Returns the steps during and shortly after outages, with overlapping ranges merged.
  static func outages(_ failed: [Int64], of lines: [Int64]) -> [Range<Int>] {
    let own = lines.indices.filter { step in
      failed[step] >= fewestFailed && Double(failed[step]) > minFailed * Double(lines[step])
    }
    let merged = own.reduce(into: [Range<Int>]()) { merged, step in
      let end = min(step + 1 + echo, lines.count)
      if let last = merged.last, step <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<end
      } else {
        merged.append(step..<end)
      }
    }
    let length = merged.reduce(0) { $0 + $1.count }
    return Double(length) > maxOutages * Double(lines.count) ? [] : merged
  }

  /// Returns the steps that lie outside a span or overlap missing data.
  private static func unknown(
    _ span: Range<Int64>, _ missing: [Range<Int64>], start: Int64, count: Int
  ) -> [Range<Int>] {
    let end = start + Int64(count) * step
    let silent = [start..<max(span.lowerBound, start)] + missing + [min(span.upperBound, end)..<end]
    return silent.filter { !$0.isEmpty }.map { silence in
      let steps = silence.wholeSteps(of: step)
      let from = max((steps.lowerBound - start) / step, 0)
      return Int(from)..<Int(max(min((steps.upperBound - start) / step, Int64(count)), from))
    }.filter { !$0.isEmpty }
  }
}

extension LogEvidence {
  /// The number of requests that arrive together, which scales the variance of counts. It is the mean square of the
  /// number of requests per run, divided by the mean of that number.
  package var requestsPerRun: Double {
    let sizes = (history?.wakes ?? []).reduce(into: (sum: 0.0, squares: 0.0)) { sums, wake in
      sums.sum += Double(wake.requests)
      sums.squares += square(Double(wake.requests))
    }
    return sizes.sum > 0 ? sizes.squares / sizes.sum : 1
  }
}

/// The load of a simulation, for comparison with a measured load.
package struct SimulatedLoad: Sendable {
  /// The fleet's widget requests in each five-minute step, starting with the step of the log's first line.
  package var counts: [Double]
  /// The statistics of the simulated requests.
  package var evidence: LogEvidence
  /// The number of fleet phones per simulated phone.
  package var scale: Double

  package init(counts: [Double], evidence: LogEvidence, scale: Double = 1) {
    (self.counts, self.evidence, self.scale) = (counts, evidence, scale)
  }

  /// Returns the count of a step; `nil` after the end of the simulation.
  package func count(at bin: Int) -> Double? { counts.indices.contains(bin) ? counts[bin] : nil }
}

/// The five-minute steps that both a measured and a simulated load cover completely.
struct CommonSteps {
  let steps: [(time: Int64, measured: Double, simulated: Double)]
  /// The variance of the difference between the measured and the simulated count, divided by the mean count, if the
  /// scenario is correct.
  let spread: Double

  init(_ measured: MeasuredLoad, _ load: SimulatedLoad) {
    spread = measured.requestsPerRun * (1 + load.scale)
    steps = measured.counts.indices.compactMap { bin in
      guard measured.isKnown(bin), let simulated = load.count(at: bin) else { return nil }
      return (measured.time(bin), Double(measured.counts[bin]), simulated)
    }
  }
}

/// The fit of a simulated load to the measured one, over the five-minute steps that both cover completely.
package struct LoadFit: Sendable {
  /// The weighted absolute percentage error, as a fraction, which is the sum of absolute errors divided by the total
  /// measured requests.
  package let error: Double
  /// The error that a correct scenario has on average, due to random variation alone.
  package let floor: Double
  /// The ratio of the simulated peak to the measured peak, minus 1.
  package let peakError: Double
  /// The ratio of simulated to measured requests, minus 1.
  package let totalError: Double
  /// The relative standard deviation of the difference between the measured and the simulated peak, for a correct
  /// scenario.
  let peakChance: Double

  /// Creates the fit; `nil` if there is nothing to compare.
  package init?(_ load: SimulatedLoad, _ measured: MeasuredLoad) {
    let common = CommonSteps(measured, load)
    let (own, other) = (common.steps.map(\.measured), common.steps.map(\.simulated))
    guard let peak = own.max(), let otherPeak = other.max(), let error = ForecastError.weighted(own, other) else {
      return nil
    }
    self.error = error
    let totals = ForecastError.totals(own, other)
    // The mean absolute difference between two counts with the same expected value, which is estimated from the mean of
    // both.
    let distances = zip(own, other).map { (common.spread * ($0 + $1) / Double.pi).squareRoot() }
    floor = distances.reduce(0, +) / totals.measured
    peakError = otherPeak / peak - 1
    totalError = totals.predicted / totals.measured - 1
    peakChance = (common.spread / peak).squareRoot()
  }

  /// The maximum errors, in excess of random variation, at which the simulated load can be used for planning.
  private static let maxError = 0.05
  private static let maxPeakError = 0.1

  /// Whether the simulated load is accurate enough to be used for planning.
  package var isNear: Bool { isErrorNear && abs(peakError) <= Self.maxPeakError + peakChance }
  package var isErrorNear: Bool { error - floor <= Self.maxError }
}
