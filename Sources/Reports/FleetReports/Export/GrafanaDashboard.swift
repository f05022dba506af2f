import Scenario
import SimulationKernel
import Studies

extension LoadMetrics {
  /// A Grafana dashboard that shows the OpenMetrics series once they have been imported into Prometheus.
  package var grafanaDashboard: [UInt8] {
    let panels = families.enumerated().map { index, family in panel(family.family, number: index + 1) }
    return JSONValue.object([
      (key: "uid", value: .string("widgetfleet-" + provenance.scenarioHash.prefix(12))),
      (key: "title", value: .string(scenario.name + " (simulated)")),
      (
        key: "description",
        value: .string(
          "Simulated by widgetfleet \(provenance.version), scenario \(provenance.scenarioHash.prefix(12)), seed "
            + "\(scenario.run.seed), first replication." + (sampleNote.isEmpty ? "" : " " + sampleNote))
      ),
      (key: "tags", value: .array([.string("widgetfleet")])), (key: "timezone", value: .string("utc")),
      (key: "editable", value: .boolean(true)), (key: "schemaVersion", value: .integer(38)),
      (key: "version", value: .integer(1)), (key: "refresh", value: .string("")),
      (
        key: "time",
        value: .object([
          (key: "from", value: .string(iso(slice.part.lowerBound))),
          (key: "to", value: .string(iso(slice.part.upperBound))),
        ])
      ), (key: "annotations", value: .object([(key: "list", value: .array([]))])),
      (key: "templating", value: .object([(key: "list", value: .array([Self.source]))])),
      (key: "panels", value: .array(panels)),
    ]).bytes()
  }

  /// The dashboard variable with which users select the Prometheus data source.
  private static let source = JSONValue.object([
    (key: "name", value: .string("source")), (key: "label", value: .string("Prometheus")),
    (key: "type", value: .string("datasource")), (key: "query", value: .string("prometheus")),
    (key: "hide", value: .integer(0)), (key: "refresh", value: .integer(1)), (key: "multi", value: .boolean(false)),
    (key: "includeAll", value: .boolean(false)), (key: "options", value: .array([])),
    (key: "current", value: .object([])),
  ])

  private func panel(_ family: Family, number: Int) -> JSONValue {
    let prometheus = JSONValue.object([
      (key: "type", value: .string("prometheus")), (key: "uid", value: .string("${source}")),
    ])
    let target = JSONValue.object([
      (key: "refId", value: .string("A")), (key: "datasource", value: prometheus),
      (key: "expr", value: .string(expression(family))), (key: "legendFormat", value: .string(family.legend)),
      (key: "interval", value: .string("\(interval(family))s")), (key: "range", value: .boolean(true)),
    ])
    return .object([
      (key: "id", value: .integer(Int128(number))), (key: "type", value: .string("timeseries")),
      (key: "title", value: .string(family.title)), (key: "description", value: .string(family.help)),
      (key: "datasource", value: prometheus),
      (
        key: "gridPos",
        value: .object([
          (key: "h", value: .integer(9)), (key: "w", value: .integer(12)),
          (key: "x", value: .integer(Int128((number - 1) % 2 * 12))),
          (key: "y", value: .integer(Int128((number - 1) / 2 * 9))),
        ])
      ), (key: "fieldConfig", value: family.fields),
      (
        key: "options",
        value: .object([
          (
            key: "legend",
            value: .object([
              (key: "displayMode", value: .string("list")), (key: "placement", value: .string("bottom")),
              (key: "showLegend", value: .boolean(true)),
            ])
          ), (key: "tooltip", value: .object([(key: "mode", value: .string("multi"))])),
        ])
      ), (key: "targets", value: .array([target])),
    ])
  }

  /// Returns the interval between samples in seconds.
  private func interval(_ family: Family) -> Int64 {
    let step = (slice.step.milliseconds + 999) / 1_000
    return family == .causes ? max(step, 60) : step
  }

  /// Returns the query of a panel. For a counter, the query is the rate over the last step. It uses a range of two
  /// steps, which always contains the two samples that Prometheus needs.
  func expression(_ family: Family) -> String {
    let selector = "\(family.series){scenario=\"\(Self.escaped(scenario.name))\"}"
    // The range is explicit because Prometheus drops values after five minutes by default.
    guard family.isCounter else { return "last_over_time(\(selector)[\(interval(family))s])" }
    return "sum by (\(family.labels.joined(separator: ", "))) (rate(\(selector)[\(2 * interval(family))s]))"
  }

  private func iso(_ instant: Instant) -> String {
    let time = UTCTime(instant, of: scenario.clock)
    return time.date + "T" + time.time + ".000Z"
  }
}

extension LoadMetrics.Family {
  /// The labels that distinguish the lines of a panel.
  fileprivate var labels: [String] { self == .causes ? ["endpoint", "cause"] : ["endpoint"] }

  fileprivate var legend: String { labels.map { "{{\($0)}}" }.joined(separator: " ") }

  fileprivate var title: String {
    switch self {
    case .requests: "Requests sent by phones"
    case .servers: "Requests at the servers"
    case .failures: "Failures"
    case .causes: "Requests by cause"
    case .backlog: "Waiting requests"
    case .capacity: "Capacity"
    }
  }

  fileprivate var fields: JSONValue {
    let unit = self == .backlog ? "short" : "reqps"
    let stacking = JSONValue.object([
      (key: "mode", value: .string(self == .causes ? "normal" : "none")), (key: "group", value: .string("A")),
    ])
    return .object([
      (
        key: "defaults",
        value: .object([
          (key: "unit", value: .string(unit)), (key: "min", value: .integer(0)),
          (
            key: "custom",
            value: .object([
              (key: "lineInterpolation", value: .string("stepBefore")), (key: "lineWidth", value: .integer(1)),
              (key: "fillOpacity", value: .integer(self == .causes ? 60 : 10)), (key: "stacking", value: stacking),
              (key: "showPoints", value: .string("never")),
            ])
          ),
        ])
      ), (key: "overrides", value: .array([])),
    ])
  }
}
