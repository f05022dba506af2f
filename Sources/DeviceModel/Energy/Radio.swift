import SimulationKernel

/// The radio of one phone as far as its energy goes (MODEL.md 7.1): what a phone must remember of it, 48 bytes.
///
/// It is driven by `EnergyAccount`, lazily: it stands as it was at the last call, and what ended since then ends, at its
/// own instant, in the next one.
struct Radio: BitwiseCopyable {
  enum Phase: UInt8 {
    /// IDLE.
    case idle
    /// IDLE since this very instant, at which a request still joins the tail that ends.
    case dozing
    /// PROMOTION: `payers` wait for it.
    case promotion
    /// ACTIVE: `payers` are on the air.
    case active
    /// TAIL 1..k: `payers` started it; nobody: it is the person's.
    case tail
    /// In a session the person has the radio; `payers` are on the air and pay their bytes alone.
    case held
  }

  /// Where the present slice began: nothing changed since then.
  var since: Instant
  /// The first known change to come; `.never` when none is known.
  var nextChange: Instant = .never
  /// Instances of the present flows, or of those that started the tail; bits by slot.
  var payers: UInt64 = 0
  /// Instances that wait for answers of which the radio knows no flow: sent on an interface that is no more, or joined
  /// to another instance's flight.
  var strays: UInt64 = 0
  /// Charged, but not yet taken from the battery; negative: taken before its slice was charged.
  var owed = Energy.zero
  /// The low half of the end of the promotion or tail in progress.
  private var phaseEndBits: UInt32 = 0
  var phase = Phase.idle
  /// Number of the tail in progress, from 0.
  var tail: UInt8 = 0
  /// Index of the present interface's plan.
  var interface: UInt8

  /// The end of a promotion or tail is kept in 32 bits, relative to its beginning.
  static let longestSpell = TimeAmount.days(49)

  /// A radio that sleeps.
  init(interface: Int, at now: Instant) {
    self.interface = UInt8(truncatingIfNeeded: interface)
    since = now
  }

  /// The end of the promotion or tail in progress; without meaning in other phases.
  @inline(__always)
  var phaseEnd: Instant {
    get {
      let low = UInt32(truncatingIfNeeded: since.millisecondsSinceStart)
      return Instant(millisecondsSinceStart: since.millisecondsSinceStart &+ Int64(phaseEndBits &- low))
    }
    set { phaseEndBits = UInt32(truncatingIfNeeded: newValue.millisecondsSinceStart) }
  }

  /// The end of the promotion or tail in progress; `.never` in other phases.
  @inline(__always)
  var spellEnd: Instant { phase == .promotion || phase == .tail ? phaseEnd : .never }

  /// Something ends at an instant that nobody knew of before.
  @inline(__always)
  mutating func expectChange(at instant: Instant) { if instant < nextChange { nextChange = instant } }

  /// Neither waking nor awake.
  @inline(__always)
  var isAsleep: Bool { phase == .idle || phase == .dozing }

  /// Instances with a flow: on the air or waiting for the promotion.
  @inline(__always)
  var flowing: UInt64 { phase == .tail ? 0 : payers }

  /// Instances that wait for answers.
  @inline(__always)
  var waiting: UInt64 { flowing | strays }

  /// How long a request sent at `now` waits until it is on the air, on a radio that is up to date.
  @inline(__always)
  func delay(at now: Instant, promotion: TimeAmount) -> TimeAmount {
    switch phase {
    case .idle: promotion
    case .dozing: now == since ? .zero : promotion
    case .promotion: phaseEnd - now
    case .active, .tail, .held: .zero
    }
  }
}
