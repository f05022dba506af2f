import Planning
import Scenario
import Studies

extension PlanReport {
  /// Tables of the months with their phones, loads and units. If there are several endpoints, there is one table per
  /// endpoint.
  var loadTables: [Table] {
    let endpoints = forecast.endpoints.indices
    if endpoints.count == 1 { return [Table("Loads by month", forecast.months, fleetColumns + columns(0))] }
    return [Table("Phones by month", forecast.months, fleetColumns)]
      + endpoints.map { endpoint in
        let name = forecast.endpoints[endpoint]
        let month = Column<PlanMonth>("month at " + name) { .text($0.name) }
        return Table("Loads at \(name) by month", forecast.months, [month] + columns(endpoint))
      }
  }

  /// A table of the monthly costs; empty if the plan has no prices.
  var monthCostTable: Table { Table("Costs by month", plan.prices.isEmpty ? [] : forecast.months, monthCostColumns) }

  /// A table of the months with all columns, for use in JSON.
  var monthTable: Table {
    Table(
      "Months", forecast.months,
      fleetColumns + forecast.endpoints.indices.flatMap(columns) + monthCostColumns.dropFirst())
  }

  private var fleetColumns: [Column<PlanMonth>] {
    let isPushed = forecast.pushes(0..<plan.days) > 0
    return [
      Column("month", key: "month") { .text($0.name) },
      Column(number: "phones at its end", key: "phones") { .count(Int(forecast.phones[$0.days.upperBound - 1])) },
      Column(number: "GB down", key: "gb_down") { .number(significant(forecast.gigabytesDown($0.days))) },
      Column(number: "pushes", key: "pushes") { isPushed ? .number(significant(forecast.pushes($0.days))) : .blank },
    ]
  }

  /// Returns the columns of an endpoint.
  private func columns(_ endpoint: Int) -> [Column<PlanMonth>] {
    let name = forecast.endpoints[endpoint]
    return [
      Column(number: "mean/s", key: name + "_mean_rps") { .number(significant(forecast.mean(endpoint, $0.days))) },
      Column(number: "peak/s", key: name + "_peak_rps") {
        .number(significant(forecast.highest(endpoint, $0.days).load))
      },
      Column(number: "units", key: name + "_units") { month in
        forecast.maxUnits(endpoint, month.days).map { .count($0) } ?? .blank
      },
    ]
  }

  private var monthCostColumns: [Column<PlanMonth>] {
    [Column("month", key: "month") { .text($0.name) }]
      + moneyColumns("cost", "cost_micros") { plan.prices.isEmpty ? nil : $0.cost }
      + moneyColumns("per 1\u{202F}000 phones", "cost_per_1000_micros") {
        plan.prices.isEmpty ? nil : forecast.costPerThousand($0)
      }
      + moneyColumns("per 1\u{202F}000 daily users", "cost_per_1000_active_micros") {
        forecast.costPerThousandActive($0)
      }
  }

  /// Returns a column with amounts as text, without their currency, and a column with amounts in millionths for JSON.
  private func moneyColumns<Row>(
    _ title: String, _ key: String, _ micros: @escaping (Row) -> Int64?
  ) -> [Column<Row>] {
    [
      Column(number: title + (plan.currency.isEmpty ? "" : ", " + plan.currency)) { row in
        .text(micros(row).map { NumberText.money(micros: $0, "") } ?? "")
      }, Column(nil, key: key) { row in micros(row).map { .count(Int($0)) } ?? .blank },
    ]
  }

  /// Returns a table of the first day on which the load exceeds an endpoint's capacity, under each condition.
  func headroomTable(_ headroom: Headroom) -> Table {
    let rows =
      [("as planned", headroom.day)] + Headroom.Condition.allCases.map { ($0.words, headroom.others[$0] ?? nil) }
    return Table(
      "First day above the capacity of \(forecast.endpoints[headroom.endpoint])", rows,
      [
        Column("condition", key: "condition") { .text($0.0) },
        Column("first day above capacity", key: "date") { .text($0.1.map { plan.day($0).text } ?? "not in this plan") },
      ])
  }

  /// A table of the cost for each price.
  var costTable: Table {
    let months = forecast.months
    return Table(
      "Prices", Array(plan.prices.indices),
      [
        Column("price", key: "price") { .text(plan.prices[$0].name) },
        Column("of", key: "of") { .text(plan.prices[$0].quantity.words) },
        Column("endpoint", key: "endpoint") {
          .text(plan.prices[$0].endpoint ?? (plan.prices[$0].quantity == .pushes ? "" : "all"))
        },
        Column(number: "quantity") { .text(quantity(ofPrice: $0, months)) },
        Column(nil, key: "quantity") { .number(forecast.quantity(ofPrice: $0, months)) },
      ] + moneyColumns("cost", "cost_micros") { forecast.cost(ofPrice: $0, months) })
  }

  private func quantity(ofPrice price: Int, _ months: [PlanMonth]) -> String {
    let quantity = forecast.quantity(ofPrice: price, months)
    return [.bytesUp, .bytesDown].contains(plan.prices[price].quantity)
      ? NumberText.bytes(quantity) : NumberText.whole(quantity)
  }

  /// A table of the settings from `--vary`, with their peaks, dates and costs.
  var settingTable: Table {
    Table(
      "Settings", settings,
      [
        Column("setting", key: "setting") { .text($0.name) },
        Column("runs out", key: "runs_out") { setting in
          .text(setting.forecast.headroom.compactMap(\.day).min().map { plan.day($0).text } ?? "no")
        }, Column(number: "stale views", key: "stale_views") { .share($0.staleViews) },
        Column(number: "highest peak/s", key: "peak_rps") { .number(significant($0.forecast.highestOfAll)) },
      ] + moneyColumns("cost", "cost_micros") { plan.prices.isEmpty ? nil : $0.forecast.cost })
  }

  /// Returns the terminal text, which consists of the answer and the tables.
  package func text(answerOnly isAlone: Bool = false) -> [UInt8] {
    if isAlone { return answerOnly([answer.line]) }
    return terminalText(
      [folded(plan.name), folded(answer.line)] + forecast.headroom.map { headroomTable($0).lines }
        + loadTables.map(\.lines) + [
          monthCostTable.lines, plan.prices.isEmpty ? [] : costTable.lines, settingTable.lines,
        ])
  }
}
