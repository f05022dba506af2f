/// An export format: either a load test for a specific tool, or time series for dashboards.
package enum ExportTarget: String, CaseIterable, Sendable {
  case k6, locust
  case openMetrics = "openmetrics"
  case grafana

  /// Whether the export is a load test, which sends requests.
  package var isLoadTest: Bool { [.k6, .locust].contains(self) }
}
