package import DeviceModel
package import Scenario
package import SimulationKernel

/// The energy of one kind's instances in one cohort, in nanojoules.
package struct EnergySums: Hashable, Sendable {
  /// The energy by `EnergyComponent`.
  package var spent = Array(repeating: Int128(0), count: EnergyComponent.allCases.count)
  /// The part spent in sessions, when the user was using the phone anyway.
  package var inSessions: Int128 = 0
  /// The energy that these runs would use without shared bursts, for promotions, active radio and tails, and for the
  /// wait.
  package var aloneRadio: Int128 = 0
  package var aloneWait: Int128 = 0

  package subscript(component: EnergyComponent) -> Int128 { spent[Int(component.rawValue)] }

  package var total: Int128 { spent.reduce(0, +) }

  /// The energy of promotions, active radio and tails.
  package var radio: Int128 { self[.promotion] + self[.active] + self[.tail] }

  /// The savings from shared bursts; negative if these runs paid for other runs (MODEL.md 7.4).
  package var saved: Int128 { aloneRadio - radio + aloneWait - self[.wait] }

  /// The energy that these runs would use without shared bursts.
  package var alone: Int128 { total + saved }
}

/// The share of the battery used by all widgets on a cohort's phones.
package struct BatteryResult: Hashable, Sendable {
  /// The number of phones with a battery.
  package var phones: Int64 = 0
  /// The time for which these phones exist in the measured period.
  package var milliseconds: Int128 = 0
  /// The sum over all phones and days, including a shorter last day, in billionths of a battery.
  package var billionths: Int128 = 0
  /// The whole days of all phones, by share of the battery.
  package var days = ShareHistogram()

  package init() {}
}

extension EnergySums: SummedFields {
  package static func list(_ fields: inout some FieldList<EnergySums>) {
    fields.sum(\.spent)
    fields.sum(\.inSessions)
    fields.sum(\.aloneRadio)
    fields.sum(\.aloneWait)
  }

  /// Creates the sums of a group.
  ///
  /// - Parameter radios: the radio profiles by interface.
  init(_ group: GroupTally, radios: [RadioProfile]) {
    var tally = group.energy
    for (interface, radio) in radios.enumerated() { tally.add(group.use[interface], on: RadioPlan(radio)) }
    spent = EnergyComponent.allCases.map { tally.spent[Int($0.rawValue)] }
    inSessions = tally.inSessions
    aloneRadio = tally.aloneRadio
    aloneWait = tally.aloneWait
  }
}

extension PhoneEnergy: SummedFields {
  package static func list(_ fields: inout some FieldList<PhoneEnergy>) {
    fields.sum(\.integral)
    fields.sum(\.person)
    fields.sum(\.system)
    fields.sum(\.lifelong)
    fields.sum(\.fromBattery)
    fields.sum(\.fromCharger)
    fields.sum(\.undrawn)
  }
}

extension BatteryResult: SummedFields {
  package static func list(_ fields: inout some FieldList<BatteryResult>) {
    fields.sum(\.phones)
    fields.sum(\.milliseconds)
    fields.sum(\.billionths)
    fields.sum(\.days)
  }

  init(_ tally: BatteryShareTally) {
    phones = tally.phones
    milliseconds = tally.milliseconds
    billionths = tally.billionths
    days = ShareHistogram(counts: Array(UnsafeBufferPointer(start: tally.days, count: ShareHistogram.binCount)))
  }
}
