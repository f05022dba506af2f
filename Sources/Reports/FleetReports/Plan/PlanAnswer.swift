import Planning
import Scenario
import Studies

extension PlanReport {
  /// The capacity that runs out first; `nil` if all capacities last.
  private var first: Headroom? {
    forecast.headroom.filter { $0.day != nil }.min { ($0.day ?? 0) < ($1.day ?? 0) }
  }

  /// The capacity that runs out first under a different condition, such as a preset; `nil` if all capacities last.
  private var firstDoubt: Headroom? {
    forecast.headroom.filter { $0.earliest != nil }.min { ($0.earliest ?? 0) < ($1.earliest ?? 0) }
  }

  /// The answer, which states when capacity runs out, when to order more, and how much to order.
  var answer: Answer {
    let basis =
      "The dates cover growth \(NumberText.percent(Headroom.growthDoubt)) faster and slower, prompt and lazy, and the "
      + "peaks' intervals"
    if let first, let day = first.day {
      return Answer(
        word: "RUNS OUT", tone: .bad, reasons: [exceeded(first, on: day), orders(first), needs, cost],
        caveats: [basis, "From then on the figures leave out retries after failures"])
    }
    if let doubt = firstDoubt, let day = doubt.earliest {
      let conditions = Headroom.Condition.allCases.filter { (doubt.others[$0] ?? nil) == day }
      return Answer(
        word: "DEPENDS", tone: .open,
        reasons: [
          "capacity lasts until \(words(plan.days - 1)), but not \(conditions.map(\.words).asList): then "
            + exceeded(doubt, on: nil), needs, cost,
        ], caveats: [basis])
    }
    guard let headroom = forecast.headroom.first else {
      return Answer(word: "NEEDS", tone: .plain, reasons: [needs.isEmpty ? highest(0) : needs, cost])
    }
    return Answer(
      word: "HOLDS", tone: .good,
      reasons: ["capacity lasts until \(words(plan.days - 1)): \(highest(headroom.endpoint))", needs, cost],
      caveats: [basis])
  }

  /// Returns a clause such as `you run out of 1 400 requests/s at 'api' on 12 August 2027 (between ...)`.
  private func exceeded(_ headroom: Headroom, on day: Int?) -> String {
    let limit = "\(NumberText.text(headroom.limit))\u{A0}requests/s at '\(forecast.endpoints[headroom.endpoint])'"
    let from = headroom.earliest.map(words) ?? ""
    guard let day else { return "you run out of \(limit) on \(from) at the earliest" }
    let range = headroom.latest.map { latest in
      headroom.earliest == latest ? "" : " (between \(from) and \(words(latest)))"
    }
    return "you run out of \(limit) on \(words(day))" + (range ?? " (from \(from), or not in this plan)")
  }

  private func orders(_ headroom: Headroom) -> String {
    guard let order = order(headroom), capacity(headroom.endpoint)?.lead != 0 else { return "" }
    return order < 0 ? "The order is late: it was due on \(words(order))" : "Order more by \(words(order))"
  }

  /// The largest number of units that the plan requires, as a sentence.
  private var needs: String {
    let all = forecast.endpoints.indices.compactMap { endpoint -> String? in
      guard let units = forecast.maxUnits(endpoint) else { return nil }
      let given = capacity(endpoint)?.amount.map { " instead of \(NumberText.whole($0))" } ?? ""
      return "\(counted(units, "unit"))\(given) at '\(forecast.endpoints[endpoint])'"
    }
    return all.isEmpty ? "" : "The plan needs \(all.asList)"
  }

  private var cost: String {
    plan.prices.isEmpty ? "" : "It costs \(money(forecast.cost)) in \(counted(plan.days, "day"))"
  }

  private func highest(_ endpoint: Int) -> String {
    let peak = forecast.highest(endpoint)
    return "the highest peak at '\(forecast.endpoints[endpoint])' is \(NumberText.text(peak.load))\u{A0}requests/s, on "
      + words(peak.day)
  }

  /// Returns the date of a day as text, such as `12 August 2027`.
  func words(_ day: Int) -> String {
    let time = UTCTime(unixMilliseconds: plan.day(day).number * 86_400_000)
    return time.day + "\u{A0}" + time.date.prefix { $0 != "-" }
  }

  /// Returns an amount in the plan's currency with two decimals.
  func money(_ micros: Int64) -> String { NumberText.money(micros: micros, plan.currency) }
}

extension Headroom.Condition {
  /// The condition as text, for use after `but not`.
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

extension PlanReport {
  /// The table of months, each with its number of phones, loads, units and costs.
  var monthTable: Table {
    let fleet: [Column<PlanMonth>] = [
      Column("month", key: "month") { .text($0.name) },
      Column(number: "phones at its end", key: "phones") { .count(Int(forecast.phones[$0.days.upperBound - 1])) },
      Column(number: "GB down", key: "gb_down") { .number(significant(forecast.gigabytesDown($0.days))) },
    ]
    let costs: [Column<PlanMonth>] = [
      Column(number: "cost", key: "cost") { .text(plan.prices.isEmpty ? "" : money($0.cost)) },
      Column(number: "per 1\u{202F}000 phones", key: "cost_per_1000") { month in
        .text(plan.prices.isEmpty ? "" : money(forecast.costPerThousand(month)))
      },
      Column(number: "per 1\u{202F}000 daily users", key: "cost_per_1000_active") { month in
        .text(forecast.costPerThousandActive(month).map(money) ?? "")
      },
    ]
    let columns = fleet + forecast.endpoints.indices.flatMap(columns) + costs
    return Table("Months", forecast.months, columns)
  }

  /// Returns the columns of the table of months for an endpoint.
  private func columns(_ endpoint: Int) -> [Column<PlanMonth>] {
    let name = forecast.endpoints[endpoint]
    return [
      Column(number: "\(name): mean/s", key: name + "_mean_rps") {
        .number(significant(forecast.mean(endpoint, $0.days)))
      },
      Column(number: "\(name): peak/s", key: name + "_peak_rps") {
        .number(significant(forecast.highest(endpoint, $0.days).load))
      },
      Column(number: "\(name): units", key: name + "_units") { month in
        forecast.maxUnits(endpoint, month.days).map { .count($0) } ?? .blank
      },
    ]
  }

  /// The table of costs, with one row per price.
  var costTable: Table {
    let months = forecast.months
    return Table(
      "Prices", Array(plan.prices.indices),
      [
        Column("price", key: "price") { .text(plan.prices[$0].name) },
        Column("of", key: "of") { .text(plan.prices[$0].quantity.words) },
        Column("endpoint", key: "endpoint") { .text(plan.prices[$0].endpoint ?? "all") },
        Column(number: "quantity", key: "quantity") { .number(forecast.quantity(ofPrice: $0, months)) },
        Column(number: "cost", key: "cost") { .text(money(forecast.cost(ofPrice: $0, months))) },
      ])
  }

  /// The table of the settings given with `--vary`, each with its peaks, dates and costs.
  var settingTable: Table {
    Table(
      "Settings", settings,
      [
        Column("setting", key: "setting") { .text($0.name) },
        Column(number: "stale views", key: "stale_views") { .share($0.staleViews) },
        Column(number: "highest peak/s", key: "peak_rps") { .number(significant($0.forecast.highestOfAll)) },
        Column("runs out", key: "runs_out") { setting in
          .text(setting.forecast.headroom.compactMap(\.day).min().map { plan.day($0).text } ?? "no")
        },
        Column(number: "cost", key: "cost") { .text(plan.prices.isEmpty ? "" : money($0.forecast.cost)) },
      ])
  }

  /// Returns the terminal text, which consists of the answer and the table of months.
  package func text(answerOnly isAlone: Bool = false) -> [UInt8] {
    if isAlone { return answerOnly([answer.line]) }
    return terminalText([
      folded(plan.name), folded(answer.line), monthTable.lines, plan.prices.isEmpty ? [] : costTable.lines,
      settingTable.lines,
    ])
  }
}
