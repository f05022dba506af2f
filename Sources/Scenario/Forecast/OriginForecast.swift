import SimulationKernel

/// What a CDN lets through of a day's load, from above: every key is asked for equally often, and no request fails (MODEL.md
/// 6.6).
///
/// The state of the keys goes on in slots of at most 10 s, within which the origin is asked at most as often as at the
/// slot's beginning, when the fewest keys are fresh.
struct OriginForecast {
  private let cdn: CDN
  private let slot: Double

  init(_ cdn: CDN) {
    self.cdn = cdn
    slot = max(min(cdn.ttl.seconds / 20, 10), DayLoad.window)
  }

  /// Origin requests per second, by slot of the day.
  func moments(of load: DayLoad) -> [DayLoad.Moment] {
    let rates = highestRates(of: load)
    var fetched = Array(repeating: 0.0, count: max(Int((cdn.ttl.seconds / slot).rounded(.up)), 1))
    var fresh = 0.0
    var moments: [DayLoad.Moment] = []
    // The first day fills the CDN.
    for number in 0..<2 * rates.count {
      let rate = rates[number % rates.count]
      let stale = max(Double(cdn.keys) - fresh, 0)
      if number >= rates.count {
        moments.append(DayLoad.Moment(second: Double(number - rates.count) * slot, rate: misses(rate, stale)))
      }
      let found = stale * touched(rate * slot)
      let place = number % fetched.count
      fresh += found - fetched[place]
      fetched[place] = found
    }
    return moments
  }

  private func misses(_ rate: Double, _ stale: Double) -> Double {
    cdn.collapsing ? stale * touched(rate * DayLoad.window) / DayLoad.window : rate * stale / Double(cdn.keys)
  }

  /// The share of keys that some requests ask for.
  private func touched(_ requests: Double) -> Double { 1 - SteadyMath.exp(-requests / Double(cdn.keys)) }

  /// The highest rate in each slot.
  private func highestRates(of load: DayLoad) -> [Double] {
    let count = max(Int((DayLoad.length / slot).rounded(.up)), 1)
    var rates = Array(repeating: 0.0, count: count)
    let moments = load.moments
    for (first, last) in zip(moments, moments.dropFirst()) {
      let slots = Int(first.second / slot)...max(Int(first.second / slot), min(Int(last.second / slot), count - 1))
      let slope = last.second > first.second ? (last.rate - first.rate) / (last.second - first.second) : 0
      for number in slots where number < count {
        let from = max(Double(number) * slot, first.second)
        let to = min(Double(number + 1) * slot, last.second)
        let ends = [from, to].map { first.rate + slope * ($0 - first.second) }
        rates[number] = max(rates[number], ends.max() ?? 0)
      }
    }
    return rates
  }
}
