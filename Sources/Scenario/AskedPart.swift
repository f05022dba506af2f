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

/// A reason of `asked_per_day`, and a row of asked.csv: what the policy asks for, what is lost on what, and what runs.
package enum AskedRow: Hashable, CaseIterable, Sendable {
  case asks
  case part(AskedPart)
  case policy
  case other

  package static let allCases: [AskedRow] =
    [.asks] + AskedPart.allCases.filter { $0 != .asked && $0 != .without }.map { .part($0) } + [.policy, .other]

  /// What refreshes are lost on, the corrections included.
  package static let losses: [AskedRow] = allCases.filter { if case .part = $0 { true } else { false } }

  /// Its place among all.
  package var place: Int {
    switch self {
    case .asks: 0
    case .part(let part): 1 + (Self.losses.firstIndex(of: .part(part)) ?? 0)
    case .policy: 1 + Self.losses.count
    case .other: 2 + Self.losses.count
    }
  }

  /// The reason of its figure; empty for all that is asked for.
  package var reason: String { self == .asks ? "" : name }

  /// The name used in files.
  package var name: String {
    switch self {
    case .asks: "asks"
    case .part(let part): part.name
    case .policy: "policy"
    case .other: "other"
    }
  }
}
