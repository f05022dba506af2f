package import BackendModel
package import Scenario
package import SimulationKernel

/// A scenario prepared for the event path: tables and lists that every thread reads and nobody writes.
package struct FleetPlan: BitwiseCopyable, Sendable {
  package var seed: UInt64
  /// The beginning of the world, before the warm-up.
  package var beginning: Instant
  /// The end of the measured period, which begins at `Instant.start`.
  package var end: Instant
  package var kinds: PreparedList<KindPlan>
  package var cohorts: PreparedList<CohortPlan>
  package var endpoints: PreparedList<EndpointPlan>
  package var refreshes: PreparedList<BackgroundRefreshPlan>
  /// By zone number.
  package var clocks: PreparedList<WallClock>

  package init(
    seed: UInt64, beginning: Instant, end: Instant, kinds: PreparedList<KindPlan>,
    cohorts: PreparedList<CohortPlan>, endpoints: PreparedList<EndpointPlan>,
    refreshes: PreparedList<BackgroundRefreshPlan>, clocks: PreparedList<WallClock>
  ) {
    self.seed = seed
    self.beginning = beginning
    self.end = end
    self.kinds = kinds
    self.cohorts = cohorts
    self.endpoints = endpoints
    self.refreshes = refreshes
    self.clocks = clocks
  }

  /// Whether an instant belongs to the measured period.
  @inlinable package func isMeasured(_ instant: Instant) -> Bool { instant >= .start && instant < end }
}

/// A background refresh of the app: when it comes and what it asks for (MODEL.md 2.8).
package struct BackgroundRefreshPlan: BitwiseCopyable, Sendable {
  /// Between one refresh and the next: exponential.
  package var gap: SpanSampler
  package var kinds: PreparedList<Int>
  package var clearsCache: Bool
  package var fillsCache: Bool
  package var restarts: Bool

  package init(gap: SpanSampler, kinds: PreparedList<Int>, clearsCache: Bool, fillsCache: Bool, restarts: Bool) {
    self.gap = gap
    self.kinds = kinds
    self.clearsCache = clearsCache
    self.fillsCache = fillsCache
    self.restarts = restarts
  }
}
