internal import SimulationKernel

/// A step in the hazard, at the age at which the next scheduled run becomes possible.
package struct HazardEdge: Hashable, Sendable {
  /// The age in seconds, measured between the first requests of consecutive wakes.
  package var place: Double
  /// The 95 % interval of the age, based on the likelihood.
  package var low: Double
  package var high: Double
  /// The number of wakes per second of waiting before the edge.
  package var rateBefore: Double
  package var rateAfter: Double
  /// The gain in log-likelihood of a step at the edge over a constant rate.
  package var gain: Double
  /// The number of wakes just after the edge.
  package var count: Int
}

/// A search for an edge in the rate of wakes.
struct EdgeSearch {
  let curve: HazardCurve
  /// The range of ages, in whole seconds, in which to search for an edge.
  let ages: Range<Int>
  /// A function that returns the exact step between two ages.
  let step: (_ from: Double, _ to: Double) -> StepLikelihood.Step?

  init(curve: HazardCurve, ages: Range<Int>, step: @escaping (Double, Double) -> StepLikelihood.Step?) {
    self.curve = curve
    self.ages = ages
    self.step = step
  }

  /// Creates a search of the gaps between wakes.
  init(gaps: Gaps, curve: HazardCurve, ages: Range<Int>) {
    self.init(curve: curve, ages: ages) { Self.step(gaps, from: $0, to: $1) }
  }

  /// The smallest gain that is considered significant. In random data, the best of about 10^5 positions has a gain of
  /// 12, and the wakes of one phone are not independent.
  private static let minGain = 25.0
  /// The smallest ratio of rates at an edge; a smaller increase is treated as a slope.
  private static let minRatio = 1.3
  /// The widths, in seconds, of the windows before and after a position whose rates are compared.
  private static let widths = [10, 30, 60, 120, 240, 450, 900]
  /// The number of wakes needed to locate an edge to within 1 % of the window's width.
  private static let enough = 400.0

  func edge() -> HazardEdge? {
    var best: (gain: Double, age: Int, width: Int)?
    for width in Self.widths {
      for age in ages where age >= 4 * width {
        let gain = gain(at: age, width: width)
        if gain > best?.gain ?? Self.minGain { best = (gain, age, width) }
      }
    }
    guard let best, let step = refined(best.age, width: best.width) else { return nil }
    return HazardEdge(
      place: step.place, low: step.low, high: step.high, rateBefore: step.rateBefore, rateAfter: step.rateAfter,
      gain: best.gain, count: step.count)
  }

  /// Returns the gain in log-likelihood from using two rates around an age instead of one; 0 if the rate does not rise.
  ///
  /// Beyond this age, the rate is the density among the phones that reached it. For a uniform delay, this density is
  /// flat. The hazard, however, rises towards the end of the delay, which would favour ages near that end.
  private func gain(at age: Int, width: Int) -> Double {
    let before = curve.sums(age - width..<age)
    let after = (events: curve.sums(age..<age + width).events, exposure: curve.exposure[age] * Double(width))
    guard after.events >= 5, before.exposure > 0, after.exposure > 0,
      after.events * before.exposure > Self.minRatio * before.events * after.exposure
    else { return 0 }
    let all = (before.events + after.events) / (before.exposure + after.exposure)
    let low = before.events > 0 ? before.events * SteadyMath.log(before.events / before.exposure / all) : 0
    return low + after.events * SteadyMath.log(after.events / after.exposure / all)
  }

  /// Returns the most likely step in the narrowest window with enough wakes. In a wide window, the rates before and
  /// after the step are not constant. Steps near the window's ends are ignored.
  private func refined(_ age: Int, width maximum: Int) -> StepLikelihood.Step? {
    var last: StepLikelihood.Step?
    for width in Self.widths.filter({ $0 <= maximum }) where curve.sums(age..<age + width).events >= Self.enough {
      last = step(Double(age - width), Double(age + width))
      if let last, abs(last.place - Double(age)) < Double(width) * Self.inner { return last }
    }
    return last ?? step(Double(age - maximum), Double(age + maximum))
  }

  /// The inner fraction of a window in which a step must lie.
  private static let inner = 0.8

  /// Returns the hazard step at ages between `start` and `end`, in seconds.
  static func step(_ gaps: Gaps, from start: Double, to end: Double) -> StepLikelihood.Step? {
    let first = Int32((start * 1_000).rounded())
    let last = Int32((end * 1_000).rounded())
    var waiting = 0
    var exits: [Int32] = []
    for gap in gaps.all where gap.length >= first {
      waiting += 1
      // The lowest bit is set if the gap ended with a wake.
      if gap.length < last { exits.append((gap.length - first) << 1 | (gap.isComplete ? 1 : 0)) }
    }
    exits.sort()
    var events: [StepLikelihood.Event] = []
    var (exposure, age) = (0.0, 0.0)
    for exit in exits {
      let next = Double(exit >> 1) / 1_000
      exposure += Double(waiting) * (next - age)
      age = next
      if exit & 1 == 1 { events.append(StepLikelihood.Event(place: start + age, exposure: exposure)) }
      waiting -= 1
    }
    exposure += Double(waiting) * (Double(last - first) / 1_000 - age)
    return StepLikelihood(from: start, events: events, exposure: exposure).step()
  }
}
