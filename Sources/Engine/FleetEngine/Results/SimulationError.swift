package import DeviceModel
package import Scenario
package import SimulationKernel

/// The reason why a simulation did not produce a result.
package enum SimulationError: Error, Hashable, Sendable {
  /// A device keeps processing events without any simulated time passing.
  ///
  /// The associated value `events` contains the names of the repeated events.
  case eventLivelock(device: Int, cohort: Int, instant: Instant, events: [String])
  /// The provider of a kind has returned an unusable timeline.
  case timeline(device: Int, cohort: Int, instant: Instant, KindFault)
  /// The counts of a replication contradict each other because of a bug in this program; there is a sentence for each
  /// contradiction.
  case contradiction(replication: Int, [String])
  /// The ranks cannot continue together because a collective call failed.
  case parted(CollectiveError)
  /// The state of the simulation cannot be stored, or stored state cannot be resumed.
  case notKept(JournalError)

  /// The number of events that a device can have at the same instant before the simulation fails.
  package static let maxEventsAtOnce = DeviceFailure.maxEvents

  init(_ failure: DeviceFailure) {
    let (device, cohort, instant) = (failure.device, failure.cohort, failure.instant)
    self =
      switch failure.reason {
      case .livelock(let events): .eventLivelock(device: device, cohort: cohort, instant: instant, events: events)
      case .timeline(let fault): .timeline(device: device, cohort: cohort, instant: instant, fault)
      }
  }
}

extension SimulationError {
  /// Returns the reason as a sentence without a full stop.
  package func message(in scenario: Scenario) -> String {
    switch self {
    case .eventLivelock(let device, let cohort, let instant, let events):
      "device \(device) of cohort \(scenario.fleet.cohorts[cohort].name) has more than \(Self.maxEventsAtOnce) events "
        + "at \(UTCTime(instant, of: scenario.clock).full), and time does not advance: "
        + events.joined(separator: ", ") + ", and so on"
    case .timeline(let device, let cohort, let instant, let fault):
      "provider \(Self.providerName(of: fault.kind, in: scenario)) returned \(Self.text(of: fault.fault, in: scenario)) "
        + "for device \(device) of cohort \(scenario.fleet.cohorts[cohort].name) "
        + "at \(UTCTime(instant, of: scenario.clock).full)"
    case .contradiction(let replication, let sentences):
      "counts in replication \(replication + 1) contradict each other: " + sentences.joined(separator: "; ")
    case .parted(let error): error.message
    case .notKept(let error): error.message
    }
  }

  private static func providerName(of kind: Int, in scenario: Scenario) -> String {
    guard let provider = scenario.kinds[kind].provider else { return "" }
    return provider.name.inQuotes + (provider.version.map { " (version \($0))" } ?? "")
  }

  /// Returns the fault of a timeline, as the object of a sentence.
  private static func text(of fault: TimelineFault, in scenario: Scenario) -> String {
    switch fault {
    case .past(let date): "a date in the past, \(UTCTime(date, of: scenario.clock).full),"
    case .far: "a date more than 400 days away"
    case .manyEntries: "a timeline of more than \(SimulatedTimeline.maxEntries) entries"
    }
  }
}
