public import SimulationKernel

/// One widget kind: the provider's code as far as the fleet can feel it (`kinds` of the file).
package struct Kind: Hashable, Keyed, Sendable {
  package var name = ""
  /// Taken in order by an instance's successful runs; the last repeats. One phase for `entries` and `reload`.
  package var phases = [Phase()]
  /// Policies that replace the phase's for part of the time; the first that matches wins.
  package var windows: [PolicyWindow] = []
  package var jitter: Jitter?
  package var requests: [Request] = []
  package var cache: Cache?
  package var onError: ErrorPolicy = .reload(.after(.constant(.minutes(15))))
  package var attempts = Attempts()
  /// A run ends at once; its download ends later and asks for a second one (MODEL.md 5.6).
  package var isBackgroundSession = false
  package var taps: Taps?
  package var locationChangesPerDay = 0.0
  /// Data protection: scheduled runs wait for an unlock.
  package var isProtected = false
  package var crash = Share.none
  /// Age at view above which a view counts as stale.
  package var staleAfter: TimeAmount?
  /// Processor time of one run.
  package var cpu = TimeAmount.milliseconds(200)

  package init() {}
}

/// One step of a kind's life: the timeline it returns and when it wants the next one (MODEL.md 5.7).
package struct Phase: Hashable, Keyed, Sendable {
  package var entries = Entries()
  package var reload = ReloadPolicy.never

  package init() {}
}

/// The entries of a timeline (MODEL.md 4.1).
package struct Entries: Hashable, Keyed, Sendable {
  package enum Alignment: String, KeyWord {
    /// Every `every` after the end of the run.
    case run
    /// After the first, at wall-clock multiples of `every`.
    case wall
  }

  package var count = 1
  package var every = TimeAmount.hour
  package var alignment = Alignment.run

  package init() {}
}

/// A window of local time with a policy of its own: [from, to), over midnight on the day of `from` (MODEL.md 5.7).
package struct PolicyWindow: Hashable, Sendable {
  package var days: Set<Weekday>
  package var from: TimeOfDay
  package var to: TimeOfDay
  package var zone: ZoneChoice
  package var reload: ReloadPolicy

  package init(days: Set<Weekday>, from: TimeOfDay, to: TimeOfDay, zone: ZoneChoice, reload: ReloadPolicy) {
    self.days = days
    self.from = from
    self.to = to
    self.zone = zone
    self.reload = reload
  }
}

/// U(0, upTo) added to every date (MODEL.md 5.5).
package struct Jitter: Hashable, Keyed, Sendable {
  package enum Scope: String, BitwiseCopyable, KeyWord {
    case run
    /// Drawn once per device and kind.
    case device
  }

  package var upTo = TimeAmount.zero
  package var scope = Scope.run

  package init() {}

  package init(upTo: TimeAmount, scope: Scope) {
    self.upTo = upTo
    self.scope = scope
  }
}

/// A request that a run sends when the cache does not answer it.
package struct Request: Hashable, Keyed, Sendable {
  /// Index into `Scenario.endpoints`.
  package var endpoint = 0
  package var count = 1
  package var up = BytesByFamily(all: .zero)
  package var down = BytesByFamily(all: .zero)

  package init() {}
}

/// The provider's cache (MODEL.md 5.2).
package struct Cache: Hashable, Keyed, Sendable {
  package enum Scope: String, BitwiseCopyable, KeyWord {
    /// One per device and kind.
    case kind
    case instance
  }

  /// nil: never expires.
  package var ttl: TimeAmount?
  package var scope = Scope.kind
  package var singleFlight = false

  package init() {}
}

/// When to try again after a failed run (MODEL.md 5.5).
package enum ErrorPolicy: Hashable, Sendable {
  case reload(ReloadPolicy)
  /// The server's Retry-After, the largest of several; 15 min where there is none.
  case retryAfter
}

/// Tries of each request inside one run; the backoff before try n + 1 is `backoff` x 2^(n - 1).
package struct Attempts: Hashable, Keyed, Sendable {
  package var count = 1
  package var backoff = TimeAmount.seconds(2)

  package init() {}
}

/// Buttons and toggles pressed on an instance (MODEL.md 2.6).
package struct Taps: Hashable, Keyed, Sendable {
  package enum Scope: String, BitwiseCopyable, KeyWord {
    case kind
    case instance
  }

  package var perDay = 0.0
  package var burst = 1
  package var gap = TimeAmount.seconds(3)
  package var reloads = Scope.kind

  package init() {}
}

/// WidgetKit's widget families, as far as requests differ by them.
public enum Family: Int, BitwiseCopyable, CaseIterable, Sendable {
  case small, medium, large, extraLarge
}

/// Bytes of a request by the family of the instance; the lock screen counts as small (MODEL.md 5.3).
public struct BytesByFamily: BitwiseCopyable, Hashable, Sendable {
  public var small: ByteCount
  public var medium: ByteCount
  public var large: ByteCount
  public var extraLarge: ByteCount

  public init(small: ByteCount, medium: ByteCount, large: ByteCount, extraLarge: ByteCount) {
    self.small = small
    self.medium = medium
    self.large = large
    self.extraLarge = extraLarge
  }

  public init(all bytes: ByteCount) {
    self.init(small: bytes, medium: bytes, large: bytes, extraLarge: bytes)
  }

  @inlinable public subscript(family: Family) -> ByteCount {
    switch family {
    case .small: small
    case .medium: medium
    case .large: large
    case .extraLarge: extraLarge
    }
  }
}
