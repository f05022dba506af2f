/// The scenario's own radios and phones.
extension Author {
  private static let radioNames = ["lab radio", "lte-2030", "=6g <x>"]
  private static let phoneNames = ["iphone-15-twin", "старый"]

  /// Draws both tables, whose names cohorts may use from then on.
  mutating func tables(into fields: inout Fields) {
    if dice.oneIn(3) {
      radios = dice.some(Self.radioNames)
      fields["radios"] = .map(radios.map { ($0, radio()) })
    } else if dice.oneIn(4) {
      fields["radios"] = "none"
    }
    guard dice.oneIn(4) else { return }
    phones = dice.some(Self.phoneNames)
    fields["phones"] = .map(phones.map { ($0, .plain("\(dice.from(1...30)).\(dice.from(1...9))Wh")) })
  }

  private mutating func radio() -> Tree {
    var fields = Fields()
    fields["promotion"] = spell(milliseconds: 0...900)
    fields["active"] = power()
    fields["down"] = perBit()
    fields["up"] = perBit()
    fields["tails"] = .list((0..<dice.below(5)).map { _ in spell(milliseconds: 0...20_000) })
    fields["round_trip"] = .plain("\(dice.from(0...300))ms")
    return fields.tree
  }

  private mutating func spell(milliseconds range: ClosedRange<Int>) -> Tree {
    .map([("length", .plain("\(dice.from(range))ms")), ("power", power())])
  }

  private mutating func power() -> Tree {
    .plain(dice.oneIn(2) ? "\(dice.from(0...4)).\(dice.from(1...9))W" : "\(dice.from(0...3_000))mW")
  }

  private mutating func perBit() -> Tree {
    .plain("\(dice.from(0...500)).\(dice.from(1...9))" + dice.pick(["mW/Mbps", "nJ/bit"]))
  }
}
