package import SimulationKernel

/// The energy of one owner in the counted period, by component; 64 bytes.
package struct EnergyRow: BitwiseCopyable {
  private var components = InlineArray<6, Energy>(repeating: .zero)
  /// What its runs would have cost each alone: of the radio without transfer, and of the wait for answers.
  private(set) var aloneRadio = Energy.zero
  private(set) var aloneWait = Energy.zero

  package init() {}

  package subscript(component: EnergyComponent) -> Energy {
    @inline(__always) get { components[Int(component.rawValue)] }
    @inline(__always) set { components[Int(component.rawValue)] = newValue }
  }

  @inline(__always)
  mutating func addAlone(_ run: RunAlone) {
    aloneRadio += run.radio
    aloneWait += run.wait
  }

  package var total: Energy { EnergyComponent.allCases.reduce(.zero) { $0 + self[$1] } }

  /// Promotion, active and tails.
  package var radio: Energy { self[.promotion] + self[.active] + self[.tail] }

  /// What company saved of the radio; negative where the runs paid for others' (MODEL.md 7.4).
  package var savedRadio: Energy { aloneRadio - radio }
  /// What waiting together saved.
  package var savedWait: Energy { aloneWait - self[.wait] }
}
