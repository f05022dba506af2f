import Scenario
import SimulationKernel
import Studies

/// The time of rows as ISO 8601 in UTC, all of one form so that readers find the type: with milliseconds where any row
/// has some.
struct RowStamp {
  private let clock: Clock
  private let span: TimeAmount
  private let hasMilliseconds: Bool

  init(_ clock: Clock, every span: TimeAmount) {
    (self.clock, self.span) = (clock, span)
    hasMilliseconds = span.milliseconds % 1_000 != 0 || clock.startUnixMilliseconds % 1_000 != 0
  }

  /// `2027-01-18T09:30:00Z`: the begin of a step or minute.
  func text(_ index: Int) -> [UInt8] {
    let instant = Instant.start + span * Int64(index)
    let time = UTCTime(instant, of: clock)
    let milliseconds = (clock.startUnixMilliseconds + instant.millisecondsSinceStart).remainder(of: 1_000)
    let fraction = hasMilliseconds ? "." + String(String(1_000 + milliseconds).dropFirst()) : ""
    return Array((time.date + "T" + time.time + fraction + "Z").utf8)
  }
}

extension [String] {
  /// Columns with that of the time behind one of them.
  func withTime(_ isThere: Bool, after column: String) -> [String] {
    flatMap { isThere && $0 == column ? [$0, "time"] : [$0] }
  }
}

extension Int64 {
  /// What floor division leaves.
  fileprivate func remainder(of divisor: Int64) -> Int64 { self - floorDivided(by: divisor) * divisor }
}
