import Planning
import Scenario
import Studies

extension PlanReport {
  /// The capacity that is exhausted first; `nil` if none is exhausted by the end of the plan.
  private var first: Headroom? {
    forecast.headroom.filter { $0.day != nil }.min { ($0.day ?? 0) < ($1.day ?? 0) }
  }

  /// The capacity that is exhausted first under a different condition, such as a preset; `nil` if none is exhausted.
  private var firstDoubt: Headroom? {
    forecast.headroom.filter { $0.earliest != nil }.min { ($0.earliest ?? 0) < ($1.earliest ?? 0) }
  }

  /// The answer, which states when capacity is exhausted, when to order more, and how much to order.
  var answer: Answer {
    if let first, let day = first.day {
      let order = [exceeded(first, on: day), orders(first), needed(first.endpoint)].filter { !$0.isEmpty }
      return Answer(
        word: "RUNS OUT", tone: .bad, reasons: [order.joined(separator: "; "), needs(besides: first.endpoint), cost],
        caveats: [spare, "From \(words(day)) on, the figures leave out retries after failures"])
    }
    let basis =
      "The dates cover growth \(Self.doubt), prompt and lazy, and the peaks' intervals"
    if let doubt = firstDoubt, let day = doubt.earliest {
      let conditions = Headroom.Condition.allCases.filter { (doubt.others[$0] ?? nil) == day }
      return Answer(
        word: "DEPENDS", tone: .open,
        reasons: [
          "capacity lasts until \(words(plan.days - 1)), but not \(conditions.map(\.words).asList): then "
            + "you run out of \(limit(doubt)) on \(words(day)) at the earliest", needs(besides: nil), cost,
        ], caveats: [spare, basis])
    }
    guard let headroom = forecast.headroom.first else {
      let needs = needs(besides: nil)
      return Answer(word: "NEEDS", tone: .plain, reasons: [needs.isEmpty ? highest(0) : needs, cost], caveats: [spare])
    }
    return Answer(
      word: "HOLDS", tone: .good,
      reasons: [
        "capacity lasts until \(words(plan.days - 1)): \(highest(headroom.endpoint))", needs(besides: nil), cost,
      ], caveats: [spare, basis])
  }

  private static let doubt = "±" + NumberText.percent(Headroom.growthDoubt)

  private func limit(_ headroom: Headroom) -> String {
    "\(NumberText.text(headroom.limit))\u{A0}requests/s at '\(forecast.endpoints[headroom.endpoint])'"
  }

  /// Returns a clause such as `you run out of 1 400 requests/s at 'api' on 12 August 2027 (growth ±20 %: ...; prompt,
  /// lazy: ...)`.
  private func exceeded(_ headroom: Headroom, on day: Int) -> String {
    let brackets: [(String, [Headroom.Condition])] = [
      ("growth " + Self.doubt, [.fasterGrowth, .slowerGrowth]), ("prompt, lazy", [.prompt, .lazy]),
    ]
    let ranges = brackets.compactMap { name, conditions -> String? in
      guard let from = headroom.earliest(of: conditions) else { return nil }
      guard let to = headroom.latest(of: conditions) else {
        return "\(name): from \(words(from)), or not in this plan"
      }
      return from == to ? nil : "\(name): \(words(from, to: to))"
    }
    return "you run out of \(limit(headroom)) on \(words(day))"
      + (ranges.isEmpty ? "" : " (\(ranges.joined(separator: "; ")))")
  }

  private func orders(_ headroom: Headroom) -> String {
    guard let order = order(headroom), capacity(headroom.endpoint)?.lead != 0 else { return "" }
    return order < 0 ? "the order is late: it was due on \(words(order))" : "order more by \(words(order))"
  }

  /// Returns a phrase such as `31 units instead of 18 by 1 December 2027`. If capacity has no units, returns the load
  /// to plan for.
  private func needed(_ endpoint: Int) -> String {
    guard let units = forecast.maxUnits(endpoint), let day = forecast.dayOfMaxUnits(endpoint) else {
      let peak = forecast.highest(endpoint)
      return "\(NumberText.text(forecast.capacity(for: peak.load, endpoint)))\u{A0}requests/s by \(words(peak.day))"
    }
    let given = capacity(endpoint)?.amount.map { " instead of \(NumberText.whole($0))" } ?? ""
    return "\(counted(units, "unit"))\(given) by \(words(day))"
  }

  /// Returns a sentence with the maximum number of units at each endpoint other than the given one.
  private func needs(besides known: Int?) -> String {
    let all = forecast.endpoints.indices.filter { $0 != known && forecast.maxUnits($0) != nil }.map {
      "\(needed($0)) at '\(forecast.endpoints[$0])'"
    }
    return all.isEmpty ? "" : "The plan needs \(all.asList)"
  }

  /// A reminder that the units include no spare capacity; empty if capacity has no units.
  private var spare: String {
    plan.capacity.allSatisfy { $0.unit == nil }
      ? "" : "The units carry the peak at their target utilisation, without a spare (N+0)"
  }

  private var cost: String {
    plan.prices.isEmpty
      ? "" : "It costs \(bill)"
  }

  /// The total cost, such as `214 144.00 USD in 365 days, at the prices in the plan file`.
  var bill: String {
    "\(money(forecast.cost)) over \(counted(plan.days, "day")), at the prices in the plan file"
  }

  private func highest(_ endpoint: Int) -> String {
    let peak = forecast.highest(endpoint)
    return "the highest peak at '\(forecast.endpoints[endpoint])' is \(NumberText.text(peak.load))\u{A0}requests/s, on "
      + words(peak.day)
  }

  /// Returns a range of days as text, such as `12 May to 27 June 2027`.
  private func words(_ from: Int, to: Int) -> String {
    let isSameYear = plan.day(from).text.prefix(4) == plan.day(to).text.prefix(4)
    return words(from).dropLast(isSameYear ? 5 : 0) + " to " + words(to)
  }

  /// Returns a day as text, such as `12 August 2027`.
  func words(_ day: Int) -> String {
    let time = UTCTime(unixMilliseconds: plan.day(day).number * 86_400_000)
    return time.day + "\u{A0}" + time.date.prefix { $0 != "-" }
  }

  /// Returns an amount in the plan's currency with two decimals.
  func money(_ micros: Int64) -> String { NumberText.money(micros: micros, plan.currency) }
}

extension Headroom.Condition {
  /// The condition as text that follows `but not`.
  var words: String {
    switch self {
    case .fasterGrowth: "with \(NumberText.percent(Headroom.growthDoubt)) faster growth"
    case .slowerGrowth: "with \(NumberText.percent(Headroom.growthDoubt)) slower growth"
    case .high: "at the upper ends of the peaks' intervals"
    case .low: "at the lower ends of the peaks' intervals"
    case .prompt: "if the system is prompt"
    case .lazy: "if the system is lazy"
    }
  }
}
