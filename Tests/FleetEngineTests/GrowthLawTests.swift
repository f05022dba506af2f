import DeviceModel
import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel
@testable import FleetEngine

/// Growing and shrinking fleets compared with MODEL.md 1.5 and 9.
struct GrowthLawTests {
  private static let days = 4.0

  /// Returns widgets that request a run every 37.5 min on average: after 30 min plus a start delay of U(0, 15 min).
  private static func sample(growth: String, devices: Int = 400) -> FleetSample {
    var sample = FleetSample(devices: devices)
    sample.clock = "{start: 2027-01-18T00:00:00Z, settle: 0s, warmup: 1d, duration: 4d, step: 1min}"
    sample.kinds = "{k: {reload: {after: 30min}, cpu: 0s, requests: [{endpoint: api}]}}"
    sample.fleetKeys = "growth_per_day: \(growth)"
    return sample
  }

  private static func lives(atStart: Int, growth: Double, days: Int64) throws -> [PhoneLifetime] {
    let plan = try #require(
      GrowthPlan(atStart: atStart, logarithm: SteadyMath.log(1 + growth), duration: TimeAmount.day * days))
    return (0..<plan.all).map { place in
      plan.life(
        of: place, DeviceStream(seed: 5, device: UInt32(place), replication: 0), until: .start + TimeAmount.day * days)
    }
  }

  /// The number of devices is n (1 + g)^t to within one at every instant, and exactly n at the start.
  @Test(
    arguments: [
      (1, 0.01), (1, -0.5), (7, 1.0), (100, 0.01), (100, -0.03), (1_000, 0.2), (1_000, -0.4), (3_000, 0.005),
    ] as [(Int, Double)])
  func deviceCountIsWithinOne(devices: Int, growth: Double) throws {
    let lives = try Self.lives(atStart: devices, growth: growth, days: 9)
    let atStart = lives.count { $0.from <= .start && $0.end > .start }
    #expect(atStart == devices)
    for hour in stride(from: Int64(0), to: 9 * 24, by: 5) {
      let now = Instant.start + TimeAmount.hour * hour
      let count = Double(lives.count { $0.from <= now && now < $0.end })
      let expected = Double(devices) * SteadyMath.exp(SteadyMath.log(1 + growth) * Double(hour) / 24)
      // Instants are whole milliseconds.
      #expect(abs(count - expected) < 1 + 1e-3, "\(count) of \(expected) at \(hour) h")
    }
  }

  /// Consecutive numbers are added and removed throughout.
  ///
  /// The mean rank of each eighth is within the spread of an even spacing.
  @Test(arguments: [0.5, -0.5]) func addedDevicesAreEvenlySpread(growth: Double) throws {
    let lives = try Self.lives(atStart: 2_000, growth: growth, days: 1)
    let moving = growth > 0 ? Array(lives.dropFirst(2_000)) : lives.filter { $0.end < .start + .day }
    let times = moving.map { Double((growth > 0 ? $0.from : $0.end).millisecondsSinceStart) }
    let size = times.count / 8
    let all = Sample(times)
    for part in 0..<8 {
      let mean = Sample(times[part * size..<(part + 1) * size]).mean
      // Random parts of this size would be within 4.5 standard errors; even ones are within a fifth of that.
      let error = (all.variance / Double(size)).squareRoot()
      #expect(abs(mean - all.mean) < 0.9 * error, "\(part)")
    }
  }

  /// Requests in a day: device-days / 37.5 min, plus 1/2 + V / (2 M^2) for each added device, V = 15^2 / 12.
  @Test(arguments: [("10%", 0.1), ("-10%", -0.1)]) func requestsFollowTheDevices(text: String, growth: Double) throws {
    let replication = try Self.sample(growth: text).replication()
    let (rate, logarithm) = (1_440 / 37.5, SteadyMath.log(1 + growth))
    func devices(_ day: Double) -> Double { 400 * SteadyMath.exp(logarithm * day) }
    for day in 0..<4 {
      let found = replication.load[0].arrivals[day * 1_440..<(day + 1) * 1_440].reduce(0.0) { $0 + Double($1) }
      let (first, last) = (devices(Double(day)), devices(Double(day + 1)))
      let deviceDays = (last - first) / logarithm
      let begun = growth > 0 ? (last - first) * (0.5 + 18.75 / (2 * 37.5 * 37.5)) : 0
      // A renewal process with cycles of variance V has variance V / M^3 per minute, plus that of one device a day.
      let deviation = (deviceDays * 1_440 * 18.75 / (37.5 * 37.5 * 37.5)).squareRoot()
      #expect(abs(found - rate * deviceDays - begun) < 4.5 * deviation + rate, "\(found) on day \(day)")
    }
  }

  /// Figures per device per day do not change: 38.4 runs a day, both on whole days and over the total time.
  ///
  /// The total time is n ((1 + g)^T - 1) / ln(1 + g) days.
  @Test(arguments: [("10%", 0.1), ("-10%", -0.1)]) func dailyFiguresUseDeviceTimePresent(
    text: String, growth: Double
  ) throws {
    let group = try #require(try Self.sample(growth: text).replication().groups.first)
    let logarithm = SteadyMath.log(1 + growth)
    let expected = 400 * (SteadyMath.exp(logarithm * Self.days) - 1) / logarithm
    let found = Double(group.milliseconds) / 86_400_000
    #expect(abs(found - expected) < Self.days, "\(found) for \(expected)")
    let halves = group.millisecondsByHalf.map { Double($0) / 86_400_000 }
    let middle = 400 * (SteadyMath.exp(logarithm * 2) - 1) / logarithm
    #expect(abs(halves[0] - middle) < 2 && abs(halves[0] + halves[1] - found) < 1e-6)
    // There are fewer whole days, by one for each device added or removed between its midnights.
    #expect(group.runsPerDay.total == group.wholeDays && Double(group.wholeDays) < found)
    let mean = Double(group.runsPerDay.sum) / Double(group.wholeDays)
    // The first day after a placement always has the start of a cycle, which adds less than a run.
    #expect(abs(mean - 38.4) < 0.5, "\(mean)")
    #expect(abs(Double(group.runs.reduce(0, +)) / found - 38.4) < 0.5)
  }

  /// An added device is placed at once, with all widgets and no earlier activity; a removed one has no later activity.
  @Test(arguments: ["60%", "-40%"]) func devicesActOnlyWhilePresent(growth: String) throws {
    var sample = Self.sample(growth: growth, devices: 30)
    sample.widgets = "[{kind: k}, {kind: k, page: 2}]"
    sample.app = "{reloads: [{when: background-refresh, per_day: 20, kinds: all, fills_cache: true}]}"
    sample.events = "[{name: p, push: {type: silent, per_device_per_day: 20, kinds: all}}]"
    let engine = try sample.engine()
    var simulator = DeviceSimulator(plan: engine.plan, shape: engine.tallyShape)
    var moved = 0
    for device in 0..<engine.devicesTotal {
      simulator.observed = []
      simulator.begin(device: device, cohort: 0, replication: 0)
      let life = simulator.device.widgets.phone.life
      if life != PhoneLifetime(end: engine.plan.end) { moved += 1 }
      var placements: [Instant] = []
      while let (now, event) = simulator.step() {
        if case .placement = event { placements.append(now) }
        if case .start = event { #expect(now >= life.from) }
        #expect(now < life.end)
      }
      if simulator.device.widgets.phone.isNewcomer {
        #expect(placements == (life.from < life.end ? [life.from, life.from] : []))
      }
      simulator.finish()
      let requests = (simulator.observed ?? []).map(\.arrival)
      #expect(requests.allSatisfy { $0 >= life.from && $0 < life.end })
    }
    #expect(moved > 10)
    withExtendedLifetime(engine) {}
  }

  /// The gallery on the second day shows the widgets of the devices that exist at that time.
  @Test(arguments: [("30%", 0.3), ("-30%", -0.3)]) func galleryReachesOnlyPresentDevices(
    text: String, growth: Double
  ) throws {
    var sample = Self.sample(growth: text)
    sample.events = "[{name: g, at: 2027-01-19T12:00:00Z, gallery: {audience: 100%, over: 0s}}]"
    let causes = try sample.replication().groups[0].traffic[0]
    let expected = 400 * SteadyMath.exp(1.5 * SteadyMath.log(1 + growth))
    #expect(abs(Double(causes[Int(Cause.gallery.rawValue)].requests) - expected) < 1)
  }

  /// Counts are the same with threads and in steps; a device's time in devices.csv is that of its instances.
  @Test(arguments: ["25%", "-25%"]) func pathsAgree(growth: String) throws {
    var sample = Self.sample(growth: growth, devices: 90)
    sample.clock = "{start: 2027-01-18T00:00:00Z, settle: 0s, warmup: 6h, duration: 2d, step: 10s}"
    sample.cohorts = """
      [{name: a, share: 40%, zones: {UTC: 100%}, network: wifi, widgets: [{kind: k}]},
       {name: b, share: 60%, zones: {UTC: 100%}, person: {unlocks_per_day: 0}, power: mains, widgets: [{kind: k}]}]
      """
    let alone = try sample.replication()
    #expect(try sample.replication(threads: 3) == alone)
    // A capacity that is never reached only changes the path taken.
    sample.endpoints = "{api: {capacity: 10k/s}}"
    let stepped = try sample.replication(threads: 2)
    #expect(stepped.load == alone.load && stepped.groups == alone.groups && stepped.devices == alone.devices)
    let times = try #require(DeviceTimes(of: try sample.result()))
    let sum = alone.devices.rows.reduce(Int64(0)) { sum, row in
      sum + times.time(ofDevice: Int(row.device), cohort: Int(row.cohort), replication: 0).milliseconds
    }
    #expect(sum == alone.groups.reduce(0) { $0 + $1.milliseconds })
  }

  /// Both without growth and with 0 %, the bytes are those of a file without the key.
  @Test func zeroGrowthEqualsMissingGrowth() throws {
    var sample = Self.sample(growth: "0%", devices: 40)
    let none = try sample.replication()
    sample.fleetKeys = ""
    #expect(try sample.replication() == none)
  }

  /// The devices present at the start keep their numbers and draws.
  @Test func initialDevicesKeepTheirDraws() throws {
    let grown = try Self.sample(growth: "10%", devices: 60).replication().devices.rows
    var still = Self.sample(growth: "0%", devices: 60)
    still.fleetKeys = ""
    #expect(Array(grown.prefix(60)) == (try still.replication().devices.rows))
    #expect(grown.count > 80)
  }
}
