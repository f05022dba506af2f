internal import SimulationKernel

/// Periods in which a constant fraction of all lines is missing, such as one server's lines in a log that does not name
/// servers.
package enum LevelShifts {
  /// The affected minutes of the log, and the fraction of lines that are still present.
  package struct Shift: Hashable, Sendable {
    package let minutes: Range<Int>
    /// The fraction of lines that are still present, between 0 and 1.
    package let level: Double
    /// The standard error of the estimated level.
    package let error: Double
  }

  /// The number of minutes that are compared before and after an edge; shorter shifts are not detected.
  package static let window = 60
  /// The minimum change in the level at an edge, in standard deviations.
  private static let minDeviate = 4.5
  /// The minimum combined change of a drop and a rise, in standard deviations, which corresponds to a probability of
  /// 1e-13. A week has about 1e7 pairs of minutes that are at most three days apart.
  private static let minOfBoth = 7.4
  /// The maximum level of a shift, as a fraction of the normal level.
  private static let maxLevel = 0.95
  /// The maximum factor by which the level relative to other days may differ from the level relative to adjacent hours.
  /// This limit excludes the end of a burst, which is not a shift.
  private static let likeness = 0.25
  /// The number of days before and after an edge on which the same time of day is compared with the edge.
  private static let neighbours = 7
  /// The maximum length of a shift in minutes; longer changes are not considered to be due to lost servers.
  private static let maxMinutes = 3 * minutesPerDay
  private static let minutesPerDay = 1_440

  /// Returns the periods, in minutes, in which the number of lines drops to a lower level and then rises just as
  /// sharply.
  ///
  /// The log ratio of the hours after and before each minute is compared with that of the same minute on other days.
  /// This accounts for the variation of the load over the day. The variance of the log ratio accounts for how bursty
  /// the counts in these hours are, and for the variation between other days. A drop counts only if it is followed by a
  /// rise of the same size. A log of less than three days has too few other days for comparison.
  ///
  /// - Parameters:
  ///   - counts: lines per minute over the log's span.
  ///   - holes: minutes that are known to be lost.
  package static func shifts(in counts: [Int64], holes: [Range<Int>]) -> [Shift] {
    let steps = Steps(counts, holes: holes)
    var shifts: [Shift] = []
    var drop: Edge?
    for edge in steps.edges(beyond: minDeviate) {
      if edge.size < 0 {
        drop = edge
      } else if let start = drop, edge.minute - start.minute <= maxMinutes {
        drop = nil
        let deviation = (start.variance + edge.variance).squareRoot()
        guard abs(start.size + edge.size) < 3 * deviation, edge.size - start.size > minOfBoth * deviation else {
          continue
        }
        let level = SteadyMath.exp((start.size - edge.size) / 2)
        let error = level * deviation / 2
        let minutes = start.minute..<edge.minute
        guard let usual = steps.levelAgainstDays(minutes), abs(SteadyMath.log(usual / level)) < likeness else {
          continue
        }
        if level < maxLevel { shifts.append(Shift(minutes: minutes, level: level, error: error)) }
      }
    }
    return shifts
  }

  /// A minute at which the level changes, with the logarithm of the ratio between the levels.
  private struct Edge {
    let minute: Int
    let size: Double
    let variance: Double
    var deviate: Double { abs(size) / variance.squareRoot() }
  }

  /// The difference between the hours before and after each minute.
  private struct Steps {
    private let sums: PrefixSums
    private let lost: PrefixSums
    private let count: Int

    init(_ counts: [Int64], holes: [Range<Int>]) {
      sums = PrefixSums(counts)
      var isLost = [Int64](repeating: 0, count: counts.count)
      for hole in holes { for minute in hole.clamped(to: counts.indices) { isLost[minute] = 1 } }
      lost = PrefixSums(isLost)
      count = counts.count
    }

    /// Returns the most extreme edge in each run of consecutive minutes that deviate in the same direction.
    func edges(beyond minimum: Double) -> [Edge] {
      var edges: [Edge] = []
      var last = -2
      for minute in 0..<count {
        guard let edge = edge(at: minute), edge.deviate > minimum else { continue }
        if let before = edges.last, minute == last + 1, (before.size < 0) == (edge.size < 0) {
          if edge.deviate > before.deviate { edges[edges.count - 1] = edge }
        } else {
          edges.append(edge)
        }
        last = minute
      }
      return edges
    }

    /// Returns the change at a minute, relative to the same minute on other days; `nil` if unknown.
    private func edge(at minute: Int) -> Edge? {
      guard let own = change(at: minute) else { return nil }
      let others = (-LevelShifts.neighbours...LevelShifts.neighbours).filter { $0 != 0 }.compactMap { days in
        change(at: minute + days * LevelShifts.minutesPerDay)
      }
      guard others.count >= 2 else { return nil }
      let usual = Self.median(others.map(\.logarithm))
      // The median absolute deviation is 0.6745 normal standard deviations, and is robust against days with an edge.
      let spread = Self.median(others.map { abs($0.logarithm - usual) }) / 0.6745
      let byChance = others.reduce(0) { $0 + $1.variance } / Double(others.count)
      let beyondChance = max(spread * spread - byChance, 0)
      // The variance of a median is pi / 2 times that of a mean.
      let ofUsual = (byChance + beyondChance) * .pi / 2 / Double(others.count)
      return Edge(minute: minute, size: own.logarithm - usual, variance: own.variance + beyondChance + ofUsual)
    }

    private func change(at minute: Int) -> (logarithm: Double, variance: Double)? {
      let (first, end) = (minute - LevelShifts.window, minute + LevelShifts.window)
      guard first >= 0, end <= count, lost.sum(of: first..<end) == 0 else { return nil }
      let (before, after) = (Double(sums.sum(of: first..<minute)), Double(sums.sum(of: minute..<end)))
      guard before > 0, after > 0 else { return nil }
      let variance = dispersion(first..<minute) / before + dispersion(minute..<end) / after
      return (SteadyMath.log(after / before), variance)
    }

    /// Returns the variance-to-mean ratio of five-minute counts, which is at least 1 because lines come in bursts.
    private func dispersion(_ hour: Range<Int>) -> Double {
      let parts = stride(from: hour.lowerBound, to: hour.upperBound, by: 5).map { Double(sums.sum(of: $0..<$0 + 5)) }
      let mean = parts.reduce(0, +) / Double(parts.count)
      let squares = parts.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      return max(1, squares / Double(parts.count - 1) / mean)
    }

    /// Returns the ratio of the number of lines in the given minutes to its median on other days; `nil` if no other day
    /// covers all of the minutes.
    func levelAgainstDays(_ minutes: Range<Int>) -> Double? {
      let others = (-LevelShifts.neighbours...LevelShifts.neighbours).filter { $0 != 0 }.compactMap { days -> Double? in
        let shift = days * LevelShifts.minutesPerDay
        let same = minutes.lowerBound + shift..<minutes.upperBound + shift
        guard same.lowerBound >= 0, same.upperBound <= count, lost.sum(of: same) == 0 else { return nil }
        return Double(sums.sum(of: same))
      }
      guard !others.isEmpty, Self.median(others) > 0 else { return nil }
      return Double(sums.sum(of: minutes)) / Self.median(others)
    }

    private static func median(_ values: [Double]) -> Double {
      let sorted = values.sorted()
      let middle = sorted.count / 2
      return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
  }
}

extension LevelShifts.Shift {
  /// The number of remaining servers and the total number of servers. The total is the smallest number, up to 16, that
  /// yields a fraction within two standard errors of the level.
  package var servers: (left: Int, all: Int)? {
    for all in 2...16 {
      let left = Int((level * Double(all)).rounded())
      if left > 0, left < all, abs(Double(left) / Double(all) - level) <= 2 * error { return (left, all) }
    }
    return nil
  }

  /// Returns whether a class of requests has the same share of all lines during the shift as in the hours around it.
  /// The tolerance of six standard errors corresponds to a probability of 1e-9.
  package func isShared(by own: [Int64], of all: [Int64]) -> Bool {
    let (ownSums, allSums) = (PrefixSums(own), PrefixSums(all))
    let before = max(minutes.lowerBound - LevelShifts.window, 0)..<minutes.lowerBound
    let after = minutes.upperBound..<min(minutes.upperBound + LevelShifts.window, all.count)
    let around = Double(allSums.sum(of: before) + allSums.sum(of: after))
    let during = Double(allSums.sum(of: minutes))
    guard around > 0, during > 0 else { return true }
    let ownAround = Double(ownSums.sum(of: before) + ownSums.sum(of: after))
    let ownDuring = Double(ownSums.sum(of: minutes))
    let share = (ownAround + ownDuring) / (around + during)
    let variance = share * (1 - share) * (1 / around + 1 / during)
    return abs(ownAround / around - ownDuring / during) <= 6 * variance.squareRoot()
  }
}
