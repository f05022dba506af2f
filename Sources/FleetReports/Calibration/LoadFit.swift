/// How near a simulated load is to the measured one, over the steps of five minutes that both know as a whole.
struct LoadFit {
  /// The sum of the distances over the sum of the measured requests: the weighted absolute percentage error, as a share.
  let error: Double
  /// What it would be by chance alone, were the scenario right.
  let floor: Double
  /// The simulated peak over the measured one, less 1.
  let peakError: Double
  /// Simulated requests over measured ones, less 1.
  let totalError: Double
  /// What two right peaks may differ by, as a share: one standard deviation of their difference.
  let peakChance: Double

  /// nil: nothing can be compared.
  init?(_ load: SimulatedLoad, _ measured: MeasuredLoad) {
    let pairs = measured.counts.indices.compactMap { bin -> (measured: Double, simulated: Double)? in
      guard measured.isKnown(bin), let simulated = load.count(at: bin) else { return nil }
      return (Double(measured.counts[bin]), simulated)
    }
    let total = pairs.reduce(0) { $0 + $1.measured }
    guard total > 0, let peak = pairs.map(\.measured).max(), let simulatedPeak = pairs.map(\.simulated).max() else {
      return nil
    }
    let spread = measured.requestsPerRun * (1 + load.scale)
    error = pairs.reduce(0) { $0 + abs($1.measured - $1.simulated) } / total
    // The mean distance of two counts with one expectation, of which their mean is the best guess.
    floor =
      pairs.reduce(0) { $0 + (spread * ($1.measured + $1.simulated) / Double.pi).squareRoot() } / total
    peakError = simulatedPeak / peak - 1
    totalError = pairs.reduce(0) { $0 + $1.simulated } / total - 1
    peakChance = (spread / peak).squareRoot()
  }

  /// Beyond chance; more would be seen in a plan.
  private static let mostError = 0.05
  private static let mostPeakError = 0.1

  /// Whether a plan may rest on it.
  var isNear: Bool { isErrorNear && isPeakNear }
  var isErrorNear: Bool { error - floor <= Self.mostError }
  private var isPeakNear: Bool { abs(peakError) <= Self.mostPeakError + peakChance }

  /// `12 % per five minutes, of which chance alone makes 9 %`.
  var text: String {
    NumberText.percent(error) + " per five minutes, "
      + (error > floor ? "of which chance alone makes \(NumberText.percent(floor))" : "no more than chance makes")
  }

  /// `its peak is 3 % higher`.
  var peakText: String { "its peak is " + DifferenceText.higher(peakError) }
}

/// Differences as shares, in words.
enum DifferenceText {
  /// Differences below this are none that anybody acts on.
  private static let least = 0.005

  /// `3 % higher`, `3 % lower`, `the same`.
  static func higher(_ share: Double) -> String {
    guard share.magnitude >= least else { return "the same" }
    return NumberText.percent(share.magnitude) + (share > 0 ? " higher" : " lower")
  }

  /// `+3 %`.
  static func signed(_ share: Double) -> String {
    guard share.magnitude >= least / 10 else { return "0\u{A0}%" }
    return (share > 0 ? "+" : "−") + NumberText.percent(share.magnitude)
  }
}
