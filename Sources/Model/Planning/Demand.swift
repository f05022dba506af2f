/// A value with its lower and upper bounds.
package struct Bounded: Hashable, Sendable {
  package var value: Double
  package var low: Double
  package var high: Double

  package init(_ value: Double, low: Double? = nil, high: Double? = nil) {
    (self.value, self.low, self.high) = (value, low ?? value, high ?? value)
  }

  static func + (left: Bounded, right: Bounded) -> Bounded {
    Bounded(left.value + right.value, low: left.low + right.low, high: left.high + right.high)
  }

  static func * (left: Bounded, factor: Double) -> Bounded {
    Bounded(left.value * factor, low: left.low * factor, high: left.high * factor)
  }
}

/// The load that a fleet of a given size places on an endpoint in a day, assuming that every request succeeds.
package struct DayDemand: Hashable, Sendable {
  package var requests = 0.0
  /// The number of requests that reach the servers behind a CDN, or of all requests if there is no CDN.
  package var originRequests = 0.0
  package var bytesUp = 0.0
  package var bytesDown = 0.0
  /// The mean load on the servers, in requests per second, including other clients.
  package var mean = 0.0
  /// The load on the servers in the busiest window, in requests per second.
  package var peak = Bounded(0)
  /// The load in the busiest window under the preset `prompt`; equal to `peak` if the preset changes nothing.
  package var promptPeak = 0.0
  /// The load in the busiest window under the preset `lazy`; equal to `peak` if the preset changes nothing.
  package var lazyPeak = 0.0

  package init() {}

  static func + (left: DayDemand, right: DayDemand) -> DayDemand {
    var sum = left
    sum.requests += right.requests
    sum.originRequests += right.originRequests
    sum.bytesUp += right.bytesUp
    sum.bytesDown += right.bytesDown
    sum.mean += right.mean
    sum.peak = sum.peak + right.peak
    sum.promptPeak += right.promptPeak
    sum.lazyPeak += right.lazyPeak
    return sum
  }

  static func * (left: DayDemand, factor: Double) -> DayDemand {
    var product = left
    product.requests *= factor
    product.originRequests *= factor
    product.bytesUp *= factor
    product.bytesDown *= factor
    product.mean *= factor
    product.peak = product.peak * factor
    product.promptPeak *= factor
    product.lazyPeak *= factor
    return product
  }
}

/// The demand as a function of fleet size; between simulated fleets, it is interpolated linearly.
package struct DemandCurve: Hashable, Sendable {
  package struct Point: Hashable, Sendable {
    package var phones: Double
    /// The demand at each endpoint, in the order of `DemandCurves.endpoints`.
    package var demands: [DayDemand]
    /// The number of pushes sent per day.
    package var pushes: Double

    package init(phones: Double, demands: [DayDemand], pushes: Double = 0) {
      (self.phones, self.demands, self.pushes) = (phones, demands, pushes)
    }
  }

  /// The simulated fleets, in ascending order of size.
  package private(set) var points: [Point] = []
  /// The maximum relative error of the peak caused by interpolating between simulated fleets.
  package private(set) var bend = 0.0
  /// The number of requests to each endpoint if all widgets of a phone run once after an app update.
  package var requestsOfUpdate: [Double] = []

  package init() {}

  /// Adds a simulated fleet.
  ///
  /// - Returns: the maximum relative difference between the simulated peaks and the interpolated ones; 0 if the fleet's
  ///   size is outside the range of the other fleets.
  @discardableResult package mutating func add(_ point: Point) -> Double {
    let isInside =
      points.first.map { $0.phones < point.phones } ?? false
      && points.last.map { $0.phones > point.phones } ?? false
    let expected = isInside ? demands(at: point.phones) : nil
    points.removeAll { $0.phones == point.phones }
    points.append(point)
    points.sort { $0.phones < $1.phones }
    let differences = zip(expected ?? [], point.demands).map { expected, demand in
      demand.peak.value > 0 ? (expected.peak.value / demand.peak.value - 1).magnitude : 0
    }
    return differences.max() ?? 0
  }

  /// Sets the maximum relative error of the interpolated peak.
  package mutating func setBend(_ share: Double) { bend = share }

  /// Returns the demand of a fleet, interpolated between simulated fleets. Outside their range, the demand is
  /// proportional to the number of phones.
  package func demands(at phones: Double) -> [DayDemand] {
    guard let (left, right, share) = neighbours(of: phones) else {
      return nearest(to: phones).map { point in point.demands.map { $0 * (phones / point.phones) } } ?? []
    }
    return zip(left.demands, right.demands).map { left, right in
      var demand = left * (1 - share) + right * share
      // The interpolation error is zero at simulated sizes and largest halfway between two of them.
      let error = demand.peak.value * bend * 4 * share * (1 - share)
      (demand.peak.low, demand.peak.high) = (max(demand.peak.low - error, 0), demand.peak.high + error)
      return demand
    }
  }

  /// Returns the number of pushes sent to a fleet per day, interpolated like the demand.
  package func pushes(at phones: Double) -> Double {
    guard let (left, right, share) = neighbours(of: phones) else {
      return nearest(to: phones).map { $0.pushes * (phones / $0.phones) } ?? 0
    }
    return left.pushes * (1 - share) + right.pushes * share
  }

  /// Returns the simulated fleets just below and above a size, and its relative position between them; `nil` outside
  /// their range.
  private func neighbours(of phones: Double) -> (left: Point, right: Point, share: Double)? {
    guard let next = points.firstIndex(where: { $0.phones >= phones }), next > 0, points[next].phones > phones else {
      return nil
    }
    let (left, right) = (points[next - 1], points[next])
    return (left, right, (phones - left.phones) / (right.phones - left.phones))
  }

  /// Returns the smallest simulated fleet of at least the given size; if there is none, the largest simulated fleet.
  private func nearest(to phones: Double) -> Point? { points.first { $0.phones >= phones } ?? points.last }
}
