import DeviceModel
import Scenario
import SimulationKernel

extension ReplicationResult {
  /// What one thread counted, as values.
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
    var groups: [GroupResult] = []
    for cohort in 0..<shape.cohorts {
      for kind in 0..<shape.kinds {
        groups.append(
          GroupResult(
            tally.groups[cohort * shape.kinds + kind], cohort: cohort, kind: kind, shape: shape,
            radios: scenario.fleet.cohorts[cohort].network.radios))
        groups[groups.count - 1].followed = FollowedResult(
          tally.followed[cohort * shape.kinds + kind], events: shape.events)
      }
    }
    self.init(
      load: load, causeMinutes: Self.causeMinutes(tally), groups: groups, devices: DeviceTable(),
      eventCount: tally.eventCount, runCount: tally.runCount,
      batteries: (0..<shape.cohorts).map { BatteryResult(tally.batteries[$0]) },
      phoneDays: (0..<shape.cohorts).map { CountHistogram(counts: tally.phoneDayHistogram($0)) },
      energy: PhoneEnergy(tally.energy))
  }

  private static func causeMinutes(_ tally: borrowing Tally) -> [CauseMinute] {
    let shape = tally.shape
    var rows: [CauseMinute] = []
    var index = 0
    for minute in 0..<shape.minutes {
      for endpoint in 0..<shape.endpoints {
        for cohort in 0..<shape.cohorts {
          for cause in Cause.allCases {
            let cell = tally.minutes[index]
            index += 1
            guard cell.requests > 0 || cell.failures[Int(FailureReason.offline.rawValue)] > 0 else { continue }
            rows.append(
              CauseMinute(
                minute: minute, endpoint: endpoint, cohort: cohort, cause: cause,
                traffic: Traffic(cell)))
          }
        }
      }
    }
    return rows
  }
}

extension Traffic {
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

  /// A histogram with the days on which there was none.
  private static func histogram(_ counts: [Int64], days: Int64) -> CountHistogram {
    var counts = counts
    counts[0] = days - counts.reduce(0, +)
    return CountHistogram(counts: counts)
  }
}

extension WaitTally {
  fileprivate init(count: Int64, totalMilliseconds: Int128) {
    self.init()
    self.count = count
    self.totalMilliseconds = totalMilliseconds
  }
}

extension NetworkHabits {
  /// In the order of the results' interfaces.
  fileprivate var radios: [RadioProfile] {
    switch self {
    case .fixed(let radio): [radio]
    case .roaming(let roaming): [.wifi, roaming.cellular]
    }
  }
}
