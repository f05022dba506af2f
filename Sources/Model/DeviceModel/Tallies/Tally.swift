package import Scenario
package import SimulationKernel

/// The counts of one simulating thread. All counts are integers, so their sums do not depend on the order of addition.
package struct Tally: ~Copyable {
  /// The dimensions of the counters.
  package struct Shape: Hashable, Sendable {
    package var endpoints: Int
    package var cohorts: Int
    package var kinds: Int
    package var step: TimeAmount
    package var duration: TimeAmount
    /// The number of device groups; the requests in a step are counted separately for each group.
    package var deviceGroups: Int
    /// The number of events in the scenario file.
    package var events: Int
    /// The indices of the named windows that apply in each cell of `WindowCells`.
    package var windowsOfCells: [[Int]] = [[]]
    package var windows = 0

    package init(
      endpoints: Int, cohorts: Int, kinds: Int, step: TimeAmount, duration: TimeAmount, events: Int = 0,
      deviceGroups: Int = 1
    ) {
      self.events = events
      self.deviceGroups = deviceGroups
      self.endpoints = endpoints
      self.cohorts = cohorts
      self.kinds = kinds
      self.step = step
      self.duration = duration
    }

    package var steps: Int { Int(duration.milliseconds / step.milliseconds) }
    package var minutes: Int { Int((duration.milliseconds + 59_999) / 60_000) }
    /// The number of minute cells required for each cause.
    package var cellsOfCause: Int { endpoints * cohorts * minutes }
    package var groups: Int { cohorts * kinds }
  }

  /// The requests from one cohort with one cause that arrive at an endpoint within a minute.
  package struct MinuteCell: BitwiseCopyable {
    package var bytesUp: Int64 = 0
    package var bytesDown: Int64 = 0
    package var requests: UInt32 = 0
    package var retries: UInt32 = 0
    package var failures = FailureReason.Table<UInt32>(repeating: 0)
  }

  /// The arrivals, ordered by endpoint and then by step; this must be the first field (see `PhoneCore.memory`).
  package let arrivals: UnsafeMutablePointer<UInt32>
  package let shape: Shape
  private let stepDivider: Divider
  private let steps: Int
  /// The failures, ordered by endpoint and then by step.
  package let failures: UnsafeMutablePointer<UInt32>
  /// The minute cells, ordered by cause, endpoint, cohort and minute, so that unused causes occupy no memory.
  package let minutes: UnsafeMutablePointer<MinuteCell>
  private let (minutesOfCohort, cellsOfCause): (Int, Int)
  /// The tallies, ordered by named-window cell, then by cohort, then by kind.
  package let groups: UnsafeMutablePointer<GroupTally>
  private let groupCount: Int
  /// The tallies of the current named-window cell.
  private var groupsOfCell: UnsafeMutablePointer<GroupTally>
  /// The total time of the instances in each named window, ordered by window, cohort and kind.
  package let windowMilliseconds: UnsafeMutablePointer<Int64>
  package let followed: UnsafeMutablePointer<FollowTally>
  package let batteries: UnsafeMutablePointer<BatteryShareTally>
  private let phoneDays: UnsafeMutablePointer<GrowingCounts>
  /// The number of pushes sent to phones in the measured period, indexed by the event's number in the file.
  package let pushes: UnsafeMutablePointer<Int64>
  package internal(set) var energy = PhoneEnergy()
  /// The rows of the current device, one for each kind.
  package private(set) var rows: UnsafeMutablePointer<DeviceRow>
  private let ownRows: UnsafeMutablePointer<DeviceRow>
  /// The arrivals in the current step at a backend with feedback, ordered by device group and then by endpoint.
  package let groupArrivals: UnsafeMutablePointer<Int64>
  /// The arrivals from the current device's group at each endpoint.
  private var stepArrivals: UnsafeMutablePointer<Int64>
  package var eventCount: Int64 = 0
  package var runCount: Int64 = 0

  package init(shape: Shape) {
    self.shape = shape
    stepDivider = Divider(by: shape.step.milliseconds)
    steps = shape.steps
    groupArrivals = zeroed(shape.deviceGroups * shape.endpoints)
    stepArrivals = groupArrivals
    arrivals = zeroed(shape.endpoints * shape.steps)
    failures = zeroed(shape.endpoints * shape.steps)
    (minutesOfCohort, cellsOfCause) = (shape.minutes, shape.cellsOfCause)
    minutes = zeroed(Cause.count * shape.cellsOfCause)
    groupCount = shape.groups * shape.windowsOfCells.count
    groups = .allocate(capacity: groupCount)
    for index in 0..<groupCount { (groups + index).initialize(to: GroupTally(endpoints: shape.endpoints)) }
    groupsOfCell = groups
    windowMilliseconds = zeroed(shape.windows * shape.groups)
    followed = .allocate(capacity: shape.groups)
    for index in 0..<shape.groups { (followed + index).initialize(to: FollowTally(events: shape.events)) }
    batteries = .allocate(capacity: shape.cohorts)
    for cohort in 0..<shape.cohorts { (batteries + cohort).initialize(to: BatteryShareTally()) }
    phoneDays = .allocate(capacity: shape.cohorts)
    for cohort in 0..<shape.cohorts { (phoneDays + cohort).initialize(to: GrowingCounts()) }
    pushes = zeroed(shape.events)
    ownRows = .allocate(capacity: shape.kinds)
    ownRows.initialize(repeating: DeviceRow(), count: shape.kinds)
    rows = ownRows
  }

  deinit {
    groupArrivals.deallocate()
    arrivals.deallocate()
    failures.deallocate()
    minutes.deallocate()
    for index in 0..<groupCount { groups[index].free() }
    groups.deallocate()
    windowMilliseconds.deallocate()
    for index in 0..<shape.groups { followed[index].free() }
    followed.deallocate()
    for cohort in 0..<shape.cohorts {
      batteries[cohort].free()
      phoneDays[cohort].free()
    }
    batteries.deallocate()
    phoneDays.deallocate()
    pushes.deallocate()
    ownRows.deallocate()
  }

  /// The cohort and kind to which the current device's activity is attributed.
  struct Group: BitwiseCopyable {
    var cohort: CohortIndex
    var kind: KindIndex
  }

  /// A group together with a cause.
  struct Place: BitwiseCopyable {
    var group: Group
    var cause: Cause
  }

  /// One attempt to send a request.
  struct Transfer: BitwiseCopyable {
    var endpoint: EndpointIndex
    var up: ByteCount
    /// The size of the answer, which is received only if the request is answered.
    var down: ByteCount
    /// The reason for the failure of the attempt; `nil` if the request was answered.
    var failure: FailureReason?
    /// Whether this is the second or a later attempt within its run.
    var isRetry = false
  }

  /// Counts a request that arrives at `arrival`, which must be in the measured period.
  @inline(__always)
  mutating func record(_ transfer: Transfer, arrivingAt arrival: Instant, from place: Place) {
    let route = route(to: transfer.endpoint, from: place.group.cohort)
    recordLoad(transfer, at: loadPoint(route, at: arrival, place.cause))
    recordTraffic(1, transfer, from: place)
  }

  /// The counters to which a request's load is added.
  struct LoadPoint: BitwiseCopyable {
    fileprivate let step: Int
    fileprivate let cell: UnsafeMutablePointer<MinuteCell>
  }

  /// A route from a cohort to an endpoint.
  struct Route: BitwiseCopyable {
    fileprivate let firstStep: Int
    fileprivate let firstCell: Int
  }

  @inline(__always)
  func route(to endpoint: EndpointIndex, from cohort: CohortIndex) -> Route {
    Route(
      firstStep: endpoint.place &* steps,
      firstCell: (endpoint.place &* shape.cohorts &+ cohort.place) &* minutesOfCohort)
  }

  /// Returns the load counters for a request that arrives in the measured period.
  @inline(__always)
  func loadPoint(_ route: Route, at arrival: Instant, _ cause: Cause) -> LoadPoint {
    let sinceStart = arrival.millisecondsSinceStart
    let minute = Int(truncatingIfNeeded: UInt64(bitPattern: sinceStart) / 60_000)
    let cell = route.firstCell &+ Int(cause.rawValue) &* cellsOfCause &+ minute
    return LoadPoint(step: route.firstStep &+ stepDivider.quotient(sinceStart), cell: minutes + cell)
  }

  /// Prefetches the counters of a load point, because the counters for all steps of a day do not fit into the fastest
  /// caches.
  @inline(__always)
  func prefetch(_ load: LoadPoint) {
    Prefetch.line(arrivals + load.step)
    Prefetch.line(load.cell)
  }

  /// Adds a request's load to its step and its minute.
  @inline(__always)
  mutating func recordLoad(_ transfer: Transfer, at load: LoadPoint) {
    arrivals[load.step] &+= 1
    load.cell.pointee.requests &+= 1
    load.cell.pointee.bytesUp &+= transfer.up.bytes
    if transfer.isRetry { load.cell.pointee.retries &+= 1 }
    if let failure = transfer.failure {
      failures[load.step] &+= 1
      load.cell.pointee.failures[Int(failure.rawValue)] &+= 1
    } else {
      load.cell.pointee.bytesDown &+= transfer.down.bytes
    }
  }

  /// Counts a request of the current device in the current step.
  @inline(__always)
  mutating func countInStep(_ endpoint: EndpointIndex) { stepArrivals[endpoint.place] &+= 1 }

  /// Counts the load of a request that is answered on the first attempt.
  @inline(__always)
  mutating func recordAnswer(down: ByteCount, up: ByteCount, at load: LoadPoint) {
    recordLoad(Transfer(endpoint: 0, up: up, down: down, failure: nil), at: load)
  }

  /// Counts requests with the same outcome for their kind and device.
  @inline(__always)
  mutating func recordTraffic(_ count: UInt32, _ transfer: Transfer, from place: Place) {
    let traffic =
      group(place.group).pointee.traffic
      + (transfer.endpoint.place &* Cause.count &+ Int(place.cause.rawValue))
    let row = rows + place.group.kind.place
    let requests = Int64(count)
    traffic.pointee.requests &+= requests
    traffic.pointee.bytesUp &+= requests &* transfer.up.bytes
    if transfer.isRetry { traffic.pointee.retries &+= requests }
    row.pointee.requests &+= count
    row.pointee.bytesUp &+= requests &* transfer.up.bytes
    if let failure = transfer.failure {
      traffic.pointee.failures[Int(failure.rawValue)] &+= requests
      row.pointee.failures &+= count
    } else {
      traffic.pointee.successes &+= requests
      traffic.pointee.bytesDown &+= requests &* transfer.down.bytes
      row.pointee.bytesDown &+= requests &* transfer.down.bytes
    }
  }

  /// Counts requests that a device could not send because it was offline; they count as failures but not as requests.
  mutating func recordUnsent(_ count: Int, endpoint: EndpointIndex, at now: Instant, from place: Place) {
    let load = loadPoint(route(to: endpoint, from: place.group.cohort), at: now, place.cause)
    load.cell.pointee.failures[Int(FailureReason.offline.rawValue)] += UInt32(truncatingIfNeeded: count)
    let traffic = group(place.group).pointee.traffic + (endpoint.place * Cause.count + Int(place.cause.rawValue))
    traffic.pointee.failures[Int(FailureReason.offline.rawValue)] += Int64(count)
    rows[place.group.kind.place].failures += UInt32(truncatingIfNeeded: count)
  }

  /// Counts runs that start in the measured period.
  @inline(__always)
  mutating func recordRuns(_ count: UInt32, _ place: Place) {
    group(place.group).pointee.runs[Int(place.cause.rawValue)] &+= Int64(count)
    rows[place.group.kind.place].runs[Int(place.cause.rawValue)] &+= count
    if place.cause.isCharged { rows[place.group.kind.place].charged &+= count }
  }

  /// Counts runs whose ends were not handled by the event queue.
  mutating func recordUnperturbed(_ count: Int64) {
    eventCount &+= count
    runCount &+= count
  }

  /// Counts the start of a scheduled run.
  @inline(__always)
  mutating func recordStart(of request: ReloadRequest, at now: Instant, _ place: Group) {
    group(place).pointee.recordLateness(now - request.due, of: request.cause)
  }

  /// Returns the tally for a kind's widgets in a cohort.
  @inline(__always)
  func group(_ group: Group) -> UnsafeMutablePointer<GroupTally> {
    groupsOfCell + (group.cohort.place &* shape.kinds &+ group.kind.place)
  }

  /// The cell of the named windows in which the current device is counted.
  var cell: UnsafeMutablePointer<GroupTally> { @inline(__always) get { groupsOfCell } }

  @inline(__always)
  mutating func useCell(_ cell: UnsafeMutablePointer<GroupTally>) { groupsOfCell = cell }

  /// Counts the current device in the named-window cell with this number.
  mutating func useCell(_ number: Int) { groupsOfCell = groups + number * shape.groups }

  /// Counts the time for which an instance exists in each of the named windows.
  mutating func recordWindows(_ windows: WindowCells, _ place: Group, zone: Int, _ life: PhoneLifetime) {
    for window in 0..<shape.windows {
      windowMilliseconds[window * shape.groups + place.cohort.place * shape.kinds + place.kind.place] +=
        windows.milliseconds(of: window, zone: zone, life, shape.duration)
    }
  }

  /// Counts a wait that ends in the measured period.
  mutating func recordWait(_ reason: WaitReason, length: TimeAmount, _ place: Group) {
    let group = group(place)
    group.pointee.waits[Int(reason.rawValue)] += 1
    group.pointee.waitMilliseconds[Int(reason.rawValue)] += length.milliseconds
    rows[place.kind.place].waits[Int(reason.rawValue)] += 1
  }

  /// Counts the first time on a local day that a budget withholds a run.
  mutating func recordExhaustion(at local: LocalTime, _ now: Instant, _ place: Group) {
    let group = group(place)
    group.pointee.budgetExhausted[Int(local.sinceMidnight.milliseconds / 60_000)] += 1
    guard let half = MeasuredHalves(of: shape.duration).half(at: now) else { return }
    group.pointee.budgetExhaustedByHalf[half] += 1
  }

  mutating func recordCacheHit(_ place: Group) {
    group(place).pointee.cacheHits += 1
    rows[place.kind.place].cacheHits += 1
  }

  /// Counts requests that a cache has saved as if they had been answered on the first attempt.
  mutating func recordSaved(_ count: Int, _ transfer: Transfer, _ place: Group) {
    let saved = group(place).pointee.saved + transfer.endpoint.place
    saved.pointee.requests += Int64(count)
    saved.pointee.bytesUp += Int64(count) * transfer.up.bytes
    saved.pointee.bytesDown += Int64(count) * transfer.down.bytes
  }

  /// Counts a view; `age` is `nil` if there was no entry to show.
  mutating func recordView(age: TimeAmount?, isStale: Bool, _ place: Group) {
    let group = group(place)
    group.pointee.views += 1
    rows[place.kind.place].views += 1
    if isStale {
      group.pointee.staleViews += 1
      rows[place.kind.place].staleViews += 1
    }
    guard let age else { return }
    group.pointee.dataAge[SpanHistogram.bin(of: age)] += 1
    group.pointee.dataAgeMilliseconds += Int128(age.milliseconds)
  }

  /// Counts views that are still stale after the reload that they started.
  mutating func recordStaleAfter(_ count: Int64, _ place: Group) {
    group(place).pointee.staleViewsAfter += count
  }

  /// Counts a day of an instance and returns the number of runs on that day.
  mutating func recordDay(_ day: DayCounts, _ place: Group) -> Int { group(place).pointee.recordDay(day) }

  /// Counts a day of a phone by the total number of runs of all its widgets.
  mutating func recordPhoneDay(runs: Int, _ cohort: CohortIndex) { phoneDays[cohort.place].add(1, at: runs) }

  /// Returns the number of a cohort's phone-days on which there were 0, 1, 2, ... runs.
  package func phoneDayHistogram(_ cohort: Int) -> [Int64] { GroupTally.histogram(phoneDays[cohort]) }

  /// Counts an instance on a phone and the time for which it exists.
  mutating func recordInstance(_ place: Group, _ life: PhoneLifetime) {
    group(place).pointee.recordInstance(life, shape.duration)
    rows[place.kind.place].instances += 1
  }

  /// Counts the energy that an instance on the current device has used since the last count.
  mutating func recordEnergy(_ row: EnergyRow, inSessions: Energy, _ place: Group) {
    group(place).pointee.energy.add(row, inSessions: inSessions)
    rows[place.kind.place].nanojoules &+= row.total.nanojoules
  }

  /// Counts the runs of an instance of the current device on an interface, and their energy.
  @inline(__always)
  mutating func recordUse(_ totals: RunTotals, costing energy: Energy, interface: Int, _ place: Group) {
    group(place).pointee.use[interface].add(totals)
    rows[place.kind.place].nanojoules &+= energy.nanojoules
  }

  /// Counts a device if it has a battery.
  mutating func recordBattery(isPresent: Bool, _ cohort: CohortIndex, _ life: PhoneLifetime) {
    guard isPresent else { return }
    batteries[cohort.place].phones += 1
    batteries[cohort.place].milliseconds += Int128(life.measured(shape.duration).milliseconds)
  }

  /// Counts a day of a device's battery.
  mutating func recordBatteryDay(_ spent: Energy, of capacity: Energy, isWhole: Bool, _ cohort: CohortIndex) {
    batteries[cohort.place].record(spent, of: capacity, isWhole: isWhole)
  }

  /// Counts the current device in the given rows, or in scratch memory if they are `nil`.
  mutating func useRows(_ kept: UnsafeMutablePointer<DeviceRow>?) { rows = kept ?? ownRows }

  /// Counts the current device's requests in the current step as requests of the device's group.
  @inline(__always)
  mutating func useGroup(_ group: Int) { stepArrivals = groupArrivals + group &* shape.endpoints }

  /// The first broken invariant of the current device's rows; `nil` if all invariants hold.
  var brokenInvariant: String? {
    for kind in 0..<shape.kinds {
      let row = rows[kind]
      var charged: UInt32 = 0
      for cause in Cause.allCases where cause.isCharged { charged += row.runs[Int(cause.rawValue)] }
      if charged != row.charged { return "kind \(kind): \(row.charged) charged runs, by cause \(charged)" }
      if row.staleViews > row.views { return "kind \(kind): more stale views than views" }
    }
    return nil
  }

  /// Clears the rows before the next device is simulated.
  mutating func beginDevice() { rows.update(repeating: DeviceRow(), count: shape.kinds) }
}

/// The activity of one kind's instances on one device during the measured period, as a row of devices.csv.
///
/// 32-bit counters are sufficient for any single device.
package struct DeviceRow: BitwiseCopyable, Sendable {
  package init() {}

  package var requests: UInt32 = 0
  package var failures: UInt32 = 0
  package var bytesUp: Int64 = 0
  package var bytesDown: Int64 = 0
  /// The energy used by all instances.
  package var nanojoules: Int64 = 0
  package var charged: UInt32 = 0
  package var runs = Cause.Table<UInt32>(repeating: 0)
  package var instances: UInt32 = 0
  package var cacheHits: UInt32 = 0
  package var views: UInt32 = 0
  package var staleViews: UInt32 = 0
  package var waits = WaitReason.Table<UInt32>(repeating: 0)
}

/// Counters indexed by nonnegative integers, in memory that doubles when it is full and never shrinks.
struct GrowingCounts: BitwiseCopyable {
  private(set) var counts: UnsafeMutablePointer<Int64>
  private(set) var capacity: Int

  init(capacity: Int = 128) {
    self.capacity = capacity
    counts = .allocate(capacity: capacity)
    counts.initialize(repeating: 0, count: capacity)
  }

  func free() { counts.deallocate() }

  mutating func add(_ amount: Int64, at value: Int) {
    if value >= capacity { grow(toHold: value) }
    counts[value] &+= amount
  }

  private mutating func grow(toHold value: Int) {
    var larger = GrowingCounts(capacity: max(capacity * 2, value + 1))
    larger.counts.update(from: counts, count: capacity)
    free()
    swap(&self, &larger)
  }
}
