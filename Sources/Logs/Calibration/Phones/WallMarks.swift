internal import RequestStatistics
internal import SimulationKernel

/// Evidence on whether runs follow marks on the local clock, and on which marks they follow.
package struct WallMarkEvidence: Sendable {
  /// The resultant of the phases of wakes within a period, which is 0 if the phases are uniformly distributed and 1 if
  /// they are all equal.
  package struct Resultant: Hashable, Sendable {
    /// The length of the period in minutes.
    package let period: Int
    package let length: Double
    /// The probability that independent phones with random phases produce such a resultant.
    package let chance: Double
  }

  package var resultants: [Resultant]
  /// The longest period of at most an hour whose resultant is significant, in minutes; `nil` if runs do not follow
  /// marks.
  package var period: Int?
  /// The local hours whose marks start runs; all 24 hours if the marks of every hour start runs.
  package var hours: [Int]
  /// The time after a mark within which runs start, in seconds, including jitter.
  package var window: Estimate
  /// The fraction of wakes started by marks.
  package var share: Estimate
  /// The number of wakes by local hour and twelfth of the hour.
  package var heat: [[Int]]
  /// The number of days on which the log covers each bin, excluding holes, averaged over phones.
  package var daysSeen: [[Double]]

  /// The number of wakes by local hour.
  package var wakesByHour: [Int] { heat.map { $0.reduce(0, +) } }
  /// The number of wakes by twelfth of the hour.
  var wakesByTwelfth: [Int] { (0..<12).map { twelfth in heat.reduce(0) { $0 + $1[twelfth] } } }

  /// The smallest resultant that shifts a load peak noticeably.
  private static let minimum = 0.05
  /// The highest probability, under random phases, of a resultant that is attributed to marks. It is small because six
  /// periods are tested in each of many logs.
  private static let maxChance = 1e-7

  static func isMark(_ resultant: Resultant) -> Bool { resultant.chance < maxChance && resultant.length > minimum }
}

/// The phases of each phone's wakes.
struct WallPhases {
  let history: WakeHistory
  let clocks: LocalClocks
  /// The index of each phone's time zone.
  let zones: [Int]

  /// The periods in minutes, which are divisors of an hour to which code may round dates.
  private static let periods = [60, 30, 20, 15, 10, 5]
  /// The cosine and sine of the angle for each second of an hour.
  private static let turns = (0..<3_600).map { SteadyMath.turn(Double($0) / 3_600) }

  func evidence(known: KnownPolicy) -> WallMarkEvidence {
    let (heat, daysSeen) = (heat(), daysSeen())
    let resultants = Self.periods.map(resultant)
    guard let mark = resultants.first(where: WallMarkEvidence.isMark) else {
      return WallMarkEvidence(
        resultants: resultants, period: nil, hours: [], window: .unknown(.noEdge), share: .unknown(.noEdge), heat: heat,
        daysSeen: daysSeen)
    }
    let hours = hours(period: mark.period, heat)
    let delays = delays(period: mark.period, hours: Set(hours))
    let longest = mark.period * 60 * 2 / 3
    let window: Estimate
    if let step = DensityDrop.step(delays, longest: longest, head: known.inUseWindow) {
      window = .judged(step.place, step.low...step.high, count: step.count)
    } else {
      window = .unknown(.noEdge, count: delays.count)
    }
    return WallMarkEvidence(
      resultants: resultants, period: mark.period, hours: hours, window: window,
      share: share(period: mark.period, hours: Set(hours), window: window.value), heat: heat,
      daysSeen: daysSeen)
  }

  /// Returns the result of Rayleigh's test with phones as observations.
  ///
  /// The statistic is the squared sum of the phones' vectors divided by the sum of their squares. For random phases, it
  /// is exponentially distributed with mean 1, regardless of the number of wakes per phone (Mardia and Jupp,
  /// Directional Statistics, 6.3).
  private func resultant(period: Int) -> WallMarkEvidence.Resultant {
    let scale = 60 / Int64(period)
    var (all, squares) = ((cosine: 0.0, sine: 0.0), 0.0)
    for (index, phone) in history.phones.enumerated() {
      var own = (cosine: 0.0, sine: 0.0)
      for wake in history.wakes[phone.wakes] {
        let seconds = clocks.local(wake.time, zone: zones[index]) / 1_000
        let turn = Self.turns[Int(seconds * scale % 3_600)]
        own.cosine += turn.cosine
        own.sine += turn.sine
      }
      all.cosine += own.cosine
      all.sine += own.sine
      squares += own.cosine * own.cosine + own.sine * own.sine
    }
    let sum = all.cosine * all.cosine + all.sine * all.sine
    return WallMarkEvidence.Resultant(
      period: period, length: sum.squareRoot() / Double(max(history.wakes.count, 1)),
      chance: squares > 0 ? SteadyMath.exp(-sum / squares) : 1)
  }

  private func daysSeen() -> [[Double]] {
    var phones = Array(repeating: 0, count: clocks.count)
    for zone in zones { phones[zone] += 1 }
    var days = Array(repeating: Array(repeating: 0.0, count: 12), count: 24)
    var hole = history.holes.startIndex
    var start = history.span.lowerBound
    while start < history.span.upperBound {
      let end = min((start / 300_000 + 1) * 300_000, history.span.upperBound)
      while hole < history.holes.endIndex, history.holes[hole].upperBound <= start { hole += 1 }
      let lost = hole < history.holes.endIndex ? history.holes[hole].clamped(to: start..<end) : start..<start
      let seen = Double(end - start - (lost.upperBound - lost.lowerBound)) / 300_000
      for zone in phones.indices where phones[zone] > 0 {
        let twelfth = Int(clocks.local(start, zone: zone) / 300_000 % 288)
        days[twelfth / 12][twelfth % 12] += seen * Double(phones[zone])
      }
      start = end
    }
    return days.map { hour in hour.map { $0 / Double(max(zones.count, 1)) } }
  }

  private func heat() -> [[Int]] {
    var heat = Array(repeating: Array(repeating: 0, count: 12), count: 24)
    for (index, phone) in history.phones.enumerated() {
      for wake in history.wakes[phone.wakes] {
        let twelfth = Int(clocks.local(wake.time, zone: zones[index]) / 300_000 % 288)
        heat[twelfth / 12][twelfth % 12] += 1
      }
    }
    return heat
  }

  /// The minimum excess of wakes after a mark, relative to the excess after the strongest mark.
  private static let weakest = 0.25

  /// Returns the local hours in which wakes cluster after a mark, comparing the first third of the period with the
  /// last.
  private func hours(period: Int, _ heat: [[Int]]) -> [Int] {
    let bins = max(period / 5, 1)
    let excess = heat.map { hour -> Double in
      var folded = Array(repeating: 0, count: bins)
      for (bin, count) in hour.enumerated() { folded[bin % bins] += count }
      let third = max(bins / 3, 1)
      let (first, last): (Int, Int) = (folded.prefix(third).reduce(0, +), folded.suffix(third).reduce(0, +))
      return Double(first - last)
    }
    let maximum = excess.max() ?? 0
    return excess.indices.filter { excess[$0] > maximum * Self.weakest }
  }

  /// Returns the seconds since the last mark for all wakes in hours that have marks.
  private func delays(period: Int, hours: Set<Int>) -> [Double] {
    var delays: [Double] = []
    for (index, phone) in history.phones.enumerated() {
      for wake in history.wakes[phone.wakes] {
        let local = clocks.local(wake.time, zone: zones[index])
        guard hours.contains(Int(local / 3_600_000 % 24)) else { continue }
        delays.append(Double(local % (Int64(period) * 60_000)) / 1_000)
      }
    }
    return delays
  }

  /// Returns the fraction of wakes in the window after a mark, minus the fraction expected from the rate of wakes
  /// outside the window.
  private func share(period: Int, hours: Set<Int>, window: Double?) -> Estimate {
    let length = Double(period) * 60
    guard let window, window < length else { return .unknown(.noEdge) }
    var sums = CrossedSums(of: history.span, width: 3)
    for (index, phone) in history.phones.enumerated() {
      for wake in history.wakes[phone.wakes] {
        let local = clocks.local(wake.time, zone: zones[index])
        let isMarked = hours.contains(Int(local / 3_600_000 % 24))
        let isInside = Double(local % (Int64(period) * 60_000)) / 1_000 < window
        sums.add(1, to: isMarked ? isInside ? 0 : 1 : 2, group: phone.group, at: wake.time)
      }
    }
    let result = sums.interval { sums in
      let chance = sums[1] * window / (length - window)
      return (sums[0] - chance) / (sums[0] + sums[1] + sums[2])
    }
    return .judged(result.value, result.interval, scale: 0.5, count: history.wakes.count)
  }
}
