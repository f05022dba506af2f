package import Scenario
import SimulationKernel

/// The activity of one kind's widgets in one cohort on followed phones, and the times until users saw the pushed data.
///
/// The metrics are defined in MODEL.md 8.3 and 8.4.
package struct FollowTally: BitwiseCopyable {
  /// The total time for which the widgets exist in the measured period.
  package fileprivate(set) var milliseconds: Int64 = 0
  /// The time of the widgets, broken down by part. The part `caughtUp` is not additional time; it is the excess
  /// contained in `asked`.
  package private(set) var parts = AskedPart.Table<Int64>(repeating: 0)
  /// The number of runs with the cause `policy` (`policyRuns`), and the number of all other runs.
  package private(set) var policyRuns: Int64 = 0
  package private(set) var otherRuns: Int64 = 0
  /// The activity in each hour of the local day.
  package fileprivate(set) var hours = InlineArray<24, HourTally>(repeating: HourTally())
  /// The balances, ordered by hour of the local day and then by bin.
  package let balances: UnsafeMutablePointer<UInt32>
  /// The pushes to all phones, including phones that are not followed.
  package fileprivate(set) var pushes = PushTally()
  /// The pushes of each event, indexed by the event's number in the file. Waits are counted from the start of the
  /// event.
  package let eventPushes: UnsafeMutablePointer<PushTally>
  private let events: Int

  package static let hoursPerDay = 24

  init(events: Int) {
    balances = zeroed(Self.hoursPerDay * BalanceBins.count)
    self.events = events
    eventPushes = .allocate(capacity: events)
    eventPushes.initialize(repeating: PushTally(), count: events)
  }

  func free() {
    balances.deallocate()
    pushes.free()
    for event in 0..<events { eventPushes[event].free() }
    eventPushes.deallocate()
  }

  fileprivate mutating func add(_ part: AskedPart, _ milliseconds: Int64) { parts[Int(part.rawValue)] &+= milliseconds }

  fileprivate mutating func recordRun(_ cause: Cause, hour: Int) {
    hours[hour].runs += 1
    if cause == .policy { policyRuns += 1 } else { otherRuns += 1 }
  }

  fileprivate func recordBalance(_ balance: RunMillionths, hour: Int) {
    balances[hour * BalanceBins.count + BalanceBins.bin(of: balance)] += 1
  }
}

/// The activity of widgets in one hour of the local day.
package struct HourTally: BitwiseCopyable {
  /// The total time for which the widgets exist in this hour of the local day.
  package var milliseconds: Int64 = 0
  package var runs: Int64 = 0
  package var views: Int64 = 0
  package var staleViews: Int64 = 0
  /// The number of views that showed data (`agedViews`), and the sum of the ages of that data.
  package var agedViews: Int64 = 0
  package var ageMilliseconds: Int128 = 0

  fileprivate mutating func recordView(age: TimeAmount?, isStale: Bool) {
    views += 1
    if isStale { staleViews += 1 }
    guard let age else { return }
    agedViews += 1
    ageMilliseconds += Int128(age.milliseconds)
  }
}

/// The times from a push until the user saw its data.
package struct PushTally: BitwiseCopyable {
  package private(set) var pushes: Int64 = 0
  package private(set) var unshown: Int64 = 0
  package private(set) var milliseconds: Int128 = 0
  /// The bins of a `SpanHistogram`; `nil` until the first value is recorded.
  package private(set) var shown: UnsafeMutablePointer<Int64>?

  fileprivate mutating func recordPush() { pushes += 1 }
  fileprivate mutating func recordUnshown() { unshown += 1 }

  fileprivate mutating func recordShown(after span: TimeAmount) {
    let bins = shown ?? zeroed(SpanHistogram.binCount)
    bins[SpanHistogram.bin(of: span)] += 1
    shown = bins
    milliseconds += Int128(span.milliseconds)
  }

  fileprivate func free() { shown?.deallocate() }
}

/// The counters of one kind's widgets in one cohort on followed phones.
struct FollowedGroup: BitwiseCopyable {
  private let tally: UnsafeMutablePointer<FollowTally>

  fileprivate init(_ tally: UnsafeMutablePointer<FollowTally>) { self.tally = tally }

  /// Adds the time for which a widget exists in the measured period.
  func addTime(_ span: TimeAmount) { tally.pointee.milliseconds += span.milliseconds }

  /// Adds the time for which a widget exists in an hour of the local day.
  func addTime(_ span: TimeAmount, hour: Int) { tally.pointee.hours[hour].milliseconds += span.milliseconds }

  /// Adds time in milliseconds to a part of the breakdown; some of the time may be subtracted again later.
  func add(_ part: AskedPart, _ milliseconds: Int64) { tally.pointee.add(part, milliseconds) }

  /// Counts a run in a local hour.
  func recordRun(_ cause: Cause, hour: Int) { tally.pointee.recordRun(cause, hour: hour) }

  /// Counts a view in a local hour; `age` is `nil` if there was no entry to show.
  func recordView(age: TimeAmount?, isStale: Bool, hour: Int) {
    tally.pointee.hours[hour].recordView(age: age, isStale: isStale)
  }

  /// Counts a balance that is read in a local hour.
  func recordBalance(_ balance: RunMillionths, hour: Int) { tally.pointee.recordBalance(balance, hour: hour) }

  /// Counts a push; the time until its data was seen is counted later.
  func recordPush() { tally.pointee.pushes.recordPush() }
  func recordUnshown() { tally.pointee.pushes.recordUnshown() }
  func recordShown(after span: TimeAmount) { tally.pointee.pushes.recordShown(after: span) }

  /// Counts a push of an event in the file; the time from the start of the event until the data was seen is counted
  /// later.
  func recordPush(of event: Int) { tally.pointee.eventPushes[event].recordPush() }
  func recordUnshown(of event: Int) { tally.pointee.eventPushes[event].recordUnshown() }
  func recordShown(after span: TimeAmount, of event: Int) {
    tally.pointee.eventPushes[event].recordShown(after: span)
  }
}

extension Tally {
  /// Returns the counters of one kind's widgets in one cohort on followed phones.
  func followed(_ group: Group) -> FollowedGroup {
    FollowedGroup(followed + (group.cohort.place &* shape.kinds &+ group.kind.place))
  }
}
