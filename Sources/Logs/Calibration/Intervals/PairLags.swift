internal import RequestStatistics

/// Pairs of wakes of the same phone, grouped by their distance in time and used to find the interval that several
/// widgets follow independently.
///
/// Gaps between consecutive wakes are of little use here, because runs of one widget occur between two runs of another.
struct PairLags {
  private let history: WakeHistory
  /// The stride at which phones are sampled.
  private let stride: Int
  /// The longest distance between the wakes of a pair, in seconds.
  private let longest: Int

  /// The maximum number of pairs; some phones are skipped to stay below it.
  private static let maxPairs = 2e8

  init(_ history: WakeHistory, longest: Int) {
    self.history = history
    self.longest = min(longest, HazardCurve.seconds)
    let span = max(Double(history.span.upperBound - history.span.lowerBound) / 1_000, 1)
    let pairs = history.phones.reduce(0.0) { $0 + square(Double($1.wakes.count)) * Double(longest) / span }
    stride = max(1, Int((pairs / Self.maxPairs).rounded(.up)))
  }

  private func forEach(from low: Int64, to high: Int64, _ body: (_ lag: Int64, _ isNext: Bool) -> Void) {
    for index in Swift.stride(from: 0, to: history.phones.count, by: stride) {
      let own = history.phones[index].wakes
      var (first, next) = (own.lowerBound, own.lowerBound)
      for wake in own {
        let start = history.wakes[wake].time
        (first, next) = (max(first, wake + 1), max(next, wake + 1))
        while next < own.upperBound, history.wakes[next].time - start < Self.burst { next += 1 }
        while first < own.upperBound, history.wakes[first].time - start < low { first += 1 }
        var other = first
        while other < own.upperBound, history.wakes[other].time - start < high {
          body(history.wakes[other].time - start, other <= next)
          other += 1
        }
      }
    }
  }

  func edge(_ ages: Range<Int>) -> HazardEdge? {
    var events = Array(repeating: 0, count: HazardCurve.seconds)
    forEach(from: 0, to: Int64(longest) * 1_000) { lag, _ in events[Int(lag / 1_000)] += 1 }
    let search = search(events, ages)
    guard let edge = search.edge() else { return nil }
    // The edge after two cycles is nearly as strong as the edge after one cycle, so fractions of the distance are also
    // tried.
    for parts in [3.0, 2] {
      let near = Int(edge.place / parts * 0.9)..<Int(edge.place / parts * 1.02)
      if let part = self.search(events, ages.clamped(to: near)).edge(), part.gain > edge.gain * Self.weakest {
        return part
      }
    }
    return edge
  }

  /// The minimum strength of the first cycle's edge, relative to that of the second or third.
  private static let weakest = 0.3

  private func search(_ events: [Int], _ ages: Range<Int>) -> EdgeSearch {
    let exposure = Array(repeating: observers, count: HazardCurve.seconds)
    return EdgeSearch(
      curve: HazardCurve(events: events, exposure: exposure), ages: ages.clamped(to: 0..<max(longest - 900, 1))
    ) { step(from: $0, to: $1) }
  }

  /// Returns whether runs follow an interval even if other runs occur in between. With a single widget, other runs
  /// would restart the interval.
  func outlivesOthers(_ edge: HazardEdge) -> Bool {
    let width = min(edge.place / 8, 120)
    var (all, outliving) = (0.0, 0.0)
    forEach(from: Int64((edge.place - width) * 1_000), to: Int64((edge.place + width) * 1_000)) { lag, isNext in
      let sign = Double(lag) / 1_000 < edge.place ? -1.0 : 1
      all += sign
      if !isNext { outliving += sign }
    }
    return outliving > all * Self.minOutliving && outliving > 6 * all.magnitude.squareRoot()
  }

  /// The minimum fraction of the rise that remains if only pairs with other wakes in between are counted. With two
  /// widgets, half of the rise remains.
  private static let minOutliving = 0.25
  /// The time, in milliseconds, within which several wakes are treated as one burst.
  private static let burst: Int64 = 60_000

  /// The number of wakes of the sampled phones, each of which may be the first wake of a pair.
  private var observers: Double {
    Swift.stride(from: 0, to: history.phones.count, by: stride).reduce(0) {
      $0 + Double(history.phones[$1].wakes.count)
    }
  }

  private func step(from low: Double, to high: Double) -> StepLikelihood.Step? {
    var lags: [Double] = []
    forEach(from: Int64(low * 1_000), to: Int64(high * 1_000)) { lag, _ in lags.append(Double(lag) / 1_000) }
    lags.sort()
    let observers = observers
    let events = lags.map { StepLikelihood.Event(place: $0, exposure: ($0 - low) * observers) }
    return StepLikelihood(from: low, events: events, exposure: (high - low) * observers).step()
  }

  /// Returns the delays after an edge at which pairs occur, in seconds. They are used to find the end of the window.
  func delays(after edge: Double, within seconds: Double) -> [Double] {
    var delays: [Double] = []
    forEach(from: Int64(edge * 1_000), to: Int64((edge + seconds) * 1_000)) { lag, _ in
      delays.append(Double(lag) / 1_000 - edge)
    }
    return delays
  }
}

/// The frequency of a phone's wakes at a given lag after another wake, relative to independent wakes. Any wakes in
/// between are ignored.
///
/// For each lag, it is the number of pairs of wakes of the same phone, divided by the number expected from the phone's
/// mean rate. The quotient is 1 if wakes are independent. With one widget, it is close to the share of free runs at
/// lags up to the interval. With k widgets, it is higher by (k - 1) / k.
package struct PairCorrelation: Sendable {
  /// The lags in seconds, as in `HazardCurve.bins`.
  package let lags: [Range<Int>]
  package let ratios: [Double]

  /// - Parameter longest: the longest lag, in seconds.
  init(_ history: WakeHistory, longest: Int) {
    let lags = HazardCurve.bins.filter { $0.upperBound <= longest }
    var pairs = Array(repeating: 0.0, count: lags.count)
    var expected = pairs
    let bins = lags.indices.reduce(into: Array(repeating: -1, count: longest + 1)) { bins, index in
      for second in lags[index] { bins[second] = index }
    }
    let span = Double(history.span.upperBound - history.span.lowerBound) / 1_000
    for phone in history.phones where phone.wakes.count > 1 {
      let wakes = history.wakes[phone.wakes]
      let rate = Double(wakes.count) / span
      var (next, whole) = (phone.wakes.lowerBound, 0.0)
      for wake in phone.wakes {
        next = max(next, wake + 1)
        while next < phone.wakes.upperBound, (wakes[next].time - wakes[wake].time) / 1_000 < longest { next += 1 }
        for other in wake + 1..<max(next, wake + 1) {
          let bin = bins[Int((wakes[other].time - wakes[wake].time) / 1_000)]
          if bin >= 0 { pairs[bin] += 1 }
        }
        let left = Double(history.span.upperBound - wakes[wake].time) / 1_000
        guard left < Double(longest) else {
          whole += rate
          continue
        }
        for (bin, lag) in lags.enumerated() where left > Double(lag.lowerBound) {
          expected[bin] += rate * (min(left, Double(lag.upperBound)) - Double(lag.lowerBound))
        }
      }
      for (bin, lag) in lags.enumerated() { expected[bin] += whole * Double(lag.count) }
    }
    self.lags = lags
    ratios = zip(pairs, expected).map { $1 > 0 ? $0 / $1 : 0 }
  }

  /// Returns the mean level at lags longer than a burst and shorter than an interval, divided by the mean level over
  /// the following cycles.
  ///
  /// The ratio cancels differences between phones and hours.
  func level(before interval: Double) -> Double {
    let after = mean(interval, interval * 3)
    return after > 0 ? mean(interval * 0.3, interval * 0.95) / after : 0
  }

  private func mean(_ low: Double, _ high: Double) -> Double {
    let own = lags.indices.filter { Double(lags[$0].lowerBound) >= low && Double(lags[$0].upperBound) <= high }
    let width = own.reduce(0.0) { $0 + Double(lags[$1].count) }
    return width > 0 ? own.reduce(0) { $0 + ratios[$1] * Double(lags[$1].count) } / width : 0
  }
}
