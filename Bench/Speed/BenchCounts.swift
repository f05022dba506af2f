/// The expected counts for a workload; with different counts, speeds are not comparable.
struct BenchCounts: Equatable, Sendable {
  var events: Int
  var runs: Int

  /// Returns the recorded counts; `nil` if there are none for this size.
  static func expected(of one: BenchCase) -> BenchCounts? {
    if !one.keepsEnergy { return one.devices == BenchCase.sizeOfAccounts ? withoutEnergy[one.workload] : nil }
    return switch (one.workload, one.hasLimits) {
    case (.renewal, _): renewal[one.devices]
    case (.city, _): city[one.devices]
    case (.storm, true): storm[one.devices]
    case (.storm, false): calmStorm[one.devices]
    }
  }

  /// An error thrown if counts differ from the recorded ones.
  struct Difference: Error, CustomStringConvertible {
    var description: String
  }

  /// Throws an error with both counts unless they are equal.
  func check(_ one: BenchCase, seed: UInt64) throws(Difference) {
    let expected = Self.expected(of: one)
    guard self != expected else { return }
    throw Difference(
      description:
        "workload \(one.workload.rawValue)\(one.remark) with \(one.devices) devices counted \(events) events and \(runs) runs with seed \(seed)"
        + (expected.map { ", expected were \($0.events) events and \($0.runs) runs" } ?? ", none are written down"))
  }

  // Changes to the model change these counts by size; performance changes do not.
  private static let renewal: [Int: BenchCounts] = [
    1_000: BenchCounts(events: 134_826, runs: 65_517),
    10_000: BenchCounts(events: 1_348_693, runs: 655_390),
    100_000: BenchCounts(events: 13_500_686, runs: 6_561_139),
    1_000_000: BenchCounts(events: 135_248_221, runs: 65_732_788),
  ]
  private static let city: [Int: BenchCounts] = [
    1_000: BenchCounts(events: 1_120_575, runs: 93_424),
    10_000: BenchCounts(events: 10_936_837, runs: 926_604),
    100_000: BenchCounts(events: 109_769_267, runs: 9_267_151),
    500_000: BenchCounts(events: 548_433_486, runs: 46_291_375),
  ]
  private static let storm: [Int: BenchCounts] = [
    1_000: BenchCounts(events: 908_840, runs: 123_668),
    10_000: BenchCounts(events: 7_694_189, runs: 916_143),
    100_000: BenchCounts(events: 76_291_643, runs: 8_957_578),
    1_000_000: BenchCounts(events: 762_764_195, runs: 89_533_302),
  ]
  private static let calmStorm: [Int: BenchCounts] = [
    1_000: BenchCounts(events: 693_226, runs: 90_067),
    10_000: BenchCounts(events: 6_752_511, runs: 894_331),
    100_000: BenchCounts(events: 67_608_037, runs: 8_928_098),
    1_000_000: BenchCounts(events: 675_934_130, runs: 89_244_891),
  ]
  /// The counts with radios that are always ready, and therefore send slightly earlier.
  private static let withoutEnergy: [Workload: BenchCounts] = [
    .renewal: BenchCounts(events: 19_859_471, runs: 9_781_528),
    .city: BenchCounts(events: 109_767_302, runs: 9_267_143),
  ]
}
