package import Scenario
import SimulationKernel

/// The activity of one kind's instances in one cohort during the measured period, as counted by one thread.
package struct GroupTally: BitwiseCopyable {

  package var instances: Int64 = 0
  /// The total time of the instances in the measured period, the number of their whole days, and their total time in
  /// each half of these days.
  package private(set) var milliseconds: Int64 = 0
  package private(set) var wholeDays: Int64 = 0
  package private(set) var millisecondsByHalf = InlineArray<2, Int64>(repeating: 0)
  package var cacheHits: Int64 = 0
  package var runs = Cause.Table<Int64>(repeating: 0)
  package var waits = WaitReason.Table<Int64>(repeating: 0)
  package var waitMilliseconds = WaitReason.Table<Int64>(repeating: 0)
  package var latenessMilliseconds: Int64 = 0
  package var callMilliseconds: Int64 = 0
  package var views: Int64 = 0
  package var staleViews: Int64 = 0
  package var staleViewsAfter: Int64 = 0
  /// The sum of ages takes 128 bits. With 64 bits, it would overflow after a few thousand phones if the data were as
  /// old as the clock.
  package var dataAgeMilliseconds: Int128 = 0
  /// The energy that has not been added to `use` yet.
  package internal(set) var energy = EnergyTally()
  /// The radio use on each interface.
  package internal(set) var use = InlineArray<2, RadioUse>(repeating: RadioUse())
  /// The bins of a `SpanHistogram` for the age of the data at views; views without data are excluded.
  package let dataAge: UnsafeMutablePointer<Int64>
  /// The bins of a `SpanHistogram` for the lateness of scheduled runs.
  package let lateness: UnsafeMutablePointer<Int64>
  /// The bins of a `SpanHistogram` for the time from a background call by the app to the requested run.
  package let callToRun: UnsafeMutablePointer<Int64>
  /// The number of budget exhaustions in each minute of the local day.
  package let budgetExhausted: UnsafeMutablePointer<Int64>
  /// The number of budget exhaustions in each half of the measured whole days.
  package internal(set) var budgetExhaustedByHalf = InlineArray<2, Int64>(repeating: 0)
  /// The traffic, ordered by endpoint and then by cause.
  package let traffic: UnsafeMutablePointer<TrafficTally>
  /// The requests to each endpoint that were saved by a cache or by another run's flight.
  package let saved: UnsafeMutablePointer<TrafficTally>
  /// The numbers of instance-days by number of runs, for all runs, charged runs, free runs, and the runs with each
  /// cause. For a single cause, days without such runs are omitted.
  var runsPerDay = GrowingCounts()
  var chargedPerDay = GrowingCounts()
  var freePerDay = GrowingCounts()
  let causesPerDay: UnsafeMutablePointer<GrowingCounts>

  package static let minutesPerDay = 1_440

  init(endpoints: Int) {
    lateness = zeroed(SpanHistogram.binCount)
    callToRun = zeroed(SpanHistogram.binCount)
    dataAge = zeroed(SpanHistogram.binCount)
    budgetExhausted = zeroed(Self.minutesPerDay)
    let trafficCount = endpoints * Cause.count
    traffic = .allocate(capacity: trafficCount)
    traffic.initialize(repeating: TrafficTally(), count: trafficCount)
    saved = .allocate(capacity: endpoints)
    saved.initialize(repeating: TrafficTally(), count: endpoints)
    causesPerDay = .allocate(capacity: Cause.count)
    for index in 0..<Cause.count { (causesPerDay + index).initialize(to: GrowingCounts(capacity: 16)) }
  }

  func free() {
    lateness.deallocate()
    callToRun.deallocate()
    dataAge.deallocate()
    budgetExhausted.deallocate()
    traffic.deallocate()
    saved.deallocate()
    runsPerDay.free()
    chargedPerDay.free()
    freePerDay.free()
    for index in 0..<Cause.count { causesPerDay[index].free() }
    causesPerDay.deallocate()
  }

  /// Counts the lateness of a scheduled run. For background calls by the app, the lateness is also the time since the
  /// call.
  @inline(__always)
  mutating func recordLateness(_ span: TimeAmount, of cause: Cause) {
    let bin = SpanHistogram.bin(of: span)
    lateness[bin] &+= 1
    latenessMilliseconds &+= span.milliseconds
    guard cause == .background else { return }
    callToRun[bin] &+= 1
    callMilliseconds &+= span.milliseconds
  }

  mutating func recordInstance(_ life: PhoneLifetime, _ duration: TimeAmount) {
    instances += 1
    milliseconds += life.measured(duration).milliseconds
    wholeDays += life.wholeDays(duration)
    for (half, days) in MeasuredHalves(of: duration).ranges.enumerated() {
      millisecondsByHalf[half] += life.measured(fromDay: days.lowerBound, to: days.upperBound).milliseconds
    }
  }

  /// Counts a day of an instance and returns the number of runs on that day.
  mutating func recordDay(_ day: DayCounts) -> Int {
    var total = 0
    var charged = 0
    for cause in Cause.allCases {
      let runs = Int(day.runs[Int(cause.rawValue)])
      guard runs > 0 else { continue }
      total += runs
      if cause.isCharged { charged += runs }
      causesPerDay[Int(cause.rawValue)].add(1, at: runs)
    }
    runsPerDay.add(1, at: total)
    chargedPerDay.add(1, at: charged)
    freePerDay.add(1, at: total - charged)
    return total
  }

  /// Returns the number of instance-days on which there were 0, 1, 2, ... runs.
  package func dayHistogram() -> [Int64] { Self.histogram(runsPerDay) }
  package func chargedDayHistogram() -> [Int64] { Self.histogram(chargedPerDay) }
  package func freeDayHistogram() -> [Int64] { Self.histogram(freePerDay) }

  /// Returns the number of instance-days by number of runs with one cause, omitting days without such runs.
  package func dayHistogram(of cause: Cause) -> [Int64] { Self.histogram(causesPerDay[Int(cause.rawValue)]) }

  static func histogram(_ counts: GrowingCounts) -> [Int64] {
    let used = (0..<counts.capacity).last { counts.counts[$0] != 0 } ?? -1
    return (0...max(used, 0)).map { counts.counts[$0] }
  }
}

/// The number of an instance's runs with each cause, on one day of the measured period.
struct DayCounts: BitwiseCopyable {
  /// The end of the day (exclusive).
  var end: Instant = .start + .day
  var runs = Cause.Table<UInt32>(repeating: 0)
}

/// The number of requests and their total size in bytes.
package struct TrafficTally: BitwiseCopyable {
  package var requests: Int64 = 0
  package var successes: Int64 = 0
  package var failures = FailureReason.Table<Int64>(repeating: 0)
  package var bytesUp: Int64 = 0
  package var bytesDown: Int64 = 0
  package var retries: Int64 = 0
}
