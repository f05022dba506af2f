import Scenario
import SimulationKernel

extension Scenario {
  /// `radios` and `phones`, where there are some.
  var resolvedTables: [PlainValue.Pair] {
    let radios = radios.map { PlainValue.Pair(key: $0.rawValue, value: resolved($0)) }
    let phones = phones.map {
      PlainValue.Pair(key: $0.name, value: .text(QuantityText.battery(centiwattHours: $0.centiwattHours)))
    }
    return (radios.isEmpty ? [] : [.init(key: "radios", value: .mapping(radios))])
      + (phones.isEmpty ? [] : [.init(key: "phones", value: .mapping(phones))])
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
