/// How probable the next wake is in each second since the last, among the phones that still wait for it.
///
/// Nelson and Aalen: events over exposure, of all gaps, censored ones up to where they are known.
package struct HazardCurve: Sendable {
  /// Wakes by whole seconds since the last.
  package let events: [Int]
  /// Seconds of waiting spent at that age, over all gaps.
  package let exposure: [Double]

  /// Ages that are told apart: a day and two hours, so that daily runs with their delay are among them.
  package static let seconds = 26 * 3_600

  private let eventsBefore: [Int]
  private let exposureBefore: [Double]

  package init(_ gaps: Gaps) {
    var events = Array(repeating: 0, count: Self.seconds)
    var exits = events
    var parts = Array(repeating: 0.0, count: Self.seconds)
    var waiting = 0
    for gap in gaps.all {
      waiting += 1
      let second = Int(gap.length / 1_000)
      guard second < Self.seconds else { continue }
      exits[second] += 1
      parts[second] += Double(gap.length % 1_000) / 1_000
      if gap.isComplete { events[second] += 1 }
    }
    var exposure: [Double] = []
    exposure.reserveCapacity(Self.seconds)
    for second in 0..<Self.seconds {
      waiting -= exits[second]
      exposure.append(Double(waiting) + parts[second])
    }
    self.init(events: events, exposure: exposure)
  }

  /// - Parameters:
  ///   - events: by whole second, as many as `seconds`.
  ///   - exposure: as many.
  init(events: [Int], exposure: [Double]) {
    self.events = events
    self.exposure = exposure
    eventsBefore = events.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
    exposureBefore = exposure.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
  }

  /// Wakes and exposure at ages within whole seconds.
  func sums(_ ages: Range<Int>) -> (events: Double, exposure: Double) {
    let ages = ages.clamped(to: 0..<Self.seconds)
    return (
      Double(eventsBefore[ages.upperBound] - eventsBefore[ages.lowerBound]),
      exposureBefore[ages.upperBound] - exposureBefore[ages.lowerBound]
    )
  }

  /// Wakes per second of waiting at these ages; 0 where nobody waits.
  package func rate(_ ages: Range<Int>) -> Double {
    let sums = sums(ages)
    return sums.exposure > 0 ? sums.events / sums.exposure : 0
  }

  /// Bins that widen with age, a sixteenth of an octave each, from 2 s on: for tables and charts.
  package static let bins: [Range<Int>] = {
    var bins: [Range<Int>] = []
    var low = 2
    while low < seconds {
      let high = min(seconds, max(low + 1, Int((Double(low) * 1.044_273_782_427_413_8).rounded())))
      bins.append(low..<high)
      low = high
    }
    return bins
  }()
}
