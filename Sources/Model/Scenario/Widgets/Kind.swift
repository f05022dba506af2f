public import SimulationKernel

/// A widget kind, including all aspects of its provider code that affect the fleet (`kinds` in the file).
package struct Kind: Hashable, Keyed, Sendable {
  package var name = ""
  /// The phases that an instance passes through as its runs succeed. The last phase repeats. In the file, `entries` and
  /// `reload` define a single phase.
  package var phases = [Phase()]
  /// The policies that replace the phase's policy at certain times; the first matching one applies.
  package var windows: [PolicyWindow] = []
  package var jitter: Jitter?
  package var requests: [Request] = []
  package var cache: Cache?
  package var onError: ErrorPolicy = .reload(.after(.constant(.minutes(15))))
  package var attempts = Attempts()
  /// Whether a run ends immediately while its download continues, which later causes a second run (MODEL.md 5.6).
  package var isBackgroundSession = false
  package var taps: Taps?
  package var locationChangesPerDay = 0.0
  /// Whether scheduled runs wait for an unlock because of data protection.
  package var isProtected = false
  /// Whether the kind has a push handler, which allows widget pushes to reload it.
  package var takesPushes = true
  package var crash = Share.none
  /// The age above which the data shown at a view counts as stale.
  package var staleAfter: TimeAmount?
  /// The processor time that each run takes.
  package var cpu = TimeAmount.milliseconds(200)

  package init() {}
}

/// A step in a kind's sequence of runs, which determines the timeline and the date of the next timeline (MODEL.md 5.7).
package struct Phase: Hashable, Keyed, Sendable {
  package var entries = Entries()
  package var reload = ReloadPolicy.never
  /// The number of runs before the next phase starts; it is 1 in the last phase, which repeats in any case.
  package var repeats = 1

  package init() {}
}

/// The entries of a widget's timeline (MODEL.md 4.1).
package struct Entries: Hashable, Keyed, Sendable {
  package enum Alignment: String, KeyWord {
    /// Entries that follow the end of the run at intervals of `every`.
    case run
    /// Entries of which all but the first are aligned to wall-clock multiples of `every`.
    case wall
  }

  package var count = 1
  package var every = TimeAmount.hour
  package var alignment = Alignment.run

  package init() {}
}

/// A time window in which a different policy applies (MODEL.md 5.7).
package struct PolicyWindow: Hashable, Sendable {
  /// The name of the scenario's window that applies; `nil` if the kind itself defines the window.
  package var name: String?
  package var time: WindowTime
  package var reload: ReloadPolicy
  /// The jitter of dates requested during the window; if it is `nil`, the kind's jitter applies.
  package var jitter: Jitter?
  /// The age above which data viewed during the window counts as stale; if it is `nil`, the kind's limit applies.
  package var staleAfter: TimeAmount?

  package init(_ time: WindowTime, name: String? = nil, reload: ReloadPolicy) {
    (self.time, self.name, self.reload) = (time, name, reload)
  }
}

/// A random delay added to every requested date, with the distribution U(-early, upTo) (MODEL.md 5.5).
package struct Jitter: Hashable, Keyed, Sendable {
  package enum Scope: String, BitwiseCopyable, KeyWord {
    case run
    /// One draw per device and kind.
    case device
  }

  package var upTo = TimeAmount.zero
  package var early = TimeAmount.zero
  package var scope = Scope.run

  /// The mean of the delay in seconds.
  package var mean: Double { (upTo.seconds - early.seconds) / 2 }

  package init() {}

  package init(upTo: TimeAmount, scope: Scope) {
    self.upTo = upTo
    self.scope = scope
  }
}

/// A request that a run sends unless the cache contains the response.
package struct Request: Hashable, Keyed, Sendable {
  /// The index of the endpoint in `Scenario.endpoints`.
  package var endpoint = 0
  package var count = 1
  package var up = BytesByFamily(all: .zero)
  package var down = BytesByFamily(all: .zero)

  package init() {}
}

/// The cache of the widget's provider (MODEL.md 5.2).
package struct Cache: Hashable, Keyed, Sendable {
  package enum Scope: String, BitwiseCopyable, KeyWord {
    /// One cache per device and kind.
    case kind
    case instance
  }

  /// The time after which cached data expires; `nil` if it never expires.
  package var ttl: TimeAmount?
  package var scope = Scope.kind
  package var singleFlight = false

  package init() {}
}

/// The rule for when a failed run is retried (MODEL.md 5.5).
package enum ErrorPolicy: Hashable, Sendable {
  case reload(ReloadPolicy)
  /// The Retry-After value from the server. If there are several, the longest one applies; if there is none, 15 min
  /// applies.
  case retryAfter
  /// A delay that grows with each consecutive failed run.
  case backoff(Backoff)
}

/// The delays after consecutive failed runs. The first delay is `first`, and each following delay is `factor` times the
/// previous one, up to `maximum`.
package struct Backoff: Hashable, Keyed, Sendable {
  package var first = TimeAmount.minute
  package var factor = 2.0
  package var maximum = TimeAmount.hour

  package init() {}

  /// The maximum number of consecutive failures that are counted.
  package static let maxFailures = 255

  /// The delays after 1, 2, ... consecutive failures, up to the first delay that reaches the maximum.
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

/// The attempts to send each request within a run. The backoff before attempt n + 1 is `backoff` x 2^(n - 1).
package struct Attempts: Hashable, Keyed, Sendable {
  package var count = 1
  package var backoff = TimeAmount.seconds(2)

  package init() {}
}

/// Taps on an instance's buttons and toggles (MODEL.md 2.6).
package struct Taps: Hashable, Keyed, Sendable {
  package enum Scope: String, BitwiseCopyable, KeyWord {
    case kind
    case instance
    /// No reload after the tap.
    case nothing = "none"
  }

  package var perDay = 0.0
  package var burst = 1
  package var gap = TimeAmount.seconds(3)
  package var reloads = Scope.kind
  /// The requests sent by the code that handles the tap before the widget reloads; they bypass the cache.
  package var requests: [Request] = []

  package init() {}
}

extension Kind {
  /// Whether runs or taps of the kind send requests to a given endpoint.
  package func sends(to endpoint: Int) -> Bool {
    (requests + (taps?.requests ?? [])).contains { $0.endpoint == endpoint }
  }
}

/// A WidgetKit widget family; only differences that affect requests are modelled.
public enum Family: Int, BitwiseCopyable, CaseIterable, Sendable {
  case small, medium, large, extraLarge
}

/// The size of a request in bytes, by the family of the instance; the lock screen counts as small (MODEL.md 5.3).
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
