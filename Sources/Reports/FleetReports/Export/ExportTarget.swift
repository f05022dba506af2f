/// An export format: a load test for a specific tool, or series for dashboards.
package enum ExportTarget: String, CaseIterable, Sendable {
  case k6, locust
  case openMetrics = "openmetrics"
  case grafana

  /// Whether the export sends requests.
  package var isLoadTest: Bool { [.k6, .locust].contains(self) }
}
