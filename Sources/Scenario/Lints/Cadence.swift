import SimulationKernel

/// How often a policy makes a widget ask, and how often the system would let it (MODEL.md 4.1, 4.4, 4.5, 9).
struct Cadence {
  /// Seconds from a run to the date that it asks for, in the mean.
  let asked: Double
  /// Seconds from run to run as the spacing and the delay of the start leave it, with no budget in the way.
  let kept: Double

  /// nil for policies without an interval: `never`, and clock times, which come at most once a day.
  init?(_ policy: ReloadPolicy, _ entries: Entries, _ kind: Kind, under use: WidgetUse) {
    guard let interval = policy.interval(entries, atEndGap: use.system.atEndGap) else { return nil }
    let jitter = (kind.jitter?.upTo.seconds ?? 0) / 2
    asked = max(interval + jitter, 0.001)
    let spacing = use.system.minSpacing.seconds
    var gap = max(asked, spacing) + use.meanDelay
    if case .afterMultiple = policy, use.longestDelay + 2 * jitter <= interval { gap = max(interval, spacing) }
    // A background session runs twice, the second time a spacing later (MODEL.md 5.6).
    if kind.isBackgroundSession { gap += spacing + use.system.startDelay.background.meanSeconds }
    kept = max(gap, 0.001)
  }

  var askedPerDay: Double { 86_400 / asked }
  var keptPerDay: Double { 86_400 / kept }
}

extension ReloadPolicy {
  /// Seconds from the end of a run to its date, in the mean; nil: never, or a clock time.
  func interval(_ entries: Entries, atEndGap: TimeAmount) -> Double? {
    switch self {
    case .never, .afterClock: nil
    case .after(let span): span.meanSeconds
    case .afterMultiple(let every, zone: _): every.seconds
    case .atEnd: entries.count > 1 ? entries.every.seconds * Double(entries.count - 1) : atEndGap.seconds
    }
  }
}

extension FleetSurvey {
  private static let mostWindows = 64

  /// Charged runs per day that a kind would make with no budget in the way, on its busiest day of the week; nil where
  /// that is not known beforehand.
  func demand(_ index: Int, under use: WidgetUse) -> Double? {
    let kind = kind(index)
    guard let phase = lastingPhase(index), kind.windows.count <= FleetSurvey.mostWindows else { return nil }
    let entries = kind.phases[phase].entries
    func rate(_ policy: ReloadPolicy) -> Double { Cadence(policy, entries, kind, under: use)?.keptPerDay ?? 0 }
    let base = rate(kind.phases[phase].reload)
    let perRefresh = kind.isBackgroundSession ? 2.0 : 1.0
    guard !kind.windows.isEmpty else { return base * perRefresh }
    let windows = kind.windows.map { ($0, rate($0.reload)) }
    let days = Weekday.allCases.map { day in
      // In twelfths of an hour: windows of odd minutes come out a little off.
      (0..<288).reduce(0.0) { sum, slot in
        let time = TimeAmount.minutes(Int64(slot) * 5)
        return sum + (windows.first { $0.0.holds(on: day, time) }?.1 ?? base) / 288
      }
    }
    return (days.max() ?? base) * perRefresh
  }
}

extension PolicyWindow {
  /// Whether a local time lies in it; over midnight the day is that of `from` (MODEL.md 5.7).
  func holds(on day: Weekday, _ time: TimeAmount) -> Bool {
    let (from, to) = (from.sinceMidnight, to.sinceMidnight)
    if from < to { return days.contains(day) && from <= time && time < to }
    let before = Weekday(rawValue: (day.rawValue + 6) % 7) ?? day
    return time >= from && days.contains(day) || time < to && days.contains(before)
  }
}
