import Scenario

/// A price defined by the user, with tiers based on the monthly quantity.
package struct Price: Hashable, Sendable {
  package enum Quantity: String, CaseIterable, Sendable {
    case requests
    case originRequests = "origin-requests"
    case bytesUp = "bytes-up"
    case bytesDown = "bytes-down"
    case pushes
    case unitHours = "unit-hours"

    package var words: String { String(rawValue.map { $0 == "-" ? " " : $0 }) }
  }

  /// A price tier that ends at a monthly quantity.
  package struct Tier: Hashable, Sendable {
    /// The monthly quantity at which the tier ends; `nil` for the last tier.
    package var upTo: Int64?
    /// The price of `per` units of the quantity, in millionths of the currency.
    package var micros: Int64

    package init(upTo: Int64?, micros: Int64) { (self.upTo, self.micros) = (upTo, micros) }
  }

  package var name = ""
  package var quantity = Quantity.requests
  /// The billed endpoint; `nil` for all endpoints.
  package var endpoint: String?
  /// The number of units to which the price of a tier refers.
  package var per: Int64 = 1_000_000
  /// The monthly quantity that is free of charge.
  package var free: Int64 = 0
  package var tiers: [Tier] = []

  package init() {}

  /// Returns the cost of a monthly quantity in millionths of the currency, rounded half up.
  package func cost(ofMonthly quantity: Int64) -> Int64 {
    var (from, sum) = (Int64(0), Int128(0))
    let charged = max(quantity - free, 0)
    for tier in tiers where from < charged {
      let to = min(tier.upTo ?? charged, charged)
      if to > from { sum += Int128(to - from) * Int128(tier.micros) }
      from = max(from, to)
    }
    let (whole, rest) = sum.quotientAndRemainder(dividingBy: Int128(per))
    return Int64(clamping: whole + (2 * rest >= Int128(per) ? 1 : 0))
  }
}

/// A calendar month of a plan, with its days, quantities and costs.
package struct PlanMonth: Hashable, Sendable {
  /// The month, such as `2027-01`.
  package var name: String
  package var days: Range<Int>
  /// The cost resulting from each price, in millionths of the currency.
  package var costs: [Int64]
  /// The quantity billed at each price.
  package var quantities: [Int64]

  /// The total cost of the month in millionths of the currency.
  package var cost: Int64 { costs.reduce(0, +) }
}

extension PlanForecast {
  /// The calendar months of the plan, with quantities and costs.
  package var months: [PlanMonth] {
    var spans: [(name: String, days: Range<Int>)] = []
    for day in days.indices {
      let name = String(plan.day(day).text.prefix(7))
      if spans.last?.name == name {
        spans[spans.count - 1].days = spans[spans.count - 1].days.lowerBound..<day + 1
      } else {
        spans.append((name, day..<day + 1))
      }
    }
    return spans.map { span in
      let quantities = plan.prices.map { price in quantity(price, over: span.days) }
      return PlanMonth(
        name: span.name, days: span.days, costs: zip(plan.prices, quantities).map { $0.cost(ofMonthly: $1) },
        quantities: quantities)
    }
  }

  /// Returns the quantity billed at a price over a range of days; each day's quantity is rounded to a whole number.
  private func quantity(_ price: Price, over span: Range<Int>) -> Int64 {
    if price.quantity == .pushes { return span.reduce(0) { $0 + Self.whole(pushes[$1]) } }
    return endpoints.indices.filter { price.endpoint == nil || endpoints[$0] == price.endpoint }.reduce(Int64(0)) {
      sum, endpoint in
      span.reduce(sum) { $0 + quantity(price, on: $1, endpoint) }
    }
  }

  private static func whole(_ amount: Double) -> Int64 { Int64(min(amount.rounded(), 9e15)) }

  private func quantity(_ price: Price, on day: Int, _ endpoint: Int) -> Int64 {
    let demand = days[day][endpoint]
    let amount =
      switch price.quantity {
      case .requests: demand.requests
      case .originRequests: demand.originRequests
      case .bytesUp: demand.bytesUp
      case .bytesDown: demand.bytesDown
      case .pushes: 0.0
      case .unitHours: Double(24 * (units(day, endpoint) ?? 0))
      }
    return Self.whole(amount)
  }

  /// Returns the number of capacity units that an endpoint needs on a day; `nil` if its capacity is not given in units.
  package func units(_ day: Int, _ endpoint: Int) -> Int? {
    plan.capacity.first { $0.endpoint == endpoints[endpoint] }?.units(for: peak(day, endpoint))
  }
}
