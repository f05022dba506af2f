/// The hour of the owner's day in which the most of a kind's views are stale, where one stands out beyond chance.
package struct StalestHour: Hashable, Sendable {
  /// 0..<24.
  package let hour: Int
  /// Stale parts of the views in the hour, and of all views of the day, from 0 to 1.
  package let share, mean: Double

  /// Hours with fewer views are not looked at.
  private static let leastViews = 400.0
  /// Standard errors beyond which none of 24 hours stands out by chance.
  private static let leastErrors = 3.3

  /// nil where less than one view in a hundred is stale then, or where the hour exceeds the day's mean by less than 3.3
  /// standard errors or a tenth.
  ///
  /// - Parameters:
  ///   - hours: of one kind.
  ///   - widgetDays: widgets times days that were counted.
  package init?(_ hours: [StoredHour], widgetDays: Double) {
    let views = { (hour: StoredHour) in (hour.views ?? 0) * widgetDays }
    let all = hours.reduce(0) { $0 + views($1) }
    let stale = hours.reduce(0) { $0 + views($1) * ($1.staleShare ?? 0) }
    let worst = hours.filter { views($0) >= Self.leastViews }.max { ($0.staleShare ?? 0) < ($1.staleShare ?? 0) }
    guard let worst, let share = worst.staleShare, share >= 0.01 else { return nil }
    let mean = stale / max(all, 1)
    let error = (mean * max(1 - mean, 0) / views(worst)).squareRoot()
    guard share - mean > Self.leastErrors * error, share > 1.1 * mean else { return nil }
    (hour, self.share, self.mean) = (worst.hour, share, mean)
  }
}

extension FigureSubject {
  /// Where the question is about a kind's views; nil where no hour stands out.
  package var stalestHour: StalestHour? {
    guard question == .stale, let kind = finding.kind, let asked = run.asked.first(where: { $0.kind == kind }) else {
      return nil
    }
    return StalestHour(run.hours.filter { $0.kind == kind }, widgetDays: asked.seconds / 86_400)
  }
}
