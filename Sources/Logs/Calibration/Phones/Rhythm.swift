internal import RequestStatistics
internal import SimulationKernel

/// The habits of users, inferred from runs before their due dates and from the start delays of due runs.
package struct RhythmEvidence: Sendable {
  /// The fraction of due runs during which the phone is in use, by local hour.
  package var inUseByHour: [Estimate]
  /// The number of free runs per hour of waiting, by local hour.
  package var freeRateByHour: [Estimate]
  /// The number of free runs per 24 hours of waiting.
  package var freeRuns: Estimate
  /// The fraction of free runs that refresh all kinds at the same time, as runs requested by an app do.
  package var appShare: Estimate
  /// The fraction of free runs that follow another one within seconds, as runs caused by taps do.
  package var tapShare: Estimate
  /// The number of due runs by local hour of the due date and by minutes of delay. The last bin contains delays of an
  /// hour or more.
  package var delaysByHour: [[Int]]
  /// The variation between users, as the standard deviation of the logarithms of their rates.
  package var personSigma: Estimate
  /// The shape of the gamma distribution from which a user's daily activity factors are drawn.
  package var dayShape: Estimate
}

/// An analysis, in the phones' local time, of free runs and of runs while the phone is in use.
struct RhythmReading {
  let history: WakeHistory
  let gaps: Gaps
  let clocks: LocalClocks
  let zones: [Int]
  let cycle: HazardEdge
  let delay: ExcessLaw

  /// The minimum number of days needed to estimate variances within and between users.
  private static let fewestDays = 5
  /// The maximum gap, in seconds, between wakes that belong to the same burst of taps.
  private static let burst = 10.0

  func evidence(window: Double?) -> RhythmEvidence {
    let rates = freeRates()
    let shares = freeShares()
    let people = PeopleSpread(history: history, gaps: gaps, before: cycle.place).estimates(fewestDays: Self.fewestDays)
    return RhythmEvidence(
      inUseByHour: window.map(inUse) ?? Array(repeating: .unknown(.noEdge), count: 24), freeRateByHour: rates.byHour,
      freeRuns: rates.daily, appShare: shares.app, tapShare: shares.tap, delaysByHour: delaysByHour(),
      personSigma: people.sigma,
      dayShape: people.shape)
  }

  /// Returns the rates of free runs before the end of the cycle, by local hour and per day.
  private func freeRates() -> (byHour: [Estimate], daily: Estimate) {
    var sums = CrossedSums(of: history.span, width: 48)
    let last = Int64((cycle.place - 1) * 1_000)
    var count = 0
    for gap in gaps.all {
      let zone = zones[Int(gap.phone)]
      let group = history.phones[Int(gap.phone)].group
      let start = history.wakes[Int(gap.wake)].time
      let end = start + min(Int64(gap.length), last)
      var time = start
      while time < end {
        // Time zone offsets are multiples of 15 minutes, so each local hour starts at a quarter hour of UTC.
        let next = min(end, (time / 900_000 + 1) * 900_000)
        let hour = clocks.hour(time, zone: zone)
        sums.add(Double(next - time) / 3_600_000, to: 24 + hour, group: group, at: time)
        time = next
      }
      guard gap.isComplete, Int64(gap.length) < last else { continue }
      sums.add(1, to: clocks.hour(end, zone: zone), group: group, at: end)
      count += 1
    }
    let byHour = (0..<24).map { hour -> Estimate in
      let result = sums.interval { $0[24 + hour] > 0 ? $0[hour] / $0[24 + hour] : .nan }
      return .judged(result.value, result.interval, count: Int(sums.totals[hour]))
    }
    let daily = sums.interval { 24 * $0[0..<24].reduce(0, +) / $0[24..<48].reduce(0, +) }
    return (byHour, .judged(daily.value, daily.interval, count: count))
  }

  private func inUse(window: Double) -> [Estimate] {
    var sums = CrossedSums(of: history.span, width: 48)
    var counts = Array(repeating: 0, count: 24)
    let due = Int64(cycle.place * 1_000)
    let short = min(delay.known.inUseWindow, window)
    let (early, late) = (delay.starts(0, short), delay.starts(short, max(window, short)))
    for gap in delay.gaps.all {
      let time = history.wakes[Int(gap.wake)].time
      let hour = clocks.hour(time + due, zone: zones[Int(gap.phone)])
      let group = history.phones[Int(gap.phone)].group
      sums.add(early.count(gap), to: hour, group: group, at: time)
      sums.add(late.count(gap), to: 24 + hour, group: group, at: time)
      counts[hour] += 1
    }
    let even = short / window
    guard !delay.isShort(window) else { return Array(repeating: .unknown(.noEdge), count: 24) }
    return counts.enumerated().map { hour, count in
      let result = sums.interval { sums in
        let all = sums[hour] + sums[24 + hour]
        return all > 0 ? (sums[hour] / all - even) / (1 - even) : .nan
      }
      return .judged(result.value, result.interval, scale: 0.5, count: count)
    }
  }

  private func delaysByHour() -> [[Int]] {
    var heat = Array(repeating: Array(repeating: 0, count: 61), count: 24)
    let due = Int64(cycle.place * 1_000)
    for gap in delay.gaps.all where gap.isComplete {
      let time = history.wakes[Int(gap.wake)].time + due
      let minute = min(Int(gap.seconds - cycle.place) / 60, 60)
      heat[clocks.hour(time, zone: zones[Int(gap.phone)])][max(minute, 0)] += 1
    }
    return heat
  }

  private func freeShares() -> (app: Estimate, tap: Estimate) {
    var sums = CrossedSums(of: history.span, width: 3)
    var hasKinds = false
    for gap in gaps.all where gap.isComplete && gap.seconds < cycle.place - 1 {
      let wake = history.wakes[Int(gap.wake) + 1]
      let group = history.phones[Int(gap.phone)].group
      hasKinds = hasKinds || wake.kind != .none
      sums.add(1, to: 2, group: group, at: wake.time)
      if gap.seconds < Self.burst {
        sums.add(1, to: 1, group: group, at: wake.time)
      } else if wake.kind == .none {
        sums.add(1, to: 0, group: group, at: wake.time)
      }
    }
    let count = Int(sums.totals[2])
    guard count > 0 else { return (.unknown(.tooFewObservations), .unknown(.tooFewObservations)) }
    let (app, tap) = (sums.interval { $0[0] / $0[2] }, sums.interval { $0[1] / $0[2] })
    return (
      hasKinds
        ? .judged(app.value, app.interval, scale: 0.5, count: count) : .unknown(.tooFewObservations, count: count),
      .judged(tap.value, tap.interval, scale: 0.5, count: count)
    )
  }
}

/// The variances of free runs between users and between the days of one user.
struct PeopleSpread {
  let history: WakeHistory
  let gaps: Gaps
  /// The age before which runs are free, in seconds.
  let before: Double

  /// Returns estimates from the moments of counts that are Poisson distributed, given a user's rate multiplied by a
  /// gamma-distributed daily factor.
  ///
  /// The variance within users, minus their mean, is E[r^2] / shape. The variance of users' means, minus its expected
  /// error, is the variance of r.
  func estimates(fewestDays: Int) -> (sigma: Estimate, shape: Estimate) {
    let days = Int((history.span.upperBound - history.span.lowerBound) / 86_400_000)
    guard days >= fewestDays else {
      return (.unknown(.tooFewDays, count: days), .unknown(.tooFewDays, count: days))
    }
    var counts = Array(repeating: Array(repeating: 0.0, count: days), count: history.phones.count)
    for gap in gaps.all where gap.isComplete && gap.seconds < before - 1 {
      let day = Int((history.wakes[Int(gap.wake) + 1].time - history.span.lowerBound) / 86_400_000)
      if day < days { counts[Int(gap.phone)][day] += 1 }
    }
    // All of a phone's values are assigned to a single day, because each value is computed from several days.
    var sums = CrossedSums(of: history.span, width: 4)
    for (phone, own) in zip(history.phones, counts) {
      let mean = own.reduce(0, +) / Double(days)
      let within = own.reduce(0) { $0 + square($1 - mean) } / Double(days - 1)
      let part = phone.wakes.lowerBound % max(sums.days, 1)
      let time = history.span.lowerBound + Int64(part) * 86_400_000
      for (figure, value) in [1, mean, mean * mean, within].enumerated() {
        sums.add(value, to: figure, group: phone.group, at: time)
      }
    }
    let sigma = sums.interval { Self.sigma($0, days: Double(days)) }
    // A logarithmic scale is used, because the error of the shape grows with its value.
    let shape = sums.interval { sums in
      let shape = Self.shape(sums, days: Double(days))
      return shape.isFinite ? SteadyMath.log(shape) : .nan
    }
    let shapes = shape.interval.map { SteadyMath.exp($0.lowerBound)...SteadyMath.exp($0.upperBound) }
    let count = history.phones.count
    return (
      Estimate.judged(sigma.value, sigma.interval, count: count),
      Estimate.judged(SteadyMath.exp(shape.value), shapes, count: count)
    )
  }

  /// Returns the mean and the variance of users' rates, and the variance within users.
  private static func spread(_ sums: [Double], days: Double) -> (mean: Double, variance: Double, within: Double) {
    let (mean, within) = (sums[1] / sums[0], sums[3] / sums[0])
    return (mean, max(sums[2] / sums[0] - mean * mean - within / days, 0), within)
  }

  /// Returns the sigma of a log-normal distribution, whose variance divided by the squared mean is exp(sigma^2) - 1.
  private static func sigma(_ sums: [Double], days: Double) -> Double {
    let spread = spread(sums, days: days)
    return SteadyMath.log(1 + spread.variance / square(spread.mean)).squareRoot()
  }

  private static func shape(_ sums: [Double], days: Double) -> Double {
    let spread = spread(sums, days: days)
    let beyond = spread.within - spread.mean
    return beyond > 0 ? (spread.variance + square(spread.mean)) / beyond : .infinity
  }
}
