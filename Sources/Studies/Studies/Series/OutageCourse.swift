import FleetEngine
package import Scenario
package import SimulationKernel

/// The mean number of requests to an endpoint before, during and after one of its outages, by minute, over all
/// replications.
package struct OutageCourse: Sendable {
  package var event: Event
  package var endpoint: Int
  /// The start and end of the outage, clamped to the measured period.
  package var from: Instant
  package var to: Instant
  /// The first minute shown, which precedes the outage by the outage's length or by half an hour, whichever is longer.
  package var start: Instant
  /// The fleet's requests per second by minute, in three series: first attempts without an earlier error, first
  /// attempts of reloads after an error, and later attempts.
  package var rates: [[Double]]
  /// Whether the endpoint was already unhealthy at the start of the outage in any replication.
  package var wasFailing: Bool
  /// The comparison with a run that uses the same draws but has no outage. It is `nil` if that run was not simulated,
  /// or if there are no requests after the outage.
  package var comparison: EchoComparison?

  /// Returns the outages in the measured period, in file order.
  package static func all(_ run: StoredRun, _ trials: StoredTrials) -> [OutageCourse] {
    run.eventSpans.compactMap { span in
      guard case .outage(let outage) = run.scenario.events[span.event].action else { return nil }
      guard span.to > .start, span.from < run.scenario.clock.end else { return nil }
      return OutageCourse(span, outage.endpoint, run, trials)
    }
  }

  private init(_ span: EventSpan, _ endpoint: Int, _ run: StoredRun, _ trials: StoredTrials) {
    let clock = run.scenario.clock
    event = run.scenario.events[span.event]
    self.endpoint = endpoint
    (from, to) = (max(span.from, .start), min(span.to, clock.end))
    let pad = max(span.to - span.from, .minutes(30))
    let first = max(Int((from - pad).millisecondsSinceStart.floorDivided(by: 60_000)), 0)
    let end = min(Int(((to + pad).millisecondsSinceStart + 59_999) / 60_000), clock.minutes)
    start = .start + .minutes(Int64(first))
    var minutes = Array(repeating: TryCounts(), count: max(end - first, 0))
    for row in run.replications.lazy.flatMap(\.minutes) where row.endpoint == endpoint {
      if minutes.indices.contains(row.minute - first) { minutes[row.minute - first].add(row) }
    }
    let scale = Scale(of: run)
    let factor = Double(scale.fleet) / Double(60 * max(scale.simulated, 1)) / Double(max(run.replications.count, 1))
    rates = minutes.map { [$0.first, $0.reloads, $0.retries].map { Double($0) * factor } }
    wasFailing = run.replications.contains { replication in
      Recovery.all(replication, of: run).contains { $0.span == span && $0.wasFailing }
    }
    comparison = EchoComparison(span, endpoint: endpoint, of: run, trials)
  }
}
