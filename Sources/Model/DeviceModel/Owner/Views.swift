import Scenario
import SimulationKernel

/// The views of widgets, and the age of the data that they show (MODEL.md 2.4, 8).
struct Views: BitwiseCopyable {
  private let histories: Column<Slot, ViewHistory>

  @inline(__always)
  init(in memory: DeviceMemory) { histories = memory.views }

  /// Adds a widget that has not been placed yet, on a phone that has a user.
  func add(_ slot: Slot) { histories.initialize(slot, to: ViewHistory()) }

  // MARK: State for other components

  /// Returns the number of views in the last seven whole days; `nil` until seven whole days have passed.
  func week(of slot: Slot) -> Int? { histories[slot].week }
  func total(of slot: Slot) -> UInt32 { histories[slot].total }
  func history(of slot: Slot) -> ViewHistory { histories[slot] }

  // MARK: Views

  /// Records a view, unless it occurs too soon after the last view.
  ///
  /// - Returns: the number of the view; `nil` if the view is ignored entirely.
  @inline(__always)
  func note(_ slot: Slot, at now: Instant) -> UInt32? {
    guard now - histories[slot].last >= .milliseconds(ModelConstants.viewGapMilliseconds) else { return nil }
    histories[slot].last = now
    histories[slot].today &+= 1
    let ordinal = histories[slot].total
    histories[slot].total = ordinal &+ 1
    return ordinal
  }

  /// Counts a view of data from `time`, which is `.longAgo` if there is no data. Returns whether the view is stale and
  /// in the measured period.
  func record(_ slot: Slot, dataOf time: Instant, at now: Instant, _ phone: inout PhoneCore) -> Bool {
    guard phone.plan.isMeasured(now) else { return false }
    let isStale = isStale(slot, dataOf: time, at: now, &phone)
    phone.tally.recordView(age: time == .longAgo ? nil : now - time, isStale: isStale, phone.group(of: slot))
    if phone.isFollowed {
      let hour = phone.wall.reading(at: now).hour
      phone.tally.followed(phone.group(of: slot)).recordView(
        age: time == .longAgo ? nil : now - time, isStale: isStale, hour: hour)
    }
    return isStale
  }

  /// Whether a widget's data is older than the limit of its kind; if there is no data, whether there is a limit.
  private func isStale(_ slot: Slot, dataOf time: Instant, at now: Instant, _ phone: inout PhoneCore) -> Bool {
    let kind = phone.kind(of: slot)
    let window = kind.windows.isEmpty ? nil : kind.window(at: now, zone: phone.zone)
    guard let limit = window?.value.staleAfter ?? kind.staleAfter else { return false }
    return time == .longAgo || now - time > limit
  }

  /// Counts a stale view that does not start a reload, so that it remains stale.
  func recordStaleAfter(_ slot: Slot, _ phone: inout PhoneCore) {
    phone.tally.recordStaleAfter(1, phone.group(of: slot))
  }

  /// Records a view that starts a run; the run's data determines whether the view remains stale.
  func awaitRun(_ slot: Slot, isRunning: Bool) {
    if isRunning {
      histories[slot].awaitingNext &+= 1
    } else {
      histories[slot].awaitingRun &+= 1
    }
  }

  /// Evaluates the views that were waiting for a run, which has ended with data from `time`.
  func judge(_ slot: Slot, dataOf time: Instant, at now: Instant, _ phone: inout PhoneCore) {
    let waiting = histories[slot].awaitingRun
    guard waiting > 0 || histories[slot].awaitingNext > 0 else { return }
    if isStale(slot, dataOf: time, at: now, &phone) {
      phone.tally.recordStaleAfter(Int64(waiting), phone.group(of: slot))
    }
    histories[slot].awaitingRun = histories[slot].awaitingNext
    histories[slot].awaitingNext = 0
  }

  // MARK: Days

  func passMidnight(_ slot: Slot) { histories[slot].passMidnight() }

  /// Draws the numbers of views on the days before the placement; a new widget has no earlier views.
  ///
  /// - Parameter perDay: the mean number of views per day before the day factors; `nil` for a new widget.
  func begin(_ slot: Slot, perDay: Double?, at now: Instant, _ phone: inout PhoneCore) {
    let local = phone.wall.reading(at: now)
    guard let perDay else {
      // If a widget is placed at midnight, its first day counts as a whole day.
      if local.sinceMidnight == .zero { histories[slot].passMidnight() }
      return
    }
    histories[slot].passMidnight()
    for number in local.day.number - 7..<local.day.number {
      let date = LocalDay(number: number)
      histories[slot].today = Self.earlier(slot, on: date, mean: perDay, &phone)
      histories[slot].passMidnight()
    }
    let midnight = phone.wall.instant(of: LocalTime(day: local.day, .zero))
    let passed = phone.cohort.person.hours[phone.zone].day(local.day).share(at: now - midnight)
    histories[slot].today = Self.earlier(slot, on: local.day, mean: perDay * passed, &phone)
  }

  /// Draws the number of views on a date before the placement from a Poisson distribution.
  ///
  /// - Parameter mean: the mean number of views before the day factor is applied.
  static func earlier(_ slot: Slot, on date: LocalDay, mean: Double, _ phone: inout PhoneCore) -> UInt16 {
    let draws = phone.draws(.history, part: phone.widget(slot).member.place, index: Int(date.number))
    return UInt16(min(PoissonDraw.count(mean: mean * phone.dayFactor(on: date), draws), Double(UInt16.max)))
  }

  // MARK: Checks

  /// Returns the first broken invariant of a widget's views; `nil` if all invariants hold.
  func brokenInvariant(of slot: Slot, _ provider: Provider, at now: Instant, _ phone: borrowing PhoneCore) -> String? {
    let history = histories[slot]
    // On a phone of an established fleet, a widget has been viewed before its placement in the simulation.
    let isNew = phone.member(of: slot).demand == nil
    if history.last > now || isNew && history.today > history.total { return "inconsistent view counts" }
    if history.total > 0, !provider.isPlaced(slot) { return "viewed before it was placed" }
    if history.awaitingRun > 0, !provider.isRunning(slot) { return "views wait for a run that is not in progress" }
    if history.awaitingNext > 0, !provider.hasNextFree(slot) { return "views wait for a run that will not come" }
    return nil
  }
}

/// The view history of a widget (MODEL.md 2.4, 4.7).
struct ViewHistory: BitwiseCopyable {
  /// The time of the last counted view.
  fileprivate(set) var last: Instant = .longAgo
  /// The number of counted views so far, used as the index of the next view's draws.
  fileprivate(set) var total: UInt32 = 0
  /// The number of views since the last local midnight.
  fileprivate(set) var today: UInt16 = 0
  /// A ring buffer of the numbers of views in the last seven whole local days.
  private var days = InlineArray<7, UInt16>(repeating: 0)
  /// The number of local midnights since the placement.
  private var midnights: UInt32 = 0
  /// The numbers of waiting views: `awaitingRun` for those that started the current run and wait for its data, and
  /// `awaitingNext` for those that wait for the next run.
  fileprivate var awaitingRun: UInt16 = 0
  fileprivate var awaitingNext: UInt16 = 0

  /// The number of views in the last seven whole days; `nil` until seven whole days have passed.
  var week: Int? {
    guard midnights > 7 else { return nil }
    var sum = 0
    for day in 0..<7 { sum += Int(days[day]) }
    return sum
  }

  /// Ends a local day; the day of the placement does not count as a whole day.
  fileprivate mutating func passMidnight() {
    if midnights > 0 { days[Int(midnights % 7)] = today }
    today = 0
    midnights += 1
  }
}
