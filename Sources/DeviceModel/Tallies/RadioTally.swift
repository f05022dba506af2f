import SimulationKernel

/// What the radios of a cohort's phones did on one interface in the measured period: enough to price it on another
/// radio, but for what the other radio would change in the course of events.
package struct RadioTally: BitwiseCopyable {
  /// How a silence ended, and whose tail it cut.
  package enum Silence: Int, CaseIterable, Sendable {
    /// After a widget's transfer, by a widget's request.
    case wokenAgain
    /// After a widget's transfer, by the person, a request of hers, another interface, or the end of the clock.
    case left
    /// After the person let go, since the warm-up, or over a change of interface, by a widget's request.
    case wokenAfterOthers
  }

  /// Spells on the air.
  package private(set) var bursts: Int64 = 0
  /// Milliseconds on the air in all of them, outside sessions.
  package private(set) var activeMilliseconds: Int64 = 0
  package private(set) var bytesDown: Int64 = 0
  package private(set) var bytesUp: Int64 = 0
  /// By `Silence`, then bin of `SilenceBins`: how many were so long.
  package let silences: UnsafeMutablePointer<Int64>

  init() { silences = zeroed(Silence.allCases.count * SilenceBins.count) }

  func free() { silences.deallocate() }

  mutating func recordBurst(milliseconds: Int64) { recordBursts(1, milliseconds: milliseconds) }

  mutating func recordBursts(_ count: Int64, milliseconds: Int64) {
    bursts &+= count
    activeMilliseconds &+= milliseconds
  }

  /// - Parameter isWidgets: whether the bytes are a widget's; the person's are not counted.
  mutating func record(_ totals: RunTotals, isWidgets: Bool) {
    recordBursts(totals.lone, milliseconds: totals.loneAir.milliseconds)
    if isWidgets { recordTransfer(down: totals.down, up: totals.up) }
  }

  /// Counts a silence of less than `SilenceBins.longest`.
  @inline(__always)
  func record(_ silence: Silence, shortMilliseconds: Int64) {
    silences[silence.rawValue &* SilenceBins.count &+ SilenceBins.bin(ofShort: shortMilliseconds)] &+= 1
  }

  /// Counts any other, or one whose tail is not a widget's.
  func recordOther(_ mark: RadioMark, upTo now: Instant, isEndedByWidget: Bool) {
    let bin = SilenceBins.bin(of: mark.milliseconds(to: now))
    switch (mark.isForeign, isEndedByWidget) {
    case (false, true): silences[Silence.wokenAgain.rawValue &* SilenceBins.count &+ bin] &+= 1
    case (false, false): silences[Silence.left.rawValue &* SilenceBins.count &+ bin] &+= 1
    case (true, true): silences[Silence.wokenAfterOthers.rawValue &* SilenceBins.count &+ bin] &+= 1
    case (true, false): break
    }
  }

  mutating func recordTransfer(down: ByteCount, up: ByteCount) {
    bytesDown &+= down.bytes
    bytesUp &+= up.bytes
  }
}
