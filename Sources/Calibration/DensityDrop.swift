internal import SimulationKernel

/// Where the density of delays steps down: the end of the window in which runs start.
enum DensityDrop {
  /// Less than this is chance, as for edges.
  private static let leastGain = 25.0
  /// A density that falls by less is a slope, not an end.
  private static let leastRatio = 1.3
  private static let shortest = 10
  /// A quarter to either side: the density is level there.
  private static let halfWidth = 0.25

  /// The step down; low and high are ends of its 95 % interval.
  ///
  /// - Parameters:
  ///   - delays: in seconds, in any order.
  ///   - longest: no window is longer, in seconds.
  ///   - head: another step is known to lie here.
  static func step(_ delays: [Double], longest: Int, head: Double) -> StepLikelihood.Step? {
    var counts = Array(repeating: 0, count: longest * 3 / 2 + 1)
    for delay in delays where delay >= 0 && Int(delay) < counts.count { counts[Int(delay)] += 1 }
    let before = counts.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
    var best: (gain: Double, place: Int)?
    for place in shortest...longest {
      let width = place / 2
      let gain = gain(
        Double(before[place] - before[place - width]), Double(before[place + width] - before[place]))
      if gain > best?.gain ?? leastGain { best = (gain, place) }
    }
    return best.flatMap { refined(delays, Double($0.place), head: head) }
  }

  /// Log-likelihood that is gained by two densities instead of one over windows of equal width.
  private static func gain(_ inner: Double, _ outer: Double) -> Double {
    guard inner > leastRatio * outer else { return 0 }
    let mean = (inner + outer) / 2
    return inner * SteadyMath.log(inner / mean) + (outer > 0 ? outer * SteadyMath.log(outer / mean) : 0)
  }

  /// The step looked at from its far side, where it leads up.
  private static func refined(_ delays: [Double], _ place: Double, head: Double) -> StepLikelihood.Step? {
    let level = place > head + Double(shortest) ? (place - head) / 2 : place * halfWidth
    let half = max(5, min(place * halfWidth, level))
    let far = place + half
    let distances = delays.filter { abs($0 - place) <= half }.map { far - $0 }.sorted()
    let events = distances.map { StepLikelihood.Event(place: $0, exposure: $0) }
    guard var step = StepLikelihood(from: 0, events: events, exposure: 2 * half).step() else { return nil }
    (step.place, step.low, step.high) = (far - step.place, far - step.high, far - step.low)
    return step
  }
}
