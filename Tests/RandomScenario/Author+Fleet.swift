/// Cohorts: people, their phones, and their places.
extension Author {
  private static let presets = ["ios-26", "ios-17", "prompt", "lazy", "watch-face", "developer-mode"]
  static let cohorts = ["west", "the \\\"east\\\"", "rest"]
  private static let phones = ["iphone-15", "iphone-se-3", "iphone-13-mini"]

  mutating func fleet(devices: Int, preset: String) -> Tree {
    var fields = Fields()
    fields["devices"] = "\(devices)"
    if dice.oneIn(3) { fields["growth_per_day"] = .plain(dice.pick(["2%", "45.5%", "-3%", "-40%", "0%"])) }
    if dice.oneIn(4) {
      let sigma: Tree = "0.\(dice.from(0...9))"
      fields["day_factor"] = dice.oneIn(2) ? sigma : .map([("sigma", sigma)])
    }
    let count = dice.from(1...3)
    let sizes = [["100%"], ["60%", "40%"], ["33.5%", "16.5%", "50%"]][count - 1]
    fields["cohorts"] = .list(
      (0..<count).map { cohort($0, share: count > 1 || dice.oneIn(2) ? sizes[$0] : nil, preset: preset) })
    return fields.tree
  }

  private mutating func cohort(_ number: Int, share: String?, preset: String) -> Tree {
    var fields = Fields()
    fields["name"] = .quoted(Self.cohorts[number])
    if let share { fields["share"] = .plain(share) }
    fields["zones"] = shares(of: Array(dice.some(Self.zones).prefix(3)))
    if dice.oneIn(2) { fields["phones"] = shares(of: Array(dice.some(Self.phones + phones).prefix(3))) }
    let own = dice.oneIn(2) ? dice.pick(Self.presets) : nil
    if let own { fields["os"] = .plain(own) }
    if own ?? preset != "ios-17" { takesWidgetPushes = true }
    fields["person"] = dice.oneIn(3) ? .map([("unlocks_per_day", "0")]) : person()
    if !dice.oneIn(5) { fields["network"] = network() }
    if dice.oneIn(2) { fields["power"] = dice.oneIn(4) ? "mains" : power() }
    fields["widgets"] = .list((0..<dice.below(5)).map { _ in widget() })
    return fields.tree
  }

  private mutating func person() -> Tree {
    var fields = Fields()
    fields["unlocks_per_day"] = distribution(numbers: 5...25)
    if dice.oneIn(2) { fields["day_variation"] = dice.oneIn(3) ? "none" : number(1...9) }
    if dice.oneIn(2) { fields["hours"] = hours() } else if dice.oneIn(2) { fields["peak"] = clockTime() }
    if dice.oneIn(2) { fields["session"] = distribution(seconds: 5...200) }
    if dice.oneIn(2) { fields["glances_per_unlock"] = number(0...2) }
    if dice.oneIn(2) { fields["home_visits"] = number(0...3) }
    if dice.oneIn(3) { fields["background_refresh_off"] = share(0...50) }
    if dice.oneIn(3) { fields["force_quit"] = share(0...50) }
    if dice.oneIn(2) { fields["next_page"] = .list([share(), share()]) }
    return fields.tree
  }

  private mutating func network() -> Tree {
    let cellular = ["lte-2012", "lte-2021-vz", "lte-2021-tmo", "5g-nsa-low", "5g-sa", "5g-mmwave"] + radios
    if dice.oneIn(3) { return .quoted(dice.pick(["wifi"] + cellular)) }
    var fields = Fields()
    if dice.oneIn(2) { fields["wifi"] = dice.oneIn(2) ? share() : hourly("%") }
    if dice.oneIn(2) { fields["dwell"] = duration(seconds: 60...20_000) }
    if dice.oneIn(2) { fields["cellular"] = .quoted(dice.pick(cellular)) }
    if !dice.oneIn(3) {
      var offline = Fields()
      if !dice.oneIn(4) { offline["share"] = share(0...60) }
      if dice.oneIn(2) { offline["mean"] = duration(seconds: 5...14_400) }
      fields["offline"] = offline.tree
    }
    return fields.tree
  }

  private mutating func power() -> Tree {
    var fields = Fields()
    if dice.oneIn(2) { fields["overnight"] = share() }
    if dice.oneIn(2) { fields["health"] = share(1...100) }
    if dice.oneIn(2) { fields["low_power_mode"] = share() }
    return fields.tree
  }

  private mutating func widget() -> Tree {
    var fields = Fields()
    switch dice.below(4) {
    case 0:
      fields["kind"] = .quoted(dice.pick(kinds))
      fields["place"] = "lock-screen"
    case 1:
      fields["stack"] = .list([member()] + (0..<dice.below(3)).map { _ in dice.oneIn(3) ? other() : member() })
      if dice.oneIn(2) { fields["page"] = "\(dice.from(1...15))" }
    default:
      fields["kind"] = .quoted(dice.pick(kinds))
      if dice.oneIn(2) { fields["family"] = family() }
      if dice.oneIn(2) { fields["page"] = "\(dice.from(1...4))" }
    }
    if dice.oneIn(3) { fields["share"] = share() }
    return fields.tree
  }

  private mutating func family() -> Tree { .plain(dice.pick(["small", "medium", "large", "extra-large"])) }
  private mutating func other() -> Tree { .map([("other", number(0...5))]) }

  private mutating func member() -> Tree {
    var fields = Fields()
    fields["kind"] = .quoted(dice.pick(kinds))
    if dice.oneIn(2) { fields["family"] = family() }
    if dice.oneIn(2) { fields["weight"] = number(1...5) }
    return fields.tree
  }
}
