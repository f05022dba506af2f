/// What the time of a widget is counted under, from one refresh that its policy asks for to the next (MODEL.md 8.3).
package enum AskedPart: UInt8, BitwiseCopyable, CaseIterable, Sendable {
  case asked, caughtUp, edges, jitter, spacing, startDelay, locked, idle, lowPower, budget, superseded, failed
  case running, without

  /// A value for each part, in its place by raw value.
  package typealias Table<Value> = InlineArray<14, Value>

  /// The name used in files.
  package var name: String {
    switch self {
    case .asked: "asked"
    case .caughtUp: "caught-up"
    case .edges: "edges"
    case .jitter: "jitter"
    case .spacing: "spacing"
    case .startDelay: "start-delay"
    case .locked: WaitReason.locked.name
    case .idle: WaitReason.idle.name
    case .lowPower: WaitReason.lowPower.name
    case .budget: WaitReason.budget.name
    case .superseded: "superseded"
    case .failed: "failed"
    case .running: "running"
    case .without: "without"
    }
  }

  /// The part of time in which a ticket is withheld.
  package init(_ reason: WaitReason) {
    self =
      switch reason {
      case .locked: .locked
      case .idle: .idle
      case .lowPower: .lowPower
      case .budget: .budget
      }
  }
}

/// The phones whose widgets are followed from one refresh to the next and by local hour (MODEL.md 8.3).
package enum FollowedPhones {
  /// At least so many are followed, if there are as many.
  static let least = 1_024

  /// Phones simulated at the start of the clock are followed if their number is a multiple of this power of two.
  package static func every(of phones: Int) -> Int {
    var every = 1
    while phones / (2 * every) >= least { every *= 2 }
    return every
  }
}
