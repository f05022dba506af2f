import Scenario
import SimulationKernel

extension Scenario {
  /// `radios`; nil: there are none.
  var resolvedRadios: PlainValue? {
    radios.isEmpty ? nil : .mapping(radios.map { PlainValue.Pair(key: $0.rawValue, value: resolved($0)) })
  }

  /// `phones`; nil: there are none.
  var resolvedPhones: PlainValue? {
    let pairs = phones.map {
      PlainValue.Pair(key: $0.name, value: .text(QuantityText.battery(centiwattHours: $0.centiwattHours)))
    }
    return pairs.isEmpty ? nil : .mapping(pairs)
  }

  private func resolved(_ radio: RadioProfile) -> PlainValue {
    .mapping(
      radio, at: "radios.*",
      [
        "promotion": resolved(radio.promotion, "promotion"),
        "tails": .list(radio.tails.map { resolved($0, "tails.*") }),
      ])
  }

  private func resolved(_ spell: RadioSpell, _ key: String) -> PlainValue { .mapping(spell, at: "radios.*." + key) }
}
