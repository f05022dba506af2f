import Scenario
import SimulationKernel

/// The books of energy (MODEL.md 7.3): owners add up to the integral of power, the battery gives what was used while it
/// did not charge, and nobody earns.
extension CountCheck {
  func energy() -> [String?] {
    let widgets = result.groups.reduce(Int128(0)) { $0 + $1.energy.total }
    let phones = result.energy
    return [
      same(
        "energy of widgets, people and systems, and of phones", widgets + phones.person + phones.system,
        phones.integral),
      same(
        "energy from batteries, from chargers and owed, and used by the phones that have a battery",
        phones.fromBattery + phones.fromCharger + phones.owed, phones.lifelong),
      phones.person < 0 || phones.system < 0 || phones.fromBattery < 0 || phones.fromCharger < 0
        ? "negative energy of people, systems, batteries or chargers" : nil,
    ] + result.groups.flatMap(energy)
  }

  private func energy(of group: GroupResult) -> [String?] {
    let place = ", " + name(group)
    return EnergyComponent.allCases.map { component in
      group.energy[component] < 0 ? "negative energy of \(component.name)" + place : nil
    } + [group.energy.inSessions > group.energy.total ? "more energy in sessions than in all" + place : nil]
  }
}
