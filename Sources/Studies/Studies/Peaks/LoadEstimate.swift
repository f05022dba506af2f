import FleetEngine
package import Scenario
import SimulationKernel

/// The relation between the simulated devices and the whole fleet.
package struct FleetSample: Sendable {
  /// The factor that scales counts of the simulated devices to the fleet.
  package var scale: Double
  /// The fraction of the fleet that was simulated; 0 to estimate the load of a different but similar fleet.
  package var known: Double
}

/// An estimate of a fleet's load for one window length, based on a sample (MODEL.md 8.1).
package struct LoadEstimate: Sendable {
  private let law: LoadLaw
  private let windows: Int
  /// The factor that converts requests in a window to requests per second.
  private let factor: Double
  /// The spans of windows whose intensity may be the highest within the margin of error, most certain first.
  let busiest: [Range<Int>]
  /// The spans of constant intensity in chronological order, with the fleet's mean number of requests per window.
  let means: [(windows: Range<Int>, mean: Double)]

  /// - Parameter counts: the requests of the simulated devices per window.
  /// - Parameter sample: the relation between the simulated devices and the fleet.
  /// - Parameter base: the known load that is added in each window.
  /// - Parameter maximum: the fleet's maximum requests in any window, excluding the known load.
  /// - Returns: `nil` if there is no complete window or nothing was simulated.
  package init?(
    _ counts: [Double], _ window: LoadWindow, _ dispersion: Dispersion, of sample: FleetSample,
    base: KnownLoad = .none, maximum: Double = .infinity
  ) {
    guard !counts.isEmpty, sample.scale.isFinite else { return nil }
    let pieces = IntensityPieces(counts, dispersion)
    let shape = IntensityShape(pieces, dispersion)
    windows = counts.count
    factor = 1 / window.length.seconds
    let parts = pieces.ranges.map { range in
      let requests = pieces.requests(in: range)
      let mean = requests / Double(range.count) * sample.scale
      let own = dispersion.ofWindows(range, requests: requests)
      let variance = requests > 0 ? dispersion.ofSum(range, requests: requests) / requests : 0
      let levels = { base.levels(in: $0, deviation: (own * mean).squareRoot()) }
      var piece = LoadLaw.Piece(
        levels(range), mean: mean, dispersion: own, error: (variance * (1 - sample.known)).squareRoot())
      piece.parts = shape.parts(of: range).map { part in
        var part = part
        part.noise *= 1 - sample.known
        return (levels(part.windows), part)
      }
      let tilt = Tilt(of: counts[range], error: piece.error)
      piece.tilted = tilt.parts(of: range).map { ($0.ratio, levels($0.windows)) }
      return piece
    }
    law = LoadLaw(parts, shape, maximum: maximum)
    means = zip(pieces.ranges, parts).map { ($0, $1.mean) }
    busiest = Self.busiest(Array(zip(pieces.ranges, parts)), base)
  }

  /// Returns contiguous spans of windows whose mean may be the highest, within three standard errors.
  private static func busiest(
    _ pieces: [(windows: Range<Int>, load: LoadLaw.Piece)], _ base: KnownLoad
  ) -> [Range<Int>] {
    let surest = pieces.map { $0.load.known + $0.load.mean * (1 - LoadLaw.reach * $0.load.error) }
    guard pieces.contains(where: { $0.load.top > 0 }), let minimum = surest.max(),
      let first = surest.firstIndex(of: minimum)
    else { return [] }
    var spans: [Range<Int>] = []
    for (windows, load) in pieces {
      for part in base.spans(in: windows, atLeast: minimum - load.mean * (1 + LoadLaw.reach * load.error)) {
        if let last = spans.last, last.upperBound == part.lowerBound {
          spans[spans.count - 1] = last.lowerBound..<part.upperBound
        } else {
          spans.append(part)
        }
      }
    }
    let chief = spans.firstIndex { $0.overlaps(pieces[first].windows) } ?? 0
    return spans.isEmpty ? [] : [spans.remove(at: chief)] + spans
  }

  /// The highest mean of any window, in requests per second. It is the sum of the fleet's mean, given with its standard
  /// error, and the known load.
  var plateau: (fleet: Double, error: Double, known: Double) {
    guard let fullest = law.fullest else { return (0, 0, 0) }
    return (fullest.mean * factor, fullest.mean * fullest.error * factor, fullest.known * factor)
  }

  /// The requests per second in the busiest window.
  package var peak: Estimate { law.order(rank: 0).scaled(factor) }

  /// Returns the load, in requests per second, that is not exceeded in a given fraction of all windows.
  package func quantile(_ probability: Double) -> Estimate {
    let rank = (1 - probability) * Double(windows - 1)
    // The value is interpolated between neighbouring ranks only if the rank is low, because a low rank corresponds to a
    // single window.
    let upper = rank < Self.few ? rank.rounded(.down) : rank
    let high = law.order(rank: upper)
    guard rank > upper else { return high.scaled(factor) }
    let (low, share) = (law.order(rank: upper + 1), rank - upper)
    return Estimate(
      value: high.value + share * (low.value - high.value), low: high.low + share * (low.low - high.low),
      high: high.high + share * (low.high - high.high)
    ).scaled(factor)
  }

  /// The rank below which quantiles are interpolated between neighbouring ranks.
  private static let few = 10.0
}

extension RunResult {
  /// The simulated fraction of the fleet. It is 0 unless the simulated devices are the first devices of the fleet,
  /// which requires a single cohort and a constant number of devices.
  var knownShare: Double {
    let scale = Scale(of: self)
    guard scenario.fleet.cohorts.count == 1, scenario.fleet.growthPerDay == nil, scale.isSample else { return 0 }
    return Double(scale.simulated) / Double(scale.fleet)
  }
}

/// Returns the fraction of the requests in these steps that pass, which is at least one millionth.
func passingShare(_ steps: some Sequence<(passed: Double, arrivals: Int64)>) -> Double {
  let (passed, arrivals) = steps.reduce((0.0, 0.0)) { ($0.0 + $1.passed, $0.1 + Double($1.arrivals)) }
  return arrivals > 0 ? min(max(passed / arrivals, 1e-6), 1) : 1
}

extension ReplicationResult {
  /// Returns the dispersion of requests in an endpoint's queue, or in all queues if `endpoint` is `nil`.
  func queueDispersion(endpoint: Int?, _ window: LoadWindow, _ scenario: Scenario) -> Dispersion {
    let endpoints = endpoint.map { [$0] } ?? Array(scenario.endpoints.indices)
    let isThinned = endpoints.contains { scenario.endpoints[$0].thinsRequests }
    return dispersion(endpoint: endpoint, window, share: isThinned ? queueShare(of: endpoints) : nil)
  }

  /// Returns the fraction of requests at these endpoints that reach the queue.
  private func queueShare(of endpoints: [Int]) -> Double {
    guard let backend else { return 1 }
    return passingShare(endpoints.map { backend.records[$0] }.joined().lazy.map { ($0.reached, $0.arrivals) })
  }

  /// Returns the dispersion of an endpoint's requests for a window length, or of all requests if `endpoint` is `nil`.
  func dispersion(endpoint: Int?, _ window: LoadWindow, share: Double? = nil) -> Dispersion {
    let index = endpoint ?? spreads.count - 1
    let spread = spreads.indices.contains(index) ? spreads[index].windows.first { $0.window == window } : nil
    return Dispersion(spread, share: share)
  }
}
