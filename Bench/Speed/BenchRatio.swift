/// A ratio with a target, where smaller is better.
struct BenchRatio: Sendable {
  var name: String
  var value: Double
  /// The maximum allowed value; `nil` if the ratio is only informative.
  var aim: Double?
  /// The unit of the value; empty for a dimensionless ratio.
  var unit = ""

  var isMet: Bool { aim.map { value <= $0 } ?? true }

  /// Returns the ratios that these measurements allow.
  static func all(of measurements: [BenchMeasurement]) -> [BenchRatio] {
    growth(measurements) + threads(measurements) + limits(measurements) + accounts(measurements) + city(measurements)
  }

  /// Returns the time per device at each size relative to the next smaller size, which must not grow from 10^4 to 10^6
  /// devices of W.
  private static func growth(_ measurements: [BenchMeasurement]) -> [BenchRatio] {
    measurements.compactMap { large in
      let small = measurements.last { $0.isSmaller(than: large) }
      guard let small else { return nil }
      let hasAim = large.benchCase.workload == .renewal && small.benchCase.devices >= 10_000
      return BenchRatio(
        name: "\(large.name): processor time per device against \(small.benchCase.devices) devices",
        value: large.processorPerDevice / small.processorPerDevice, aim: hasAim ? 1.1 : nil)
    }
  }

  /// Returns ratios of several threads to one: processor time, and wall time if the processors were free.
  private static func threads(_ measurements: [BenchMeasurement]) -> [BenchRatio] {
    measurements.flatMap { several -> [BenchRatio] in
      let one = measurements.first { $0.benchCase == several.benchCase.scenarioCase }
      guard several.benchCase.threads > 1, let one else { return [] }
      let (name, hasAim) = ("\(several.name) against 1 thread", several.benchCase.threads == 2)
      let processor = BenchRatio(
        name: name + ": processor time", value: several.processor / one.processor,
        aim: hasAim && one.processor > 0.2 ? 1.08 : nil)
      guard one.hadProcessorAlone else { return [processor] }
      return [
        processor,
        BenchRatio(
          name: name + ": time", value: several.wall / one.wall, aim: hasAim && one.processor > 0.2 ? 0.55 : nil),
      ]
    }
  }

  /// Returns the ratio of a backend with feedback to the same fleet without limits.
  private static func limits(_ measurements: [BenchMeasurement]) -> [BenchRatio] {
    pairs(measurements, \.hasLimits).map { limited, calm in
      BenchRatio(
        name: "\(limited.name): processor time against no limits", value: limited.processor / calm.processor,
        aim: limited.benchCase.devices >= 100_000 ? 2 : nil)
    }
  }

  /// Returns the fraction of a run's processor time that energy accounting takes.
  private static func accounts(_ measurements: [BenchMeasurement]) -> [BenchRatio] {
    pairs(measurements, \.keepsEnergy).map { whole, bare in
      BenchRatio(
        name: "\(whole.name): share of the energy account", value: 1 - bare.processor / whole.processor, aim: 0.15)
    }
  }

  /// Returns the measurements with a property, each paired with its counterpart without it.
  private static func pairs(
    _ measurements: [BenchMeasurement], _ property: WritableKeyPath<BenchCase, Bool>
  ) -> [(BenchMeasurement, BenchMeasurement)] {
    measurements.filter { $0.benchCase[keyPath: property] }.compactMap { one in
      var without = one.benchCase
      without[keyPath: property] = false
      return measurements.first { $0.benchCase == without }.map { (one, $0) }
    }
  }

  /// Returns the wall time for a million device-days of city on two threads.
  private static func city(_ measurements: [BenchMeasurement]) -> [BenchRatio] {
    let whole = measurements.filter { $0.benchCase.workload == .city && $0.benchCase.threads == 2 }
      .first { Double($0.benchCase.devices) * $0.days >= 1_000_000 }
    guard let whole else { return [] }
    return [BenchRatio(name: "\(whole.name): a million device-days", value: whole.wall, aim: 30, unit: "s")]
  }
}

extension BenchMeasurement {
  fileprivate var name: String {
    let threads = benchCase.threads == 1 ? "1 thread" : "\(benchCase.threads) threads"
    return "\(benchCase.workload.rawValue)\(benchCase.remark), \(benchCase.devices) devices, \(threads)"
  }

  /// Whether this is the same measurement for a smaller fleet; sizes are in ascending order.
  fileprivate func isSmaller(than other: BenchMeasurement) -> Bool {
    benchCase.workload == other.benchCase.workload && benchCase.threads == other.benchCase.threads
      && benchCase.hasLimits == other.benchCase.hasLimits && benchCase.keepsEnergy && other.benchCase.keepsEnergy
      && benchCase.devices < other.benchCase.devices
  }
}
