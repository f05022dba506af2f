package import DeviceModel
package import Scenario
package import SimulationKernel

/// The energy used by the widgets of one kind in one cohort, in nanojoules.
package struct EnergySums: Hashable, Sendable {
  /// The energy used by each `EnergyComponent`.
  package var spent = Array(repeating: Int128(0), count: EnergyComponent.allCases.count)
  /// The part of the energy that was used during sessions, when the user was using the phone anyway.
  package var inSessions: Int128 = 0
  /// The energy that these runs would use for promotions, active radio and tails if runs did not share radio bursts,
  /// followed by the energy for waiting.
  package var aloneRadio: Int128 = 0
  package var aloneWait: Int128 = 0

  package subscript(component: EnergyComponent) -> Int128 { spent[Int(component.rawValue)] }

  package var total: Int128 { spent.reduce(0, +) }

  /// The energy used for promotions, active radio and tails.
  package var radio: Int128 { self[.promotion] + self[.active] + self[.tail] }

  /// The energy saved by sharing radio bursts; it is negative if these runs used energy on behalf of other runs
  /// (MODEL.md 7.4).
  package var saved: Int128 { aloneRadio - radio + aloneWait - self[.wait] }

  /// The energy that these runs would use if they did not share radio bursts.
  package var alone: Int128 { total + saved }
}

/// The share of battery energy used by all widgets on a cohort's phones.
package struct BatteryResult: Hashable, Sendable {
  /// The number of battery-powered phones.
  package var phones: Int64 = 0
  /// The total time for which these phones exist within the measured period.
  package var milliseconds: Int128 = 0
  /// The sum of the daily shares of all phones, in billionths of a battery, including a partial last day.
  package var billionths: Int128 = 0
  /// The number of whole phone-days, by share of the battery used.
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

  /// - Parameter radios: the radio profile of each network interface.
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
