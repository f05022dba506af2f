package import BackendModel

/// What a backend that answers back did in one replication, as load of the whole fleet.
package struct BackendResult: Equatable, Sendable {
  /// Conditions in every step, the warm-up's too.
  package var conditions: ConditionsTrajectory
  /// By endpoint, in the scenario's order: every measured step.
  package var records: [[EndpointRecord]]

  package init(conditions: ConditionsTrajectory, records: [[EndpointRecord]]) {
    self.conditions = conditions
    self.records = records
  }
}
