package import Scenario

/// What the team's code and the scenario say about a kind, so that it need not be found: spans in seconds.
package struct KnownPolicy: Hashable, Sendable {
  /// The upper end of the jitter that is added to a due date, uniform from 0.
  package var jitter = 0.0
  /// How long an answer is served from the cache; 0: not at all.
  package var cacheTTL = 0.0
  /// The least gap between scheduled runs.
  package var minSpacing = 300.0
  /// The longest start delay while the phone is in use.
  package var inUseWindow = 60.0
  /// From the arrival of a run's first request to its end.
  package var runTime = 0.1...1.2
  /// How long after its due date a run starts on an idle phone; nil: idle phones withhold nothing.
  package var idleGiveUp: Double? = 14_400
  /// Requests that a run sends when all goes well.
  package var requestsPerRun = 1.0
  /// Unlocks by local hour; nil: unknown.
  package var hours: HourWeights?

  package init() {}

  /// Ages in whole seconds at which an interval may end: scheduled runs keep the least spacing, which may be known a
  /// little too long.
  var ages: Range<Int> { max(Int(minSpacing * 0.8), 5)..<HazardCurve.seconds }
}

/// Time stamps as a log has them.
package enum StampResolution: Hashable, Sendable {
  case millisecond
  /// Whole seconds, the fraction cut off.
  case second

  /// In seconds.
  var step: Double {
    switch self {
    case .millisecond: 0.001
    case .second: 1
    }
  }
}
