import Scenario
package import SimulationKernel

/// A simulated load converted to the input of a load test, in whole requests per step and endpoint.
package struct LoadPlan: Hashable, Sendable {
  package struct Target: Hashable, Sendable {
    package var endpoint: Int
    package var name: String
    /// The point at which the load is counted.
    package var place: LoadPoint
    /// The whole fleet's requests in the slice, before the factor is applied. The total is a whole number if all counts
    /// are.
    package var total: Quantity
    /// The number of requests to send in each step.
    ///
    /// The sum of the counts is the rounded product of the total and the factor. Partial sums are off by at most half a
    /// request.
    package var counts: [Int64]
  }

  package var slice: LoadSlice
  package var factor: LoadFactor
  /// The endpoints that receive at least one request.
  package var targets: [Target]

  /// Creates a plan from the first replication of a run.
  ///
  /// - Parameter atServers: whether to use the load at the servers if it differs from the phones' requests.
  /// - Returns: `nil` if the load at the servers was not recorded in the run.
  package init?(_ run: StoredRun, _ slice: LoadSlice, factor: LoadFactor, atServers: Bool) {
    self.slice = slice
    self.factor = factor
    targets = []
    guard let replication = run.replications.first else { return }
    for (index, endpoint) in run.scenario.endpoints.enumerated() {
      let places = LoadPoint.all(run.scenario, endpoint: index)
      let place = places.first { $0 == .servers && atServers } ?? places.last { $0 != .servers } ?? .only
      var (counts, scale) = (replication.load[index].arrivals, Scale(of: run))
      if place == .servers {
        guard let known = ServerLoad.stepCounts(of: replication, endpoint: index, run) else { return nil }
        (counts, scale) = (known, ServerLoad.scale)
      }
      let sums = slice.sums(counts)
      guard let total = scale.fleetCount(Int128(sums.reduce(0, +))), total != .whole(0) else { continue }
      targets.append(
        Target(
          endpoint: index, name: endpoint.name, place: place, total: total,
          counts: Self.rounded(sums, scale, factor)))
    }
  }

  /// Returns the counts multiplied by the scale and the factor, as whole numbers whose running sums equal the rounded
  /// exact sums.
  static func rounded(_ counts: [Int64], _ scale: Scale, _ factor: LoadFactor) -> [Int64] {
    let (over, under) = (scale.fleet * factor.numerator, max(scale.simulated, 1) * factor.denominator)
    var (sum, before) = (Int128(0), Int128(0))
    return counts.map { count in
      sum += Int128(count)
      let after = (2 * sum * over + under) / (2 * under)
      defer { before = after }
      return Int64(clamping: after - before)
    }
  }

  /// The number of requests to send to all endpoints.
  package var total: Int64 { targets.reduce(0) { $0 + $1.counts.reduce(0, +) } }

  /// Returns the peak rate of a target, in requests per second.
  package func peak(_ target: Target) -> Double {
    target.counts.enumerated().map { Double($1) / slice.length(ofStep: $0).seconds }.max() ?? 0
  }
}

extension LoadSlice {
  /// Converts counts per time step of the clock to counts per load-test step.
  func sums(_ counts: [Int64]) -> [Int64] {
    (0..<count).map { step in
      range(ofStep: step).reduce(0) { $0 + (counts.indices.contains($1) ? counts[$1] : 0) }
    }
  }
}

/// A time span with a constant or linearly changing rate.
package struct LoadPiece: Hashable, Sendable {
  package var length: TimeAmount
  /// The rates at the start and the end of the span, in requests per full step.
  package var from: Double
  package var to: Double
  /// The number of requests to send during the span.
  package var requests: Int64
}

extension LoadPlan {
  /// Returns the rate over time, which is constant within each step and jumps between steps.
  package func levels(_ target: Target) -> [LoadPiece] {
    target.counts.enumerated().map { index, count in
      let rate = rate(target, index)
      return LoadPiece(length: slice.length(ofStep: index), from: rate, to: rate, requests: count)
    }
  }

  /// Returns the rate over time without jumps.
  ///
  /// Around each boundary between two steps, the rate changes linearly over the length of the shorter step. This
  /// preserves the total.
  package func ramps(_ target: Target) -> [LoadPiece] {
    let lengths = target.counts.indices.map { slice.length(ofStep: $0).milliseconds }
    let halves = zip(lengths, lengths.dropFirst()).map { min($0, $1) / 2 }
    var pieces: [LoadPiece] = []
    for (index, length) in lengths.enumerated() {
      let rate = rate(target, index)
      let flat = length - (index > 0 ? halves[index - 1] : 0) - (index < halves.count ? halves[index] : 0)
      if flat > 0 { pieces.append(LoadPiece(length: .milliseconds(flat), from: rate, to: rate, requests: 0)) }
      guard index < halves.count else { continue }
      pieces.append(
        LoadPiece(
          length: .milliseconds(2 * halves[index]), from: rate, to: self.rate(target, index + 1), requests: 0))
    }
    return counted(pieces)
  }

  /// Returns the rate in requests per full step, which is a whole number if the step at `index` is not shortened.
  private func rate(_ target: Target, _ index: Int) -> Double {
    let length = slice.length(ofStep: index)
    guard length < slice.step else { return Double(target.counts[index]) }
    return Double(target.counts[index]) * slice.step.seconds / length.seconds
  }

  /// Returns the pieces with whole numbers of requests. The partial sums differ from the exact sums by at most half a
  /// request.
  private func counted(_ pieces: [LoadPiece]) -> [LoadPiece] {
    var (sum, before) = (0.0, Int64(0))
    return pieces.map { piece in
      sum += (piece.from + piece.to) / 2 * piece.length.seconds / slice.step.seconds
      let after = Int64(sum.rounded())
      defer { before = after }
      var piece = piece
      piece.requests = after - before
      return piece
    }
  }
}
