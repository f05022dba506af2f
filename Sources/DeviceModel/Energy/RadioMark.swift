import SimulationKernel

/// Since when the radio is on the air, or silent; in 8 bytes.
struct RadioMark: BitwiseCopyable {
  /// Milliseconds since the start, moved far into the past where the silence is foreign.
  private var bits: Int64

  /// By how much: no scenario is so long.
  private static var far: Int64 { 1 << 57 }

  /// - Parameter isPersons: of a silence: whether its tail is not a widget's to pay.
  @inline(__always)
  init(_ instant: Instant, isPersons: Bool = false) {
    self.init(bits: instant.millisecondsSinceStart)
    // A tail that began in the warm-up is left out with it.
    if isPersons || instant < .start { bits &-= Self.far }
  }

  /// Mark at the end of a widget's transfer in the measured period.
  @inline(__always)
  init(measured instant: Instant) {
    assert(instant >= .start, "in the measured period")
    self.init(bits: instant.millisecondsSinceStart)
  }

  private init(bits: Int64) { self.bits = bits }

  /// Before all that is recorded.
  static var longAgo: RadioMark { RadioMark(bits: -1 << 60) }

  /// Whether its tail is not a widget's of the measured period.
  @inline(__always)
  var isForeign: Bool { bits < -Self.far / 2 }

  /// This mark, made foreign: the tail after it was counted already.
  var foreign: RadioMark { isForeign ? self : RadioMark(bits: bits &- Self.far) }

  /// Milliseconds of a silence of less than `SilenceBins.longest` after a widget's transfer; nil: any other.
  @inline(__always)
  func widgetsSilence(upTo now: Instant) -> Int64? {
    let length = now.millisecondsSinceStart &- bits
    assert(length >= 0, "a silence begins before it ends")
    return length < SilenceBins.longest ? length : nil
  }

  /// Milliseconds up to `now`; 0 before.
  @inline(__always)
  func milliseconds(to now: Instant) -> Int64 {
    max(now.millisecondsSinceStart &- (isForeign ? bits &+ Self.far : bits), 0)
  }
}
