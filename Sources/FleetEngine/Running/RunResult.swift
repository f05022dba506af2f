package import Scenario
package import SimulationKernel

/// What a scenario did: integer tallies of every replication, before any statistics.
package struct RunResult: Sendable {
  package var scenario: Scenario
  /// Devices really simulated in each replication, of those that there are at the start of the clock; figures scale to
  /// `scenario.fleet.devices`.
  package var devicesSimulated: Int
  /// Devices really simulated of each cohort, in the scenario's order, those that come later too.
  package var cohortSizes: [Int]
  package var replications: [ReplicationResult]
  /// When outages, pushes and the like came, in the order of the file, then of time.
  package var eventSpans: [EventSpan] = []

  /// Devices that live in each replication, those that come later too.
  package var devicesLived: Int { cohortSizes.reduce(0, +) }
}

/// The integer tallies of one replication, unscaled, over the measured period.
///
/// Those of a part of the devices are added with `+=`, in any order; what follows from all of them comes last.
package struct ReplicationResult: Equatable, Sendable {
  /// One per endpoint, in the scenario's order.
  package var load: [LoadSeries]
  /// One per minute, endpoint, cohort and cause with an arrival or a failure, in that order.
  package var causeMinutes: [CauseMinute]
  /// One per cohort and kind, in the scenario's order; once all are added up those alone that have instances or sent
  /// requests for the gallery.
  package var groups: [GroupResult]
  package var devices: DeviceTable
  /// Events taken from the devices' queues, warm-up included.
  package var eventCount: Int64
  /// Runs of all instances, warm-up included.
  package var runCount: Int64
  /// One per cohort, in the scenario's order.
  package var batteries: [BatteryResult] = []
  /// Whole days of phones by the runs of all their widgets, one histogram per cohort.
  package var phoneDays: [CountHistogram] = []
  /// Energy of all phones.
  package var energy = PhoneEnergy()
  /// How groups of devices differ: at each endpoint, then, where there are several, at all together. Made of the whole.
  package var spreads: [LoadSpread] = []
  /// nil where no endpoint answers back. The same at every rank, for each computes it from the same sums.
  package var backend: BackendResult?
}

/// Requests of one endpoint per time step.
package struct LoadSeries: Hashable, Sendable {
  /// Element i: requests that arrived in [i step, (i + 1) step) after the start.
  package var arrivals: [UInt32]
  /// Requests among these that failed.
  package var failures: [UInt32]
}

/// What arrived at one endpoint in one minute from one cohort for one cause.
package struct CauseMinute: Hashable, Sendable {
  /// Whole minutes since the start.
  package var minute: Int
  package var endpoint: Int
  package var cohort: Int
  package var cause: Cause
  package var traffic: Traffic
}

/// Requests and their bytes.
package struct Traffic: Hashable, Sendable {
  package var requests: Int64 = 0
  package var successes: Int64 = 0
  /// By `FailureReason`; those for want of a network are of requests that were never sent.
  package var failures: [Int64] = Array(repeating: 0, count: FailureReason.allCases.count)
  package var bytesUp: Int64 = 0
  package var bytesDown: Int64 = 0
  /// Requests that were a second or later try of a run.
  package var retries: Int64 = 0

  package init() {}

  /// Failures of requests that were sent: without a network none is.
  package var failedRequests: Int64 { failures.reduce(0, +) - failures[Int(FailureReason.offline.rawValue)] }
}

/// What the instances of one kind in one cohort did.
package struct GroupResult: Hashable, Sendable {
  package var cohort: Int
  package var kind: Int
  package var instances: Int64
  /// By `Cause`.
  package var runs: [Int64]
  /// Runs per instance and measured day (24 h from the start; a last partial day is left out).
  package var runsPerDay: CountHistogram
  /// Runs per instance and measured day, by `Cause`.
  package var runsPerDayByCause: [CountHistogram]
  package var chargedRunsPerDay: CountHistogram
  package var freeRunsPerDay: CountHistogram
  /// Start less due of scheduled runs, coalesced ones too.
  package var lateness: SpanHistogram
  /// By `WaitReason`: waits that ended in the measured period.
  package var waits: [WaitTally]
  /// Element h x 60 + m: how often a balance first withheld a run on a local day at local time h:m.
  package var budgetExhausted: CountHistogram
  /// By half of the measured whole days (`MeasuredHalves`).
  package var budgetExhaustedByHalf: [Int64] = [0, 0]
  package var cacheHits: Int64
  package var views: Int64
  /// Views of data older than the kind's limit, before the reload that the view starts, and after it.
  package var staleViews: Int64
  package var staleViewsAfter: Int64
  /// Age of the data at views that had any.
  package var dataAge: SpanHistogram
  /// Traffic by endpoint, then by `Cause`.
  package var traffic: [[Traffic]]
  /// By endpoint: what runs answered by a cache, or by another run's flight, would have sent without it.
  package var saved: [Traffic] = []
  package var energy = EnergySums()
  package var followed = FollowedResult()
  /// For how long the instances are there in the measured period: in all, in whole days (24 h from the start), and in
  /// either half of the whole days.
  package var milliseconds: Int64
  package var wholeDays: Int64
  package var millisecondsByHalf: [Int64]
}

/// Number and total length of waits.
package struct WaitTally: Hashable, Sendable {
  package var count: Int64 = 0
  package var totalMilliseconds: Int128 = 0

  package init() {}
}
