import Scenario
import SimulationKernel

/// The log of widget runs, which is kept separately from the widgets' state. The log contains draws generated in
/// advance and the counts of the current day (MODEL.md 8).
///
/// All methods change only memory outside the value, but are mutating because a borrow would copy the value.
struct RunLog: ~Copyable {
  private var days: Column<Slot, DayCounts>
  /// The unperturbed runs of each slot, used if phones are simulated from start to end.
  private let unperturbed: UnsafeMutablePointer<UnperturbedRuns>
  private let plans: UnperturbedPlans

  init<Rules: SchedulerRules>(_ phone: borrowing PhoneCore, in memory: DeviceMemory, _ rules: Rules.Type) {
    days = memory.days
    unperturbed = .allocate(capacity: Slot.maximum)
    unperturbed.initialize(repeating: UnperturbedRuns(), count: Slot.maximum)
    plans = UnperturbedPlans(phone.plan, tally: phone.tally, rules)
  }

  deinit {
    unperturbed.deallocate()
    plans.free()
  }

  /// Switches the log to another phone.
  @inline(__always)
  mutating func wake(in memory: DeviceMemory) { days = memory.days }

  /// Adds a widget that has not been placed yet.
  mutating func add(_ slot: Slot, _ phone: inout PhoneCore) {
    days.initialize(slot, to: DayCounts())
    // A watched phone records every step of each run, so it has no unperturbed runs.
    unperturbed[slot.place].reset(phone.isWatched ? nil : plans[phone.cohortIndex, phone.widget(slot).member])
  }

  // MARK: Draws

  /// Returns the plans of a widget's unperturbed runs; `nil` if its runs cannot be unperturbed.
  @inline(__always)
  mutating func plans(of slot: Slot) -> UnperturbedChoice? { unperturbed[slot.place].plans }

  /// Returns the provider's draws for the run with the given number, which need not be unperturbed.
  @inline(__always)
  mutating func providerDraws(_ slot: Slot, _ number: UInt32, _ phone: inout PhoneCore) -> UniformPair {
    guard let plans = unperturbed[slot.place].plans else {
      return phone.draws(.provider, part: phone.widget(slot).member.place, index: Int(number)).uniforms
    }
    haveDraws(slot, plans.onAny, number, &phone)
    return unperturbed[slot.place].draws.uniforms(number)
  }

  /// Returns the latency of an unperturbed run's request.
  @inline(__always)
  mutating func latency(_ slot: Slot, _ run: Prepared<UnperturbedPlan>, _ number: UInt32, _ phone: inout PhoneCore)
    -> TimeAmount
  {
    haveDraws(slot, run, number, &phone)
    return unperturbed[slot.place].draws.firstSpan(number)
  }

  /// Returns the span of the policy after(...) for an unperturbed run, whose latency must already have been requested.
  @inline(__always)
  mutating func span(_ slot: Slot, _ number: UInt32) -> TimeAmount { unperturbed[slot.place].draws.secondSpan(number) }

  @inline(__always)
  private mutating func haveDraws(
    _ slot: Slot, _ run: Prepared<UnperturbedPlan>, _ number: UInt32, _ phone: inout PhoneCore
  ) {
    if !unperturbed[slot.place].draws.has(number) { drawAhead(slot, run, from: number, &phone) }
  }

  /// Generates the draws for a widget's next runs and computes their results. All plans of a widget use the same
  /// samplers.
  @inline(never)
  private mutating func drawAhead(
    _ slot: Slot, _ run: Prepared<UnperturbedPlan>, from number: UInt32, _ phone: inout PhoneCore
  ) {
    unperturbed[slot.place].draws.make(
      phone.stream, purpose: Purpose.provider.rawValue, part: UInt32(phone.widget(slot).member.place), index: number,
      spans: (run.latency, run.after ?? .constant(.zero)))
  }

  // MARK: Counts

  /// Counts a run on the day on which it starts.
  @inline(__always)
  mutating func count(_ slot: Slot, cause: Cause, at now: Instant, _ phone: inout PhoneCore) {
    phone.tally.runCount &+= 1
    guard phone.plan.isMeasured(now) else { return }
    phone.tally.recordRuns(1, Tally.Place(group: phone.group(of: slot), cause: cause))
    if now >= days[slot].end { closeDays(upTo: now, &phone) }
    days[slot].runs[Int(cause.rawValue)] &+= 1
  }

  /// Whether an unperturbed run needs more than counting, because a day has ended or the phone is followed.
  @inline(__always)
  mutating func isMoreThanCount(_ slot: Slot, at now: Instant) -> Bool { now >= unperturbed[slot.place].dayEnd }

  /// Counts an unperturbed run in the measured period. The counts by kind and by phone are updated at the end of the
  /// day on which the run starts.
  @inline(__always)
  mutating func countUnperturbed(_ slot: Slot, cause: Cause) { unperturbed[slot.place].count(cause) }

  /// Counts the days that have ended before an unperturbed run for which `isMoreThanCount` is true.
  mutating func passDays(of slot: Slot, upTo now: Instant, _ phone: inout PhoneCore) {
    if !phone.isFollowed || now >= days[slot].end { closeDays(upTo: now, &phone) }
  }

  /// Counts those days of the phone and its widgets that end no later than `instant` and whose runs have ended.
  mutating func closeDays(upTo instant: Instant, _ phone: inout PhoneCore) {
    if !phone.plan.hasFeedback { for slot in phone.slots { countUnperturbed(slot, &phone) } }
    guard let first = phone.slots.first(where: { _ in true }) else { return }
    while days[first].end <= instant {
      let end = days[first].end
      let isWhole = end - .day >= phone.life.from
      var runs = 0
      for slot in phone.slots {
        if isWhole { runs += phone.tally.recordDay(days[slot], phone.group(of: slot)) }
        days[slot] = DayCounts(end: end + .day)
      }
      if isWhole { phone.tally.recordPhoneDay(runs: runs, phone.cohortIndex) }
    }
    for slot in phone.slots { unperturbed[slot.place].dayEnd = phone.isFollowed ? .longAgo : days[slot].end }
  }

  /// Counts the unperturbed runs of a widget's current day.
  private mutating func countUnperturbed(_ slot: Slot, _ phone: inout PhoneCore) {
    guard let run = unperturbed[slot.place].plans?.onAny else { return }
    let transfer = Tally.Transfer(
      endpoint: run.kind.requests[0].endpoint, up: run.up, down: run.down, failure: nil)
    for cause in Cause.allCases {
      let count = unperturbed[slot.place].takeCount(cause)
      guard count > 0 else { continue }
      phone.tally.recordUnperturbed(Int64(count))
      days[slot].runs[Int(cause.rawValue)] &+= count
      let place = Tally.Place(group: phone.group(of: slot), cause: cause)
      phone.tally.recordRuns(count, place)
      phone.tally.recordTraffic(count, transfer, from: place)
    }
  }
}
