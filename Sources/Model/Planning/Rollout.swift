package import Scenario
import SimulationKernel

/// The release of a new version, which determines the share of phones that have it on each day.
package struct Rollout: Hashable, Sendable {
  /// The release schedule for phones with automatic updates.
  package enum Stages: Hashable, Sendable {
    case atOnce
    /// The seven days of a phased release in the App Store.
    case phased
    /// Shares of phones, each of which applies from a given number of days after the first day of the release.
    case staged([Stage])
  }

  package struct Stage: Hashable, Sendable {
    package var day: Int
    package var share: Double

    package init(day: Int, share: Double) { (self.day, self.share) = (day, share) }
  }

  package var stages = Stages.atOnce
  /// The first day of the release, in days since the start of the plan.
  package var start = 0
  /// The share of phones with automatic updates.
  package var automatic = 0.8
  /// The fraction of phones with the old version and without automatic updates that update each day.
  package var manual = 0.03

  package init() {}

  /// The shares of the App Store's phased release on its seven days (App Store Connect Help).
  package static let phases = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1]
  /// The time in seconds over which the widget runs caused by a day's updates are spread.
  package static let within = 20.0 * 3_600

  /// Returns the share of phones with the new version on a day.
  package func share(on day: Int) -> Double {
    let since = day - start
    guard since >= 0 else { return 0 }
    let released =
      switch stages {
      case .atOnce: 1.0
      case .phased: Self.phases[min(since, Self.phases.count - 1)]
      case .staged(let stages): stages.last { $0.day <= since }?.share ?? 0
      }
    let manually = 1 - SteadyMath.exp(Double(since + 1) * SteadyMath.log(1 - manual))
    return automatic * released + (1 - automatic) * manually
  }

  /// Returns the share of phones that update on a day.
  package func updates(on day: Int) -> Double { max(share(on: day) - share(on: day - 1), 0) }
}

/// The factors by which the load of individual days is multiplied.
package struct TrafficCalendar: Hashable, Sendable {
  /// A range of days with a common factor, such as a campaign or a holiday.
  package struct Span: Hashable, Sendable {
    package var name: String
    package var from: LocalDay
    /// The last day (inclusive).
    package var to: LocalDay
    package var factor: Double

    package init(name: String, from: LocalDay, to: LocalDay, factor: Double) {
      (self.name, self.from, self.to, self.factor) = (name, from, to, factor)
    }
  }

  /// The factors of the weekdays, starting on Monday, with a mean of 1; empty if all factors are 1.
  package var weekdays: [Double] = []
  package var spans: [Span] = []

  package init() {}

  /// Sets the weekday factors after scaling them to a mean of 1.
  package mutating func setWeekdays(_ factors: [Double]) {
    let mean = factors.reduce(0, +) / Double(max(factors.count, 1))
    weekdays = mean > 0 ? factors.map { $0 / mean } : []
  }

  package func factor(on day: LocalDay) -> Double {
    let ofWeek = weekdays.isEmpty ? 1 : weekdays[day.weekday.rawValue]
    return spans.reduce(ofWeek) { $1.from <= day && day <= $1.to ? $0 * $1.factor : $0 }
  }
}
