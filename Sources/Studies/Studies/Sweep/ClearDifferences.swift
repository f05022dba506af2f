import Numerics
import Scenario

/// The clear differences between settings for each figure. The result is that of `FigureChange.isClear`, but the
/// computation is fast enough for millions of pairs.
struct ClearDifferences {
  /// The values of one figure in one setting.
  private struct Sample {
    var values: [Double]
    /// The half-width of the sampling interval; `nil` for a counted figure.
    var half: Double?
  }

  private let rows: [[SummaryRow?]]
  /// The samples by setting, then by figure; `nil` if the value is unknown in any replication.
  private let samples: [[Sample?]]
  /// Student's 97.5 % quantile for each number of replications that occurs.
  private let quantiles: [Int: Double]

  /// - Parameter rows: the rows by setting, then by figure.
  init(_ rows: [[SummaryRow?]]) {
    self.rows = rows
    samples = rows.map { row in
      row.map { figure in
        guard let figure, !figure.replications.contains(nil) else { return nil }
        return Sample(
          values: figure.replications.compactMap { $0?.approximate },
          half: figure.estimatedInterval.map { ($0.high - $0.low) / 2 })
      }
    }
    let counts = Set(samples.joined().compactMap { $0?.values.count }).filter { $0 > 1 }
    quantiles = counts.reduce(into: [:]) { quantiles, count in
      quantiles[count] = try? StudentDistribution.quantile(0.975, freedom: Double(count - 1))
    }
  }

  func isClear(_ one: Int, _ other: Int, _ figure: Int) -> Bool {
    guard let left = samples[one][figure], let right = samples[other][figure], !left.values.isEmpty,
      left.values.count == right.values.count
    else { return FigureChange.isClear(rows[one][figure], rows[other][figure]) }
    let count = left.values.count
    let origin = right.values[0] - left.values[0]
    guard count > 1 || left.half != nil || right.half != nil else { return origin != 0 }
    // Differences are summed relative to the first one, so that equal differences give exact results.
    var (sum, squares) = (0.0, 0.0)
    for index in left.values.indices {
      let distance = right.values[index] - left.values[index] - origin
      sum += distance
      squares += distance * distance
    }
    let shift = sum / Double(count)
    let (a, b) = (left.half ?? 0, right.half ?? 0)
    var reach = (a * a + b * b).squareRoot()
    if count > 1 {
      let variance = max(squares / Double(count) - shift * shift, 0) / Double(count - 1)
      reach = max(reach, variance.squareRoot() * (quantiles[count] ?? .infinity))
    }
    return (origin + shift).magnitude > reach
  }
}
