import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel

/// How a widget's time is divided, and its activity by local hour (MODEL.md 8.3), with every case computed by hand.
@Suite struct FollowTests {
  private static func world(_ kind: KindSketch) -> World {
    var world = World()
    world.add(kind)
    return world
  }

  /// Returns the minutes by part, leaving out parts of 0 minutes.
  private static func minutes(_ followed: Followed) -> [AskedPart: Double] {
    AskedPart.allCases.reduce(into: [:]) { sums, part in
      let value = followed[part]
      if value != 0 { sums[part] = Double(value) / 60_000 }
    }
  }

  /// 95 runs, each 15 minutes after the last; the final 15 minutes are cut off by the end.
  @Test func followedTimeAddsUp() {
    let followed = Followed(Self.world(.after(minutes: 15)))
    #expect(followed.tally.policyRuns == 95)
    #expect(followed.tally.otherRuns == 1)
    #expect(Self.minutes(followed) == [.asked: 1_425, .edges: 15])
    #expect(followed.tally.milliseconds == 86_400_000)
  }

  /// Dates 20 minutes after a run that come 5 minutes earlier: an interval of 20 min, and a jitter of -5 min.
  @Test func earlyJitterIsNegative() {
    var kind = KindSketch.after(minutes: 20)
    kind.jitter = .constant(.zero - .minutes(5))
    let followed = Followed(Self.world(kind))
    #expect(followed.tally.policyRuns == 95)
    #expect(Self.minutes(followed) == [.asked: 1_900, .jitter: -475, .edges: 15])
  }

  /// Cycles of 22.5 min: 96 requested and 64 started, the last of which ends with the day.
  @Test func startDelay() {
    var world = Self.world(.after(minutes: 15))
    world.system.policyDelay = .constant(.seconds(450))
    let followed = Followed(world)
    #expect(followed.tally.policyRuns == 63)
    #expect(Self.minutes(followed) == [.asked: 945, .startDelay: 480, .edges: 15])
  }

  /// A run in the warm-up ends before the clock starts: 5 of its 15 minutes fall in the measured period, and count as a
  /// whole run.
  @Test func warmUpRunIsCutAtTheStart() {
    var world = Self.world(.after(minutes: 15))
    world.beginning = .start - .minutes(100)
    let followed = Followed(world)
    // Runs at 5, 20, ..., 1 430 min.
    #expect(followed.tally.policyRuns == 96)
    #expect(Self.minutes(followed) == [.asked: 1_440])
  }

  /// A delay does not shift hourly dates: 24 are requested, and the delay is caught up.
  @Test func fixedDates() {
    var world = World()
    let dates = (0...26).map { Instant.start + .hours(Int64($0)) }
    let calendar = CalendarPlan(dates: world.storage.keep([world.storage.keep(dates)]))
    world.add(KindSketch(.next(calendar)))
    world.system.policyDelay = .constant(.seconds(450))
    let followed = Followed(world)
    #expect(followed.tally.policyRuns == 23)
    // The last run is at 23:07:30.
    #expect(
      Self.minutes(followed) == [.asked: 1_380, .startDelay: 172.5, .caughtUp: 165, .edges: 52.5])
  }

  @Test func jitterAndSpacing() {
    var sketch = KindSketch.after(minutes: 15)
    sketch.jitter = .constant(.minutes(5))
    var world = Self.world(sketch)
    world.system.minSpacing = .minutes(24)
    let followed = Followed(world)
    // Starts at 24, 48, ..., 1 416 min.
    #expect(followed.tally.policyRuns == 59)
    #expect(Self.minutes(followed) == [.asked: 885, .jitter: 300, .spacing: 240, .edges: 15])
  }

  /// A run requested by the app after 10 minutes restarts the interval.
  @Test func superseded() {
    let followed = Followed(Self.world(.after(minutes: 15)), script: [(600, .foregroundRun(kind: 0))])
    #expect(followed.tally.otherRuns == 2)
    #expect(followed.tally.policyRuns == 95)
    #expect(Self.minutes(followed) == [.superseded: 10, .asked: 1_425, .edges: 5])
  }

  /// A background refresh takes over the ticket after 10 minutes.
  @Test func refreshTakesOverTheTicket() {
    var world = Self.world(.after(minutes: 15))
    world.duration = .minutes(16)
    world.addSilentPush()
    let followed = Followed(world, script: [(600, .push(event: 0))])
    #expect(followed.tally.policyRuns == 0)
    #expect(Self.minutes(followed) == [.superseded: 10, .edges: 6])
  }

  /// Every run crashes and is retried an hour later.
  @Test func failures() {
    var sketch = KindSketch.after(minutes: 15)
    sketch.crash = .all
    let followed = Followed(Self.world(sketch))
    #expect(followed.tally.otherRuns == 24)
    #expect(Self.minutes(followed) == [.failed: 1_440])
  }

  /// Due runs of an unused phone wait nine hours; the third wait is cut off by the end.
  @Test func idlePhone() {
    var world = Self.world(.after(minutes: 15))
    world.system.idle = Idle(after: .hours(1), giveUp: .hours(9))
    let followed = Followed(world)
    #expect(followed.tally.policyRuns == 2)
    #expect(Self.minutes(followed) == [.asked: 30, .idle: 1_395, .edges: 15])
  }

  @Test func runTimeIsFollowedByNoTicket() {
    var sketch = KindSketch(.never)
    sketch.cpu = .minutes(3)
    let followed = Followed(Self.world(sketch))
    #expect(Self.minutes(followed) == [.running: 3, .without: 1_437])
  }

  /// The simulation ends in the middle of a run.
  @Test func aRunAtTheEnd() {
    var sketch = KindSketch.after(minutes: 15)
    sketch.cpu = .minutes(3)
    var world = Self.world(sketch)
    world.duration = .minutes(19)
    #expect(Self.minutes(Followed(world)) == [.running: 4, .asked: 15])
  }

  /// A phone that is not followed has no such counts.
  @Test func unfollowedPhonesHaveNoCounts() {
    let world = Self.world(.after(minutes: 15))
    let (one, next) = (Followed(world, device: 128, every: 128), Followed(world, device: 129, every: 128))
    #expect(one.tally.policyRuns == 95)
    #expect(next.tally.policyRuns == 0 && next.tally.milliseconds == 0 && next.hours.allSatisfy { $0.runs == 0 })
  }

  // MARK: Hours

  /// In a zone at UTC+5:30 the day starts at 5:30; every hour occurs once, with four runs.
  @Test func hoursOfAZone() {
    var world = Self.world(.after(minutes: 15))
    world.zone = [ZoneTable.Segment(from: .longAgo, offset: .minutes(330))]
    let hours = Followed(world).hours
    #expect(hours.map(\.milliseconds) == Array(repeating: 3_600_000, count: 24))
    #expect(hours.map(\.runs) == Array(repeating: 4, count: 24))
  }

  /// A 23-hour day lacks its third hour; a 25-hour day has it twice.
  @Test(arguments: [(60, 0), (-60, 2)] as [(Int64, Int64)])
  func clockChangeSkipsOrRepeatsAnHour(minutes: Int64, times: Int64) {
    var world = Self.world(.after(minutes: 15))
    let change = ZoneTable.Segment(from: .start + .hours(minutes > 0 ? 2 : 3), offset: .minutes(minutes))
    world.zone = [ZoneTable.Segment(from: .longAgo, offset: .zero), change]
    world.duration = .minutes(1_440 - minutes)
    let hours = Followed(world).hours
    #expect(hours[2].milliseconds == 3_600_000 * times)
    #expect(hours[2].runs == 4 * times)
    for hour in 0..<24 where hour != 2 { #expect(hours[hour].milliseconds == 3_600_000, "hour \(hour)") }
  }

  /// Views of stale data, of fresh data, and of no data.
  @Test func viewsByHour() {
    var sketch = KindSketch(.never)
    sketch.staleAfter = .hours(1)
    var world = Self.world(sketch)
    world.places = [0: PlaceSketch(page: 0)]
    let hours = Followed(world, script: [(1_800, .glance), (7_200, .glance), (7_500, .glance)]).hours
    #expect(hours.map(\.views) == [1, 0, 2] + Array(repeating: 0, count: 21))
    #expect(hours.map(\.staleViews) == [0, 0, 2] + Array(repeating: 0, count: 21))
    #expect(hours[2].agedViews == 2 && hours[2].ageMilliseconds == 14_700_000)
  }

  /// A bucket that holds one run and gains one every quarter hour is full at every reading, which comes after the
  /// hour's accrual.
  ///
  /// A run takes one in between.
  @Test func balancesAfterTheAccrual() {
    var world = Self.world(.after(minutes: 15))
    world.system.budget = BudgetPlan(model: .bucket, accrual: .even, carryOverMillionths: 1_000_000 / 96 + 1)
    world.capacity = .fixed(RunMillionths(count: 96_000_000))
    world.beginning = .start - .hours(2)
    let bin = BalanceBins.bin(of: .one)
    let balances = Followed(world).balances
    for hour in 0..<24 { #expect(balances[hour] == [bin: 1], "hour \(hour)") }
  }

  /// At night, without accruals or charges, a balance is constant but still read.
  @Test func balancesOfANight() {
    var world = Self.world(KindSketch(.never))
    world.system.budget = BudgetPlan(model: .bucket, accrual: .awake, carryOverMillionths: 1_000_000)
    world.capacity = .fixed(RunMillionths(count: 64_000_000))
    let balances = Followed(world).balances
    for hour in 0..<24 { #expect(balances[hour].values.reduce(0, +) == 1, "hour \(hour)") }
    for hour in 1..<7 { #expect(balances[hour] == balances[1], "hour \(hour)") }
    // There is a run every quarter hour from 07:00 on.
    let (eight, nine) = (balances[8].keys.first ?? 0, balances[9].keys.first ?? 0)
    let (from, to) = (BalanceBins.edges(ofBin: eight), BalanceBins.edges(ofBin: nine))
    #expect(to.from > from.from)
    #expect(abs(to.from - min(from.from + 4, 64)) <= from.width + to.width)
  }

  @Test func missingBudgetHasNoBalance() {
    let balances = Followed(Self.world(.after(minutes: 15))).balances
    #expect(balances.allSatisfy { $0.isEmpty })
  }
}

/// The tallies of a followed device over its life.
struct Followed {
  let tally: FollowTally
  let hours: [HourTally]
  /// The counts of balances, by hour and bin.
  let balances: [[Int: UInt32]]
  /// The waits for a push's first view, in seconds, as the lower bounds of their bins.
  let shown: [Double]
  /// The counts of each event's pushes.
  let eventPushes: [PushTally]
  private let parts: [Int64]

  subscript(part: AskedPart) -> Int64 { parts[Int(part.rawValue)] }

  /// Simulates a device.
  ///
  /// - Parameter every: one in this many phones, a power of two, is followed.
  init(
    _ world: World, device: Int = 0, kind: Int = 0, every: Int = 1, script: [(Double, DeviceEvent)] = []
  ) {
    var world = world
    world.isVisited = world.isVisited || script.contains { if case .glance = $0.1 { true } else { false } }
    var plan = world.plan()
    plan.unfollowedBits = every - 1
    var simulator = DeviceSimulator(plan: plan, shape: world.shape)
    simulator.begin(device: device, cohort: 0, replication: 0)
    for (second, event) in script {
      simulator.device.widgets.phone.schedule(event, at: .start + .milliseconds(Int64((second * 1_000).rounded())))
    }
    while simulator.step() != nil {}
    simulator.finish()
    tally = simulator.tally.followed[kind]
    let counted = tally
    eventPushes = (0..<world.shape.events).map { counted.eventPushes[$0] }
    parts = AskedPart.allCases.map { counted.parts[Int($0.rawValue)] }
    hours = (0..<24).map { counted.hours[$0] }
    balances = (0..<24).map { hour in
      (0..<BalanceBins.count).reduce(into: [:]) { bins, bin in
        let count = counted.balances[hour * BalanceBins.count + bin]
        if count > 0 { bins[bin] = count }
      }
    }
    shown = (0..<SpanHistogram.binCount).flatMap { bin -> [Double] in
      let count = Int(counted.pushes.shown?[bin] ?? 0)
      return Array(repeating: SpanHistogram.edges(ofBin: bin).from.seconds, count: count)
    }
  }
}
