import FleetEngine
import Numerics
import Scenario
import SimulationKernel

/// The probability in each step that a fleet's load exceeds an endpoint's capacity, estimated from a sample (MODEL.md
/// 8.1).
struct OverloadChance {
  /// The probability in each step: its estimate, and its values at the lower and upper ends of the intensity's
  /// interval.
  private(set) var chances: [(value: Double, low: Double, high: Double)]

  /// - Returns: `nil` if there is no backend.
  init?(_ replication: ReplicationResult, endpoint: Int, _ result: RunResult) {
    // The shortest window describes single steps best.
    guard let records = replication.backend?.records[endpoint], let spreads = replication.spreads[safe: endpoint] else {
      return nil
    }
    let window = spreads.windows.first?.window ?? .second
    let devices = Scale(of: result)
    let scale = Double(devices.fleet) / Double(max(devices.simulated, 1))
    let dispersion = replication.queueDispersion(endpoint: endpoint, window, result.scenario)
    let pieces = IntensityPieces(records.map { $0.reached / scale }, dispersion)
    chances = Array(repeating: (0, 0, 0), count: records.count)
    for range in pieces.ranges {
      let requests = pieces.requests(in: range)
      guard requests > 0 else {
        for step in range where records[step].isOverloaded { chances[step] = (1, 1, 1) }
        continue
      }
      let mean = requests / Double(range.count) * scale
      let error = (dispersion.ofSum(range, requests: requests) / requests * (1 - result.knownShare)).squareRoot()
      let ends = (low: mean / (1 + LoadLaw.reachBelow * error), high: mean * (1 + LoadLaw.reachAbove * error))
      let own = dispersion.ofWindows(range, requests: requests)
      for step in range {
        let spare = records[step].room - records[step].base
        chances[step] = (
          Self.chance(mean, own, above: spare), Self.chance(ends.low, own, above: spare),
          Self.chance(ends.high, own * LoadLaw.unevenness, above: spare)
        )
      }
    }
  }

  private static func chance(_ mean: Double, _ dispersion: Double, above spare: Double) -> Double {
    guard spare >= 0 else { return 1 }
    let reach = 8 * (dispersion * mean).squareRoot()
    if mean + reach + 30 * dispersion < spare { return 0 }
    if mean - reach > spare { return 1 }
    return ScaledPoisson(mean: mean, dispersion: dispersion).upperTail(spare)
  }

  /// Returns the time for which any of these endpoints is above its capacity, in seconds; `nil` if a probability is
  /// unknown.
  static func seconds(_ endpoints: [OverloadChance?], step: TimeAmount) -> Estimate? {
    let known = endpoints.compactMap { $0?.chances }
    guard known.count == endpoints.count, let steps = known.map(\.count).max() else { return nil }
    var sums = (value: 0.0, low: 0.0, high: 0.0, variance: 0.0)
    for index in 0..<steps {
      var calm = (value: 1.0, low: 1.0, high: 1.0)
      for chances in known where index < chances.count {
        let chance = chances[index]
        calm = (calm.value * (1 - chance.value), calm.low * (1 - chance.low), calm.high * (1 - chance.high))
      }
      sums.value += 1 - calm.value
      sums.low += 1 - calm.low
      sums.high += 1 - calm.high
      sums.variance += calm.value * (1 - calm.value)
    }
    // The number of steps is an integer. It is certain if every probability is 0 or 1.
    let chance = 1.96 * sums.variance.squareRoot() + (sums.high > sums.low ? 1 : 0)
    return Estimate(value: sums.value, low: max(0, sums.low - chance), high: min(sums.high + chance, Double(steps)))
      .scaled(step.seconds)
  }
}

extension Array {
  fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
