internal import SimulationKernel

/// Where the rate of events steps up within a window, by likelihood.
///
/// Events are Poisson with one rate before the step and a higher one from it on. Near the truth the log-likelihood is a
/// random walk, upwards in time a compound Poisson process whose supremum is Exp(1), downwards one whose supremum has
/// Cramér's tail C exp(-c); both follow from the Lundberg exponent 1 of a likelihood ratio (Asmussen, Albrecher, Ruin
/// Probabilities, 2010, IV.5; for change points Chernoff, Rubin 1956). So the places whose log-likelihood is within c
/// of the best cover the truth with probability (1 - exp(-c)) (1 - C exp(-c)). Without events before the step this is
/// the exact, one-sided interval of the smallest of n uniforms.
struct StepLikelihood {
  /// One event: where it is, and the exposure from the window's beginning to it.
  struct Event {
    var place: Double
    var exposure: Double
  }

  struct Step {
    var place: Double
    var low: Double
    var high: Double
    /// Events per exposure.
    var rateBefore: Double
    var rateAfter: Double
    /// How much more probable than a constant rate, as a logarithm.
    var gain: Double
    /// Events beyond the step.
    var count: Int
  }

  private let start: Double
  private let events: [Event]
  private let exposure: Double

  /// - Parameters:
  ///   - start: where the window begins.
  ///   - events: in order of place.
  ///   - exposure: of the whole window.
  init(from start: Double, events: [Event], exposure: Double) {
    self.start = start
    self.events = events
    self.exposure = exposure
  }

  /// The most probable step upwards; nil: no event, or the rate does not rise anywhere.
  func step() -> Step? {
    guard exposure > 0, let best = events.indices.max(by: { logLikelihood($0) < logLikelihood($1) }) else { return nil }
    let (before, after) = rates(best)
    let most = logLikelihood(best)
    let count = Double(events.count)
    guard after > before else { return nil }
    let drop = Self.drop(ratio: before > 0 ? after / before : .infinity)
    let inside = events.indices.filter { logLikelihood($0) >= most - drop }
    guard let first = inside.first, let last = inside.last else { return nil }
    return Step(
      place: events[best].place, low: lowEnd(upTo: first, atLeast: most - drop), high: events[last].place,
      rateBefore: before, rateAfter: after, gain: most - Self.term(count, exposure), count: events.count - best)
  }

  /// Rates with the step just before an event.
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
    // A step that leads down is none.
    return Self.term(Double(events.count), exposure)
  }

  private static func term(_ count: Double, _ exposure: Double) -> Double {
    count > 0 && exposure > 0 ? count * SteadyMath.log(count / exposure) : 0
  }

  /// Between two events the log-likelihood grows with the place: where it reaches a level.
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

  /// The probability that an interval leaves out.
  private static let error = 0.05

  /// By how much a log-likelihood may fall short within the 95 % interval, for a ratio of rates above 1.
  static func drop(ratio: Double) -> Double {
    guard ratio.isFinite else { return -SteadyMath.log(error) }
    let log = SteadyMath.log(ratio)
    let tail = ratio - 1 > 1e-6 ? min(1, (ratio - 1 - log) / (ratio * log - (ratio - 1))) : 1
    // 1 - error = (1 - x)(1 - tail x), where x = exp(-c).
    let root = ((1 + tail) * (1 + tail) - 4 * tail * error).squareRoot()
    return -SteadyMath.log(2 * error / (1 + tail + root))
  }
}
