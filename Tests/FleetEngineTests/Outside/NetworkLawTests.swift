import Numerics
import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel
@testable import FleetEngine

/// The networks of many devices, advanced to the instants that a test needs.
private struct Networks {
  let engine: Engine
  let plan: NetworkPlan
  let wall: WallClock

  init(_ network: String, zone: String = "UTC") throws {
    engine = try Crowd(
      devices: 1, clock: "{start: 2027-01-18T00:00:00Z, settle: 0s, warmup: 2d, duration: 20d}",
      zones: "{\(zone): 100%}",
      person: "unlocks_per_day: 0", network: network
    ).engine()
    plan = engine.plan.cohorts[0].network
    wall = engine.plan.clocks[0]
  }

  var beginning: Instant { engine.plan.beginning }

  static func stream(_ device: Int) -> DeviceStream { DeviceStream(seed: 17, device: UInt32(device), replication: 0) }

  func state(_ device: Int) -> NetworkState {
    NetworkState(plan, stream: Self.stream(device), wall: wall, beginning: beginning)
  }

  /// Returns the interface changes up to an instant.
  func advance(_ state: inout NetworkState, _ device: Int, to now: Instant) -> [Instant] {
    var changes: [Instant] = []
    while let change = state.changeInterface(upTo: now, plan, stream: Self.stream(device), wall: wall) {
      changes.append(change)
    }
    state.turn(upTo: now, plan, stream: Self.stream(device))
    return changes
  }
}

/// The networks of MODEL.md 3.1; seed 17.
@Suite struct NetworkLawTests {
  /// Returns the share of Wi-Fi `minutes` after a local midnight, when the last draw is an exponential time earlier.
  private static func wifi(_ shares: [Double], dwell: Double, minutes: Double) -> Double {
    var (sum, age) = (0.0, 0.0)
    while age < 40 * dwell {
      let sinceMidnight = (minutes - age + 1_440 * 1_000).truncatingRemainder(dividingBy: 1_440)
      let hour = Int((sinceMidnight / 60).rounded(.up)) - 1
      let further = sinceMidnight - Double(hour) * 60
      let weight: Double = SteadyMath.exp(-age / dwell) - SteadyMath.exp(-(age + further) / dwell)
      sum += shares[(hour + 24) % 24] * weight
      age += further
    }
    return sum
  }

  /// The share of Wi-Fi is that of the local hour at the last draw, from the first instant on.
  @Test(arguments: [30, 180])
  func wifiShareFollowsTheLocalHour(dwell: Int) throws {
    let shares = (0..<24).map { $0 < 8 ? 0.9 : $0 < 18 ? 0.2 : 0.6 }
    let list = shares.map { "\(Int($0 * 100))%" }.joined(separator: ", ")
    let networks = try Networks("{wifi: [\(list)], dwell: \(dwell)min}", zone: "Asia/Kolkata")
    let times = [0, 1, 7, 13, 30, 100, 600] + (0..<24).map { 3_000 + 61 * $0 }
    var counts = times.map { _ in 0 }
    let devices = 2_000
    for device in 0..<devices {
      var state = networks.state(device)
      for (index, minutes) in times.enumerated() {
        _ = networks.advance(&state, device, to: networks.beginning + .minutes(Int64(minutes)))
        counts[index] += state.isOnWifi ? 1 : 0
        #expect(!state.isOffline)
      }
    }
    for (index, minutes) in times.enumerated() {
      // Midnight UTC is 5:30 in India.
      let share = Self.wifi(shares, dwell: Double(dwell), minutes: Double(minutes) + 330)
      let deviation = (Double(devices) * share * (1 - share)).squareRoot()
      #expect(abs(Double(counts[index]) - Double(devices) * share) < 4.5 * deviation, "after \(minutes) min, seed 17")
    }
  }

  /// Draws are a Poisson process; half of them change the interface, which is again Poisson, with twice the mean gap.
  @Test func networkDrawsAreAPoissonProcess() throws {
    let networks = try Networks("{wifi: 50%, dwell: 1h}")
    var counts = Sample()
    var first: [Double] = []
    for device in 0..<600 {
      var state = networks.state(device)
      let changes = networks.advance(&state, device, to: networks.beginning + .days(10))
      counts.add(Double(changes.count))
      first.append(((changes.first ?? .never) - networks.beginning).seconds)
      #expect(zip(changes, changes.dropFirst()).allSatisfy { $0 < $1 })
    }
    #expect(counts.agrees(with: 120), "\(counts.mean), seed 17")
    #expect(abs(counts.variance / 120 - 1) < 4.5 * (2.0 / 600).squareRoot(), "\(counts.variance), seed 17")
    let law = ContinuousDistribution.exponential(mean: 7_200)
    #expect(try agrees(first) { try law.lowerTail($0) }, "seed 17")
  }

  /// With 0 % or 100 % Wi-Fi, no draw changes the interface.
  @Test(arguments: ["0%", "100%"])
  func extremeWifiSharesKeepTheInterface(share: String) throws {
    let networks = try Networks("{wifi: \(share), dwell: 1min}")
    var state = networks.state(3)
    #expect(networks.advance(&state, 3, to: .start + .days(5)).isEmpty)
    #expect(state.isOnWifi == (share == "100%"))
  }

  /// From the first instant on, devices are offline for their share of the time; spells are exponential, with means m
  /// and m (1 - s) / s.
  @Test(arguments: [(3, 57), (20, 20)])
  func offlineSpells(percent: Int, minutes: Int) throws {
    let networks = try Networks("{offline: {share: \(percent)%, mean: \(minutes)min}}")
    let times: [TimeAmount] = [.zero, .minutes(1), .hours(1), .hours(30)]
    var counts = times.map { _ in 0 }
    var spells: (online: [Double], offline: [Double]) = ([], [])
    let devices = 3_000
    for device in 0..<devices {
      var state = networks.state(device)
      for (index, time) in times.enumerated() {
        _ = networks.advance(&state, device, to: networks.beginning + time)
        counts[index] += state.isOffline ? 1 : 0
      }
      for _ in 0..<(device < 500 ? 4 : 0) {
        let begin = state.turn
        _ = networks.advance(&state, device, to: begin)
        let length = (state.turn - begin).seconds
        if state.isOffline { spells.offline.append(length) } else { spells.online.append(length) }
      }
    }
    let share = Double(percent) / 100
    for count in counts {
      let deviation = (Double(devices) * share * (1 - share)).squareRoot()
      #expect(abs(Double(count) - Double(devices) * share) < 4.5 * deviation, "\(counts), seed 17")
    }
    let mean = Double(minutes) * 60
    let (offline, online) = (
      ContinuousDistribution.exponential(mean: mean),
      ContinuousDistribution.exponential(mean: mean * (1 - share) / share)
    )
    #expect(try agrees(spells.offline) { try offline.lowerTail($0) }, "seed 17")
    #expect(try agrees(spells.online) { try online.lowerTail($0) }, "seed 17")
    #expect(spells.offline.count == 1_000 && spells.online.count == 1_000)
  }

  /// Offline spells and the interface are independent.
  @Test func offlineSpellsAndInterfaceAreIndependent() throws {
    let networks = try Networks("{wifi: 63%, dwell: 20min, offline: {share: 30%, mean: 20min}}")
    var counts = [0, 0, 0, 0]
    for device in 0..<3_000 {
      var state = networks.state(device)
      _ = networks.advance(&state, device, to: .start)
      counts[(state.isOnWifi ? 2 : 0) + (state.isOffline ? 1 : 0)] += 1
    }
    let expected = [0.37 * 0.7, 0.37 * 0.3, 0.63 * 0.7, 0.63 * 0.3].map { $0 * 3_000 }
    #expect(try agrees(counts, expected), "\(counts), seed 17")
  }

  /// However often it is read, the network is the same.
  @Test func readingTheNetworkDoesNotChangeIt() throws {
    let networks = try Networks("{wifi: 50%, dwell: 10min, offline: {share: 40%, mean: 10min}}")
    for device in 0..<50 {
      var (seldom, often) = (networks.state(device), networks.state(device))
      for minute in 0..<600 { _ = networks.advance(&often, device, to: networks.beginning + .minutes(Int64(minute))) }
      _ = networks.advance(&seldom, device, to: networks.beginning + .minutes(599))
      #expect((seldom.isOnWifi, seldom.isOffline, seldom.turn) == (often.isOnWifi, often.isOffline, often.turn))
    }
  }

  /// Scenarios that differ in a policy have the same networks.
  @Test func policiesDoNotDisturbNetworks() throws {
    func ends(_ kind: String) throws -> [String] {
      let crowd = Crowd(
        devices: 40, kinds: "{k: \(kind)}", network: "{wifi: 50%, dwell: 30min, offline: {share: 20%, mean: 10min}}")
      var states: [NetworkState] = []
      try crowd.live {
        states.append($0.network)
      } _: { simulator, _, _ in
        states[states.count - 1] = simulator.network
      }
      let engine = try crowd.engine()
      return states.enumerated().map { device, state in
        var state = state
        let stream = DeviceStream(seed: 7, device: UInt32(device), replication: 0)
        let plan = engine.plan.cohorts[0].network
        while state.changeInterface(upTo: engine.plan.end, plan, stream: stream, wall: engine.plan.clocks[0]) != nil {}
        state.turn(upTo: engine.plan.end, plan, stream: stream)
        return "\(state)"
      }
    }
    let busy = try ends("{reload: {after: 15min}, crash: 10%, requests: [{endpoint: api}]}")
    let calm = try ends(
      "{reload: {after: 6h}, jitter: {up_to: 10min}, attempts: {count: 3}, requests: [{endpoint: api, count: 3}]}")
    #expect(busy == calm && Set(busy).count == 40)
  }

  /// The table of MODEL.md 7.1 in milliseconds: promotion, total of tails, round trip.
  @Test(
    arguments: [
      ("wifi", 79, 238, 30), ("lte-2012", 260, 11_576, 70), ("lte-2021-vz", 260, 10_200, 60),
      ("lte-2021-tmo", 260, 5_000, 60), ("5g-nsa-low", 260, 10_200, 50), ("5g-sa", 260, 15_000, 40),
      ("5g-mmwave", 260, 11_000, 30),
    ] as [(String, Int64, Int64, Int64)])
  func profiles(name: String, promotion: Int64, tail: Int64, roundTrip: Int64) throws {
    let (fixed, roaming) = (try Networks(name), name == "wifi" ? nil : try Networks("{cellular: \(name)}"))
    #expect(fixed.plan.roaming == nil && fixed.plan.offline == nil && fixed.plan.radios.count == 1)
    let radios = roaming?.plan.radios
    for radio in [fixed.plan.radios[0]] + (radios.map { [$0[1]] } ?? []) {
      #expect(radio.promotion.length == .milliseconds(promotion) && radio.tailLength == .milliseconds(tail))
      #expect(radio.outbound + radio.inbound == .milliseconds(roundTrip) && radio.outbound == radio.inbound)
    }
    #expect(radios == nil || radios?[0].tailLength == .milliseconds(238))
    // Their plans are in the engines' memory.
    withExtendedLifetime((fixed, roaming)) {}
  }
}
