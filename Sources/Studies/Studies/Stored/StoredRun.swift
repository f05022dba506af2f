package import FleetEngine
package import Scenario
package import SimulationKernel

/// The series and histograms of a run that a report shows in addition to its figures.
package struct StoredRun: Equatable, Sendable {
  package var scenario: Scenario
  /// The number of devices simulated in each replication.
  package var devicesSimulated: Int
  package var eventSpans: [EventSpan]
  package var replications: [StoredReplication]
  /// One group per cohort and kind with at least one instance, over all replications, sorted by cohort, then by kind.
  package var groups: [StoredGroup]
  /// A histogram of phone-days by the number of refreshes of all widgets on the phone, over all replications.
  package var phoneDays = CountHistogram()
  /// Followed widgets by kind, then by hour of the local day.
  package var hours: [StoredHour] = []
  /// The outcome of requested refreshes, by kind.
  package var asked: [StoredAsked] = []
}

/// One unscaled replication over the measured period.
package struct StoredReplication: Equatable, Sendable {
  /// One load per endpoint, in the scenario's order.
  package var load: [StoredLoad]
  /// One entry per minute, endpoint, cohort and cause with an arrival or a failure, in that order.
  package var minutes: [StoredMinute]

  /// Returns requests per time step at one or all endpoints.
  package func stepCounts(endpoint: Int?) -> [Int64] {
    endpoint.map { load[$0].arrivals } ?? sumsByStep(load.map(\.arrivals))
  }
}

/// An endpoint's requests per time step.
package struct StoredLoad: Equatable, Sendable {
  package var arrivals: [Int64] = []
  /// The number of these requests that failed.
  package var failures: [Int64] = []
  /// Requests of the whole fleet that passed a CDN; empty if there is no CDN, or the backend was not simulated.
  package var origin: [Double] = []
  /// The queue by step; empty if nothing limits the endpoint.
  package var queue: [StoredQueueStep] = []
}

/// One step at an endpoint with a capacity, in load of the whole fleet, to 10 significant digits.
package struct StoredQueueStep: Hashable, Sendable {
  /// Requests from devices and from base load that reached the queue.
  package var reached: Double
  package var base: Double
  /// The number of requests that the capacity could serve; infinite without a limit.
  package var room: Double
  /// The capacity in requests per second; infinite without a limit.
  package var capacity: Double
  /// Requests refused because the queue was full.
  package var refused: Double
  /// The queue length at the end of the step.
  package var backlog: Double

  package var isOverloaded: Bool { reached + base > room }
}

/// The arrivals at one endpoint in one minute, from one cohort and for one cause.
package struct StoredMinute: Hashable, Sendable {
  package var minute: Int
  package var endpoint: Int
  package var cohort: Int
  package var cause: Cause
  package var requests: Int64
  /// The number of sent requests that failed.
  package var failed: Int64
  /// The number of requests that are second or later attempts of their run.
  package var retries: Int64
}

/// Unscaled histograms of one kind in one cohort over all replications.
package struct StoredGroup: Hashable, Sendable {
  package var cohort: Int
  package var kind: Int
  /// The number of runs per instance per full day.
  package var runsPerDay = CountHistogram()
  /// The number of times that a balance first withheld a run, by local hour.
  package var exhaustedHours: [Int64] = Array(repeating: 0, count: 24)
  /// The age of the data at views that showed any.
  package var dataAge = SpanBins()
  /// The time that phones took to show pushed data; phones that never did are not counted.
  package var pushToView = SpanBins()
}

extension StoredRun {
  /// Creates an empty run of a scenario.
  package init(of scenario: Scenario) {
    self.scenario = scenario
    (devicesSimulated, eventSpans, replications, groups) = (0, [], [], [])
  }
}

extension Scale {
  package init(of run: StoredRun) {
    self.init(fleet: run.scenario.fleet.devices, simulated: run.devicesSimulated)
  }
}

extension StoredRun {
  /// Returns the groups within a scope.
  package func groups(in scope: Scope) -> [StoredGroup] {
    groups.filter { group in
      switch scope {
      case .fleet: true
      case .cohort(let index): group.cohort == index
      case .kind(let index): group.kind == index
      }
    }
  }

  /// Returns the time that phones took to show pushed data, for the kinds of a scope.
  package func pushToView(in scope: Scope) -> SpanBins {
    groups(in: scope).reduce(into: SpanBins()) { $0 += $1.pushToView }
  }

  /// The number of times that a balance first withheld a run, by local hour.
  package var exhaustedHours: CountHistogram {
    groups.reduce(into: CountHistogram()) { $0 += CountHistogram(counts: $1.exhaustedHours) }
  }

  /// The number of runs per instance per full day.
  package var runsPerDay: CountHistogram { groups.reduce(into: CountHistogram()) { $0 += $1.runsPerDay } }

  /// Returns the ages of the data at a scope's views.
  package func dataAge(in scope: Scope) -> SpanBins {
    groups(in: scope).reduce(into: SpanBins()) { $0 += $1.dataAge }
  }
}
