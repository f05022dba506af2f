package import Scenario
package import SimulationKernel

/// A widget kind prepared for the event path (MODEL.md 5).
package struct KindPlan: BitwiseCopyable, Sendable {
  package var phases: PreparedList<PhasePlan>
  package var windows: PreparedList<WindowPlan>
  package var jitter: SpanSampler
  package var jitterScope: JitterScope
  package var requests: PreparedList<RequestPlan>
  /// The cache; `nil` if the kind has no cache, or has no requests whose answers could be cached.
  package var cache: CachePlan?
  package var onError: ErrorPlan
  /// The maximum number of attempts to send each request.
  package var attempts: Int
  package var backoff: TimeAmount
  package var crash: Chance
  package var cpu: TimeAmount
  package var isProtected: Bool
  /// Whether widget pushes reload widgets of this kind.
  package var takesPushes: Bool
  /// Whether a background session downloads the data between two runs (MODEL.md 5.6).
  package var isBackgroundSession: Bool
  /// The age above which the data shown at a view counts as stale; `nil` if data never becomes stale.
  package var staleAfter: TimeAmount?
  package var taps: TapPlan
  package var locationChangesPerDay: Double
  /// Whether any latency or any policy's date is random.
  package var drawsPerRun: Bool
  /// The code that replaces all policies; `nil` if the kind has policies.
  package private(set) var provider: ProviderPlan?
  /// Whether code chooses the requests of each run.
  private(set) var choosesRequests = false
  /// Whether a run always sends exactly one request, regardless of the draws.
  private(set) var sendsOneRequest: Bool
  /// Whether a cache may answer a run and determine all its consequences, regardless of the draws.
  private(set) var mayHitCache: Bool
  /// Whether the date after a successful run is random.
  let drawsDate: Bool
  /// Whether any jitter of the kind or its windows is random.
  let drawsJitter: Bool
  /// Whether the date after a successful run depends only on the phase and the run.
  let isSteady: Bool
  /// The scope of the kind's jitter, which applies outside all windows that define a jitter.
  let ownJitterScope: Jitter.Scope

  package init(
    phases: PreparedList<PhasePlan>, windows: PreparedList<WindowPlan>, jitter: SpanSampler,
    jitterScope: Jitter.Scope, requests: PreparedList<RequestPlan>, cache: CachePlan?, onError: ErrorPlan,
    attempts: Int, backoff: TimeAmount, crash: Chance, cpu: TimeAmount, isProtected: Bool, takesPushes: Bool,
    isBackgroundSession: Bool,
    staleAfter: TimeAmount?, taps: TapPlan, locationChangesPerDay: Double, drawsPerRun: Bool
  ) {
    self.phases = phases
    self.windows = windows
    self.jitter = jitter
    let isWindowed = windows.indices.contains { windows[$0].jitter != nil }
    self.jitterScope = isWindowed ? .window : jitterScope == .run ? .run : .device
    ownJitterScope = jitterScope
    self.requests = requests
    self.cache = requests.isEmpty ? nil : cache
    self.onError = onError
    self.attempts = attempts
    self.backoff = backoff
    self.crash = crash
    self.cpu = cpu
    self.isProtected = isProtected
    self.takesPushes = takesPushes
    // A kind without requests does not download anything.
    self.isBackgroundSession = isBackgroundSession && !requests.isEmpty
    self.staleAfter = staleAfter
    self.taps = taps
    self.locationChangesPerDay = locationChangesPerDay
    self.drawsPerRun = drawsPerRun
    sendsOneRequest =
      requests.count == 1 && requests[0].count == 1 && cache == nil && !isBackgroundSession && crash.isImpossible
    mayHitCache = self.cache != nil && !isBackgroundSession && crash.isImpossible
    drawsJitter =
      !jitter.isConstant || windows.indices.contains { windows[$0].jitter.map { !$0.span.isConstant } ?? false }
    isSteady = windows.isEmpty && !onError.isBackoff
    drawsDate =
      phases.indices.contains { phases[$0].reload.isDrawn } || windows.indices.contains { windows[$0].reload.isDrawn }
  }
}

extension KindPlan {
  /// Puts code in the place of the kind's policies.
  package mutating func use(_ provider: ProviderPlan) {
    self.provider = provider
    guard provider.choosesRequests else { return }
    (choosesRequests, sendsOneRequest, mayHitCache) = (true, false, false)
  }
}

/// The code that returns the dates of a kind's next runs, prepared for the event path (MODEL.md 5.8).
package struct ProviderPlan: BitwiseCopyable, Sendable {
  /// The code, which the scenario keeps alive.
  private let code: Unmanaged<ProviderCode>
  /// The hints of the kind's endpoints.
  let hints: PreparedList<HintPlan>

  package init(_ code: ProviderCode, hints: PreparedList<HintPlan>) {
    self.code = .passUnretained(code)
    self.hints = hints
  }

  /// The size of the memory of a widget.
  var memoryBytes: Int { code._withUnsafeGuaranteedRef { $0.memoryBytes } }

  var choosesRequests: Bool { code._withUnsafeGuaranteedRef { $0.choosesRequests } }

  func requests(in context: TimelineContext, memory: UnsafeMutableRawPointer) -> SimulatedRequests {
    code._withUnsafeGuaranteedRef { $0.requests(in: context, memory: memory) }
  }

  func begin(in memory: UnsafeMutableRawPointer) { code._withUnsafeGuaranteedRef { $0.begin(in: memory) } }

  @inline(__always)
  func timeline(in context: TimelineContext, memory: UnsafeMutableRawPointer) -> SimulatedTimeline {
    code._withUnsafeGuaranteedRef { $0.timeline(in: context, memory: memory) }
  }
}

/// The scope of the draws for a kind's jitter.
package enum JitterScope: BitwiseCopyable, Sendable {
  case run
  /// One draw for all runs of a kind on a device.
  case device
  /// The jitter of the window that contains the end of the run; if there is no such window, the kind's jitter.
  case window
}

/// A prepared phase: its timeline and its policy.
package struct PhasePlan: BitwiseCopyable, Sendable {
  package var entries: EntriesPlan
  package var reload: PolicyPlan

  package init(entries: EntriesPlan, reload: PolicyPlan) {
    self.entries = entries
    self.reload = reload
  }
}

/// The dates of a timeline's entries; the first entry is at the end of the run (MODEL.md 4.1).
package enum EntriesPlan: BitwiseCopyable, Sendable {
  /// A single entry at the end of the run.
  case single
  /// Several entries; the associated value is the time from the first entry to the last.
  case spread(TimeAmount)
  /// Additional entries, given by their number, at the next dates of the device's calendar.
  case aligned(Int, CalendarPlan)
}

/// A prepared reload policy, which is the rule for the date after the end of a run (MODEL.md 4.1).
package enum PolicyPlan: BitwiseCopyable, Sendable {
  case atEnd
  case never
  case after(SpanSampler)
  case next(CalendarPlan)
  /// The earliest of several dates. The list has one element; it is used because the plan is too large to be stored
  /// directly.
  case earliest(PreparedList<EarliestPlan>)

  /// Whether the date is random even if the run and its data are given.
  var isDrawn: Bool {
    switch self {
    case .after(let span): !span.isConstant
    case .earliest(let dates): dates[0].spans.indices.contains { !dates[0].spans[$0].isConstant }
    case .atEnd, .never, .next: false
    }
  }
}

/// The rule for the earliest of several dates, prepared for the event path (MODEL.md 4.1).
package struct EarliestPlan: BitwiseCopyable, Sendable {
  package var spans: PreparedList<SpanSampler>
  /// The wall-clock dates and the instants, merged into one calendar; its lists are empty if the policy has neither.
  package var calendar: CalendarPlan
  /// The endpoints' hints; the smallest one applies.
  package var hints: PreparedList<HintPlan>
  package var isFromData: Bool
  package var atLeast: TimeAmount

  package init(
    spans: PreparedList<SpanSampler>, calendar: CalendarPlan, hints: PreparedList<HintPlan>, isFromData: Bool,
    atLeast: TimeAmount
  ) {
    self.spans = spans
    self.calendar = calendar
    self.hints = hints
    self.isFromData = isFromData
    self.atLeast = atLeast
  }

  /// The calendar, if it alone determines the date; `nil` otherwise.
  var onlyCalendar: CalendarPlan? { spans.isEmpty && hints.isEmpty && atLeast == .zero ? calendar : nil }
}

/// The time for which an endpoint declares its answers to be fresh, prepared for the event path (`hint`, MODEL.md 4.1).
package struct HintPlan: BitwiseCopyable, Sendable {
  package var endpoint: EndpointIndex
  package var span: SpanSampler

  package init(endpoint: EndpointIndex, span: SpanSampler) { (self.endpoint, self.span) = (endpoint, span) }
}

/// Dates on a wall clock, listed for each zone.
package struct CalendarPlan: BitwiseCopyable, Sendable {
  /// The instants of each zone in ascending order, which extend beyond the end of the clock.
  package var dates: PreparedList<PreparedList<Instant>>

  package init(dates: PreparedList<PreparedList<Instant>>) { self.dates = dates }

  /// Returns the `ordinal`-th date strictly after `now`, where the first has ordinal 1; `.never` if the listed calendar
  /// ends before it.
  package func date(_ ordinal: Int, after now: Instant, zone: Int) -> Instant {
    let listed = dates[zone]
    let index = listed.prefixLength { $0 <= now } + ordinal - 1
    return index < listed.count ? listed[index] : .never
  }
}

/// A window of local time, consisting of the spells in which its policy replaces that of the phase (MODEL.md 5.7).
package struct WindowPlan: BitwiseCopyable, Sendable {
  package struct Spell: BitwiseCopyable, Sendable {
    package var from: Instant
    package var to: Instant

    package init(from: Instant, to: Instant) {
      self.from = from
      self.to = to
    }
  }

  /// The spells of each zone in chronological order, which do not overlap.
  package var spells: PreparedList<PreparedList<Spell>>
  package var reload: PolicyPlan
  /// The jitter of dates that are set during the window; `nil` if the kind's jitter applies.
  package var jitter: WindowJitter?
  /// The age above which data viewed in the window counts as stale; `nil` if the kind's limit applies.
  package var staleAfter: TimeAmount?

  package init(
    spells: PreparedList<PreparedList<Spell>>, reload: PolicyPlan, jitter: WindowJitter? = nil,
    staleAfter: TimeAmount? = nil
  ) {
    self.spells = spells
    self.reload = reload
    self.jitter = jitter
    self.staleAfter = staleAfter
  }

  package func contains(_ now: Instant, zone: Int) -> Bool {
    let listed = spells[zone]
    let begun = listed.prefixLength { $0.from <= now }
    return begun > 0 && now < listed[begun - 1].to
  }
}

/// The jitter of the dates that are set in a window.
package struct WindowJitter: BitwiseCopyable, Sendable {
  package var span: SpanSampler
  package var scope: Jitter.Scope

  package init(span: SpanSampler, scope: Jitter.Scope) { (self.span, self.scope) = (span, scope) }
}

/// Rules that read a kind in place, because copying the whole plan for each run is slow.
extension Prepared where Value == KindPlan {
  /// Returns the window that contains an instant; `nil` if no window contains it.
  func window(at now: Instant, zone: Int) -> Prepared<WindowPlan>? {
    let windows = self.windows
    for index in 0..<windows.count where windows[index].contains(now, zone: zone) {
      return windows.element(at: index)
    }
    return nil
  }
}

/// A request of a kind, prepared for the event path.
package struct RequestPlan: BitwiseCopyable, Sendable {
  package var endpoint: EndpointIndex
  package var count: Int
  package var up: BytesByFamily
  package var down: BytesByFamily

  package init(endpoint: EndpointIndex, count: Int, up: BytesByFamily, down: BytesByFamily) {
    self.endpoint = endpoint
    self.count = count
    self.up = up
    self.down = down
  }
}

/// A cache of answers, prepared for the event path (MODEL.md 5.2).
package struct CachePlan: BitwiseCopyable, Sendable {
  /// The time to live of cached data; if the data never expires (`never-expires`), it exceeds the length of any clock.
  package var ttl: TimeAmount
  package var scope: Cache.Scope
  package var singleFlight: Bool

  package init(ttl: TimeAmount, scope: Cache.Scope, singleFlight: Bool) {
    self.ttl = ttl
    self.scope = scope
    self.singleFlight = singleFlight
  }
}

/// The rule for the next run after a failed run.
package enum ErrorPlan: BitwiseCopyable, Sendable {
  case reload(PolicyPlan)
  case retryAfter
  /// The delays after 1, 2, ... consecutive failed runs; the last delay also applies to all further failures.
  case backoff(PreparedList<TimeAmount>)

  var isBackoff: Bool { if case .backoff = self { true } else { false } }
}

/// The effects of a burst of taps (MODEL.md 2.6); the number of bursts is a property of the cohort.
package struct TapPlan: BitwiseCopyable, Sendable {
  package var burst: Int
  package var gap: TimeAmount
  package var reloads: Taps.Scope
  /// The requests that a tap sends before the widget reloads.
  package var requests: PreparedList<RequestPlan>

  package init(burst: Int, gap: TimeAmount, reloads: Taps.Scope, requests: PreparedList<RequestPlan>) {
    self.burst = burst
    self.gap = gap
    self.reloads = reloads
    self.requests = requests
  }
}
