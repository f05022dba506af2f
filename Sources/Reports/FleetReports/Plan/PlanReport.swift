package import Planning
package import Scenario

/// The content of a report on a capacity plan.
package struct PlanReport: Sendable {
  package var forecast: PlanForecast
  package var window: LoadWindow
  /// The forecasts for other settings, each identified by its `PATH=VALUE`.
  package var settings: [Setting]
  /// The random seed of the simulated fleets.
  package var seed: UInt64
  package var provenance: Provenance

  /// A forecast for a different setting, used to compare the cost of fresher data.
  package struct Setting: Sendable {
    package var name: String
    package var forecast: PlanForecast
    /// The share of views with stale data in the largest fleet; `nil` if there are no views.
    package var staleViews: Double?

    package init(name: String, forecast: PlanForecast, staleViews: Double?) {
      (self.name, self.forecast, self.staleViews) = (name, forecast, staleViews)
    }
  }

  package init(
    forecast: PlanForecast, window: LoadWindow, settings: [Setting], seed: UInt64, provenance: Provenance
  ) {
    self.forecast = forecast
    self.window = window
    self.settings = settings
    self.seed = seed
    self.provenance = provenance
  }

  var plan: Plan { forecast.plan }

  /// Whether all capacities are sufficient until the end of the plan.
  package var holds: Bool { forecast.headroom.allSatisfy { $0.day == nil } }
}

/// The files in the results folder of a plan. The manifest is written last, so a folder with a manifest is complete.
package enum PlanFile: String, CaseIterable, Sendable {
  case page = "report.html"
  case days = "days.csv"
  case months = "months.csv"
  case answer = "plan.json"
  case manifest = "manifest.json"

  package var name: String { rawValue }

  package func bytes(of report: PlanReport) -> [UInt8] {
    switch self {
    case .page: planPage(of: report)
    case .days: report.daysCSV
    case .months: report.monthsCSV
    case .answer: report.document
    case .manifest: report.manifest
    }
  }
}

extension PlanReport {
  /// The content of days.csv, which has one row per endpoint and day.
  fileprivate var daysCSV: [UInt8] {
    var csv = CSVWriter(header: [
      "date", "endpoint", "phones", "factor", "new_share", "requests", "origin_requests", "bytes_up", "bytes_down",
      "mean_rps", "peak_rps", "peak_low", "peak_high", "prompt_peak_rps", "lazy_peak_rps", "limit_rps", "units",
      "pushes",
    ])
    for (day, demands) in forecast.days.enumerated() {
      for (endpoint, demand) in demands.enumerated() {
        csv.row(
          plan.day(day).text, forecast.endpoints[endpoint], forecast.phones[day].rounded(),
          plan.calendar.factor(on: plan.day(day)), plan.next == nil ? nil : plan.rollout.share(on: day),
          demand.requests.rounded(), demand.originRequests.rounded(), demand.bytesUp.rounded(),
          demand.bytesDown.rounded(), demand.mean, demand.peak.value, demand.peak.low, demand.peak.high,
          demand.promptPeak, demand.lazyPeak, limit(endpoint), forecast.units(day, endpoint).map { Double($0) },
          forecast.pushes[day].rounded())
      }
    }
    return csv.bytes
  }

  /// The content of months.csv, which has one row per price and month. Amounts are in millionths of the currency.
  fileprivate var monthsCSV: [UInt8] {
    var csv = CSVWriter(header: ["month", "days", "price", "quantity", "unit", "cost_micros", "currency"])
    for month in forecast.months {
      for (index, price) in plan.prices.enumerated() {
        csv.row(
          month.name, month.days.count, price.name, Int(month.quantities[index]), price.quantity.words,
          Int(month.costs[index]),
          plan.currency)
      }
    }
    return csv.bytes
  }

  fileprivate var manifest: [UInt8] {
    FleetReports.manifest(
      "plan-v1", provenance, scenario: plan.name, seed: seed,
      ["start": plan.start.text, "days": plan.days, "window": window.name, "holds": holds],
      files: PlanFile.allCases.map(\.name))
  }

  /// The answer and the tables as one JSON document.
  package var document: [UInt8] {
    let value: JSONValue = [
      "schema": "widgetfleet.plan/v1", "plan": plan.name, "holds": holds, "answer": answer.json,
      "headroom": forecast.headroom.map { headroom -> JSONValue in
        [
          "endpoint": forecast.endpoints[headroom.endpoint], "limit_rps": headroom.limit, "date": date(headroom.day),
          "earliest": date(headroom.earliest), "latest": date(headroom.latest), "order_by": date(order(headroom)),
          "conditions": headroomTable(headroom).json,
        ]
      }, "months": monthTable.json, "costs": costTable.json, "settings": settingTable.json,
    ]
    return value.bytes(lines: 3)
  }

  /// Returns the date of a day as text; `nil` if no day is given.
  private func date(_ day: Int?) -> String? { day.map { plan.day($0).text } }

  func limit(_ endpoint: Int) -> Double? { capacity(endpoint)?.limit }

  func capacity(_ endpoint: Int) -> PlannedCapacity? {
    plan.capacity.first { $0.endpoint == forecast.endpoints[endpoint] }
  }

  /// Returns the last day on which additional capacity can be ordered in time; `nil` if the capacity is never
  /// exhausted.
  func order(_ headroom: Headroom) -> Int? {
    headroom.day.map { $0 - (capacity(headroom.endpoint)?.lead ?? 0) }
  }
}
