import DeviceModel
package import Scenario
package import SimulationKernel

/// The activity of one kind of widget in one cohort on followed phones, and the times until users saw pushed content.
///
/// See MODEL.md 8.3 and 8.4.
package struct FollowedResult: Hashable, Sendable {
  /// The total time of the followed widgets in the measured period.
  package var milliseconds: Int64 = 0
  /// The time spent in each `AskedPart`, in milliseconds.
  package var parts: [Int64] = Array(repeating: 0, count: AskedPart.allCases.count)
  /// The number of runs with the cause `policy`, followed by the number of all other runs.
  package var policyRuns: Int64 = 0
  package var otherRuns: Int64 = 0
  /// The activity in each hour of the local day.
  package var hours: [HourResult] = Array(repeating: HourResult(), count: FollowTally.hoursPerDay)
  /// The results for pushes to all phones, including phones that are not followed.
  package var pushes = PushResult()
  /// The results for each push event with a start time, in file order.
  package var eventPushes: [EventPushResult] = []

  package init() {}

  package subscript(part: AskedPart) -> Int64 { parts[Int(part.rawValue)] }

  /// The total time of all parts, in milliseconds, with `caughtUp` counted as negative.
  package var sumOfParts: Int128 {
    AskedPart.allCases.reduce(Int128(0)) { $0 + ($1 == .caughtUp ? -1 : 1) * Int128(self[$1]) }
  }
}

/// The activity of followed widgets in one hour of the local day.
package struct HourResult: Hashable, Sendable {
  /// The total time of the followed widgets in this hour.
  package var milliseconds: Int64 = 0
  package var runs: Int64 = 0
  package var views: Int64 = 0
  package var staleViews: Int64 = 0
  /// The number of views that showed data, followed by the sum of the data's ages.
  package var agedViews: Int64 = 0
  package var ageMilliseconds: Int128 = 0
  /// The number of budget balances that were read, by bin of `BalanceBins`.
  package var balances = CountHistogram()
}

/// The times from the start of an event until its pushes were seen.
package struct EventPushResult: Hashable, Sendable {
  /// The index of the event in `Scenario.events`.
  package var event: Int
  package var pushes: PushResult
}

/// The times until phones showed pushed content.
package struct PushResult: Hashable, Sendable {
  /// The number of pushes sent to phones that have a widget of this kind.
  package var pushes: Int64 = 0
  /// The number of waits that did not end, because the content was never viewed.
  package var unshown: Int64 = 0
  /// The number of completed waits by bin of a `SpanHistogram`, followed by their total duration.
  package var shown = CountHistogram()
  package var milliseconds: Int128 = 0

  package init() {}

  /// The number of waits, including those that were not completed.
  package var waits: Int64 { shown.total + unshown }

  /// The durations of the completed waits.
  package var spans: SpanHistogram {
    let missing = SpanHistogram.binCount - shown.counts.count
    return SpanHistogram(counts: shown.counts + Array(repeating: 0, count: missing), sumMilliseconds: milliseconds)
  }
}

extension FollowedResult: SummedFields {
  package static func list(_ fields: inout some FieldList<FollowedResult>) {
    fields.sum(\.milliseconds)
    fields.sum(\.parts)
    fields.sum(\.policyRuns)
    fields.sum(\.otherRuns)
    fields.sum(\.hours)
    fields.sum(\.pushes)
    fields.merge(\.eventPushes)
  }

  init(_ tally: FollowTally, events: Int) {
    milliseconds = tally.milliseconds
    parts = AskedPart.allCases.map { tally.parts[Int($0.rawValue)] }
    policyRuns = tally.policyRuns
    otherRuns = tally.otherRuns
    hours = (0..<FollowTally.hoursPerDay).map { hour in
      let first = tally.balances + hour * BalanceBins.count
      return HourResult(tally.hours[hour], balances: (0..<BalanceBins.count).map { Int64(first[$0]) })
    }
    pushes = PushResult(tally.pushes)
    eventPushes = (0..<events).compactMap { event in
      // A push counted by one thread may be viewed on a phone that another thread simulates.
      let pushes = PushResult(tally.eventPushes[event])
      return pushes == PushResult() ? nil : EventPushResult(event: event, pushes: pushes)
    }
  }
}

extension HourResult: SummedFields {
  package static func list(_ fields: inout some FieldList<HourResult>) {
    fields.sum(\.milliseconds)
    fields.sum(\.runs)
    fields.sum(\.views)
    fields.sum(\.staleViews)
    fields.sum(\.agedViews)
    fields.sum(\.ageMilliseconds)
    fields.sum(\.balances)
  }

  fileprivate init(_ tally: HourTally, balances counts: [Int64]) {
    milliseconds = tally.milliseconds
    runs = tally.runs
    views = tally.views
    staleViews = tally.staleViews
    agedViews = tally.agedViews
    ageMilliseconds = tally.ageMilliseconds
    balances = CountHistogram(counts: withoutZeros(counts))
  }
}

extension EventPushResult: SummedRow {
  package static func list(_ fields: inout some FieldList<EventPushResult>) {
    fields.place(\.event)
    fields.sum(\.pushes)
  }

  package static var blank: EventPushResult { EventPushResult(event: 0, pushes: PushResult()) }

  package func precedes(_ other: EventPushResult) -> Bool { event < other.event }
}

extension PushResult: SummedFields {
  package static func list(_ fields: inout some FieldList<PushResult>) {
    fields.sum(\.pushes)
    fields.sum(\.unshown)
    fields.sum(\.shown)
    fields.sum(\.milliseconds)
  }

  fileprivate init(_ tally: PushTally) {
    pushes = tally.pushes
    unshown = tally.unshown
    milliseconds = tally.milliseconds
    guard let bins = tally.shown else { return }
    shown = CountHistogram(counts: withoutZeros(Array(UnsafeBufferPointer(start: bins, count: SpanHistogram.binCount))))
  }
}

/// Returns the counts with trailing zeros removed.
private func withoutZeros(_ counts: [Int64]) -> [Int64] {
  Array(counts.prefix((counts.lastIndex { $0 != 0 } ?? -1) + 1))
}
