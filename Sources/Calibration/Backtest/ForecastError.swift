internal import Numerics

/// How far a forecast is from what came, over the steps that both know.
///
/// Loads are requests per step; nil is a step of which nothing is known.
package enum ForecastError {
  /// Percentages of fewer expected requests tell of chance alone.
  package static let leastExpected = 100.0

  /// The sum of the distances over the sum of what came (WAPE), as a share; nil: nothing came that both know.
  package static func weighted(_ measured: [Double?], _ predicted: [Double?]) -> Double? {
    let pairs = pairs(measured, predicted)
    let total = pairs.reduce(0) { $0 + $1.measured }
    return total > 0 ? pairs.reduce(0) { $0 + abs($1.measured - $1.predicted) } / total : nil
  }

  /// What `weighted` is by chance alone where the forecast is the truth, as a share of what was expected.
  ///
  /// - Parameter clump: requests that come together; each such group comes by Poisson's law.
  package static func weightedFloor(_ measured: [Double?], _ predicted: [Double?], clump: Double) -> Double? {
    let pairs = pairs(measured, predicted)
    let total = pairs.reduce(0) { $0 + $1.predicted }
    return total > 0 ? pairs.reduce(0) { $0 + chance($1.predicted, clump) } / total : nil
  }

  /// The mean distance as a share of what came (MAPE), where at least `leastExpected` were expected; nil: nowhere.
  package static func percentage(_ measured: [Double?], _ predicted: [Double?]) -> Double? {
    mean(large(measured, predicted).filter { $0.measured > 0 }.map { abs($0.measured - $0.predicted) / $0.measured })
  }

  /// What `percentage` is by chance alone.
  package static func percentageFloor(_ measured: [Double?], _ predicted: [Double?], clump: Double) -> Double? {
    mean(large(measured, predicted).map { chance($0.predicted, clump) / $0.predicted })
  }

  /// The mean pinball loss of a forecast of a quantile, over the mean of what came; nil as `weighted`.
  ///
  /// What comes above the quantile costs `level` a request, what stays below it 1 - `level`.
  package static func pinball(_ measured: [Double?], quantile: [Double?], level: Double) -> Double? {
    let pairs = pairs(measured, quantile)
    let total = pairs.reduce(0) { $0 + $1.measured }
    guard total > 0 else { return nil }
    return pairs.reduce(0) { sum, pair in
      let above = pair.measured - pair.predicted
      return sum + (above >= 0 ? level * above : (level - 1) * above)
    } / total
  }

  /// By how much a forecast's error is below a naive one's, as a share of it, where both and what came are known.
  ///
  /// 1 is no error at all, 0 no better, below 0 worse; nil: the naive one cannot be wrong or knows nothing.
  package static func skill(_ measured: [Double?], _ predicted: [Double?], naive: [Double?]) -> Double? {
    let common = measured.indices.map { predicted[$0] == nil || naive[$0] == nil ? nil : measured[$0] }
    guard let own = weighted(common, predicted), let other = weighted(common, naive), other > 0 else { return nil }
    return 1 - own / other
  }

  /// Sums of `count` steps each; nil where one of them is.
  package static func sums(_ load: [Double?], of count: Int) -> [Double?] {
    stride(from: 0, to: load.count - load.count % count, by: count).map { start in
      load[start..<start + count].reduce(0) { sum, value in
        guard let sum, let value else { return nil }
        return sum + value
      }
    }
  }

  private static func chance(_ expected: Double, _ clump: Double) -> Double {
    clump * PoissonLaw.meanDeviation(expected / clump)
  }

  private static func mean(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  }

  private static func large(
    _ measured: [Double?], _ predicted: [Double?]
  ) -> [(measured: Double, predicted: Double)] {
    pairs(measured, predicted).filter { $0.predicted >= leastExpected }
  }

  private static func pairs(
    _ measured: [Double?], _ predicted: [Double?]
  ) -> [(measured: Double, predicted: Double)] {
    zip(measured, predicted).compactMap { pair in
      guard let measured = pair.0, let predicted = pair.1 else { return nil }
      return (measured, predicted)
    }
  }
}
