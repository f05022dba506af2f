import Calibration

/// The mean load of the days after a log, simulated with the estimates from it.
package struct NextLoad: Sendable {
  /// The midnight (UTC) at which the first day starts, in milliseconds since 1970.
  package let start: Int64
  /// The mean requests of widgets by five-minute step.
  package let counts: [Double]

  package init(start: Int64, counts: [Double]) { (self.start, self.counts) = (start, counts) }

  /// The forecast in a sentence; `nil` without requests.
  var sentence: String? {
    guard let peak = counts.max(), peak > 0, let step = counts.firstIndex(of: peak) else { return nil }
    let day = BacktestReport.stepsPerDay
    let days = Double(counts.count) / Double(day)
    let (first, last) = (start, start + Int64(counts.count - 1) * MeasuredLoad.step)
    let time = UTCTime(unixMilliseconds: start + Int64(step) * MeasuredLoad.step)
    return "From \(UTCTime(unixMilliseconds: first).date) to \(UTCTime(unixMilliseconds: last).date) the widgets are "
      + "forecast to send \(NumberText.whole(counts.reduce(0, +) / days)) requests per day, with a peak of "
      + "\(NumberText.text(MeasuredLoad.rate(peak))) requests/s, on \(time.date) at \(time.shortTime) UTC"
  }
}
