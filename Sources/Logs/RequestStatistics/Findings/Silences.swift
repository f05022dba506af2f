/// Periods in which a log has no lines although lines are expected.
package enum Silences {
  /// The expected number of lines above which a silent period is a hole; the Poisson probability of no lines is then
  /// below 1e-9.
  private static let chanceLimit = 20.723
  private static let minutesPerDay = 1_440
  /// The minimum length of a hole in minutes.
  private static let minMinutes = 3
  /// The number of minutes before and after a silent period in which the log must have lines.
  private static let neighbourhood = 60

  /// Returns periods without lines that would occur by chance with a probability of less than 1e-9.
  ///
  /// The expected number of lines is that of the same minutes on other days. It is at most that of the hour before or
  /// after the silence, so that nights do not count as holes. Lines are clustered, so k lines count as k / f clusters.
  /// Here f is the variance-to-mean ratio of the other days' counts or of the surrounding minutes, at least 1. If there
  /// are no other days, a silence counts only if it is the longest and at least twice as long as the next longest.
  ///
  /// - Parameter counts: lines per minute over the log's span.
  package static func holes(in counts: [Int64]) -> [Range<Int>] {
    let sums = PrefixSums(counts)
    let runs = zeroRuns(in: counts).filter { $0.count >= minMinutes }
    let lengths = runs.map(\.count).sorted(by: >)
    return runs.filter { run in
      let near = neighbours(of: run, counts)
      guard near.reduce(0, +) >= fewestLines else { return false }
      let clump = dispersion(near, around: near.reduce(0, +) / Double(near.count))
      let lively = quieterRate(around: run, sums, total: counts.count) * Double(run.count) / clump
      let others = otherDays(of: run, sums, total: counts.count)
      guard !others.isEmpty else {
        let isAlone = lengths.count < 2 || run.count == lengths[0] && run.count >= 2 * lengths[1]
        return isAlone && lively > chanceLimit
      }
      let mean = others.reduce(0, +) / Double(others.count)
      return min(mean / max(dispersion(others, around: mean), clump), lively) > chanceLimit
    }
  }

  /// Returns periods in which one of several servers is silent while the others are not. Given the server's usual share
  /// of the lines, such a period has a probability of less than 1e-9. Servers that are silent at the start or the end
  /// of the log are not reported.
  package static func lost(_ own: [Int64], among all: [Int64]) -> [Range<Int>] {
    let (ownSums, allSums) = (PrefixSums(own), PrefixSums(all))
    return zeroRuns(in: own).filter { run in
      guard run.lowerBound > 0, run.upperBound < own.count else { return false }
      let elsewhere = allSums.total - allSums.sum(of: run)
      guard elsewhere > 0 else { return false }
      let share = Double(ownSums.total) / Double(elsewhere)
      return share * Double(allSums.sum(of: run)) > chanceLimit
    }
  }

  /// The minimum number of lines in the hours before and after a silent period from which the usual load can be
  /// inferred.
  private static let fewestLines = 20.0

  /// Returns the number of lines in each minute of the hours before and after a silent period.
  private static func neighbours(of run: Range<Int>, _ counts: [Int64]) -> [Double] {
    let before = max(run.lowerBound - neighbourhood, 0)..<run.lowerBound
    let after = run.upperBound..<min(run.upperBound + neighbourhood, counts.count)
    return (counts[before] + counts[after]).map(Double.init)
  }

  /// Returns the lines per minute in the hour before or in the hour after a silent period, whichever is lower.
  private static func quieterRate(around run: Range<Int>, _ sums: PrefixSums, total: Int) -> Double {
    let before = max(run.lowerBound - neighbourhood, 0)..<run.lowerBound
    let after = run.upperBound..<min(run.upperBound + neighbourhood, total)
    let rates = [before, after].filter { !$0.isEmpty }.map { Double(sums.sum(of: $0)) / Double($0.count) }
    return rates.min() ?? 0
  }

  private static func dispersion(_ counts: [Double], around mean: Double) -> Double {
    guard counts.count > 2, mean > 0 else { return 1 }
    let squares = counts.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return max(1, squares / Double(counts.count - 1) / mean)
  }

  /// Returns, for each other day of the log, the number of lines at the same times as the silent period.
  private static func otherDays(of run: Range<Int>, _ sums: PrefixSums, total: Int) -> [Double] {
    var counts: [Double] = []
    for direction in [-1, 1] {
      var shift = direction * minutesPerDay
      while run.lowerBound + shift >= 0, run.upperBound + shift <= total {
        counts.append(Double(sums.sum(of: run.lowerBound + shift..<run.upperBound + shift)))
        shift += direction * minutesPerDay
      }
    }
    return counts
  }

  private static func zeroRuns(in counts: [Int64]) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var first = 0
    while first < counts.count {
      guard counts[first] == 0 else {
        first += 1
        continue
      }
      var end = first
      while end < counts.count, counts[end] == 0 { end += 1 }
      runs.append(first..<end)
      first = end
    }
    return runs
  }
}

/// Prefix sums, from which the sum of any range can be computed in constant time.
package struct PrefixSums: Sendable {
  private let sums: [Int64]

  package init(_ counts: [Int64]) {
    var sums: [Int64] = [0]
    sums.reserveCapacity(counts.count + 1)
    for count in counts { sums.append(sums[sums.count - 1] + count) }
    self.sums = sums
  }

  package var total: Int64 { sums[sums.count - 1] }
  package func sum(of range: Range<Int>) -> Int64 { sums[range.upperBound] - sums[range.lowerBound] }
}

/// Lines that appear in a log more than once.
///
/// A phone that requests the same path twice within a stamp's resolution also produces identical lines. They are next
/// to each other, whereas a log shipper repeats lines later. In logs of several servers, such requests may be far
/// apart. Therefore, all identical lines of a path are requests if nearly all are next to each other, or if more than a
/// fifth of the path's distinct lines are repeated.
package struct Duplicates: Sendable {
  /// The number of lines in the whole log that repeat an earlier line, estimated from the examined lines.
  package private(set) var copies: Int64 = 0
  /// The number of identical lines that are considered separate requests of one run.
  package private(set) var repeated: Int64 = 0
  /// The fraction of all lines that were examined.
  package let share: Double
  private var dropped: [LineCopy] = []

  private static let maxRepeated = 0.2
  /// The largest share of copies among a path's identical lines that is attributed to the boundaries between threads.
  private static let maxSplit = 0.02

  /// - Parameter lines: lines sorted by hash, which make up a fraction `share` of all lines.
  init(_ lines: [LineCopy], share: Double) {
    self.share = share
    var different: [NameIndex: (all: Int64, repeated: Int64, twins: Int64)] = [:]
    // Copies of twins are also twins, so the number of twins per copy is the same.
    let kept = { (same: Range<Int>) -> Int in
      let copies = same.count - lines[same].count(where: \.isTwin)
      return copies > 0 ? (same.count + copies - 1) / copies : same.count
    }
    Self.forEachSame(lines) { same in
      let path = lines[same.lowerBound].path
      different[path, default: (0, 0, 0)].all += 1
      if same.count > kept(same) { different[path, default: (0, 0, 0)].repeated += 1 }
      if kept(same) > 1 { different[path, default: (0, 0, 0)].twins += 1 }
    }
    var beyond: Int64 = 0
    var byDesign: Int64 = 0
    Self.forEachSame(lines) { same in
      guard same.count > 1, let path = different[lines[same.lowerBound].path] else { return }
      let isSplit = Double(path.repeated) <= Self.maxSplit * Double(path.twins)
      let own = isSplit || Double(path.repeated) > Self.maxRepeated * Double(path.all) ? same.count : kept(same)
      byDesign += Int64(own - 1)
      beyond += Int64(same.count - own)
      dropped.append(contentsOf: lines[same].dropFirst(own))
    }
    copies = Int64((Double(beyond) / share).rounded())
    repeated = Int64((Double(byDesign) / share).rounded())
  }

  /// Calls `body` with each range of consecutive lines that have the same hash.
  private static func forEachSame(_ lines: [LineCopy], _ body: (Range<Int>) -> Void) {
    var first = 0
    while first < lines.count {
      var end = first + 1
      while end < lines.count, lines[end].hash == lines[first].hash { end += 1 }
      body(first..<end)
      first = end
    }
  }

  /// Removes the copies from the loads; their number is scaled up if only a sample was examined.
  func drop(from loads: inout LoadTable) {
    let weight = UInt32((1 / share).rounded())
    for copy in dropped { loads.remove(weight, Int(copy.series), at: copy.time) }
  }
}
