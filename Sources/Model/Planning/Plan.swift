package import Scenario

/// The growth, releases, capacity and prices of a fleet over a year (Docs/PLAN.md).
///
/// Days are in UTC and are counted from 0 at `start`.
package struct Plan: Hashable, Sendable {
  package static let schema = "widgetfleet/plan/v1"

  package var name = ""
  package var description = ""
  /// The scenario file for the version that phones have at the start.
  package var base = ""
  /// The scenario file for a new version that replaces the old one; `nil` if there is no new version.
  package var next: String?
  package var start = LocalDay(number: 0)
  package var days = 365
  package var growth = PhoneGrowth()
  /// The share of phones that keep the widget; `nil` if all phones keep it.
  package var keep: Retention?
  package var rollout = Rollout()
  package var calendar = TrafficCalendar()
  package var capacity: [PlannedCapacity] = []
  package var prices: [Price] = []
  package var currency = ""
  /// The share of phones on which the widget is used on a given day; `nil` if unknown.
  package var active: Double?

  package init() {}

  /// Returns the date of a day, given its number in the plan.
  package func day(_ index: Int) -> LocalDay { LocalDay(number: start.number + Int64(index)) }

  /// The number of phones with the widget on each day.
  package var phones: [Double] { growth.phones(days: days, keeping: keep) }

  /// Returns the plan with all growth multiplied by a factor.
  package func growing(by factor: Double) -> Plan {
    var plan = self
    plan.growth.factor = factor
    return plan
  }

  /// The number of phones that would cause each day's load if there were no calendar factors.
  package var effectivePhones: [Double] {
    phones.enumerated().map { $0.element * calendar.factor(on: day($0.offset)) }
  }
}

package struct PlannedCapacity: Hashable, Sendable {
  package var endpoint: String
  /// The load that one unit serves, in requests per second; `nil` if capacity is not given in units.
  package var unit: Double?
  /// The initial capacity, as a number of units or, without units, as a load in requests per second; `nil` if it is not
  /// given.
  package var amount: Double?
  /// The target utilisation, as a fraction of the capacity.
  package var target = 1.0
  /// The time from ordering capacity to using it, in days.
  package var lead = 0

  package init(endpoint: String) { self.endpoint = endpoint }

  /// The maximum load at the target utilisation, in requests per second; `nil` if the capacity is not given.
  package var limit: Double? { amount.map { $0 * (unit ?? 1) * target } }

  /// Returns the number of units required for a load; `nil` if capacity is not given in units.
  package func units(for load: Double) -> Int? {
    unit.map { Int(min((load / ($0 * target)).rounded(.up), 1e15)) }
  }
}
