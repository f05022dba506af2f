package import FleetEngine
package import Scenario
package import SimulationKernel

/// The series and histograms of a run that a report shows in addition to the run's figures.
package struct StoredRun: Equatable, Sendable {
  package var scenario: Scenario
  /// The number of devices simulated in each replication.
  package var devicesSimulated: Int
  package var eventSpans: [EventSpan]
  /// The spans of the named windows that occur at the same instants on all phones.
  package var windowSpans: [WindowSpan] = []
  package var replications: [StoredReplication]
  /// The groups with at least one instance in any replication. There is one group per cohort and kind, sorted by
  /// cohort, then by kind.
  package var groups: [StoredGroup]
  /// A histogram of the number of refreshes per phone and day, summed over all widgets on the phone and over all
  /// replications.
  package var phoneDays = CountHistogram()
  /// The data of followed widgets by kind, then by hour of the local day.
  package var hours: [StoredHour] = []
  /// The outcomes of requested refreshes for each kind.
  package var asked: [StoredAsked] = []
}

/// The series of one replication over the measured period, unscaled.
package struct StoredReplication: Equatable, Sendable {
  /// The load of each endpoint, in scenario order.
  package var load: [StoredLoad]
  /// The entries for each minute, endpoint, cohort and cause with at least one arrival or failure, in that order.
  package var minutes: [StoredMinute]

  package func stepCounts(endpoint: Int?) -> [Int64] {
    endpoint.map { load[$0].arrivals } ?? sumsByStep(load.map(\.arrivals))
  }
}

/// The requests of an endpoint in each time step.
package struct StoredLoad: Equatable, Sendable {
  package var arrivals: [Int64] = []
  /// The number of requests that failed.
  package var failures: [Int64] = []
  /// The requests from the whole fleet that passed a CDN; empty if there is no CDN or no backend was simulated.
  package var origin: [Double] = []
  /// The state of the queue in each step; empty if the endpoint has no limits.
  package var queue: [StoredQueueStep] = []
}

/// One time step at an endpoint with a capacity. Counts are for the whole fleet, to 10 significant digits.
package struct StoredQueueStep: Hashable, Sendable {
  /// The number of requests, from devices and base load, that reached the queue.
  package var reached: Double
  package var base: Double
  /// The number of requests that the capacity could serve; infinite if there is no limit.
  package var room: Double
  /// The capacity in requests per second; infinite if there is no limit.
  package var capacity: Double
  /// The number of requests refused because the queue was full.
  package var refused: Double
  /// The queue length at the end of the step.
  package var backlog: Double

  package var isOverloaded: Bool { reached + base > room }
}

/// The arrivals at one endpoint in one minute, from one cohort and with one cause.
package struct StoredMinute: Hashable, Sendable {
  package var minute: Int
  package var endpoint: Int
  package var cohort: Int
  package var cause: Cause
  package var requests: Int64
  /// The number of the requests sent that failed.
  package var failed: Int64
  /// The number of requests that are second or later attempts within one widget run.
  package var retries: Int64
}

/// The unscaled histograms of one kind in one cohort, over all replications.
package struct StoredGroup: Hashable, Sendable {
  package var cohort: Int
  package var kind: Int
  /// A histogram of the number of runs per instance on each full day.
  package var runsPerDay = CountHistogram()
  /// The number of times that a budget balance started to withhold runs, by local hour.
  package var exhaustedHours: [Int64] = Array(repeating: 0, count: 24)
  /// A histogram of the data's age at each view that showed data.
  package var dataAge = SpanBins()
  /// A histogram of the time until phones showed pushed data. Phones that never showed the data are not counted.
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

  /// Returns a histogram of the time until phones showed pushed data, for the kinds of a scope.
  package func pushToView(in scope: Scope) -> SpanBins {
    groups(in: scope).reduce(into: SpanBins()) { $0 += $1.pushToView }
  }

  /// The number of times that a budget balance started to withhold runs, by local hour.
  package var exhaustedHours: CountHistogram {
    groups.reduce(into: CountHistogram()) { $0 += CountHistogram(counts: $1.exhaustedHours) }
  }

  /// A histogram of the number of runs per instance on each full day.
  package var runsPerDay: CountHistogram { groups.reduce(into: CountHistogram()) { $0 += $1.runsPerDay } }

  /// Returns a histogram of the data's age at a scope's views.
  package func dataAge(in scope: Scope) -> SpanBins {
    groups(in: scope).reduce(into: SpanBins()) { $0 += $1.dataAge }
  }
}
