package import SimulationKernel

/// When an event that comes to everybody at one instant began and ended.
package struct EventSpan: Hashable, Sendable {
  /// Index into `Scenario.events`.
  package var event: Int
  package var from: Instant
  /// Not included; of an outage the end of its last step, otherwise `over` after the beginning.
  package var to: Instant

  package init(event: Int, from: Instant, to: Instant) {
    self.event = event
    self.from = from
    self.to = to
  }
}
