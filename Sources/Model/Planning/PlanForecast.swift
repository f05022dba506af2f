import Scenario

/// A forecast of the load on each day of a plan.
package struct PlanForecast: Sendable {
  package let plan: Plan
  package let endpoints: [String]
  private let old: DemandCurve
  /// The demand of the new version; `nil` if there is no new version.
  private let new: DemandCurve?
  /// The number of phones on each day.
  package let phones: [Double]
  /// The load at each endpoint on each day.
  package let days: [[DayDemand]]
  /// The number of pushes sent on each day.
  package let pushes: [Double]

  package init(_ plan: Plan, endpoints: [String], old: DemandCurve, new: DemandCurve?) {
    (self.plan, self.endpoints, self.old, self.new) = (plan, endpoints, old, new)
    let phones = plan.phones
    self.phones = phones
    pushes = plan.effectivePhones.enumerated().map { day, effective in
      guard let new else { return old.pushes(at: effective) }
      let share = plan.rollout.share(on: day)
      return old.pushes(at: effective) * (1 - share) + new.pushes(at: effective) * share
    }
    days = plan.effectivePhones.enumerated().map { day, effective in
      guard let new else { return old.demands(at: effective) }
      let share = plan.rollout.share(on: day)
      let updating = plan.rollout.updates(on: day) * phones[day]
      return zip(old.demands(at: effective), new.demands(at: effective)).enumerated().map { endpoint, demands in
        let mixed = demands.0 * (1 - share) + demands.1 * share
        return mixed.with(updates: updating * new.requestsOfUpdate[endpoint])
      }
    }
  }

  /// Returns the forecast with all growth multiplied by a factor.
  package func growing(by factor: Double) -> PlanForecast {
    PlanForecast(plan.growing(by: factor), endpoints: endpoints, old: old, new: new)
  }

  /// The value to read from the forecast of a peak: the estimate, one of its bounds, or its value under a preset.
  package enum Reading: Sendable {
    case value, low, high, prompt, lazy
  }

  package func peak(_ day: Int, _ endpoint: Int, _ reading: Reading = .value) -> Double {
    let demand = days[day][endpoint]
    return switch reading {
    case .value: demand.peak.value
    case .low: demand.peak.low
    case .high: demand.peak.high
    case .prompt: demand.promptPeak
    case .lazy: demand.lazyPeak
    }
  }

  /// Returns the first day on which the peak at an endpoint exceeds a limit; `nil` if there is no such day.
  package func firstDay(above limit: Double, _ endpoint: Int, _ reading: Reading = .value) -> Int? {
    days.indices.first { peak($0, endpoint, reading) > limit }
  }
}

extension DayDemand {
  /// Returns the demand plus the requests caused by app updates, which are spread over part of the day.
  fileprivate func with(updates requests: Double) -> DayDemand {
    guard requests > 0 else { return self }
    var demand = self
    let (share, rate) = (self.requests > 0 ? requests / self.requests : 0, requests / Rollout.within)
    demand.requests += requests
    demand.originRequests += requests
    demand.bytesUp += bytesUp * share
    demand.bytesDown += bytesDown * share
    demand.mean += requests / 86_400
    demand.peak = demand.peak + Bounded(rate)
    demand.promptPeak += rate
    demand.lazyPeak += rate
    return demand
  }
}

/// The day on which an endpoint runs out of capacity, with its uncertainty.
package struct Headroom: Hashable, Sendable {
  package var endpoint: Int
  /// The maximum load at the target utilisation, in requests per second.
  package var limit: Double
  /// The first day on which the peak exceeds the limit; `nil` if there is no such day in the plan.
  package var day: Int?
  /// The first day on which the peak exceeds the limit under each changed assumption; `nil` if there is none in the
  /// plan.
  package var others: [Condition: Int?]

  /// A change to one of the forecast's assumptions.
  package enum Condition: String, CaseIterable, Sendable {
    case fasterGrowth, slowerGrowth, high, low, prompt, lazy
  }

  /// The earliest day on which the limit is exceeded under any condition; `nil` if it is never exceeded.
  package var earliest: Int? { ([day] + others.values).compactMap { $0 }.min() }
  /// The latest of the days under all conditions; `nil` if the limit is not exceeded under at least one condition.
  package var latest: Int? { latest(of: Condition.allCases) }

  /// Returns the earliest of the days under the given conditions; `nil` if the limit is not exceeded under any of them.
  package func earliest(of conditions: [Condition]) -> Int? {
    ([day] + conditions.map { others[$0] ?? nil }).compactMap { $0 }.min()
  }

  /// Returns the latest of the days under the given conditions; `nil` if the limit is not exceeded under at least one.
  package func latest(of conditions: [Condition]) -> Int? {
    let all = [day] + conditions.map { others[$0] ?? nil }
    return all.contains { $0 == nil } ? nil : all.compactMap { $0 }.max()
  }

  /// The fraction by which growth is increased or decreased in the conditions for faster and slower growth.
  package static let growthDoubt = 0.2
}

extension PlanForecast {
  /// The headroom of every endpoint whose capacity is given.
  package var headroom: [Headroom] {
    let (faster, slower) = (growing(by: 1 + Headroom.growthDoubt), growing(by: 1 - Headroom.growthDoubt))
    return plan.capacity.compactMap { capacity in
      guard let limit = capacity.limit, let endpoint = endpoints.firstIndex(of: capacity.endpoint) else { return nil }
      return Headroom(
        endpoint: endpoint, limit: limit, day: firstDay(above: limit, endpoint),
        others: [
          .fasterGrowth: faster.firstDay(above: limit, endpoint),
          .slowerGrowth: slower.firstDay(above: limit, endpoint),
          .high: firstDay(above: limit, endpoint, .high), .low: firstDay(above: limit, endpoint, .low),
          .prompt: firstDay(above: limit, endpoint, .prompt), .lazy: firstDay(above: limit, endpoint, .lazy),
        ])
    }
  }
}

/// Metrics over a range of days.
extension PlanForecast {
  /// Returns the highest peak at an endpoint and the day on which it occurs.
  package func highest(_ endpoint: Int, _ span: Range<Int>? = nil) -> (day: Int, load: Double) {
    (span ?? days.indices).map { ($0, peak($0, endpoint)) }.reduce((0, 0)) { $1.1 > $0.1 ? $1 : $0 }
  }

  /// Returns the capacity that an endpoint needs for a load, based on the target utilisation.
  package func capacity(for load: Double, _ endpoint: Int) -> Double {
    load / (plan.capacity.first { $0.endpoint == endpoints[endpoint] }?.target ?? 1)
  }

  /// The highest peak of all endpoints.
  package var highestOfAll: Double { endpoints.indices.map { highest($0).load }.max() ?? 0 }

  /// Returns the maximum number of units needed on any day; `nil` if capacity is not given in units.
  package func maxUnits(_ endpoint: Int, _ span: Range<Int>? = nil) -> Int? {
    (span ?? days.indices).compactMap { units($0, endpoint) }.max()
  }

  /// Returns the first day on which an endpoint needs its maximum number of units; `nil` if capacity is not given in
  /// units.
  package func dayOfMaxUnits(_ endpoint: Int) -> Int? {
    let maximum = maxUnits(endpoint)
    return maximum == nil ? nil : days.indices.first { units($0, endpoint) == maximum }
  }

  /// Returns the number of pushes sent in a range of days.
  package func pushes(_ span: Range<Int>) -> Double { span.reduce(0) { $0 + pushes[$1] } }

  /// Returns the mean load at an endpoint over a range of days, in requests per second.
  package func mean(_ endpoint: Int, _ span: Range<Int>) -> Double {
    span.reduce(0) { $0 + days[$1][endpoint].mean } / Double(max(span.count, 1))
  }

  /// Returns the amount of data that all phones receive in a range of days, in units of 10^9 bytes.
  package func gigabytesDown(_ span: Range<Int>) -> Double {
    span.reduce(0) { sum, day in days[day].reduce(sum) { $0 + $1.bytesDown } } / 1e9
  }

  /// The cost of the whole plan in millionths of the currency.
  package var cost: Int64 { months.reduce(0) { $0 + $1.cost } }

  /// Returns a month's cost per 1 000 phones, in millionths of the currency, based on the mean number of phones in the
  /// month.
  package func costPerThousand(_ month: PlanMonth) -> Int64 {
    let phones = month.days.reduce(0) { $0 + self.phones[$1] } / Double(max(month.days.count, 1))
    return phones > 0 ? Int64((Double(month.cost) * 1_000 / phones).rounded()) : 0
  }

  /// Returns a month's cost per 1 000 phones on which the widget is used on a given day; `nil` if their share is
  /// unknown.
  package func costPerThousandActive(_ month: PlanMonth) -> Int64? {
    guard let active = plan.active, active > 0, !plan.prices.isEmpty else { return nil }
    return Int64((Double(costPerThousand(month)) / active).rounded())
  }

  /// Returns the quantity billed at a price over several months.
  package func quantity(ofPrice price: Int, _ months: [PlanMonth]) -> Double {
    Double(months.reduce(0) { $0 + $1.quantities[price] })
  }

  /// Returns the cost at a price over several months, in millionths of the currency.
  package func cost(ofPrice price: Int, _ months: [PlanMonth]) -> Int64 { months.reduce(0) { $0 + $1.costs[price] } }
}
