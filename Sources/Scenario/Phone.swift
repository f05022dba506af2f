package import SimulationKernel

/// A phone model with the energy of its battery when new.
package struct Phone: Hashable, Sendable {
  /// As written in a scenario: `iphone-15`.
  package var name: String
  /// Hundredths of a watt-hour.
  package var centiwattHours: Int

  /// What a phone that nobody uses draws: the floor of MODEL.md 3.2, an assumption.
  package static let standby = Power(microwatts: 25_000)

  /// MODEL.md 7.4.
  package static let all: [Phone] = [
    ("se-2", 696), ("se-3", 782), ("11", 1191), ("12-mini", 857), ("12", 1078), ("12-pro-max", 1413),
    ("13-mini", 957), ("13", 1241), ("13-pro", 1197), ("13-pro-max", 1675), ("14", 1268), ("14-plus", 1668),
    ("14-pro", 1238), ("14-pro-max", 1668), ("15", 1298), ("15-plus", 1695), ("15-pro", 1270),
    ("15-pro-max", 1710), ("16", 1380), ("16-plus", 1810), ("16-pro", 1390), ("16-pro-max", 1820),
  ].map { Phone(name: "iphone-" + $0.0, centiwattHours: $0.1) }
}
