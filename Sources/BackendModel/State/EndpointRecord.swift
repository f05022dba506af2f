/// What an endpoint did in one step (MODEL.md 6.8), as a fluid in requests; failures are counted at the devices.
package struct EndpointRecord: BitwiseCopyable, Equatable, Sendable {
  /// Requests of the devices that the backend took in the step.
  package var arrivals: Int64
  /// Those that a CDN answered with what it had last fetched, because a fetch had failed.
  package var staleAnswers = 0.0
  /// The misses of a CDN; all arrivals where there is none.
  package var origin: Double
  /// Requests of the origin that were answered with the outage's errors, and those answered with 429.
  package var failed: Double
  package var limited: Double
  /// Requests of the devices, and of the base load, that reached the queue; refused ones too.
  package var reached: Double
  package var base: Double
  /// Requests served, of the devices and of the base load.
  package var served: Double
  package var servedBase: Double
  /// Beyond the queue, of both: those that get 503.
  package var refused: Double
  /// At the end of the step, of both.
  package var backlog: Double
  /// In force in the step, that of an outage included; unlimited where there is none.
  package var capacity: RequestRate
  /// What the capacity had room for in the step.
  package var room: Double

  /// Whether more reached the queue than the capacity serves: a second of such steps is an `overload_second`.
  package var isOverloaded: Bool { reached + base > room }
}
