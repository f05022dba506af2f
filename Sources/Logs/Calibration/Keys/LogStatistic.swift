internal import RequestStatistics

/// A statistic of a log or of simulated requests, computed by the same code for both.
package struct LogStatistic: Hashable, Sendable {
  /// The name of the kind; empty for all kinds.
  package let kind: String
  package let name: String
  /// The part of the data that the statistic describes, such as an hour of the day or a range of seconds.
  package let part: String
  package let value: Double
  /// The standard error of the statistic due to random variation; `nil` if unknown.
  package let error: Double?

  /// The parts of the name that identify the same statistic in a log and in a simulation.
  package var identity: [String] { [kind, name, part] }

  /// Returns the distance between the statistic and its simulated value, in standard errors; `nil` if either is
  /// unknown.
  package func distance(from simulated: Double?) -> Double? {
    guard let simulated, let error, error > 0 else { return nil }
    return (value - simulated) / error
  }
}

extension LogEvidence {
  /// Returns all statistics in a fixed order.
  ///
  /// - Parameter names: the names of the scenario's kinds.
  package func statistics(_ names: [String]) -> [LogStatistic] {
    var rows: [LogStatistic] = []
    if let history { rows += [wakesPerDay(history)] }
    for (kind, estimates) in kinds { rows += estimates.statistics(of: names[kind]) }
    if let aggregate { rows += aggregate.statistics(of: names.first ?? "") }
    return rows
  }

  private func wakesPerDay(_ history: WakeHistory) -> LogStatistic {
    let days = Double(history.span.upperBound - history.span.lowerBound) / 86_400_000
    let counts = history.phones.map { Double($0.wakes.count) / days }
    let mean = counts.reduce(0, +) / Double(counts.count)
    let squares = counts.reduce(0) { $0 + square($1 - mean) } / Double(max(counts.count - 1, 1))
    return LogStatistic(
      kind: "", name: "wakes_per_phone_day", part: "", value: mean, error: (squares / Double(counts.count)).squareRoot()
    )
  }
}

extension KindEstimates {
  fileprivate func statistics(of kind: String) -> [LogStatistic] {
    func row(_ name: String, _ part: String, _ value: Double, _ error: Double?) -> LogStatistic {
      LogStatistic(kind: kind, name: name, part: part, value: value, error: error)
    }
    func rows(_ name: String, byHour estimates: [Estimate]) -> [LogStatistic] {
      estimates.enumerated().compactMap { hour, estimate in
        guard let value = estimate.value else { return nil }
        let half = estimate.low.flatMap { low in estimate.high.map { ($0 - low) / 2 / 1.96 } }
        return row(name, "\(hour)", value, half)
      }
    }
    var all = HazardCurve.bins.compactMap { bin -> LogStatistic? in
      let sums = hazard.sums(bin)
      guard sums.events > 0, sums.exposure > 0 else { return nil }
      return row(
        "wake_hazard", "\(bin.lowerBound)..\(bin.upperBound) s", sums.events / sums.exposure,
        sums.events.squareRoot() / sums.exposure)
    }
    all += shares(wallMarks.wakesByHour, wallMarks.daysSeen.map { $0.reduce(0, +) }).enumerated().map {
      row("wakes_by_local_hour", "\($0.offset)", $0.element.share, $0.element.error)
    }
    let twelfthsSeen = (0..<12).map { twelfth in wallMarks.daysSeen.reduce(0) { $0 + $1[twelfth] } }
    all += shares(wallMarks.wakesByTwelfth, twelfthsSeen).enumerated().map {
      row("wakes_by_five_minutes", "\($0.offset * 5)", $0.element.share, $0.element.error)
    }
    all += wallMarks.resultants.map { row("resultant", "\($0.period) min", $0.length, nil) }
    if let law = startDelay?.law {
      all += law.enumerated().map { row("start_delay", "\($0.offset + 1)/\(law.count)", $0.element, nil) }
    }
    if let rhythm {
      all += rows("in_use_by_hour", byHour: rhythm.inUseByHour)
      all += rows("free_runs_by_hour", byHour: rhythm.freeRateByHour)
    }
    all += zip(pairs.lags, pairs.ratios).map {
      row("pair_correlation", "\($0.0.lowerBound)..\($0.0.upperBound) s", $0.1, nil)
    }
    if let system {
      all.append(row("resultant_of_grants", "15 min", system.grantResultant, nil))
      all.append(row("resultant_of_grants", "14 min", system.chanceResultant, nil))
    }
    return all
  }

  /// Returns the fraction of counts in each section of the day, corrected for holes in the log.
  ///
  /// - Parameter seen: the number of days on which the log covers each section.
  private func shares(_ counts: [Int], _ seen: [Double]) -> [(share: Double, error: Double)] {
    let mean = seen.reduce(0, +) / Double(max(seen.count, 1))
    let whole = zip(counts, seen).map { count, days in days > 0 ? Double(count) * mean / days : 0 }
    let total = max(whole.reduce(0, +), 1)
    return whole.map { count in
      let share = count / total
      return (share, (share * (1 - share) / total).squareRoot())
    }
  }
}

extension AggregateEstimates {
  fileprivate func statistics(of kind: String) -> [LogStatistic] {
    spectrum.map { point in
      let minutes = (point.period / 6).rounded() / 10
      return LogStatistic(kind: kind, name: "spectrum", part: "\(minutes) min", value: point.power, error: nil)
    }
  }
}
