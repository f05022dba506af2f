import SimulationKernel

/// Since when the radio is on the air, or silent; in 8 bytes.
struct RadioMark: BitwiseCopyable {
  private var bits: Int64

  /// - Parameter isPersons: of a silence: whether its tail is not a widget's to pay.
  @inline(__always)
  init(_ instant: Instant, isPersons: Bool = false) {
    bits = instant.millisecondsSinceStart << 1 | (isPersons ? 1 : 0)
  }

  private init(bits: Int64) { self.bits = bits }

  /// Before all that is recorded.
  static var longAgo: RadioMark { RadioMark(bits: -1 << 60) }

  @inline(__always)
  var isPersons: Bool { bits & 1 != 0 }

  /// The same, but the tail after it was counted already.
  var foreign: RadioMark { RadioMark(bits: bits | 1) }

  @inline(__always)
  var isBeforeStart: Bool { bits < 0 }

  /// Milliseconds of the silence, which began before `now`.
  @inline(__always)
  func silence(upTo now: Instant) -> Int64 {
    let length = now.millisecondsSinceStart &- bits >> 1
    assert(length >= 0, "a silence begins before it ends")
    return length
  }

  /// Milliseconds up to `now`; 0 before.
  @inline(__always)
  func milliseconds(to now: Instant) -> Int64 { max(now.millisecondsSinceStart &- bits >> 1, 0) }
}
