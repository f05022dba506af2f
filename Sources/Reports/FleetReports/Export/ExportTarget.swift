/// The format of an export: a load test for a tool, or series for dashboards.
package enum ExportTarget: String, CaseIterable, Sendable {
  case k6, locust
  case openMetrics = "openmetrics"
  case grafana

  /// Whether it sends requests.
  package var isLoadTest: Bool { [.k6, .locust].contains(self) }
}
