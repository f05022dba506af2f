/// The cause of a timeline reload, or of requests that are not part of a reload (MODEL.md 2.6, 4.2). Raw values are
/// used as indices into tallies.
public enum Cause: UInt8, BitwiseCopyable, CaseIterable, Sendable {
  case policy, retry, background, widgetPush, foreground, tap, view, location, placement, system, gallery, action

  /// The number of causes; it is a constant, because `allCases` would create an array on the event path.
  @inlinable public static var count: Int { 12 }

  /// A table with one value per cause, indexed by the raw value of the cause.
  public typealias Table<Value> = InlineArray<12, Value>

  /// The name used in files, in labels and by `explain`.
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

  /// Whether runs can have this cause; all other causes apply only to requests outside runs.
  public var isOfRuns: Bool { self != .gallery && self != .action }

  /// Whether the start delay of runs with this cause depends on whether a session is in progress (MODEL.md 4.5).
  @inlinable public var isDelayedBySession: Bool {
    switch self {
    case .policy, .retry: true
    default: false
    }
  }

  /// Whether every run with this cause charges 1 to the budget (MODEL.md 4.2).
  @inlinable public var isCharged: Bool {
    switch self {
    case .policy, .retry, .background, .widgetPush: true
    case .foreground, .tap, .view, .location, .placement, .system, .gallery, .action: false
    }
  }
}

/// The reason for withholding a scheduled run (MODEL.md 4.5); the cases are in the order in which reasons are checked.
public enum WaitReason: UInt8, BitwiseCopyable, CaseIterable, Sendable {
  case locked, idle, lowPower, budget

  /// A table with one value per reason, indexed by the raw value of the reason.
  public typealias Table<Value> = InlineArray<4, Value>

  /// The name used in files, in labels and by `explain`.
  public var name: String {
    switch self {
    case .locked: "locked"
    case .idle: "idle"
    case .lowPower: "low-power"
    case .budget: "budget"
    }
  }
}

/// The reason why a request failed (MODEL.md 8).
public enum FailureReason: UInt8, BitwiseCopyable, CaseIterable, Sendable {
  case outage, refused, limited, timeout, offline, cachedError

  /// A table with one value per reason, indexed by the raw value of the reason.
  public typealias Table<Value> = InlineArray<6, Value>

  /// The name used in files, in labels and by `explain`.
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

/// A part of a widget's time between two refreshes that its policy requested (MODEL.md 8.3).
package enum AskedPart: UInt8, BitwiseCopyable, CaseIterable, Sendable {
  case asked, caughtUp, edges, jitter, spacing, startDelay, locked, idle, lowPower, budget, superseded, failed
  case running, without

  /// A table with one value per part, indexed by the raw value of the part.
  package typealias Table<Value> = InlineArray<14, Value>

  /// The name of the part in files.
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

  /// Creates the part for the time during which a ticket is withheld for a given reason.
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

/// The selection of phones whose widgets are followed from refresh to refresh and by local hour (MODEL.md 8.3).
package enum FollowedPhones {
  /// The minimum number of followed phones in a fleet that is large enough.
  static let minimum = 1_024

  /// Returns a power of two n such that every n-th phone simulated when the clock starts is followed.
  package static func every(of phones: Int) -> Int {
    var every = 1
    while phones / (2 * every) >= minimum { every *= 2 }
    return every
  }
}

/// A row of asked.csv, with its reason label in `asked_per_day`: the requests of the policy, the losses by part, or the
/// runs.
package enum AskedRow: Hashable, CaseIterable, Sendable {
  case asks
  case part(AskedPart)
  case policy
  case other

  package static let allCases: [AskedRow] =
    [.asks] + AskedPart.allCases.filter { $0 != .asked && $0 != .without }.map { .part($0) } + [.policy, .other]

  /// The rows for the causes of lost refreshes, including corrections.
  package static let losses: [AskedRow] = allCases.filter { if case .part = $0 { true } else { false } }

  /// The position of this row in the list of all rows.
  package var place: Int {
    switch self {
    case .asks: 0
    case .part(let part): 1 + (Self.losses.firstIndex(of: .part(part)) ?? 0)
    case .policy: 1 + Self.losses.count
    case .other: 2 + Self.losses.count
    }
  }

  /// The reason label of the row's metric; empty for the row that contains all requests of the policy.
  package var reason: String { self == .asks ? "" : name }

  /// The name of the row in files.
  package var name: String {
    switch self {
    case .asks: "asks"
    case .part(let part): part.name
    case .policy: "policy"
    case .other: "other"
    }
  }
}
