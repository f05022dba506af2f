import Scenario
import SimulationKernel

@testable import BackendModel
@testable import FleetEngine

/// One handmade step of an endpoint.
struct SyntheticStep {
  var arrivals: Int64 = 0
  var origin: Double?
  var staleAnswers: Double = 0
  var reached: Double = 0
  var base: Double = 0
  var capacity = 10.0
  var backlog: Double = 0

  /// The record, with one-second steps.
  var record: EndpointRecord {
    EndpointRecord(
      arrivals: arrivals, staleAnswers: staleAnswers, origin: origin ?? Double(arrivals), failed: 0, limited: 0,
      reached: reached, base: base,
      served: 0, servedBase: 0, refused: 0, backlog: backlog, capacity: RequestRate(perSecond: capacity),
      room: capacity)
  }
}

extension ReplicationResult {
  /// Returns the result with a backend made of these steps, by endpoint.
  func with(_ steps: [[SyntheticStep]]) -> ReplicationResult {
    var result = self
    result.backend = BackendResult(
      conditions: ConditionsTrajectory(beginning: .start, stepLength: .second, endpoints: []),
      records: steps.map { $0.map(\.record) })
    return result
  }

  /// Returns the result with different failures by endpoint and step.
  func failing(_ failures: [[UInt32]]) -> ReplicationResult {
    var result = self
    for endpoint in failures.indices { result.load[endpoint].failures = failures[endpoint] }
    return result
  }
}

extension Event {
  /// Returns an outage of the first endpoint.
  static func outage(_ name: String, at start: Int64, lasting seconds: Int64, capacity: Double? = nil) -> Event {
    Event(
      name: name, timing: .once(.start + .seconds(start)),
      action: .outage(
        Outage.with {
          $0.endpoint = 0
          $0.lasts = .seconds(seconds)
          $0.errors = .all
          $0.capacity = capacity
        }))
  }
}
