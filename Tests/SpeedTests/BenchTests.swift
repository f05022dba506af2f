import Foundation
import Testing

@testable import fleetbench

/// The benchmark of the workloads: exact counts, ratios, a table and JSON.
struct BenchTests {
  @Test func everyCaseHasItsCounts() {
    for one in BenchCase.all(Workload.allCases, threads: 2, isQuick: false) {
      #expect(BenchCounts.expected(of: one) != nil, "\(one)")
    }
  }

  private static func report(_ words: [String]) throws -> BenchReport {
    let arguments = try BenchArguments(words)
    return BenchReport(
      measurements: try Bench(arguments: arguments).measurements(), threads: arguments.threads,
      isQuick: arguments.isQuick)
  }

  /// The smallest fleets have the recorded counts, so that a changed rule fails here and not only in `make bench`.
  @Test func smallestFleetsHaveTheRecordedCounts() throws {
    #expect(try Self.report(["--quick", "--jobs", "2"]).measurements.count == 8)
  }

  /// Cases range from 10^3 devices to the whole fleet, on one thread and on several; storm also runs without limits.
  @Test func casesGrow() {
    let cases = BenchCase.all([.renewal, .storm], threads: 2, isQuick: false)
    let renewal = cases.filter { $0.workload == .renewal }
    #expect(renewal.map(\.devices) == [1_000, 1_000, 10_000, 10_000, 100_000, 100_000, 100_000, 1_000_000, 1_000_000])
    #expect(renewal.map(\.threads) == [1, 2, 1, 2, 1, 1, 2, 1, 2])
    #expect(renewal.map(\.keepsEnergy) == [true, true, true, true, true, false, true, true, true])
    let storm = cases.filter { $0.workload == .storm && $0.devices == 100_000 }
    #expect(storm.map(\.hasLimits) == [true, false, true, false] && storm.map(\.threads) == [1, 1, 2, 2])
    #expect(BenchCase.all([.city], threads: 2, isQuick: false).last?.devices == 500_000)
    let quick = BenchCase.all([.city], threads: 1, isQuick: true)
    #expect(quick == [BenchCase(workload: .city, devices: 1_000, threads: 1)])
  }

  /// Different counts are refused, with both numbers in the message.
  @Test func otherCountsAreRefused() throws {
    let one = BenchCase(workload: .renewal, devices: 1_000, threads: 1)
    let expected = try #require(BenchCounts.expected(of: one))
    try expected.check(one, seed: 1)
    let other = BenchCounts(events: expected.events + 1, runs: expected.runs)
    let failure = #expect(throws: BenchCounts.Difference.self) { try other.check(one, seed: 7) }
    for part in ["\(expected.events) events", "\(other.events) events", "seed 7"] {
      #expect(failure?.description.contains(part) == true, "\(part)")
    }
    var unknown = one
    unknown.devices = 7
    #expect(throws: BenchCounts.Difference.self) { try expected.check(unknown, seed: 1) }
  }

  // MARK: Ratios

  private static func measurement(
    _ workload: Workload, _ devices: Int, _ threads: Int, hasLimits: Bool = true, processor: Double, wall: Double
  ) -> BenchMeasurement {
    BenchMeasurement(
      benchCase: BenchCase(workload: workload, devices: devices, threads: threads, hasLimits: hasLimits),
      counts: BenchCounts(events: 1_000_000, runs: 10), days: 2, processor: processor, wall: wall)
  }

  @Test func ratiosOfGrowthAndThreads() {
    let ratios = BenchRatio.all(of: [
      Self.measurement(.renewal, 10_000, 1, processor: 1, wall: 1.01),
      Self.measurement(.renewal, 10_000, 2, processor: 1.1, wall: 0.5),
      Self.measurement(.renewal, 100_000, 1, processor: 10.5, wall: 20),
      Self.measurement(.renewal, 100_000, 2, processor: 11, wall: 6),
    ])
    #expect(ratios.count == 5)
    let growth = ratios.prefix(2).map { BenchReport.fixed($0.value, 4) }
    #expect(growth == ["1.0500", "1.0000"] && ratios.prefix(2).allSatisfy { $0.aim == 1.1 && $0.isMet })
    // 10 % more processor time misses 8 %; half the time is within 0.55.
    #expect(!ratios[2].isMet && ratios[3].isMet && ratios[3].value == 0.5 / 1.01)
    // A single thread that waited for a processor has no valid wall time.
    #expect(ratios[4].name.hasSuffix("processor time"))
  }

  @Test func ratiosOfLimitsAndOfAMillionDeviceDays() {
    let ratios = BenchRatio.all(of: [
      Self.measurement(.storm, 100_000, 2, processor: 5, wall: 3),
      Self.measurement(.storm, 100_000, 2, hasLimits: false, processor: 2, wall: 1),
      Self.measurement(.city, 500_000, 2, processor: 50, wall: 25),
    ])
    #expect(ratios.map(\.value) == [2.5, 25])
    #expect(ratios.map(\.aim) == [2, 30] && ratios.map(\.isMet) == [false, true])
  }

  /// The account takes a fifth: 2 s without it and 2.5 s with it.
  @Test func theShareOfTheEnergyAccount() {
    var bare = Self.measurement(.city, 100_000, 1, processor: 2, wall: 2)
    bare.benchCase.keepsEnergy = false
    let ratios = BenchRatio.all(of: [Self.measurement(.city, 100_000, 1, processor: 2.5, wall: 2.5), bare])
    #expect(ratios.map(\.name) == ["city, 100000 devices, 1 thread: share of the energy account"])
    #expect(ratios.first.map { BenchReport.fixed($0.value, 6) } == "0.200000" && ratios.first?.isMet == false)
  }

  /// The min over several runs counts, separately for each time.
  @Test func minimumOverRunsCounts() {
    var one = Self.measurement(.city, 1_000, 1, processor: 2, wall: 3)
    one.add(Self.measurement(.city, 1_000, 1, processor: 1, wall: 4))
    #expect(one.processor == 1 && one.wall == 3 && one.repetitions == 2)
    #expect(one.eventsPerProcessorSecond == 1_000_000 && one.processorPerDevice == 0.001)
    #expect(BenchReport.fixed(0.0456, 2) == "0.05" && BenchReport.fixed(1_234.5, 0) == "1235")
  }

  // MARK: The program

  @Test func aDocumentOfTheSmallestFleet() throws {
    let json = try Self.report(["--only", "W", "--quick", "--jobs", "2", "--json"]).json
    let document = try #require(try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
    #expect(document["schema"] as? String == "widgetfleet.bench/v1")
    #expect(document["threads"] as? Int == 2 && document["quick"] as? Bool == true)
    let measurements = try #require(document["measurements"] as? [[String: Any]])
    #expect(measurements.map { $0["threads"] as? Int } == [1, 2])
    for one in measurements {
      #expect(one["workload"] as? String == "W" && one["devices"] as? Int == 1_000)
      #expect((one["events_per_cpu_s"] as? Double ?? 0) > 0 && (one["wall_s"] as? Double ?? 0) > 0)
      // A budget of U(0, 60), at a mean gap of 25.5 min, allows 30 runs until 23:00, the refill about 3 after it.
      let runs = one["widget_runs"] as? Int ?? 0
      #expect((62_000...70_000).contains(runs))
      #expect(one["events"] as? Int ?? 0 >= 2 * runs)
    }
    #expect((document["ratios"] as? [[String: Any]])?.isEmpty == false)
  }

  @Test func aTableOnOneThread() throws {
    let lines = try Self.report(["--only", "W", "--quick", "--jobs", "1"]).table.split(separator: "\n").map(String.init)
    #expect(lines.count == 3)
    #expect(lines.first?.hasPrefix("workload") == true && lines.allSatisfy { $0.count <= 80 })
    #expect(lines.last?.contains("bytes per device") == true)
  }

  @Test(arguments: [["--only", "X"], ["--only"], ["--only", "W,"], ["W"], ["--set"], ["--jobs", "0"], ["--jobs"]])
  func invalidBenchArgumentsAreRefused(arguments: [String]) {
    #expect(throws: BenchArguments.Mistake.self) { try BenchArguments(arguments) }
  }
}
