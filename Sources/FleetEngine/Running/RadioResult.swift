import DeviceModel
package import Scenario
import SimulationKernel

/// What the radios of a cohort's phones did on one interface: enough to price it on another radio.
package struct RadioResult: Hashable, Sendable {
  /// Spells on the air.
  package var bursts: Int64 = 0
  /// Milliseconds on the air in all of them, outside sessions.
  package var activeMilliseconds: Int128 = 0
  package var bytesDown: Int128 = 0
  package var bytesUp: Int128 = 0
  /// By bin of `SilenceBins`: silences that a widget's transfer began and a widget's request ended.
  package var wokenAgain: [Int64] = []
  /// That a widget's transfer began, and the person, a request of hers or the end of the clock ended.
  package var left: [Int64] = []
  /// That the person began, or the warm-up, and a widget's request ended.
  package var wokenAfterOthers: [Int64] = []

  package init() {}
}

extension RadioResult: SummedFields {
  package static func list(_ fields: inout some FieldList<RadioResult>) {
    fields.sum(\.bursts)
    fields.sum(\.activeMilliseconds)
    fields.sum(\.bytesDown)
    fields.sum(\.bytesUp)
    fields.sumOpen(\.wokenAgain)
    fields.sumOpen(\.left)
    fields.sumOpen(\.wokenAfterOthers)
  }

  /// Result of a cohort on one interface, over all kinds.
  init(_ counts: borrowing Tally, cohort: Int, interface: Int) {
    var tally = counts.radios[2 * cohort + interface]
    let kinds = counts.shape.kinds
    for kind in 0..<kinds { tally.add(counts.groups[cohort * kinds + kind].use[interface]) }
    bursts = tally.bursts
    activeMilliseconds = Int128(tally.activeMilliseconds)
    bytesDown = Int128(tally.bytesDown)
    bytesUp = Int128(tally.bytesUp)
    wokenAgain = Self.bins(.wokenAgain, of: tally)
    left = Self.bins(.left, of: tally)
    wokenAfterOthers = Self.bins(.wokenAfterOthers, of: tally)
  }

  private static func bins(_ silence: RadioTally.Silence, of tally: RadioTally) -> [Int64] {
    Array(
      UnsafeBufferPointer(start: tally.silences + silence.rawValue * SilenceBins.count, count: SilenceBins.count))
  }
}

extension NetworkHabits {
  /// In the order of the results' interfaces.
  package var radios: [RadioProfile] {
    switch self {
    case .fixed(let radio): [radio]
    case .roaming(let roaming): [.wifi, roaming.cellular]
    }
  }
}
