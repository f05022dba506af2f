package import RequestStatistics

/// The times from one wake of a phone to its next.
///
/// A hole of the log and its end censor: of a gap that reaches them it is known that it lasted at least so long. What
/// comes after a hole begins with the first wake there.
package struct Gaps: Sendable {
  package struct Gap: Sendable, BitwiseCopyable {
    /// The wake that it follows, among all.
    package let wake: Int32
    package let phone: Int32
    /// Milliseconds, at most 24 days.
    package let length: Int32
    /// Whether the next wake ended it; else the log ended first.
    package let isComplete: Bool

    /// In seconds.
    var seconds: Double { Double(length) / 1_000 }
  }

  package let all: [Gap]

  package init(of history: WakeHistory) {
    var gaps: [Gap] = []
    gaps.reserveCapacity(history.wakes.count)
    for (index, phone) in history.phones.enumerated() {
      var hole = history.holes.startIndex
      for wake in phone.wakes {
        let start = history.wakes[wake].time
        while hole < history.holes.endIndex, history.holes[hole].lowerBound < start { hole += 1 }
        let silence = hole < history.holes.endIndex ? history.holes[hole].lowerBound : history.span.upperBound
        let next = wake + 1 < phone.wakes.upperBound ? history.wakes[wake + 1].time : .max
        let end = min(next, silence)
        gaps.append(
          Gap(
            wake: Int32(wake), phone: Int32(index), length: Int32(clamping: max(end - start, 0)),
            isComplete: next <= silence))
      }
    }
    all = gaps
  }

  private init(_ gaps: [Gap]) { all = gaps }

  /// The gaps at some places.
  init(_ gaps: Gaps, within places: [Range<Int>]) { all = places.flatMap { gaps.all[$0] } }

  func filter(_ isKept: (Gap) -> Bool) -> Gaps { Gaps(all.filter(isKept)) }
}
