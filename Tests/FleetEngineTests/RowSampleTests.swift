import Scenario
import Testing

@testable import FleetEngine

/// The rows of devices.csv: of all devices, of a sample, or of none (MODEL.md 8.2).
@Suite struct RowSampleTests {
  private static let sizes = [
    (2, 1), (13, 5), (64, 63), (100, 10), (101, 10), (1_000, 999), (4_099, 64), (10_000, 7), (20_011, 10_000),
  ]

  @Test(arguments: sizes, [1, 7, UInt64.max]) func eachRangeHasOneDevice(size: (devices: Int, count: Int), seed: UInt64)
  {
    let (devices, count) = size
    let sample = RowSample(of: devices, count: count, seed: seed)
    let places = (0..<devices).filter(sample.contains).map { ($0 + sample.shift) % devices }.sorted()
    #expect(places.count == count && sample.count == count)
    for (range, place) in places.enumerated() {
      #expect((range * devices / count..<(range + 1) * devices / count).contains(place), "range \(range)")
    }
  }

  /// The largest fleet that a file can have, with the largest products.
  @Test func theLargestFleet() {
    let (devices, count) = (1_000_000_000, 999_999_999)
    let sample = RowSample(of: devices, count: count, seed: 3)
    let shift = sample.shift
    // Only one range has two devices; all others have one, which is certain to be chosen.
    let left = [0, 1, devices / 2, devices - 2, devices - 1].count { place in
      !sample.contains((place - shift + devices) % devices)
    }
    #expect(left <= 1 && (0..<devices).contains(shift))
  }

  /// Over the seeds, every device is equally likely, even in ranges of unequal size.
  @Test(arguments: [(13, 5), (12, 4), (10, 9)]) func everyDeviceIsEquallyLikely(devices: Int, count: Int) {
    let seeds = 20_000
    var hits = Array(repeating: 0, count: devices)
    for seed in 0..<seeds {
      let sample = RowSample(of: devices, count: count, seed: UInt64(seed))
      for device in hits.indices where sample.contains(device) { hits[device] += 1 }
    }
    let share = Double(count) / Double(devices)
    let deviation = (share * (1 - share)).squareRoot()
    for (device, hits) in hits.enumerated() {
      #expect(
        isWithin(Double(hits) / Double(seeds), of: share, deviation: deviation, count: seeds), "device \(device)")
    }
    // The mean square of the deviations in standard errors is 1; in the worst case they all move together.
    let squares = hits.map { hits in
      let error = (Double(hits) / Double(seeds) - share) / (deviation / Double(seeds).squareRoot())
      return error * error
    }
    #expect(squares.reduce(0, +) / Double(devices) <= 1 + 4.5 * 2.0.squareRoot(), "\(squares)")
  }

  /// The draw of one range is independent of the next, and of where the ranges start.
  @Test func rangesAreIndependent() {
    let (seeds, size) = (20_000, 5)
    var pairs = Array(repeating: 0, count: size * size)
    var begun = pairs
    for seed in 0..<seeds {
      let sample = RowSample(of: 2 * size, count: 2, seed: UInt64(seed))
      let places = (0..<2 * size).filter(sample.contains).map { ($0 + sample.shift) % (2 * size) }.sorted()
      pairs[places[0] * size + places[1] - size] += 1
      begun[places[0] * size + sample.shift % size] += 1
    }
    let share = 1 / Double(size * size)
    for hits in pairs + begun {
      let deviation = (share * (1 - share)).squareRoot()
      #expect(
        isWithin(Double(hits) / Double(seeds), of: share, deviation: deviation, count: seeds), "\(pairs) \(begun)")
    }
  }

  /// Cohorts are consecutive, and each has its share of the sample.
  @Test(arguments: [(1_000, 37), (997, 100), (5_000, 1_234)]) func cohortsKeepTheirShare(devices: Int, count: Int) {
    for seed in 0..<20 as Range<UInt64> {
      let sample = RowSample(of: devices, count: count, seed: seed)
      for cohort in [0..<devices / 3, devices / 3..<devices / 2, devices / 2..<devices / 2 + 1, devices / 2..<devices] {
        let expected = Double(cohort.count * count) / Double(devices)
        #expect(abs(Double(cohort.count(where: sample.contains)) - expected) < 2, "\(cohort), seed \(seed)")
      }
    }
  }

  // MARK: Runs

  private static func sample(_ rows: String, hasLimits: Bool) -> FleetSample {
    var sample = FleetSample(devices: 300)
    sample.clock = "{start: 2027-03-27T06:00:00Z, settle: 0s, warmup: 1h, duration: 3h, step: 10s}"
    sample.run = "{seed: 11, replications: 2, device_rows: \(rows)}"
    sample.kinds = """
      {a: {reload: {after: {exponential: 20min}}, attempts: {count: 3, backoff: 3s}, requests: [{endpoint: api}]},
       b: {reload: {after: {every: 30min}}, cache: {ttl: 10min}, requests: [{endpoint: api}]}}
      """
    sample.cohorts = """
      [{name: west, share: 60%, zones: {Europe/Berlin: 70%, America/New_York: 30%}, network: wifi,
        power: {overnight: 85%}, widgets: [{kind: a}, {kind: b, share: 50%}]},
       {name: east, share: 40%, zones: {Asia/Tokyo: 100%}, network: wifi, power: mains, widgets: [{kind: b}]}]
      """
    sample.os = "{}"
    if hasLimits { sample.endpoints = "{api: {capacity: 1/s, queue: 50}}" }
    return sample
  }

  /// A sample has the same rows for its devices as the full table, and everything else is the same as without rows.
  @Test(arguments: [false, true], [1, 3]) func sampledRowsAreUnchanged(hasLimits: Bool, threads: Int) throws {
    let all = try Self.sample("all", hasLimits: hasLimits).result(threads: threads)
    let engine = try Self.sample("37", hasLimits: hasLimits).engine()
    #expect(engine.plan.hasFeedback == hasLimits && engine.devicesWithRows == 37)
    let some = try #require(try engine.run(threads: threads, control: RunControl()))
    let none = try #require(try engine.withoutRows.run(threads: threads, control: RunControl()))
    let devices = (0..<300).filter { engine.keepsRow(of: $0) }.map { UInt32($0) }
    #expect(devices.count == 37 && some.replications.count == 2)
    for (number, whole) in all.replications.enumerated() {
      let rows = some.replications[number].devices.rows
      #expect(rows == whole.devices.rows.filter { devices.contains($0.device) })
      #expect(Set(rows.map(\.device)) == Set(devices) && whole.devices.rowCount > 300)
      var bare = whole
      bare.devices.rows = []
      let isTheSame = none.replications[number] == bare
      #expect(isTheSame)
      bare.devices.rows = rows
      let isTheSameButRows = some.replications[number] == bare
      #expect(isTheSameButRows)
    }
  }

  /// Without followed phones everything else is the same; with half of the phones, half of the time is followed
  /// (MODEL.md 8.3).
  @Test(arguments: [false, true]) func followingChangesNothingElse(hasLimits: Bool) throws {
    let engine = try Self.sample("all", hasLimits: hasLimits).engine()
    let all = try #require(try engine.run(threads: 2, control: RunControl()))
    let none = try #require(try engine.withoutFollowing.run(threads: 2, control: RunControl()))
    var some = engine
    some.plan.unfollowedBits = 3
    let quarter = try #require(try some.run(threads: 2, control: RunControl()))
    for (number, whole) in all.replications.enumerated() {
      var (bare, fourth) = (whole, quarter.replications[number])
      for group in bare.groups.indices {
        let (followed, fewer) = (whole.groups[group].followed, fourth.groups[group].followed)
        #expect(followed.milliseconds == whole.groups[group].milliseconds && followed.policyRuns > 0)
        #expect(fewer.milliseconds > 0 && fewer.milliseconds < followed.milliseconds / 2)
        bare.groups[group].followed = FollowedResult()
        fourth.groups[group].followed = FollowedResult()
      }
      let isTheSame = none.replications[number] == bare && fourth == bare
      #expect(isTheSame)
    }
  }

  @Test(arguments: [(1, 1), (2_047, 1), (2_048, 2), (100_000, 64), (1_000_000, 512)])
  func followedPhonesAreThinnedOut(phones: Int, every: Int) {
    #expect(FollowedPhones.every(of: phones) == every)
  }

  @Test(arguments: [("all", 300), ("299", 299), ("300", 300), ("5k", 300), ("1", 1), ("0", 0)])
  func fileDeterminesTheDevicesWithRows(rows: String, count: Int) throws {
    let engine = try Self.sample(rows, hasLimits: false).engine()
    #expect(engine.devicesWithRows == count && (0..<300).count { engine.keepsRow(of: $0) } == count)
    #expect((engine.rowSelection == .all) == (count == 300) && (engine.rowSelection == .none) == (count == 0))
    #expect(engine.withoutRows.devicesWithRows == 0 && engine.withoutRows.expectedRows == 0)
  }
}
