internal import SimulationKernel

/// The likelihood of a step up in the rate of events within a window.
///
/// Events form a Poisson process with one rate before the step and a higher one after it. Near the true step, the
/// log-likelihood is a random walk. Forwards in time, it is a compound Poisson process whose supremum is Exp(1).
/// Backwards in time, its supremum has Cramér's tail C exp(-c). Both follow from the Lundberg exponent 1 of a
/// likelihood ratio (Asmussen and Albrecher, Ruin Probabilities, 2010, IV.5; for change points, Chernoff and Rubin
/// 1956). Therefore, the positions whose log-likelihood is within c of the best cover the true step with probability
/// (1 - exp(-c)) (1 - C exp(-c)). If there are no events before the step, this is the exact one-sided interval of the
/// smallest of n uniform variables.
struct StepLikelihood {
  /// One event with its position, and the total exposure between the start of the window and this position.
  struct Event {
    var place: Double
    var exposure: Double
  }

  struct Step {
    var place: Double
    var low: Double
    var high: Double
    /// The number of events per unit of exposure.
    var rateBefore: Double
    var rateAfter: Double
    /// The gain in log-likelihood of the step over a constant rate.
    var gain: Double
    /// The number of events after the step.
    var count: Int
  }

  private let start: Double
  private let events: [Event]
  private let exposure: Double

  /// - Parameters:
  ///   - start: the position at which the window starts.
  ///   - events: the events, in ascending order of their positions.
  ///   - exposure: the exposure of the whole window.
  init(from start: Double, events: [Event], exposure: Double) {
    self.start = start
    self.events = events
    self.exposure = exposure
  }

  /// Returns the most likely upward step; `nil` if there are no events, or if the rate does not rise anywhere.
  func step() -> Step? {
    guard exposure > 0, let best = events.indices.max(by: { logLikelihood($0) < logLikelihood($1) }) else { return nil }
    let (before, after) = rates(best)
    let maximum = logLikelihood(best)
    let count = Double(events.count)
    guard after > before else { return nil }
    let drop = Self.drop(ratio: before > 0 ? after / before : .infinity)
    let inside = events.indices.filter { logLikelihood($0) >= maximum - drop }
    guard let first = inside.first, let last = inside.last else { return nil }
    return Step(
      place: events[best].place, low: lowEnd(upTo: first, atLeast: maximum - drop), high: events[last].place,
      rateBefore: before, rateAfter: after, gain: maximum - Self.term(count, exposure), count: events.count - best)
  }

  /// Returns the rates before and after a step that is located just before an event.
  private func rates(_ index: Int) -> (before: Double, after: Double) {
    let own = events[index].exposure
    return (
      own > 0 ? Double(index) / own : 0, Double(events.count - index) / max(exposure - own, .leastNormalMagnitude)
    )
  }

  private func logLikelihood(_ index: Int) -> Double { logLikelihood(index, exposure: events[index].exposure) }

  private func logLikelihood(_ before: Int, exposure own: Double) -> Double {
    let after = Double(events.count - before)
    guard own * after <= (exposure - own) * Double(before) else {
      return Self.term(Double(before), own) + Self.term(after, exposure - own)
    }
    // A downward step is not counted as an edge, so the rate is treated as constant.
    return Self.term(Double(events.count), exposure)
  }

  private static func term(_ count: Double, _ exposure: Double) -> Double {
    count > 0 && exposure > 0 ? count * SteadyMath.log(count / exposure) : 0
  }

  /// Returns the position before an event at which the log-likelihood reaches a given level. Between two events, the
  /// log-likelihood increases.
  private func lowEnd(upTo index: Int, atLeast level: Double) -> Double {
    var low = index > 0 ? events[index - 1] : Event(place: start, exposure: 0)
    var high = events[index]
    guard low.exposure < high.exposure, logLikelihood(index, exposure: low.exposure) < level else { return low.place }
    for _ in 0..<50 {
      let middle = Event(place: (low.place + high.place) / 2, exposure: (low.exposure + high.exposure) / 2)
      if logLikelihood(index, exposure: middle.exposure) < level { low = middle } else { high = middle }
    }
    return high.place
  }

  /// The probability that the interval does not cover the true value.
  private static let error = 0.05

  /// Returns the maximum drop in log-likelihood within the 95 % interval, for a ratio of rates above 1.
  static func drop(ratio: Double) -> Double {
    guard ratio.isFinite else { return -SteadyMath.log(error) }
    let log = SteadyMath.log(ratio)
    let tail = ratio - 1 > 1e-6 ? min(1, (ratio - 1 - log) / (ratio * log - (ratio - 1))) : 1
    // 1 - error = (1 - x)(1 - tail x), where x = exp(-c).
    let root = ((1 + tail) * (1 + tail) - 4 * tail * error).squareRoot()
    return -SteadyMath.log(2 * error / (1 + tail + root))
  }
}

/// The downward step in the density of delays at the end of the window in which runs start.
enum DensityDrop {
  /// The smallest gain in log-likelihood that is considered significant, as for edges.
  private static let minGain = 25.0
  /// The smallest ratio of densities at a step; a smaller decrease is treated as a slope.
  private static let minRatio = 1.3
  private static let shortest = 10
  /// The half-width of the compared windows, as a fraction of the position; the density is flat over this width.
  private static let halfWidth = 0.25

  /// Returns the downward step; low and high are the bounds of its 95 % interval.
  ///
  /// - Parameters:
  ///   - delays: delays in seconds, in any order.
  ///   - longest: the longest window in seconds.
  ///   - head: the position of another known step.
  static func step(_ delays: [Double], longest: Int, head: Double) -> StepLikelihood.Step? {
    var counts = Array(repeating: 0, count: longest * 3 / 2 + 1)
    for delay in delays where delay >= 0 && Int(delay) < counts.count { counts[Int(delay)] += 1 }
    let before = counts.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
    var best: (gain: Double, place: Int)?
    for place in shortest...longest {
      let width = place / 2
      let gain = gain(
        Double(before[place] - before[place - width]), Double(before[place + width] - before[place]))
      if gain > best?.gain ?? minGain { best = (gain, place) }
    }
    return best.flatMap { refined(delays, Double($0.place), head: head) }
  }

  /// Returns the gain in log-likelihood from using two densities instead of one over windows of equal width.
  private static func gain(_ inner: Double, _ outer: Double) -> Double {
    guard inner > minRatio * outer else { return 0 }
    let mean = (inner + outer) / 2
    return inner * SteadyMath.log(inner / mean) + (outer > 0 ? outer * SteadyMath.log(outer / mean) : 0)
  }

  /// Returns the step found in the reversed delays, in which it is an upward step.
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
