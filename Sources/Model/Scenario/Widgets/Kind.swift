public import SimulationKernel

/// A widget kind, which is the part of the provider's code that affects the fleet (`kinds` in the file).
package struct Kind: Hashable, Keyed, Sendable {
  package var name = ""
  /// The phases of an instance's successful runs, the last of which repeats; `entries` and `reload` form a single
  /// phase.
  package var phases = [Phase()]
  /// The policies that replace the phase's policy at certain times; the first match applies.
  package var windows: [PolicyWindow] = []
  package var jitter: Jitter?
  package var requests: [Request] = []
  package var cache: Cache?
  package var onError: ErrorPolicy = .reload(.after(.constant(.minutes(15))))
  package var attempts = Attempts()
  /// Whether a run ends immediately while its download ends later and requests a second run (MODEL.md 5.6).
  package var isBackgroundSession = false
  package var taps: Taps?
  package var locationChangesPerDay = 0.0
  /// Whether data protection makes scheduled runs wait for an unlock.
  package var isProtected = false
  /// Whether the kind has a push handler, so that widget pushes reload it.
  package var takesPushes = true
  package var crash = Share.none
  /// The age above which viewed data counts as stale.
  package var staleAfter: TimeAmount?
  /// The processor time per run.
  package var cpu = TimeAmount.milliseconds(200)

  package init() {}
}

/// A step in a kind's sequence, with the timeline that it returns and the date of the next timeline (MODEL.md 5.7).
package struct Phase: Hashable, Keyed, Sendable {
  package var entries = Entries()
  package var reload = ReloadPolicy.never
  /// The number of runs before the next phase; 1 in the last phase, which repeats anyway.
  package var repeats = 1

  package init() {}
}

/// The entries of a timeline (MODEL.md 4.1).
package struct Entries: Hashable, Keyed, Sendable {
  package enum Alignment: String, KeyWord {
    /// Entries at intervals of `every` after the end of the run.
    case run
    /// Entries after the first one are at wall-clock multiples of `every`.
    case wall
  }

  package var count = 1
  package var every = TimeAmount.hour
  package var alignment = Alignment.run

  package init() {}
}

/// A window of time with its own policy (MODEL.md 5.7).
package struct PolicyWindow: Hashable, Sendable {
  /// The name of the scenario's window; `nil` for a window of the kind.
  package var name: String?
  package var time: WindowTime
  package var reload: ReloadPolicy
  /// The jitter of dates given in the window; `nil` to use the kind's jitter.
  package var jitter: Jitter?
  /// The age above which data viewed in the window counts as stale; `nil` to use the kind's limit.
  package var staleAfter: TimeAmount?

  package init(_ time: WindowTime, name: String? = nil, reload: ReloadPolicy) {
    (self.time, self.name, self.reload) = (time, name, reload)
  }
}

/// A random delay U(-early, upTo) added to every date (MODEL.md 5.5).
package struct Jitter: Hashable, Keyed, Sendable {
  package enum Scope: String, BitwiseCopyable, KeyWord {
    case run
    /// One draw per device and kind.
    case device
  }

  package var upTo = TimeAmount.zero
  package var early = TimeAmount.zero
  package var scope = Scope.run

  /// The mean delay in seconds.
  package var mean: Double { (upTo.seconds - early.seconds) / 2 }

  package init() {}

  package init(upTo: TimeAmount, scope: Scope) {
    self.upTo = upTo
    self.scope = scope
  }
}

/// A request that a run sends unless the cache answers it.
package struct Request: Hashable, Keyed, Sendable {
  /// The index into `Scenario.endpoints`.
  package var endpoint = 0
  package var count = 1
  package var up = BytesByFamily(all: .zero)
  package var down = BytesByFamily(all: .zero)

  package init() {}
}

/// The provider's cache (MODEL.md 5.2).
package struct Cache: Hashable, Keyed, Sendable {
  package enum Scope: String, BitwiseCopyable, KeyWord {
    /// One cache per device and kind.
    case kind
    case instance
  }

  /// The time to live; `nil` if it never expires.
  package var ttl: TimeAmount?
  package var scope = Scope.kind
  package var singleFlight = false

  package init() {}
}

/// The time of the retry after a failed run (MODEL.md 5.5).
package enum ErrorPolicy: Hashable, Sendable {
  case reload(ReloadPolicy)
  /// The server's Retry-After value; the longest if there are several, or 15 min if there is none.
  case retryAfter
  /// A delay that grows with each failed run in a row.
  case backoff(Backoff)
}

/// The delays after failed runs in a row: `first`, then each `factor` times the one before, up to `maximum`.
package struct Backoff: Hashable, Keyed, Sendable {
  package var first = TimeAmount.minute
  package var factor = 2.0
  package var maximum = TimeAmount.hour

  package init() {}

  /// The maximum number of failures in a row that are counted.
  package static let maxFailures = 255

  /// The delays after 1, 2, ... failures in a row, up to the first one that equals the maximum.
  package var delays: [TimeAmount] {
    var (delays, delay) = ([TimeAmount](), Double(first.milliseconds))
    let maximum = Double(maximum.milliseconds)
    repeat {
      delays.append(.milliseconds(Int64(min(delay, maximum).rounded())))
      delay *= factor
    } while delays.count < Self.maxFailures && Double(delays[delays.count - 1].milliseconds) < maximum
    return delays
  }
}

/// The number of attempts of each request within a run; the backoff before attempt n + 1 is `backoff` x 2^(n - 1).
package struct Attempts: Hashable, Keyed, Sendable {
  package var count = 1
  package var backoff = TimeAmount.seconds(2)

  package init() {}
}

/// Taps on the buttons and toggles of an instance (MODEL.md 2.6).
package struct Taps: Hashable, Keyed, Sendable {
  package enum Scope: String, BitwiseCopyable, KeyWord {
    case kind
    case instance
    /// No reload.
    case nothing = "none"
  }

  package var perDay = 0.0
  package var burst = 1
  package var gap = TimeAmount.seconds(3)
  package var reloads = Scope.kind
  /// The requests that a tap's own code sends before the reload, bypassing the cache.
  package var requests: [Request] = []

  package init() {}
}

extension Kind {
  /// Whether the kind's runs or taps send requests to an endpoint.
  package func sends(to endpoint: Int) -> Bool {
    (requests + (taps?.requests ?? [])).contains { $0.endpoint == endpoint }
  }
}

/// A WidgetKit widget family; only differences that affect requests are modelled.
public enum Family: Int, BitwiseCopyable, CaseIterable, Sendable {
  case small, medium, large, extraLarge
}

/// The size of a request in bytes, by the instance's family; the lock screen is treated as small (MODEL.md 5.3).
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
