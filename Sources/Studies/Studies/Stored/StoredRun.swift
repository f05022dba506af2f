package import FleetEngine
package import Scenario
package import SimulationKernel

/// The series and histograms of a run that a report shows besides its figures.
package struct StoredRun: Equatable, Sendable {
  package var scenario: Scenario
  /// The number of devices simulated in each replication.
  package var devicesSimulated: Int
  package var eventSpans: [EventSpan]
  package var replications: [StoredReplication]
  /// One group per cohort and kind with any instances, over all replications, by cohort, then kind.
  package var groups: [StoredGroup]
  /// The whole days of phones by the number of refreshes of all their widgets, over all replications.
  package var phoneDays = CountHistogram()
  /// Followed widgets by hour of the local day: by kind, then hour.
  package var hours: [StoredHour] = []
  /// The outcome of requested refreshes, by kind.
  package var asked: [StoredAsked] = []
}

/// One replication, unscaled, over the measured period.
package struct StoredReplication: Equatable, Sendable {
  /// One per endpoint, in the scenario's order.
  package var load: [StoredLoad]
  /// One per minute, endpoint, cohort and cause with an arrival or a failure, in that order.
  package var minutes: [StoredMinute]

  /// Returns requests per time step at one endpoint, or at all together.
  package func stepCounts(endpoint: Int?) -> [Int64] {
    endpoint.map { load[$0].arrivals } ?? sumsByStep(load.map(\.arrivals))
  }
}

/// Requests of one endpoint per time step.
package struct StoredLoad: Equatable, Sendable {
  package var arrivals: [Int64] = []
  /// The failed ones of these requests.
  package var failures: [Int64] = []
  /// Requests of the whole fleet that passed a CDN; empty without a CDN or a simulated backend.
  package var origin: [Double] = []
  /// The queue by step; empty where nothing limits the endpoint.
  package var queue: [StoredQueueStep] = []
}

/// One step of an endpoint with a capacity, as load of the whole fleet, to 10 significant digits.
package struct StoredQueueStep: Hashable, Sendable {
  /// Requests of the devices, and of the base load, that reached the queue.
  package var reached: Double
  package var base: Double
  /// Requests that the capacity could serve; infinite without a limit.
  package var room: Double
  /// The capacity in requests per second; infinite without a limit.
  package var capacity: Double
  /// Requests refused because the queue was full.
  package var refused: Double
  /// The length of the queue at the end of the step.
  package var backlog: Double

  package var isOverloaded: Bool { reached + base > room }
}

/// The arrivals at one endpoint in one minute from one cohort for one cause.
package struct StoredMinute: Hashable, Sendable {
  package var minute: Int
  package var endpoint: Int
  package var cohort: Int
  package var cause: Cause
  package var requests: Int64
  /// Failures of requests that were sent.
  package var failed: Int64
  /// Second and later tries of their run among the requests.
  package var retries: Int64
}

/// Histograms of one kind in one cohort over all replications, unscaled.
package struct StoredGroup: Hashable, Sendable {
  package var cohort: Int
  package var kind: Int
  /// Runs per instance and full day.
  package var runsPerDay = CountHistogram()
  /// By local hour: the number of times a balance first withheld a run.
  package var exhaustedHours: [Int64] = Array(repeating: 0, count: 24)
  /// The age of the data at views that had any.
  package var dataAge = SpanBins()
  /// The time that phones took to show pushed data, if they did.
  package var pushToView = SpanBins()
}

extension StoredRun {
  /// Makes an empty run of a scenario.
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
  /// Returns the groups of a scope.
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

  /// By local hour: the number of times a balance first withheld a run.
  package var exhaustedHours: CountHistogram {
    groups.reduce(into: CountHistogram()) { $0 += CountHistogram(counts: $1.exhaustedHours) }
  }

  /// Runs per instance and full day.
  package var runsPerDay: CountHistogram { groups.reduce(into: CountHistogram()) { $0 += $1.runsPerDay } }

  /// Returns the ages of the data at the views of a scope.
  package func dataAge(in scope: Scope) -> SpanBins {
    groups(in: scope).reduce(into: SpanBins()) { $0 += $1.dataAge }
  }
}
