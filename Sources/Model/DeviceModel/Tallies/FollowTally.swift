package import Scenario
import SimulationKernel

/// What the widgets of a kind in a cohort did on phones that are followed, and when phones showed what was pushed
/// (MODEL.md 8.3, 8.4).
package struct FollowTally: BitwiseCopyable {
  /// For how long they are there in the measured period.
  package fileprivate(set) var milliseconds: Int64 = 0
  /// That time by what it went to; `caughtUp` is no time but what `asked` has too much.
  package private(set) var parts = AskedPart.Table<Int64>(repeating: 0)
  /// Refreshes of the cause `policy`, and all others.
  package private(set) var policyRuns: Int64 = 0
  package private(set) var otherRuns: Int64 = 0
  /// By hour of the local day.
  package fileprivate(set) var hours = InlineArray<24, HourTally>(repeating: HourTally())
  /// By hour of the local day, then bin.
  package let balances: UnsafeMutablePointer<UInt32>
  /// What was pushed, to all phones.
  package fileprivate(set) var pushes = PushTally()
  /// Pushes of each event, with waits from its start on, by its number in the file.
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

/// What widgets did in one hour of the local day.
package struct HourTally: BitwiseCopyable {
  /// For how long widgets were there in it.
  package var milliseconds: Int64 = 0
  package var runs: Int64 = 0
  package var views: Int64 = 0
  package var staleViews: Int64 = 0
  /// Views of any data, and the sum of its ages.
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

/// How long it took phones to show what was pushed.
package struct PushTally: BitwiseCopyable {
  package private(set) var pushes: Int64 = 0
  package private(set) var unshown: Int64 = 0
  package private(set) var milliseconds: Int128 = 0
  /// Bins of a `SpanHistogram`; nil: none yet.
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

/// The place of what is counted of the widgets of a kind in a cohort where they are followed.
struct FollowedGroup: BitwiseCopyable {
  private let tally: UnsafeMutablePointer<FollowTally>

  fileprivate init(_ tally: UnsafeMutablePointer<FollowTally>) { self.tally = tally }

  /// Counts for how long a widget is there in the measured period.
  func addTime(_ span: TimeAmount) { tally.pointee.milliseconds += span.milliseconds }

  /// Counts for how long it is there in an hour of the local day.
  func addTime(_ span: TimeAmount, hour: Int) { tally.pointee.hours[hour].milliseconds += span.milliseconds }

  /// Counts time by what it went to, in milliseconds, which a later call may take back.
  func add(_ part: AskedPart, _ milliseconds: Int64) { tally.pointee.add(part, milliseconds) }

  /// Counts a run at a local hour.
  func recordRun(_ cause: Cause, hour: Int) { tally.pointee.recordRun(cause, hour: hour) }

  /// Counts a view at a local hour; `age` is nil when there was nothing to see.
  func recordView(age: TimeAmount?, isStale: Bool, hour: Int) {
    tally.pointee.hours[hour].recordView(age: age, isStale: isStale)
  }

  /// Counts a balance that was looked at in a local hour.
  func recordBalance(_ balance: RunMillionths, hour: Int) { tally.pointee.recordBalance(balance, hour: hour) }

  /// Counts what was pushed, and when it was seen.
  func recordPush() { tally.pointee.pushes.recordPush() }
  func recordUnshown() { tally.pointee.pushes.recordUnshown() }
  func recordShown(after span: TimeAmount) { tally.pointee.pushes.recordShown(after: span) }

  /// Counts the pushes of an event of the file, and how long after its start they were seen.
  func recordPush(of event: Int) { tally.pointee.eventPushes[event].recordPush() }
  func recordUnshown(of event: Int) { tally.pointee.eventPushes[event].recordUnshown() }
  func recordShown(after span: TimeAmount, of event: Int) {
    tally.pointee.eventPushes[event].recordShown(after: span)
  }
}

extension Tally {
  /// What is counted of the widgets of a kind in a cohort where they are followed.
  func followed(_ group: Group) -> FollowedGroup {
    FollowedGroup(followed + (group.cohort.place &* shape.kinds &+ group.kind.place))
  }
}
