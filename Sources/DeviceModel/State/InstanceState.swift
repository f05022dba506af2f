import Scenario
import SimulationKernel

/// One placed widget: everything the rules remember of it.
///
/// Fields stand in an order that leaves few gaps: large ones first, small ones where a struct's tail leaves room.
struct InstanceState: BitwiseCopyable {
  var account = BudgetAccount()
  /// Runs begun so far: the index of the instance's draws.
  var runs: UInt32 = 0
  /// End of the last run.
  var lastEnd: Instant = .longAgo
  /// The data in force: when it came; `.longAgo` without data.
  var dataTime: Instant = .longAgo
  var ticket: Ticket = .none
  var family: Family
  var kind: UInt16
  /// The phase that the next successful run takes.
  var phase: UInt16 = 0
  /// Index into the cohort's members; the key of the instance's draws.
  var member: UInt16
  var wait: Wait = .none
  var isPlaced = false
  /// Whether a run is in progress; `run` describes it.
  var isRunning = false
  /// A free run asked for while a run is in progress, to follow it (MODEL.md 4.3).
  var nextFree: Cause?
  /// The last local day on which the budget withheld a run.
  var exhaustedDay: Int32 = .min
  var kept: KeptRequest = .none
  /// Whether the location changed since the last run.
  var hasMoved = false
  var run = RunInProgress()

  init(member: UInt16, kind: UInt16, family: Family) {
    self.member = member
    self.kind = kind
    self.family = family
  }
}

/// When an instance was looked at (MODEL.md 2.4, 4.7).
struct ViewHistory: BitwiseCopyable {
  /// The last counted view.
  var last: Instant = .longAgo
  /// Counted views so far: the index of their draws.
  var total: UInt32 = 0
  /// Since the last local midnight.
  var today: UInt16 = 0
  /// The last seven whole local days, in a ring.
  private var days = InlineArray<7, UInt16>(repeating: 0)
  /// Midnights since the placement.
  private var midnights: UInt32 = 0
  /// Views that started the run in progress and wait for its data, and those that wait for the one after it.
  var awaitingRun: UInt16 = 0
  var awaitingNext: UInt16 = 0

  /// Views of the last seven whole days; nil before there were seven.
  var week: Int? {
    guard midnights > 7 else { return nil }
    var sum = 0
    for day in 0..<7 { sum += Int(days[day]) }
    return sum
  }

  /// Closes a local day; the day of the placement is not whole.
  mutating func passMidnight() {
    if midnights > 0 { days[Int(midnights % 7)] = today }
    today = 0
    midnights += 1
  }
}

/// The run of an instance between its start and its end.
struct RunInProgress: BitwiseCopyable {
  /// For the latency of its first request, and for the date of the policy at its end.
  var latencyUniform: UInt64 = 0
  var dateUniform: UInt64 = 0
  /// Its requests, or those of the cache: their end is the time of the data that the run brings.
  var flight = Flight(cause: .placement)
  /// Whether it waits for the flight of another run (MODEL.md 5.2).
  var joins = false
}

/// The data that a cache holds, and the flight that is fetching it (MODEL.md 5.2).
struct CacheState: BitwiseCopyable {
  /// When the cached answer arrived; `.longAgo` when the cache is cold.
  var storedAt: Instant = .longAgo
  /// Whether a flight that others may join is fetching the data.
  var isInFlight = false
  /// The instance whose run it is.
  var leader: UInt8 = 0

  /// Whether the cached answer is younger than `ttl`.
  func isFresh(at now: Instant, ttl: TimeAmount) -> Bool { storedAt != .longAgo && now - storedAt < ttl }
}
