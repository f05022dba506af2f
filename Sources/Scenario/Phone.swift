package import SimulationKernel

/// A phone model with the energy of its battery when new.
@usableFromInline package struct Phone: Hashable, Sendable {
  /// As written in a scenario: `iphone-15`.
  package var name: String
  /// Hundredths of a watt-hour.
  package var centiwattHours: Int
  package var evidence: PhoneEvidence

  package init(name: String, centiwattHours: Int, evidence: PhoneEvidence) {
    self.name = name
    self.centiwattHours = centiwattHours
    self.evidence = evidence
  }

  /// What a phone that nobody uses draws: the floor of MODEL.md 3.2, an assumption.
  package static let standby = Power(microwatts: standbyMicrowatts)
  /// Standby power in microwatts, for the event path, which asks often.
  @inlinable package static var standbyMicrowatts: Int64 { ModelConstants.standbyMicrowatts }
}

/// Where the energy of a phone's battery comes from.
package enum PhoneEvidence: Hashable, Sendable {
  /// 9to5mac.com, iPhone battery capacities by model, 2022-12-29 and 2023-11-21; high confidence.
  case listed
  /// Listed there as well; other lists say something else, in hundredths of a watt-hour. Medium confidence.
  case disputed(centiwattHours: Int)
  /// Quoted from memory, to a tenth of a watt-hour; low confidence.
  case recalled
  /// The scenario's own.
  case scenario
}
