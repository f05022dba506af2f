package import FleetEngine
package import Scenario
package import SimulationKernel

/// The unscaled numbers of requests in each window of the measured period. Windows without requests are included, but
/// an incomplete last window is not.
package struct WindowedLoad: Hashable, Sendable {
  package let window: LoadWindow
  /// The number of requests in window i, counted from the start of the measured period, at index i.
  package let counts: [Int64]
  /// The first window with the largest count; `nil` if there is no complete window.
  package let busiest: Int?
  private let total: Int128
  /// The numbers of the windows, in ascending order; `nil` if all windows are included.
  let numbers: [Int]?

  /// - Parameter stepCounts: the requests per time step.
  /// - Returns: `nil` if the time step does not support the window.
  package init?(_ stepCounts: [Int64], window: LoadWindow, clock: Clock) {
    guard let steps = window.steps(of: clock) else { return nil }
    let counts =
      steps == 1
      ? stepCounts
      : (0..<stepCounts.count / steps).map { index in
        var sum = Int64(0)
        for step in index * steps..<(index + 1) * steps { sum += stepCounts[step] }
        return sum
      }
    self.init(window, counts, numbers: nil)
  }

  private init(_ window: LoadWindow, _ counts: [Int64], numbers: [Int]?) {
    self.window = window
    self.counts = counts
    self.numbers = numbers
    // The results are stored because a day has up to 86 400 windows and the results are read often.
    var (busiest, total) = (0, Int128(0))
    for index in counts.indices {
      total += Int128(counts[index])
      if counts[index] > counts[busiest] { busiest = index }
    }
    self.busiest = counts.isEmpty ? nil : busiest
    self.total = total
  }

  /// The largest count; `nil` if there is no complete window.
  package var peak: Int64? { busiest.map { counts[$0] } }

  /// Returns the start of a window.
  package func start(ofWindow index: Int) -> Instant {
    guard let numbers else { return .start + window.length * Int64(index) }
    guard index < numbers.count else { return (numbers.last.map { start($0) } ?? .start) + window.length }
    return start(numbers[index])
  }

  private func start(_ number: Int) -> Instant { .start + window.length * Int64(number) }

  /// Returns the load in the windows that lie within any of the spans.
  func during(_ spans: [Range<Instant>]) -> WindowedLoad {
    let inside = counts.indices.filter { index in
      let start = start(index)
      return spans.contains { $0.lowerBound <= start && start + window.length <= $0.upperBound }
    }
    return WindowedLoad(window, inside.map { counts[$0] }, numbers: inside)
  }

  /// Returns the fleet's requests per second for an unscaled number of requests in a window.
  package func rate(of count: Int128, windows: Int = 1, scale: Scale) -> Quantity? {
    scale.fleetCount(count * 1_000, per: Int128(window.length.milliseconds) * Int128(windows))
  }

  /// Returns the fleet's requests per second for an interpolated number of requests in a window; `nil` if nothing was
  /// simulated.
  package func rate(ofFraction count: Double, scale: Scale) -> Quantity? {
    RateFactor(window, scale).map { .real($0.rate(of: count)) }
  }

  /// Returns the fleet's mean requests per second over all complete windows.
  package func meanRate(scale: Scale) -> Quantity? {
    rate(of: total, windows: counts.count, scale: scale)
  }

  /// The ratio of the peak to the mean; `nil` if there are no requests.
  package var peakToMean: Quantity? {
    peak.flatMap { Quantity(Int128($0) * Int128(counts.count), over: total) }
  }
}

/// The factor that converts requests per window to requests per second, computed once for many values.
package struct RateFactor: Hashable, Sendable {
  private var numerator: Double
  private var denominator: Double

  /// Creates the factor; `nil` if nothing was simulated.
  package init?(_ window: LoadWindow, _ scale: Scale) {
    guard scale.simulated > 0 else { return nil }
    numerator = Double(scale.fleet * 1_000)
    denominator = Double(scale.simulated * Int128(window.length.milliseconds))
  }

  package func rate(of count: Double) -> Double { count * numerator / denominator }
}

extension ReplicationResult {
  /// Returns the requests per time step for one or all endpoints.
  package func stepCounts(endpoint: Int?) -> [Int64] {
    endpoint.map { load[$0].arrivals.map(Int64.init) } ?? sumsByStep(load.map(\.arrivals))
  }
}

/// Returns the sums of several series for each step; the result is as long as the longest series.
func sumsByStep(_ series: [[some BinaryInteger]]) -> [Int64] {
  var sums = Array(repeating: Int64(0), count: series.map(\.count).max() ?? 0)
  for counts in series {
    for index in counts.indices { sums[index] += Int64(counts[index]) }
  }
  return sums
}

/// Counts in ascending order, for quantiles and load duration curves.
package struct SortedCounts: Hashable, Sendable {
  package let ascending: [Int64]

  package init(_ counts: [Int64]) { ascending = Self.tallied(counts) ?? counts.sorted() }

  /// Returns the sorted counts using a counting sort, which is ten times as fast for many small values. Returns `nil`
  /// if a count is negative or too large for this method.
  private static func tallied(_ counts: [Int64]) -> [Int64]? {
    guard let minimum = counts.min(), let maximum = counts.max(), minimum >= 0, maximum < counts.count else {
      return nil
    }
    var places = Array(repeating: 0, count: Int(maximum) + 1)
    for count in counts { places[Int(count)] += 1 }
    var ascending: [Int64] = []
    ascending.reserveCapacity(counts.count)
    for (value, times) in places.enumerated() { ascending += repeatElement(Int64(value), count: times) }
    return ascending
  }

  /// Returns the quantile at `probability` in 0...1, interpolated linearly between order statistics (type 7); `nil` if
  /// there are no counts.
  package func quantile(_ probability: Double) -> Double? {
    OrderedValues(count: Int64(ascending.count)) { Double(ascending[Int($0)]) }.quantile(probability)
  }
}
