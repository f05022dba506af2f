/// The mean simulated load of the days after a log, based on the estimates from the log.
package struct NextLoad: Sendable {
  /// The midnight (UTC) at which the first day starts, in milliseconds since 1970.
  package let start: Int64
  /// The mean number of widget requests in each five-minute step.
  package let counts: [Double]

  package init(start: Int64, counts: [Double]) { (self.start, self.counts) = (start, counts) }

  /// The start of the last step, in milliseconds since 1970.
  package var lastTime: Int64 { start + Int64(counts.count - 1) * MeasuredLoad.step }

  /// The mean number of requests per day after the log.
  package var perDay: Double {
    counts.reduce(0, +) / (Double(counts.count) * Double(MeasuredLoad.step) / 86_400_000)
  }

  /// The start of the step with the most requests, and its rate per second; `nil` if there are no requests. If several
  /// steps tie, it is the first one.
  package var peak: (time: Int64, rate: Double)? {
    guard let peak = counts.max(), peak > 0, let step = counts.firstIndex(of: peak) else { return nil }
    return (start + Int64(step) * MeasuredLoad.step, MeasuredLoad.rate(peak))
  }
}
