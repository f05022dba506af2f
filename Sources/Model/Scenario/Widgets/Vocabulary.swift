/// The cause of a timeline reload or of requests outside reloads (MODEL.md 2.6, 4.2); raw values are indices into
/// tallies.
public enum Cause: UInt8, BitwiseCopyable, CaseIterable, Sendable {
  case policy, retry, background, widgetPush, foreground, tap, view, location, placement, system, gallery, action

  /// The number of causes, as a constant because `allCases` would create an array on the event path.
  @inlinable public static var count: Int { 12 }

  /// A value for each cause, indexed by raw value.
  public typealias Table<Value> = InlineArray<12, Value>

  /// The name used in files, labels and `explain`.
  public var name: String {
    switch self {
    case .policy: "policy"
    case .retry: "retry"
    case .background: "background"
    case .widgetPush: "widget-push"
    case .foreground: "foreground"
    case .tap: "tap"
    case .view: "view"
    case .location: "location"
    case .placement: "placement"
    case .system: "system"
    case .gallery: "gallery"
    case .action: "action"
    }
  }

  /// Whether runs can have this cause; the other causes apply to requests outside runs.
  public var isOfRuns: Bool { self != .gallery && self != .action }

  /// Whether the start delay of runs with this cause depends on a session in progress (MODEL.md 4.5).
  @inlinable public var isDelayedBySession: Bool {
    switch self {
    case .policy, .retry: true
    default: false
    }
  }

  /// Whether a run with this cause is charged 1 to the budget (MODEL.md 4.2).
  @inlinable public var isCharged: Bool {
    switch self {
    case .policy, .retry, .background, .widgetPush: true
    case .foreground, .tap, .view, .location, .placement, .system, .gallery, .action: false
    }
  }
}

/// The reason why a scheduled run is withheld (MODEL.md 4.5), in the order of the checks.
public enum WaitReason: UInt8, BitwiseCopyable, CaseIterable, Sendable {
  case locked, idle, lowPower, budget

  /// A value for each reason, indexed by raw value.
  public typealias Table<Value> = InlineArray<4, Value>

  /// The name used in files, labels and `explain`.
  public var name: String {
    switch self {
    case .locked: "locked"
    case .idle: "idle"
    case .lowPower: "low-power"
    case .budget: "budget"
    }
  }
}

/// The reason for a request's failure (MODEL.md 8).
public enum FailureReason: UInt8, BitwiseCopyable, CaseIterable, Sendable {
  case outage, refused, limited, timeout, offline, cachedError

  /// A value for each reason, indexed by raw value.
  public typealias Table<Value> = InlineArray<6, Value>

  /// The name used in files, labels and `explain`.
  public var name: String {
    switch self {
    case .outage: "outage"
    case .refused: "refused"
    case .limited: "limited"
    case .timeout: "timeout"
    case .offline: "offline"
    case .cachedError: "cached-error"
    }
  }
}

/// The category of a widget's time from one refresh requested by its policy to the next (MODEL.md 8.3).
package enum AskedPart: UInt8, BitwiseCopyable, CaseIterable, Sendable {
  case asked, caughtUp, edges, jitter, spacing, startDelay, locked, idle, lowPower, budget, superseded, failed
  case running, without

  /// A value for each part, indexed by raw value.
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

  /// Creates the part for the time during which a ticket is withheld.
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
  /// The minimum number of followed phones, if the fleet is large enough.
  static let minimum = 1_024

  /// Returns the power of two whose multiples are followed, among the phones simulated at the start of the clock.
  package static func every(of phones: Int) -> Int {
    var every = 1
    while phones / (2 * every) >= minimum { every *= 2 }
    return every
  }
}

/// A reason label of `asked_per_day` and a row of asked.csv: the policy's requests, the losses by part, or the runs.
package enum AskedRow: Hashable, CaseIterable, Sendable {
  case asks
  case part(AskedPart)
  case policy
  case other

  package static let allCases: [AskedRow] =
    [.asks] + AskedPart.allCases.filter { $0 != .asked && $0 != .without }.map { .part($0) } + [.policy, .other]

  /// The causes of lost refreshes, including the corrections.
  package static let losses: [AskedRow] = allCases.filter { if case .part = $0 { true } else { false } }

  /// The position among all rows.
  package var place: Int {
    switch self {
    case .asks: 0
    case .part(let part): 1 + (Self.losses.firstIndex(of: .part(part)) ?? 0)
    case .policy: 1 + Self.losses.count
    case .other: 2 + Self.losses.count
    }
  }

  /// The reason label of the row's metric; empty for all requests of the policy.
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
