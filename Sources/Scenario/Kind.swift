package import SimulationKernel

/// One widget kind: the provider's code as far as the fleet can feel it (`kinds` of the file).
package struct Kind: Hashable, Sendable {
  package var name: String
  /// Taken in order by an instance's successful runs; the last repeats. One phase for `entries` and `reload`.
  package var phases: [Phase]
  /// Policies that replace the phase's for part of the time; the first that matches wins.
  package var windows: [PolicyWindow]
  package var jitter: Jitter?
  package var requests: [Request]
  package var cache: Cache?
  package var onError: ErrorPolicy
  package var attempts: Attempts
  /// A run ends at once; its download ends later and asks for a second one (MODEL.md 5.6).
  package var isBackgroundSession: Bool
  package var taps: Taps?
  package var locationChangesPerDay: Double
  /// Data protection: scheduled runs wait for an unlock.
  package var isProtected: Bool
  package var crash: Share
  /// Age at view above which a view counts as stale.
  package var staleAfter: TimeAmount?
  /// Processor time of one run.
  package var cpu: TimeAmount

  package init(
    name: String, phases: [Phase], windows: [PolicyWindow], jitter: Jitter?, requests: [Request], cache: Cache?,
    onError: ErrorPolicy, attempts: Attempts, isBackgroundSession: Bool, taps: Taps?, locationChangesPerDay: Double,
    isProtected: Bool, crash: Share, staleAfter: TimeAmount?, cpu: TimeAmount
  ) {
    self.name = name
    self.phases = phases
    self.windows = windows
    self.jitter = jitter
    self.requests = requests
    self.cache = cache
    self.onError = onError
    self.attempts = attempts
    self.isBackgroundSession = isBackgroundSession
    self.taps = taps
    self.locationChangesPerDay = locationChangesPerDay
    self.isProtected = isProtected
    self.crash = crash
    self.staleAfter = staleAfter
    self.cpu = cpu
  }
}

/// One step of a kind's life: the timeline it returns and when it wants the next one (MODEL.md 5.7).
package struct Phase: Hashable, Sendable {
  package var entries: Entries
  package var reload: ReloadPolicy

  package init(entries: Entries, reload: ReloadPolicy) {
    self.entries = entries
    self.reload = reload
  }
}

/// The entries of a timeline (MODEL.md 4.1).
package struct Entries: Hashable, Sendable {
  package enum Alignment: Hashable, Sendable {
    /// Every `every` after the end of the run.
    case run
    /// After the first, at wall-clock multiples of `every`.
    case wall
  }

  package var count: Int
  package var every: TimeAmount
  package var alignment: Alignment

  package init(count: Int, every: TimeAmount, alignment: Alignment) {
    self.count = count
    self.every = every
    self.alignment = alignment
  }
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
package struct Jitter: Hashable, Sendable {
  package enum Scope: BitwiseCopyable, Hashable, Sendable {
    case run
    /// Drawn once per device and kind.
    case device
  }

  package var upTo: TimeAmount
  package var scope: Scope

  package init(upTo: TimeAmount, scope: Scope) {
    self.upTo = upTo
    self.scope = scope
  }
}

/// A request that a run sends when the cache does not answer it.
package struct Request: Hashable, Sendable {
  /// Index into `Scenario.endpoints`.
  package var endpoint: Int
  package var count: Int
  package var up: BytesByFamily
  package var down: BytesByFamily

  package init(endpoint: Int, count: Int, up: BytesByFamily, down: BytesByFamily) {
    self.endpoint = endpoint
    self.count = count
    self.up = up
    self.down = down
  }
}

/// The provider's cache (MODEL.md 5.2).
package struct Cache: Hashable, Sendable {
  package enum Scope: BitwiseCopyable, Hashable, Sendable {
    /// One per device and kind.
    case kind
    case instance
  }

  /// nil: never expires.
  package var ttl: TimeAmount?
  package var scope: Scope
  package var singleFlight: Bool

  package init(ttl: TimeAmount?, scope: Scope, singleFlight: Bool) {
    self.ttl = ttl
    self.scope = scope
    self.singleFlight = singleFlight
  }
}

/// When to try again after a failed run (MODEL.md 5.5).
package enum ErrorPolicy: Hashable, Sendable {
  case reload(ReloadPolicy)
  /// The server's Retry-After, the largest of several; 15 min where there is none.
  case retryAfter
}

/// Tries of each request inside one run; the backoff before try n + 1 is `backoff` x 2^(n - 1).
package struct Attempts: Hashable, Sendable {
  package var count: Int
  package var backoff: TimeAmount

  package init(count: Int, backoff: TimeAmount) {
    self.count = count
    self.backoff = backoff
  }
}

/// Buttons and toggles pressed on an instance (MODEL.md 2.6).
package struct Taps: Hashable, Sendable {
  package enum Scope: BitwiseCopyable, Hashable, Sendable {
    case kind
    case instance
  }

  package var perDay: Double
  package var burst: Int
  package var gap: TimeAmount
  package var reloads: Scope

  package init(perDay: Double, burst: Int, gap: TimeAmount, reloads: Scope) {
    self.perDay = perDay
    self.burst = burst
    self.gap = gap
    self.reloads = reloads
  }
}
