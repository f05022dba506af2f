package import BackendModel
package import DeviceModel
package import Scenario
package import SimulationKernel

/// The results of a scenario: integer tallies of all replications, from which statistics can be computed.
package struct RunResult: Sendable {
  package var scenario: Scenario
  /// The number of devices per replication that exist when the simulation starts.
  ///
  /// Metrics are scaled up from this number to `scenario.fleet.devices`.
  package var devicesSimulated: Int
  /// The number of devices in each cohort, including devices added later, in scenario order.
  package var cohortSizes: [Int]
  package var replications: [ReplicationResult]
  /// The time spans of outages, pushes and other events, in file order and then chronologically.
  package var eventSpans: [EventSpan] = []
  /// The spans of the named windows that apply at the same instants on all phones, by window and then chronologically.
  /// The spans are limited to the measured period.
  package var windowSpans: [WindowSpan] = []

  /// The number of devices per replication, including devices added later.
  package var devicesTotal: Int { cohortSizes.reduce(0, +) }
}

/// The integer tallies of one replication in the measured period, before scaling.
///
/// Tallies for disjoint sets of devices can be added with `+=` in any order. Derived values are then computed from the
/// total.
package struct ReplicationResult: Equatable, Sendable {
  /// The load at each endpoint, in scenario order.
  package var load: [LoadSeries]
  /// The rows for each combination of minute, endpoint, cohort and cause with an arrival or a failure, sorted by these
  /// fields.
  package var causeMinutes: [CauseMinute]
  /// The results by cohort and kind, in scenario order.
  ///
  /// The complete sum omits groups that have no instances and no gallery requests.
  package var groups: [GroupResult]
  package var devices: DeviceTable
  /// The results for each named window, in scenario order; each contains only the counts within that window.
  package var windows: [[GroupResult]] = []
  /// The number of events processed by devices, including those in the warm-up.
  package var eventCount: Int64
  /// The number of runs of all instances, including those in the warm-up.
  package var runCount: Int64
  /// The battery results by cohort, in scenario order.
  package var batteries: [BatteryResult] = []
  /// The number of whole phone-days by number of runs of all widgets, with one histogram per cohort.
  package var phoneDays: [CountHistogram] = []
  /// The number of pushes sent to phones in the measured period, by event.
  package var pushes: [Int64] = []
  /// The energy of all phones.
  package var energy = PhoneEnergy()
  /// The spread between device groups at each endpoint and, if there are several endpoints, for all of them combined.
  /// These values are derived from the complete sum.
  package var spreads: [LoadSpread] = []
  /// The result of the backend, which every rank computes from the same sums; `nil` if there is no feedback.
  package var backend: BackendResult?
}

/// The number of requests to one endpoint in each time step.
package struct LoadSeries: Hashable, Sendable {
  /// The number of requests that arrived in [i step, (i + 1) step) after the start, at index i.
  package var arrivals: [UInt32]
  /// The number of failed requests among the arrivals, by step.
  package var failures: [UInt32]
}

/// The requests with one cause from one cohort that arrived at one endpoint within one minute.
package struct CauseMinute: Hashable, Sendable {
  /// The number of whole minutes from the start to this minute.
  package var minute: Int
  package var endpoint: Int
  package var cohort: Int
  package var cause: Cause
  package var traffic: Traffic
}

/// The number of requests and the bytes that they transferred.
package struct Traffic: Hashable, Sendable {
  package var requests: Int64 = 0
  package var successes: Int64 = 0
  /// The number of failures by `FailureReason`. If the network was unavailable, no request was sent.
  package var failures: [Int64] = Array(repeating: 0, count: FailureReason.allCases.count)
  package var bytesUp: Int64 = 0
  package var bytesDown: Int64 = 0
  /// The number of requests that were retries within a run.
  package var retries: Int64 = 0

  package init() {}

  /// The number of sent requests that failed. Failures without a network are excluded because no request was sent.
  package var failedRequests: Int64 { failures.reduce(0, +) - failures[Int(FailureReason.offline.rawValue)] }

  fileprivate init(_ tally: TrafficTally) {
    self.init()
    requests = tally.requests
    successes = tally.successes
    failures = FailureReason.allCases.map { tally.failures[Int($0.rawValue)] }
    bytesUp = tally.bytesUp
    bytesDown = tally.bytesDown
    retries = tally.retries
  }

  fileprivate init(_ cell: Tally.MinuteCell) {
    self.init()
    requests = Int64(cell.requests)
    failures = FailureReason.allCases.map { Int64(cell.failures[Int($0.rawValue)]) }
    successes = requests - failedRequests
    bytesUp = cell.bytesUp
    bytesDown = cell.bytesDown
    retries = Int64(cell.retries)
  }
}

/// The activity of all widgets of one kind in one cohort.
package struct GroupResult: Hashable, Sendable {
  package var cohort: Int
  package var kind: Int
  package var instances: Int64
  /// The number of runs by `Cause`.
  package var runs: [Int64]
  /// The number of runs per instance per measured day. Each day is 24 h long, counted from the start; a partial last
  /// day is excluded.
  package var runsPerDay: CountHistogram
  /// The number of runs per instance per measured day, by `Cause`.
  package var runsPerDayByCause: [CountHistogram]
  package var chargedRunsPerDay: CountHistogram
  package var freeRunsPerDay: CountHistogram
  /// The lateness of scheduled runs, from due date to start, including coalesced runs.
  package var lateness: SpanHistogram
  /// The time from a reload call that the app makes in the background to the resulting run.
  package var callToRun = SpanHistogram()
  /// The waits by `WaitReason` that ended in the measured period.
  package var waits: [WaitTally]
  /// The number of local days on which the budget first withheld a run at local time h:m, at index h x 60 + m.
  package var budgetExhausted: CountHistogram
  /// The number of first budget exhaustions on local days, for each half of the measured whole days (`MeasuredHalves`).
  package var budgetExhaustedByHalf: [Int64] = [0, 0]
  package var cacheHits: Int64
  package var views: Int64
  /// The number of views of data older than the kind's limit, before and after the reload that the view triggers.
  package var staleViews: Int64
  package var staleViewsAfter: Int64
  /// The age of the data shown in views; views without data are excluded.
  package var dataAge: SpanHistogram
  /// The requests by endpoint, then by `Cause`.
  package var traffic: [[Traffic]]
  /// The requests saved because a cache or another run's request provided the response, by endpoint.
  package var saved: [Traffic] = []
  package var energy = EnergySums()
  package var followed = FollowedResult()
  /// The total time of the instances in the measured period, followed by the time in whole days and in each half of the
  /// whole days.
  ///
  /// Each day is 24 h long, counted from the start.
  package var milliseconds: Int64
  package var wholeDays: Int64
  package var millisecondsByHalf: [Int64]
}

extension GroupResult {
  fileprivate init(_ tally: GroupTally, cohort: Int, kind: Int, shape: Tally.Shape, radios: [RadioProfile]) {
    let causes = Cause.allCases
    self.init(
      cohort: cohort, kind: kind, instances: tally.instances,
      runs: causes.map { tally.runs[Int($0.rawValue)] },
      runsPerDay: CountHistogram(counts: tally.dayHistogram()),
      runsPerDayByCause: causes.map { Self.histogram(tally.dayHistogram(of: $0), days: tally.wholeDays) },
      chargedRunsPerDay: CountHistogram(counts: tally.chargedDayHistogram()),
      freeRunsPerDay: CountHistogram(counts: tally.freeDayHistogram()),
      lateness: SpanHistogram(
        counts: Array(UnsafeBufferPointer(start: tally.lateness, count: SpanHistogram.binCount)),
        sumMilliseconds: Int128(tally.latenessMilliseconds)),
      callToRun: SpanHistogram(
        counts: Array(UnsafeBufferPointer(start: tally.callToRun, count: SpanHistogram.binCount)),
        sumMilliseconds: Int128(tally.callMilliseconds)),
      waits: WaitReason.allCases.map {
        WaitTally(
          count: tally.waits[Int($0.rawValue)], totalMilliseconds: Int128(tally.waitMilliseconds[Int($0.rawValue)]))
      },
      budgetExhausted: CountHistogram(
        counts: Array(UnsafeBufferPointer(start: tally.budgetExhausted, count: GroupTally.minutesPerDay))),
      budgetExhaustedByHalf: [tally.budgetExhaustedByHalf[0], tally.budgetExhaustedByHalf[1]],
      cacheHits: tally.cacheHits, views: tally.views, staleViews: tally.staleViews,
      staleViewsAfter: tally.staleViewsAfter,
      dataAge: SpanHistogram(
        counts: Array(UnsafeBufferPointer(start: tally.dataAge, count: SpanHistogram.binCount)),
        sumMilliseconds: tally.dataAgeMilliseconds),
      traffic: (0..<shape.endpoints).map { endpoint in
        causes.map { Traffic(tally.traffic[endpoint * causes.count + Int($0.rawValue)]) }
      },
      saved: (0..<shape.endpoints).map { Traffic(tally.saved[$0]) }, energy: EnergySums(tally, radios: radios),
      milliseconds: tally.milliseconds, wholeDays: tally.wholeDays,
      millisecondsByHalf: [tally.millisecondsByHalf[0], tally.millisecondsByHalf[1]])
  }

  /// Returns a histogram of runs per day, including the days without runs.
  private static func histogram(_ counts: [Int64], days: Int64) -> CountHistogram {
    var counts = counts
    counts[0] = days - counts.reduce(0, +)
    return CountHistogram(counts: counts)
  }
}

/// The number of waits and their total duration.
package struct WaitTally: Hashable, Sendable {
  package var count: Int64 = 0
  package var totalMilliseconds: Int128 = 0

  package init() {}

  fileprivate init(count: Int64, totalMilliseconds: Int128) {
    self.init()
    self.count = count
    self.totalMilliseconds = totalMilliseconds
  }
}

/// The result of one replication's backend with feedback, based on the load of the whole fleet.
package struct BackendResult: Equatable, Sendable {
  /// The conditions in each step, including the warm-up.
  package var conditions: ConditionsTrajectory
  /// The record of each measured step, indexed by endpoint in scenario order.
  package var records: [[EndpointRecord]]
}

/// The time span of an event that affects all devices simultaneously.
package struct EventSpan: Hashable, Sendable {
  /// The index of the event in `Scenario.events`.
  package var event: Int
  package var from: Instant
  /// The exclusive end of the span: the end of the last affected step for an outage, otherwise `over` after the start.
  package var to: Instant

  package init(event: Int, from: Instant, to: Instant) { (self.event, self.from, self.to) = (event, from, to) }
}

/// A span within the measured period during which a named window applies on all phones.
package struct WindowSpan: Hashable, Sendable {
  /// The index of the window in `Scenario.windows`.
  package var window: Int
  package var from: Instant
  package var to: Instant

  package init(window: Int, from: Instant, to: Instant) { (self.window, self.from, self.to) = (window, from, to) }
}

/// A calculation of how long each device exists in a fleet that grows or shrinks (MODEL.md 1.5).
package struct DeviceTimes: Sendable {
  private let seed: UInt64
  private let duration: TimeAmount
  /// The number of the first device and the growth plan, for each cohort.
  private let cohorts: [(first: Int, growth: GrowthPlan?)]

  /// Creates the calculation; `nil` if the size of the fleet is constant.
  package init?(of result: RunResult) {
    let scenario = result.scenario
    guard scenario.fleet.growthPerDay != nil else { return nil }
    (seed, duration) = (scenario.run.seed, scenario.clock.duration)
    var first = 0
    cohorts = zip(CohortSizes.atStart(scenario), result.cohortSizes).map { atStart, all in
      defer { first += all }
      return (first, CohortSizes.growth(of: atStart, scenario))
    }
  }

  /// Returns how long a device exists within the measured period.
  package func time(ofDevice device: Int, cohort: Int, replication: Int) -> TimeAmount {
    let (first, growth) = cohorts[cohort]
    let stream = DeviceStream(
      seed: seed, device: UInt32(truncatingIfNeeded: device), replication: UInt32(truncatingIfNeeded: replication))
    return growth?.life(of: device - first, stream, until: .start + duration).measured(duration) ?? duration
  }
}

extension ReplicationResult {
  /// Creates a result from the counts of one thread.
  init(_ tally: borrowing Tally, scenario: Scenario) {
    let shape = tally.shape
    let steps = shape.steps
    var load: [LoadSeries] = []
    for endpoint in 0..<shape.endpoints {
      load.append(
        LoadSeries(
          arrivals: Array(UnsafeBufferPointer(start: tally.arrivals + endpoint * steps, count: steps)),
          failures: Array(UnsafeBufferPointer(start: tally.failures + endpoint * steps, count: steps))))
    }
    let cells = shape.windowsOfCells.indices.map { Self.groups(ofCell: $0, tally, scenario) }
    var groups = Self.sum(of: cells)
    let windows = (0..<shape.windows).map { window in
      var inside = Self.sum(of: zip(cells, shape.windowsOfCells).filter { $1.contains(window) }.map(\.0))
      for index in inside.indices {
        inside[index].instances = groups[index].instances
        inside[index].milliseconds = tally.windowMilliseconds[window * shape.groups + index]
      }
      return inside
    }
    for index in groups.indices {
      groups[index].followed = FollowedResult(tally.followed[index], events: shape.events)
    }
    self.init(
      load: load, causeMinutes: Self.causeMinutes(tally), groups: groups, devices: DeviceTable(),
      windows: windows,
      eventCount: tally.eventCount, runCount: tally.runCount,
      batteries: (0..<shape.cohorts).map { BatteryResult(tally.batteries[$0]) },
      phoneDays: (0..<shape.cohorts).map { CountHistogram(counts: tally.phoneDayHistogram($0)) },
      pushes: Array(UnsafeBufferPointer(start: tally.pushes, count: shape.events)),
      energy: tally.energy)
  }

  /// Returns the groups counted in a cell of named windows.
  private static func groups(ofCell cell: Int, _ tally: borrowing Tally, _ scenario: Scenario) -> [GroupResult] {
    let shape = tally.shape
    var groups: [GroupResult] = []
    for cohort in 0..<shape.cohorts {
      for kind in 0..<shape.kinds {
        groups.append(
          GroupResult(
            tally.groups[cell * shape.groups + groups.count], cohort: cohort, kind: kind, shape: shape,
            radios: scenario.fleet.cohorts[cohort].network.radios))
      }
    }
    return groups
  }

  private static func sum(of cells: [[GroupResult]]) -> [GroupResult] {
    guard var sum = cells.first else { return [] }
    for cell in cells.dropFirst() { sum.add(cell) }
    return sum
  }

  private static func causeMinutes(_ tally: borrowing Tally) -> [CauseMinute] {
    let shape = tally.shape
    let (causes, minutes, cellsOfCause) = (Cause.allCases, shape.minutes, shape.cellsOfCause)
    var rows: [CauseMinute] = []
    for minute in 0..<minutes {
      for cohort in 0..<shape.endpoints * shape.cohorts {
        for cause in causes {
          let cell = tally.minutes[Int(cause.rawValue) * cellsOfCause + cohort * minutes + minute]
          guard cell.requests > 0 || cell.failures[Int(FailureReason.offline.rawValue)] > 0 else { continue }
          let (endpoint, cohort) = cohort.quotientAndRemainder(dividingBy: shape.cohorts)
          rows.append(
            CauseMinute(minute: minute, endpoint: endpoint, cohort: cohort, cause: cause, traffic: Traffic(cell)))
        }
      }
    }
    return rows
  }
}

extension NetworkHabits {
  /// The radio profiles, in the interface order used by the result.
  fileprivate var radios: [RadioProfile] {
    switch self {
    case .fixed(let radio): [radio]
    case .roaming(let roaming): [.wifi, roaming.cellular]
    }
  }
}

// The following field lists define how each result is summed and serialized.

extension ReplicationResult: SummedFields {
  package static func list(_ fields: inout some FieldList<ReplicationResult>) {
    fields.sum(\.load)
    fields.merge(\.causeMinutes)
    fields.sum(\.groups)
    fields.sum(\.windows)
    fields.merge(\.devices.rows)
    fields.sum(\.eventCount)
    fields.sum(\.runCount)
    fields.sum(\.batteries)
    fields.sum(\.phoneDays)
    fields.sum(\.pushes)
    fields.sum(\.energy)
    fields.derived(\.spreads)
    fields.derived(\.backend)
  }
}

extension LoadSeries: SummedFields {
  package static func list(_ fields: inout some FieldList<LoadSeries>) {
    fields.sum(\.arrivals)
    fields.sum(\.failures)
  }
}

extension CauseMinute: SummedRow {
  package static func list(_ fields: inout some FieldList<CauseMinute>) {
    fields.place(\.minute)
    fields.place(\.endpoint)
    fields.place(\.cohort)
    fields.place(\.cause)
    fields.sum(\.traffic)
  }

  package static var blank: CauseMinute {
    CauseMinute(minute: 0, endpoint: 0, cohort: 0, cause: .policy, traffic: Traffic())
  }

  package func precedes(_ other: CauseMinute) -> Bool {
    (minute, endpoint, cohort, cause.rawValue) < (other.minute, other.endpoint, other.cohort, other.cause.rawValue)
  }
}

extension Traffic: SummedFields {
  package static func list(_ fields: inout some FieldList<Traffic>) {
    fields.sum(\.requests)
    fields.sum(\.successes)
    fields.sum(\.failures)
    fields.sum(\.bytesUp)
    fields.sum(\.bytesDown)
    fields.sum(\.retries)
  }
}

extension GroupResult: SummedFields {
  package static func list(_ fields: inout some FieldList<GroupResult>) {
    fields.label(\.cohort)
    fields.label(\.kind)
    fields.sum(\.instances)
    fields.sum(\.runs)
    fields.sum(\.runsPerDay)
    fields.sum(\.runsPerDayByCause)
    fields.sum(\.chargedRunsPerDay)
    fields.sum(\.freeRunsPerDay)
    fields.sum(\.lateness)
    fields.sum(\.callToRun)
    fields.sum(\.waits)
    fields.sum(\.budgetExhausted)
    fields.sum(\.budgetExhaustedByHalf)
    fields.sum(\.cacheHits)
    fields.sum(\.views)
    fields.sum(\.staleViews)
    fields.sum(\.staleViewsAfter)
    fields.sum(\.dataAge)
    fields.sum(\.traffic)
    fields.sum(\.saved)
    fields.sum(\.energy)
    fields.sum(\.followed)
    fields.sum(\.milliseconds)
    fields.sum(\.wholeDays)
    fields.sum(\.millisecondsByHalf)
  }
}

extension WaitTally: SummedFields {
  package static func list(_ fields: inout some FieldList<WaitTally>) {
    fields.sum(\.count)
    fields.sum(\.totalMilliseconds)
  }
}

extension CountHistogram: SummedFields {
  package static func list(_ fields: inout some FieldList<CountHistogram>) { fields.sumOpen(\.counts) }
}

extension SpanHistogram: SummedFields {
  package static func list(_ fields: inout some FieldList<SpanHistogram>) {
    fields.sum(\.counts)
    fields.sum(\.sumMilliseconds)
  }
}

extension ShareHistogram: SummedFields {
  package static func list(_ fields: inout some FieldList<ShareHistogram>) { fields.sum(\.bins) }
}
