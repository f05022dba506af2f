package import Scenario
package import SimulationKernel

/// The energy of one owner in the counted period, by component.
package struct EnergyRow: BitwiseCopyable, Equatable {
  package var promotion = Energy.zero
  package var active = Energy.zero
  package var transfer = Energy.zero
  package var tail = Energy.zero
  package var cpu = Energy.zero
  package var wait = Energy.zero
  /// What its runs would have cost each alone: of the radio without transfer, and of the wait for answers.
  package var aloneRadio = Energy.zero
  package var aloneWait = Energy.zero

  package init() {}

  package subscript(component: EnergyComponent) -> Energy {
    switch component {
    case .promotion: promotion
    case .active: active
    case .transfer: transfer
    case .tail: tail
    case .cpu: cpu
    case .wait: wait
    }
  }

  package var total: Energy { radio + transfer + cpu + wait }

  /// Promotion, active and tails.
  package var radio: Energy { promotion + active + tail }

  static func += (left: inout EnergyRow, right: EnergyRow) {
    left.promotion += right.promotion
    left.active += right.active
    left.transfer += right.transfer
    left.tail += right.tail
    left.cpu += right.cpu
    left.wait += right.wait
    left.aloneRadio += right.aloneRadio
    left.aloneWait += right.aloneWait
  }

  package var hasNegative: Bool { EnergyComponent.allCases.contains { self[$0] < .zero } }
}
