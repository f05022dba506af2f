import SimulationKernel

/// The requests of one instance's run that are in the air: how many have no known end, the latest known end, and what
/// their bytes cost.
///
/// 16 bytes: the end in 48 bits (4 459 years in milliseconds), the count in 16, the energy in 64.
struct RadioFlow: BitwiseCopyable, Equatable {
  private var bits = Int64.min
  /// Energy of the bytes carried so far: charged, and drawn from the battery when the flow ends.
  private(set) var carried = Energy.zero

  /// The latest end told so far; long ago when none was.
  @inline(__always)
  var end: Instant { Instant(millisecondsSinceStart: bits >> 16) }

  /// Requests whose end is not known yet.
  @inline(__always)
  var open: Int { Int(bits & 0xFFFF) }

  @inline(__always)
  mutating func addOpen() {
    assert(open < 0xFFFF, "a run has at most 65 535 requests in the air")
    bits &+= 1
  }

  @inline(__always)
  mutating func removeOpen() {
    assert(open > 0, "an answer belongs to a request")
    bits &-= 1
  }

  /// A request ends at `instant`; the latest counts.
  @inline(__always)
  mutating func extend(to instant: Instant) {
    bits = max(bits, instant.millisecondsSinceStart << 16 | bits & 0xFFFF)
  }

  /// An answer of the flow has its bytes.
  @inline(__always)
  mutating func carry(_ energy: Energy) { carried += energy }

  /// The flow has come to its end: what it carried is somebody else's now.
  @inline(__always)
  mutating func unload() -> Energy {
    defer { carried = .zero }
    return carried
  }

  /// As another's flow whose answers are awaited, without its bytes.
  @inline(__always)
  mutating func follow(_ other: RadioFlow) { bits = other.bits }

  /// The known end of the flow; `.never` while a request's is open.
  @inline(__always)
  var knownEnd: Instant { open == 0 ? end : .never }
}
