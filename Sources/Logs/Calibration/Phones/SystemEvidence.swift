internal import RequestStatistics
internal import SimulationKernel

/// The effects of the system's own rules for the budget and for idle phones, as seen in the log.
package struct SystemEvidence: Sendable {
  /// The number of runs that the budget allows per widget per day.
  package var capacity: Estimate
  /// The mean resultants of phones' wakes for periods of 15 and 14 minutes. The budget grants runs every 15 minutes,
  /// and the period of 14 minutes is a control.
  package var grantResultant: Double
  package var chanceResultant: Double
  /// The delay after the due date at which a run starts on an idle phone, in seconds.
  package var giveUp: Estimate
  /// Whether the budget, rather than the policy, determines when widgets run.
  package var isBudgetBinding: Bool
}

struct SystemReading {
  let history: WakeHistory
  let gaps: Gaps
  let cycle: HazardEdge
  let freeRunsPerDay: Double

  /// The period at which the budget accrues, in seconds.
  private static let grant: Int64 = 900
  /// The control period, in seconds, at which no budget accrues.
  private static let other: Int64 = 840
  /// The smallest resultant that indicates a binding budget. With a binding budget, the resultant is 0.6; without one,
  /// it is below 0.1 at both periods.
  private static let binding = 0.25
  /// The ratios of wakes to the budget in simulated logs in which the budget is binding. Counting all wakes
  /// overestimates the budget, because overdue widgets reload free of charge when seen. Counting only wakes at accruals
  /// underestimates it, because a run may start later than its grant.
  private static let allWakes = 1.29
  private static let grantedWakes = 0.70
  private static let fewestDays = 5

  func evidence(window: Double?) -> SystemEvidence {
    let (grant, chance) = (resultant(Self.grant), resultant(Self.other))
    let isBinding = grant - chance > Self.binding
    return SystemEvidence(
      capacity: capacity(isBinding: isBinding), grantResultant: grant, chanceResultant: chance,
      giveUp: giveUp(window: window), isBudgetBinding: isBinding)
  }

  private var days: Double { Double(history.span.upperBound - history.span.lowerBound) / 86_400_000 }

  /// Returns the phase of an instant in a period of whole seconds, in milliseconds.
  private func phase(_ time: Int64, _ period: Int64) -> Int { Int(time % (period * 1_000)) }

  /// Returns the root mean square of the phones' resultants, minus the contribution of random variation.
  private func resultant(_ period: Int64) -> Double {
    let turns = (0..<period).map { SteadyMath.turn(Double($0) / Double(period)) }
    var (sum, count) = (0.0, 0.0)
    for phone in history.phones where phone.wakes.count > 20 {
      var (cosine, sine) = (0.0, 0.0)
      for wake in history.wakes[phone.wakes] {
        let turn = turns[phase(wake.time, period) / 1_000]
        cosine += turn.cosine
        sine += turn.sine
      }
      let own = Double(phone.wakes.count)
      sum += (cosine * cosine + sine * sine - own) / (own * (own - 1))
      count += 1
    }
    return count > 0 ? max(sum / count, 0).squareRoot() : 0
  }

  private func capacity(isBinding: Bool) -> Estimate {
    let active = history.phones.filter { $0.wakes.count > 20 }
    guard days >= Double(Self.fewestDays) else { return .tooShort(Int(days), of: Self.fewestDays) }
    guard !active.isEmpty else { return .unknown(.tooFewObservations) }
    let perDay = active.map { Double($0.wakes.count) / days }.sorted()
    guard isBinding else {
      let minimum = perDay[perDay.count / 2] - freeRunsPerDay
      return Estimate(
        nil, low: max(minimum, 0), verdict: .oneSided, count: active.count, reason: .demandBelowBudget)
    }
    let all = perDay.reduce(0, +) / Double(perDay.count)
    let granted = active.map { Double(grantedCount($0)) }.reduce(0, +) / Double(active.count) / days
    let bounds = [all / Self.allWakes, granted / Self.grantedWakes].sorted()
    return Estimate(
      (bounds[0] + bounds[1]) / 2, low: bounds[0], high: bounds[1], verdict: .weakly, count: active.count,
      reason: .wideInterval)
  }

  /// Returns the number of wakes in and next to the fullest thirtieth (half a minute) of the grant period, minus the
  /// number expected of random wakes.
  private func grantedCount(_ phone: WakeHistory.Phone) -> Int {
    var counts = Array(repeating: 0, count: 30)
    for wake in history.wakes[phone.wakes] { counts[phase(wake.time, Self.grant) / 30_000] += 1 }
    guard let mode = counts.indices.max(by: { counts[$0] < counts[$1] }) else { return 0 }
    let near = [29, 0, 1].reduce(0) { $0 + counts[(mode + $1) % 30] }
    return max(0, near - (phone.wakes.count - near) * 3 / 27)
  }

  /// Returns the delay after which runs start on idle phones, derived from a second edge in the gaps.
  private func giveUp(window: Double?) -> Estimate {
    let first = Int(cycle.place + (window ?? 900)) + Self.shortestPatience
    guard first < HazardCurve.seconds else { return .unknown(.noEdge) }
    let curve = HazardCurve(gaps)
    guard let edge = EdgeSearch(gaps: gaps, curve: curve, ages: first..<HazardCurve.seconds).edge() else {
      return .unknown(.noEdge)
    }
    // Few phones wait this long, and their runs start within a window. Therefore, the wait ends at most one window
    // before the age at which runs start frequently.
    let estimate = Estimate.judged(
      edge.place - cycle.place, edge.low - cycle.high - (window ?? 900)...edge.high - cycle.low, count: edge.count)
    // Phones that skip one or two runs wake again after a whole number of cycles.
    let cycles = edge.place / cycle.place
    let isMultiple = abs(cycles - cycles.rounded()) * cycle.place < Self.near && cycles < Self.manyCycles
    return isMultiple ? estimate.limited(to: .weakly, .severalIntervals) : estimate
  }

  /// The shortest time, in seconds, for which a run may wait on an idle phone; earlier runs are retries after a
  /// failure.
  private static let shortestPatience = 3_600
  private static let near = 60.0
  private static let manyCycles = 3.5
}
