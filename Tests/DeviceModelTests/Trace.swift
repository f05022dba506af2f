import BackendModel
import Scenario
import SimulationKernel

@testable import DeviceModel

/// The events of one device.
struct Trace {
  struct Run: Equatable {
    var slot: Int
    /// The time in seconds since the start.
    var at: Double
    var cause: Cause
  }

  struct Wait: Equatable {
    var slot: Int
    var reason: WaitReason
    /// The start and end, in seconds since the start.
    var from: Double
    var to: Double
  }

  struct Data: Equatable {
    var slot: Int
    var at: Double
    var time: Double
  }

  /// An event and its time.
  struct Happening: Equatable {
    /// The time in seconds since the start.
    var at: Double
    var event: DeviceEvent
  }

  private(set) var happenings: [Happening] = []
  /// The counted views, with slot and seconds.
  private(set) var views: [(slot: Int, at: Double)] = []
  private(set) var runs: [Run] = []
  /// The waits that have ended.
  private(set) var waits: [Wait] = []
  /// When a budget started to withhold a run, in seconds.
  private(set) var withheld: [Double] = []
  /// The balances after each event that changed them, with slot, seconds and millionths.
  private(set) var balances: [(slot: Int, at: Double, count: Int64)] = []
  private(set) var row = DeviceRow()
  /// The arrivals by minute.
  private(set) var arrivals: [UInt32] = []
  /// The start minus the due time of scheduled runs, in seconds.
  private(set) var lateness: [Double] = []
  /// The ages at views in seconds, and the views still stale after the reload that they started, for kind `rowKind`.
  private(set) var ages: (count: Int64, sum: Double) = (0, 0)
  private(set) var staleAfter: Int64 = 0
  private(set) var events: Int64 = 0
  /// The data of instances: slot, time received, time of the data, all in seconds.
  private(set) var data: [Data] = []
  /// The measured requests and failures of kind `rowKind` by cause, and those without a network.
  private(set) var requests: [Cause: Int64] = [:]
  private(set) var failures: [Cause: Int64] = [:]
  private(set) var offlineFailures: Int64 = 0
  /// The number of those without a network, as in the diary.
  private(set) var toldOffline = 0
  private(set) var exhaustedMinutes: [Int: Int64] = [:]
  private(set) var offset = TimeAmount.zero

  /// Returns when an instance's runs started, in seconds.
  func starts(of slot: Int = 0) -> [Double] { runs.filter { $0.slot == slot }.map(\.at) }
  func causes(of slot: Int = 0) -> [Cause] { runs.filter { $0.slot == slot }.map(\.cause) }
  func starts(of slot: Int = 0, for cause: Cause) -> [Double] {
    runs.filter { $0.slot == slot && $0.cause == cause }.map(\.at)
  }

  /// Returns when an instance was viewed, in seconds.
  func views(of slot: Int = 0) -> [Double] { views.filter { $0.slot == slot }.map(\.at) }
  /// The steps in which requests arrived.
  var arrivalSteps: [Int] { arrivals.indices.filter { arrivals[$0] > 0 } }
  /// Returns when an instance's runs ended, in seconds.
  func ends(of slot: Int = 0) -> [Double] { times(of: .runEnd(Slot(slot))) }
  /// Returns the times of an instance's data in seconds.
  func dataTimes(of slot: Int = 0) -> [Double] { data.filter { $0.slot == slot }.map(\.time) }
  /// Returns when an event happened, in seconds.
  func times(of event: DeviceEvent) -> [Double] { happenings.filter { $0.event == event }.map(\.at) }

  /// Simulates one device's life; `row` holds the figures of kind `rowKind`.
  ///
  /// - Parameter script: additional events, with seconds since the start.
  init(
    _ world: World, device: Int = 0, replication: Int = 0, seed: UInt64 = 1, rowKind: Int = 0,
    script: [(Double, DeviceEvent)] = []
  ) {
    var world = world
    world.isVisited = script.contains { $0.1.needsPerson }
    var simulator = DeviceSimulator(plan: world.plan(seed: seed), shape: world.shape)
    // A watched phone reports the end of each run.
    simulator.observed = []
    if let conditions = world.conditions {
      simulator.backend = .step(Self.kept(conditions))
    }
    simulator.begin(device: device, cohort: 0, replication: replication)
    for (second, event) in script {
      simulator.device.widgets.phone.schedule(event, at: .start + .milliseconds(Int64((second * 1_000).rounded())))
    }
    offset = simulator.device.widgets.phone.accrualOffset
    var last = simulator.widgets
    while let (now, event) = simulator.step() {
      happenings.append(Happening(at: (now - .start).seconds, event: event))
      let next = simulator.widgets
      note(last, next, at: now)
      last = next
    }
    simulator.finish()
    toldOffline = simulator.observed?.count { $0.failure == .offline } ?? 0
    events = simulator.tally.eventCount
    row = simulator.tally.rows[rowKind]
    arrivals = Array(UnsafeBufferPointer(start: simulator.tally.arrivals, count: world.shape.steps))
    let group = simulator.tally.groups[rowKind]
    let bins = UnsafeBufferPointer(start: group.dataAge, count: SpanHistogram.binCount)
    ages = (bins.reduce(0, +), Double(group.dataAgeMilliseconds) / 1_000)
    staleAfter = group.staleViewsAfter
    note(group)
    for minute in 0..<GroupTally.minutesPerDay where group.budgetExhausted[minute] > 0 {
      exhaustedMinutes[minute] = group.budgetExhausted[minute]
    }
  }

  /// Returns an endless step in memory that is never freed.
  private static func kept(_ conditions: Conditions) -> PresentStep {
    let place = UnsafeMutablePointer<Conditions>.allocate(capacity: 1)
    place.initialize(to: conditions)
    let expected = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
    return PresentStep(
      grid: StepGrid(beginning: .start, length: .day, count: 1), conditions: UnsafePointer(place), expected: expected,
      endpoints: 1)
  }

  private mutating func note(_ group: GroupTally) {
    for cause in Cause.allCases {
      let traffic = group.traffic[Int(cause.rawValue)]
      let failed = traffic.failures.indices.reduce(Int64(0)) { $0 + traffic.failures[$1] }
      if traffic.requests > 0 { requests[cause] = traffic.requests }
      if failed > 0 { failures[cause] = failed }
      offlineFailures += traffic.failures[Int(FailureReason.offline.rawValue)]
    }
  }

  private mutating func note(_ before: [WidgetSnapshot], _ after: [WidgetSnapshot], at now: Instant) {
    let seconds = (now - .start).seconds
    for slot in after.indices {
      if after[slot].wait != before[slot].wait, let reason = before[slot].wait.reason {
        waits.append(
          Wait(slot: slot, reason: reason, from: (before[slot].wait.since - .start).seconds, to: seconds))
      }
      if after[slot].wait != before[slot].wait, after[slot].wait.reason == .budget { withheld.append(seconds) }
      if after[slot].account.balance != before[slot].account.balance {
        balances.append((slot, seconds, after[slot].account.balance.count))
      }
      if after[slot].dataTime != before[slot].dataTime {
        data.append(Data(slot: slot, at: seconds, time: (after[slot].dataTime - .start).seconds))
      }
      if after[slot].views != before[slot].views { views.append((slot, seconds)) }
      if after[slot].runs != before[slot].runs {
        runs.append(Run(slot: slot, at: seconds, cause: after[slot].flight.cause))
        if before[slot].ticket.exists { lateness.append((now - before[slot].ticket.due).seconds) }
      }
    }
  }
}

extension DeviceEvent {
  /// Whether only phones with a user have such events.
  fileprivate var needsPerson: Bool {
    switch self {
    case .sessionStart, .sessionEnd, .homeVisit, .glance, .appOpen, .appClose, .audioStart, .audioEnd, .burst, .tap,
      .locationChange, .midnight:
      true
    default: false
    }
  }
}
