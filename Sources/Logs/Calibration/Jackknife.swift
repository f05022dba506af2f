internal import Numerics

/// The sums on which an estimate is based, stored separately for each group of phones and each day.
///
/// The error is estimated by omitting one group of phones, one day, or one combination of both at a time. The variances
/// over phones and over days are added, and the variance over the combinations is subtracted (Cameron, Gelbach and
/// Miller 2011).
struct CrossedSums {
  /// The number of phone groups, formed by hash.
  static let groups = 128
  /// The maximum number of days with separate sums; in longer logs, the days are assigned to these sums cyclically.
  private static let maxDays = 31
  /// The minimum number of days needed for an interval; one day contains no information about the next.
  static let fewestDays = 3

  let days: Int
  private let width: Int
  private var cells: [Double]
  private let begin: Int64

  /// - Parameter width: the number of quantities to sum.
  init(of span: Range<Int64>, width: Int) {
    self.width = width
    begin = span.lowerBound
    let whole = (span.upperBound - span.lowerBound + 43_200_000) / 86_400_000
    days = Int(min(max(whole, 1), Int64(Self.maxDays)))
    cells = Array(repeating: 0, count: Self.groups * days * width)
  }

  /// Adds a value to the sum of a quantity, for a phone group and the day that contains an instant.
  mutating func add(_ value: Double, to figure: Int, group: Int, at time: Int64) {
    let day = Int((time - begin) / 86_400_000)
    let own = day < days ? day : days == Self.maxDays ? day % days : days - 1
    cells[(group * days + own) * width + figure] += value
  }

  var totals: [Double] {
    var sums = Array(repeating: 0.0, count: width)
    for cell in 0..<Self.groups * days { add(cell, to: &sums) }
    return sums
  }

  private func add(_ cell: Int, to sums: inout [Double]) {
    for figure in 0..<width { sums[figure] += cells[cell * width + figure] }
  }

  /// Returns an estimate with its 95 % interval; the interval is `nil` if there are fewer than three days.
  ///
  /// The days' contribution uses Student's t with one degree of freedom fewer than there are days, which widens the
  /// interval if there are few days.
  func interval(_ estimate: ([Double]) -> Double) -> (value: Double, interval: ClosedRange<Double>?) {
    let totals = totals
    let value = estimate(totals)
    guard value.isFinite, days >= Self.fewestDays else { return (value, nil) }
    let all = Array(0..<Self.groups * days)
    let phones = variance((0..<Self.groups).map { group in all[group * days..<(group + 1) * days] }, totals, estimate)
    let dates = variance(
      (0..<days).map { day in all[...].filter { $0 % days == day }[...] }, totals, estimate)
    let cells = variance(all.map { all[$0...$0] }, totals, estimate)
    let phonesHalf = phones * square(StudentTable.upper(freedom: Double(Self.groups - 1)))
    let datesHalf = max(dates - cells, 0) * square(StudentTable.upper(freedom: Double(days - 1)))
    let half = max(phonesHalf, phonesHalf + datesHalf).squareRoot()
    guard half.isFinite else { return (value, nil) }
    return (value, value - half...value + half)
  }

  /// Returns the jackknife variance, omitting one block at a time.
  ///
  /// For m blocks, it is (m - 1) / m times the sum of squares about the mean (Efron and Tibshirani 1993, 11.5).
  private func variance(_ blocks: [ArraySlice<Int>], _ totals: [Double], _ estimate: ([Double]) -> Double) -> Double {
    var values: [Double] = []
    for block in blocks {
      var own = Array(repeating: 0.0, count: width)
      for cell in block { add(cell, to: &own) }
      // A block without observations has no effect on the estimate and is therefore not counted.
      guard own.contains(where: { $0 != 0 }) else { continue }
      values.append(estimate(zip(totals, own).map { $0 - $1 }))
    }
    guard values.count > 1 else { return 0 }
    let mean = values.reduce(0, +) / Double(values.count)
    return values.reduce(0) { $0 + square($1 - mean) } * Double(values.count - 1) / Double(values.count)
  }
}

func square(_ value: Double) -> Double { value * value }

/// Quantiles of Student's t for 95 % intervals.
enum StudentTable {
  /// Returns the value that Student's t exceeds with a probability of 2.5 %, for a given number of degrees of freedom.
  static func upper(freedom: Double) -> Double {
    (try? StudentDistribution.quantile(0.975, freedom: freedom)) ?? .infinity
  }
}
