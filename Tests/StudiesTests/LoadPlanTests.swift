import FleetEngine
import Scenario
import SimulationKernel
import Testing

@testable import Studies

/// Load tests send the simulated load, checked from the definitions of totals, ramps, parts and factors.
struct LoadPlanTests {
  /// One endpoint's requests from phones per second, as numbers that repeat after 97 s.
  private static let arrivals = (0..<600).map { Int64($0 * $0 % 97) }

  private static func run(
    fleet: Int = 1_000, simulated: Int = 100, _ arrivals: [Int64] = Self.arrivals,
    _ change: (inout Endpoint) -> Void = { _ in }, _ load: (inout StoredLoad) -> Void = { _ in }
  ) -> StoredRun {
    var scenario = Scenario()
    scenario.clock = Clock(
      startUnixMilliseconds: 0, warmup: .zero, duration: .seconds(Int64(arrivals.count)), step: .second)
    scenario.fleet.devices = fleet
    var endpoint = Endpoint()
    endpoint.name = "api"
    change(&endpoint)
    scenario.endpoints = [endpoint]
    var stored = StoredLoad(arrivals: arrivals, failures: arrivals.map { _ in 0 })
    load(&stored)
    return StoredRun(
      scenario: scenario, devicesSimulated: simulated, eventSpans: [],
      replications: [StoredReplication(load: [stored], minutes: [])], groups: [])
  }

  private static func plan(
    _ run: StoredRun, _ part: Range<Int64> = 0..<600, step: Int64 = 60, factor: String = "1", atServers: Bool = false
  ) throws -> LoadPlan {
    let slice = LoadSlice(
      run.scenario.clock, part: .start + .seconds(part.lowerBound)..<Instant.start + .seconds(part.upperBound),
      step: .seconds(step))
    let factor = try #require(LoadFactor(factor))
    return try #require(LoadPlan(run, slice, factor: factor, atServers: atServers))
  }

  /// Ten devices of the fleet per simulated one: nothing is rounded.
  @Test func planStepsSumTheirSeconds() throws {
    let target = try #require(try Self.plan(Self.run()).targets.first)
    let sums = (0..<10).map { step in 10 * Self.arrivals[step * 60..<(step + 1) * 60].reduce(0, +) }
    #expect(target.counts == sums)
    #expect(target.total == .whole(Int128(10 * Self.arrivals.reduce(0, +))))
    #expect(target.name == "api" && target.place == .only)
  }

  @Test(arguments: ["1", "0.1", "0.333333", "2.5", "1000"]) func runningSumsAreWithinHalfARequest(
    _ text: String
  ) throws {
    // The fleet is not a whole multiple of the sample.
    let run = Self.run(fleet: 1_000, simulated: 7)
    let plan = try Self.plan(run, step: 7, factor: text)
    let target = try #require(plan.targets.first)
    let factor = try #require(Double(text))
    var (sent, seconds) = (Int64(0), 0)
    for (step, count) in target.counts.enumerated() {
      sent += count
      seconds = min((step + 1) * 7, 600)
      let exact = Double(Self.arrivals[..<seconds].reduce(0, +)) * 1_000 / 7 * factor
      #expect((Double(sent) - exact).magnitude <= 0.5 + 1e-6)
    }
    #expect(seconds == 600)
    #expect(target.counts.allSatisfy { $0 >= 0 })
  }

  @Test func planPartCoversItsSeconds() throws {
    let run = Self.run(fleet: 100, simulated: 100)
    // 125 s in steps of 50 s: the last one is half as long.
    let plan = try Self.plan(run, 30..<155, step: 50)
    #expect(plan.slice.count == 3)
    #expect((0..<3).map { plan.slice.length(ofStep: $0) } == [.seconds(50), .seconds(50), .seconds(25)])
    let counts = try #require(plan.targets.first).counts
    #expect(counts == [30..<80, 80..<130, 130..<155].map { Self.arrivals[$0].reduce(0, +) })
    let levels = plan.levels(plan.targets[0])
    // Requests per full step: twice as many as in the half step.
    #expect(levels[2].from == 2 * Double(counts[2]) && levels[2].to == levels[2].from)
  }

  /// The area under the ramps, as trapezoids.
  @Test(arguments: [60, 7, 45] as [Int64]) func rampsKeepTheTotal(_ step: Int64) throws {
    let plan = try Self.plan(Self.run(), step: step)
    let target = try #require(plan.targets.first)
    let ramps = plan.ramps(target)
    let area = ramps.reduce(0.0) { $0 + ($1.from + $1.to) / 2 * $1.length.seconds / Double(step) }
    let total = target.counts.reduce(0, +)
    #expect((area - Double(total)).magnitude < 1e-6 * Double(total))
    #expect(ramps.reduce(0) { $0 + $1.requests } == total)
    #expect(ramps.reduce(TimeAmount.zero) { $0 + $1.length } == plan.slice.length)
    for (piece, next) in zip(ramps, ramps.dropFirst()) { #expect(piece.to == next.from) }
    var (sent, due) = (0.0, 0.0)
    for piece in ramps {
      sent += Double(piece.requests)
      due += (piece.from + piece.to) / 2 * piece.length.seconds / Double(step)
      #expect((sent - due).magnitude <= 0.5 + 1e-6)
    }
  }

  /// A level load has neither jumps nor ramps.
  @Test func aLevelLoadStaysLevel() throws {
    let plan = try Self.plan(Self.run(Array(repeating: 3, count: 600)))
    for piece in plan.ramps(plan.targets[0]) + plan.levels(plan.targets[0]) {
      #expect(piece.from == 1_800 && piece.to == 1_800)
    }
    #expect(plan.peak(plan.targets[0]) == 30)
  }

  @Test func serversGetCDNMissesAndBaseLoad() throws {
    let run = Self.run(
      fleet: 1_000, simulated: 100, Array(repeating: 4, count: 120),
      { endpoint in
        endpoint.capacity = 100
        endpoint.baseLoad = BaseLoad()
        endpoint.cdn = CDN()
      },
      { load in
        load.queue = (0..<120).map { _ in
          StoredQueueStep(reached: 1.25, base: 0.5, room: 100, capacity: 100, refused: 0, backlog: 0)
        }
      })
    let servers = try Self.plan(run, 0..<120, atServers: true)
    // 120 s of 1.75 requests.
    #expect(servers.targets.map(\.counts) == [[105, 105]])
    #expect(servers.targets.map(\.place) == [.servers])
    let phones = try Self.plan(run, 0..<120)
    #expect(phones.targets.map(\.counts) == [[2_400, 2_400]])
    #expect(phones.targets.map(\.place) == [.phones])
  }

  @Test func endpointWithoutRequestsIsOmitted() throws {
    #expect(try Self.plan(Self.run(Array(repeating: 0, count: 60)), 0..<60).targets.isEmpty)
  }

  @Test(
    arguments: [
      ("1", 1, 1), ("0.1", 1, 10), ("2.50", 250, 100), ("1000", 1_000, 1), ("0.000001", 1, 1_000_000),
    ] as [(String, Int128, Int128)])
  func factorsAreExact(_ text: String, _ numerator: Int128, _ denominator: Int128) throws {
    let factor = try #require(LoadFactor(text))
    #expect(factor.numerator * denominator == numerator * factor.denominator)
  }

  @Test(arguments: ["", "0", "0.0", "-1", "1e3", "1.", ".5", "1000.1", "0.0000001", "ten", "1,5", "１"])
  func invalidFactorsAreRefused(_ text: String) { #expect(LoadFactor(text) == nil) }

  @Test func usualStepsAreAMinuteForADay() {
    let clock = { (step: TimeAmount) in
      Clock(startUnixMilliseconds: 0, warmup: .zero, duration: .days(30), step: step)
    }
    let usual = { (days: Int64, step: TimeAmount) in
      LoadSlice.usualStep(clock(step), part: .start..<Instant.start + .days(days))
    }
    #expect(usual(1, .second) == .minute)
    #expect(usual(2, .second) == .minutes(5))
    #expect(usual(30, .second) == .hour)
    // A whole number of time steps, rounded up.
    #expect(usual(1, .seconds(7)) == .seconds(63))
    #expect(usual(1, .minutes(10)) == .minutes(10))
  }
}
