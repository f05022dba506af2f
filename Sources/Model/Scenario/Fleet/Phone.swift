/// A phone model, with the energy of a new battery.
@usableFromInline package struct Phone: Hashable, Sendable {
  /// The name as written in a scenario: `iphone-15`.
  package var name: String
  /// The energy of a new, fully charged battery, in hundredths of a watt-hour.
  package var centiwattHours: Int
  package var evidence: PhoneEvidence

  package init(name: String, centiwattHours: Int, evidence: PhoneEvidence) {
    self.name = name
    self.centiwattHours = centiwattHours
    self.evidence = evidence
  }

  /// The power drawn by an unused phone, in microwatts; this is the base power of MODEL.md 3.2 (an assumption).
  @inlinable package static var standbyMicrowatts: Int64 { ModelConstants.standbyMicrowatts }
}

/// The source of a phone's battery energy.
package enum PhoneEvidence: Hashable, Sendable {
  /// A list of iPhone battery capacities by model, published on 9to5mac.com on 2022-12-29 and 2023-11-21; high
  /// confidence.
  case listed
  /// A disputed number from these lists, with the number from other lists in hundredths of a watt-hour; medium
  /// confidence.
  case disputed(centiwattHours: Int)
  /// A number quoted from memory, accurate to a tenth of a watt-hour; low confidence.
  case recalled
  /// A number given in the scenario.
  case scenario
}

/// The table of MODEL.md 7.4, which contains the energy of new batteries in watt-hours and the source of each number.
extension Phone {
  package static let all: [Phone] =
    phones(
      [
        ("se-2", 696), ("se-3", 782), ("11", 1191), ("12-mini", 857), ("12", 1078), ("12-pro-max", 1413),
      ], .listed)
    + phones([("13-mini", 957)], .disputed(centiwattHours: 934))
    + phones(
      [
        ("13", 1241), ("13-pro", 1197), ("13-pro-max", 1675), ("14", 1268), ("14-plus", 1668), ("14-pro", 1238),
        ("14-pro-max", 1668), ("15", 1298), ("15-plus", 1695), ("15-pro", 1270), ("15-pro-max", 1710),
      ], .listed)
    + phones([("16", 1380), ("16-plus", 1810), ("16-pro", 1390), ("16-pro-max", 1820)], .recalled)

  private static func phones(_ models: [(name: String, centiwattHours: Int)], _ evidence: PhoneEvidence) -> [Phone] {
    models.map { Phone(name: "iphone-" + $0.name, centiwattHours: $0.centiwattHours, evidence: evidence) }
  }
}
