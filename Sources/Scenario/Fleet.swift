package import SimulationKernel

/// `fleet` of the file.
package struct Fleet: Hashable, Sendable {
  package var devices: Int
  package var cohorts: [Cohort]

  package init(devices: Int, cohorts: [Cohort]) {
    self.devices = devices
    self.cohorts = cohorts
  }
}

/// Devices that share their habits.
package struct Cohort: Hashable, Sendable {
  package var name: String
  /// Share of the fleet; shares add up to 1.
  package var share: Share
  /// IANA names with shares that add up to 1.
  package var zones: [Weighted<String>]
  /// Phone names (`iphone-15`) with shares that add up to 1.
  package var phones: [Weighted<String>]
  package var person: Person
  package var network: NetworkHabits
  package var power: PowerHabits
  /// The cohort's own system where it has one (mixed versions); `Scenario.os` otherwise.
  package var os: OperatingSystem?
  package var widgets: [Placement]

  package init(
    name: String, share: Share, zones: [Weighted<String>], phones: [Weighted<String>], person: Person,
    network: NetworkHabits, power: PowerHabits, os: OperatingSystem?, widgets: [Placement]
  ) {
    self.name = name
    self.share = share
    self.zones = zones
    self.phones = phones
    self.person = person
    self.network = network
    self.power = power
    self.os = os
    self.widgets = widgets
  }
}

/// What a cohort's devices may have on their screens: one widget, or one smart stack.
package struct Placement: Hashable, Sendable {
  package enum Place: Hashable, Sendable {
    /// Counted from 1.
    case homePage(Int)
    case lockScreen
  }

  package struct Member: Hashable, Sendable {
    /// Index into `Scenario.kinds`.
    package var kind: Int
    package var family: Family
    /// Weight of being shown in its stack; 1 outside stacks.
    package var weight: Double

    package init(kind: Int, family: Family, weight: Double) {
      self.kind = kind
      self.family = family
      self.weight = weight
    }
  }

  /// One member, or the members of a smart stack.
  package var members: [Member]
  package var isStack: Bool
  /// Weight of other apps' members in the stack.
  package var otherWeight: Double
  package var place: Place
  /// Share of the cohort's devices that placed it.
  package var share: Share

  package init(members: [Member], isStack: Bool, otherWeight: Double, place: Place, share: Share) {
    self.members = members
    self.isStack = isStack
    self.otherWeight = otherWeight
    self.place = place
    self.share = share
  }
}
