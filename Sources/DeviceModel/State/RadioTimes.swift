import SimulationKernel

/// When the radio of the present interface is awake, as far as that delays a request (MODEL.md 7.1).
struct RadioTimes: BitwiseCopyable {
  /// The end of the last promotion.
  private var promoted: Instant = .longAgo
  /// The latest end, known so far, of what is in the air.
  private var busyUntil: Instant = .longAgo
  /// Since when the interface is in use: what was before has no tail on it.
  private var since: Instant = .longAgo

  /// How long a request sent now waits for the radio; a promotion begins if it sleeps.
  ///
  /// - Parameter lastSessionEnd: `.never` in a session, when the person holds the radio.
  @inline(__always)
  mutating func send(at now: Instant, _ interface: InterfacePlan, lastSessionEnd: Instant) -> TimeAmount {
    if lastSessionEnd == .never { return .zero }
    if now < promoted { return promoted - now }
    let lastUse = lastSessionEnd >= since ? max(busyUntil, lastSessionEnd) : busyUntil
    if now < lastUse + interface.tail { return .zero }
    promoted = now + interface.promotion
    return interface.promotion
  }

  /// Whether another interface has taken over after an instant.
  func hasChanged(since instant: Instant) -> Bool { since > instant }

  /// Something is in the air until an instant.
  @inline(__always)
  mutating func occupy(until instant: Instant) { busyUntil = max(busyUntil, instant) }

  /// Another interface takes over: what is in the air on the old one keeps no radio awake here.
  mutating func changeInterface(at instant: Instant) {
    self = RadioTimes()
    since = instant
  }
}
