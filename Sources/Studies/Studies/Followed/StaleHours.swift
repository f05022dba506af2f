/// The local hours with the most stale views of a kind, and with the highest share of stale views (MODEL.md 8.3).
package struct StaleHours: Hashable, Sendable {
  /// An hour of the day, 0..<24, with a share from 0 to 1.
  package struct Hour: Hashable, Sendable {
    package let hour: Int
    package let share: Double
  }

  /// The hour with the most stale views, with its share of the day's stale views; `nil` if no hour differs
  /// significantly.
  package let maximum: Hour?
  /// The hour with the highest share of stale views, together with that share; `nil` if no hour differs significantly.
  package let densest: Hour?
  /// The share of stale views among all views of the day, from 0 to 1.
  package let mean: Double

  /// The minimum number of views for an hour to be considered.
  private static let minViews = 400.0
  /// The number of standard errors that none of 24 hours is likely to exceed by chance.
  fileprivate static let minErrors = 3.3

  /// Creates the hours; `nil` if no hour differs significantly in its number or share of stale views.
  ///
  /// - Parameters:
  ///   - hours: the hours of one kind.
  ///   - widgetDays: the number of widgets times the number of counted days.
  package init?(_ hours: [StoredHour], widgetDays: Double) {
    let counted = hours.map { hour in
      let views = (hour.views ?? 0) * widgetDays
      return (hour: hour.hour, views: views, stale: views * (hour.staleShare ?? 0))
    }
    let (views, stale) = counted.reduce((0, 0)) { ($0.0 + $1.views, $0.1 + $1.stale) }
    let known = counted.filter { $0.views >= Self.minViews && $0.stale >= 0.01 * $0.views }
    mean = stale / max(views, 1)
    let even = 1 / 24.0
    let (overall, staleViews) = (mean, stale)
    maximum = known.map { Hour(hour: $0.hour, share: $0.stale / staleViews) }.max { $0.isBelow($1) }
      .flatMap { $0.isOutlier(from: even, of: staleViews) ? $0 : nil }
    densest = known.map { (hour: Hour(hour: $0.hour, share: $0.stale / $0.views), views: $0.views) }
      .max { $0.hour.isBelow($1.hour) }
      .flatMap { $0.hour.isOutlier(from: overall, of: $0.views) ? $0.hour : nil }
    if maximum == nil, densest == nil { return nil }
  }
}

extension StaleHours.Hour {
  /// Returns whether the share is lower than that of another hour. If the shares are equal, the later hour is
  /// considered lower.
  fileprivate func isBelow(_ other: Self) -> Bool { (share, -hour) < (other.share, -other.hour) }

  /// Returns whether the share exceeds `mean` by more than 10 % and by more than 3.3 standard errors for this number of
  /// views.
  fileprivate func isOutlier(from mean: Double, of views: Double) -> Bool {
    let error = (mean * max(1 - mean, 0) / max(views, 1)).squareRoot()
    return share - mean > StaleHours.minErrors * error && share > 1.1 * mean
  }
}

extension FigureSubject {
  /// The hours with the most stale data, if the subject is a kind's views; `nil` if no hour differs significantly.
  package var staleHours: StaleHours? {
    guard question == .stale, let kind = finding.kind, let asked = run.asked.first(where: { $0.kind == kind }) else {
      return nil
    }
    return StaleHours(run.hours.filter { $0.kind == kind }, widgetDays: asked.seconds / 86_400)
  }
}
