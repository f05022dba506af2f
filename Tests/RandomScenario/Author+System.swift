/// The operating system, the backend, and its outages.
extension Author {
  private static let presets = ["ios-26", "ios-17", "prompt", "lazy", "watch-face", "developer-mode"]

  mutating func system() -> (preset: String, tree: Tree) {
    var fields = Fields()
    let preset = dice.oneIn(2) ? dice.pick(Self.presets) : nil
    if let preset { fields["preset"] = .plain(preset) }
    if dice.oneIn(3) { fields["min_spacing"] = duration(seconds: 60...1_200) }
    if dice.oneIn(2) {
      let keys = dice.some(["policy", "in_use", "background", "widget_push"])
      fields["start_delay"] = .map(keys.map { ($0, distribution(seconds: 0...1_200)) })
    }
    if dice.oneIn(3) { fields["coalescing_window"] = duration(seconds: 0...1_200) }
    if dice.oneIn(3) { fields["at_end_gap"] = duration(seconds: 300...7_200) }
    if dice.oneIn(3) {
      fields["stale_view_reload"] = .map(dice.some(["rare", "frequent"]).map { ($0, share()) })
    }
    if dice.oneIn(3) { fields["stale_view_grace"] = duration(seconds: 0...3_600) }
    if dice.oneIn(3) { fields["foreground_latency"] = distribution(seconds: 0...60) }
    if dice.oneIn(3) {
      var push = Fields()
      if !dice.oneIn(3) { push["delivered"] = share() }
      if !dice.oneIn(3) { push["per_hour"] = "\(dice.from(0...6))" }
      fields["silent_push"] = push.tree
    }
    if dice.oneIn(4) { fields["low_power_wait"] = duration(seconds: 0...7_200) }
    if dice.oneIn(4) { fields["crash_retry"] = duration(seconds: 1...7_200) }
    if dice.oneIn(3) { fields["foreground_gap"] = duration(seconds: 0...300) }
    if dice.oneIn(2) { fields["idle"] = dice.oneIn(2) ? "none" : idle() }
    if dice.oneIn(2) { fields["budget"] = budget() }
    if dice.oneIn(4) { fields["profile"] = profile() }
    if dice.oneIn(8) { fields["version"] = .plain(dice.pick(["26", "26.2", "27.0"])) }
    return (preset ?? "ios-26", fields.tree)
  }

  /// Draws measured constants with bounds at half and twice their values.
  private mutating func profile() -> Tree {
    let seconds = dice.from(30...600)
    let constant = Tree.map([
      ("value", .plain("\(2 * seconds)s")), ("low", .plain("\(seconds)s")), ("high", .plain("\(4 * seconds)s")),
      ("method", .plain(dice.pick(["log", "telemetry", "lab"]))), ("n", "\(dice.from(1...5_000))"),
      ("phones", "\(dice.from(1...20))"),
    ])
    let measured = Tree.map([
      ("os", .plain("build-a")), ("phones", .map([("iphone-15", "\(dice.from(1...9))")])), ("days", "14"),
      ("runs", "\(dice.from(0...9_000))"), ("by", .plain("calibrate")), ("data_sha256", .plain("e3b0c442")),
      ("licence", .plain("CC0")),
    ])
    let paths = dice.some(["min_spacing", "start_delay.policy", "idle.give_up", "coalescing_window"])
    return .map([
      ("schema", .plain("widgetfleet.os-profile/v1")), ("name", .plain("lab")), ("measured", measured),
      ("os", .map(paths.map { ($0, constant) })),
    ])
  }

  private mutating func idle() -> Tree {
    .map(dice.some(["after", "give_up"]).map { ($0, duration(seconds: 0...20_000)) })
  }

  private mutating func budget() -> Tree {
    var fields = Fields()
    if dice.oneIn(2) { fields["model"] = .plain(dice.pick(["off", "fixed", "bucket"])) }
    if !dice.oneIn(3) {
      fields["capacity"] = capacity()
    }
    if dice.oneIn(2) { fields["cap"] = number(1...100) }
    if dice.oneIn(2) { fields["carry_over"] = number(0...3) }
    if dice.oneIn(2) { fields["accrual"] = .plain(dice.pick(["awake", "even"])) }
    return fields.tree
  }

  private mutating func capacity() -> Tree {
    let (low, more) = (dice.from(0...40), dice.from(1...40))
    switch dice.below(4) {
    case 0: return "views"
    case 1: return "\(low)/day..\(low + more).5/day"
    default: return distribution(ratesPerDay: 0...80)
    }
  }

  mutating func backend() -> Tree {
    let names = dice.some(Self.endpoints)
    endpointInUse = dice.pick(names)
    return .map([("endpoints", .map(names.map { ($0, endpoint($0)) }))])
  }

  private mutating func endpoint(_ name: String) -> Tree {
    var fields = Fields()
    if dice.oneIn(3) { fields["hint"] = distribution(seconds: 60...3_600) }
    if dice.oneIn(2) {
      let median = dice.from(1...(name == "slow one" ? 8_000 : 200))
      fields["latency"] = .map([("p50", "\(median)ms"), ("p99", "\(median * dice.from(1...9))ms")])
    }
    if dice.oneIn(2) { fields["timeout"] = duration(seconds: 1...30) }
    if limits {
      limit(&fields)
    } else {
      for key in ["capacity", "queue", "base_load", "rate_limit", "autoscale", "cdn"] where dice.oneIn(8) {
        fields[key] = "none"
      }
    }
    return fields.tree
  }

  /// Draws limits of at most a few requests per second, so that these small fleets reach them; outages may lower the
  /// first.
  private mutating func limit(_ fields: inout Fields) {
    fields["capacity"] = .plain(dice.pick(["1/s", "30/min", "2/s"]))
    if dice.oneIn(2) { fields["queue"] = "\(dice.from(20...60))" }
    if dice.oneIn(2) {
      var load = Fields()
      load["rate"] = .plain(dice.pick(["10/min", "100/h", "1/s"]))
      if dice.oneIn(2) { load["hours"] = hours() } else if dice.oneIn(2) { load["peak"] = clockTime() }
      if dice.oneIn(2) { load["follows_days"] = .plain(dice.pick(["true", "false"])) }
      if dice.oneIn(2) { load["zone"] = .plain(dice.pick(Self.zones)) }
      fields["base_load"] = load.tree
    }
    if dice.oneIn(2) {
      fields["rate_limit"] = .map([("rate", .plain(dice.pick(["20/min", "2/s"])))])
      if dice.oneIn(2), case .map(let pairs)? = fields["rate_limit"] {
        fields["rate_limit"] = .map(pairs + [("retry_after", duration(seconds: 60...900))])
      }
    }
    if dice.oneIn(2) {
      fields["autoscale"] = .map([
        ("target", share(20...90)), ("delay", duration(seconds: 100...600)), ("step", share(5...50)),
        ("min", "10/min"), ("max", "5/s"),
      ])
    }
    if dice.oneIn(2) {
      var cdn = Fields()
      cdn["keys"] = "\(dice.from(1...20))"
      cdn["ttl"] = duration(seconds: 100...3_600)
      if dice.oneIn(2) { cdn["collapsing"] = flag() }
      if dice.oneIn(2) { cdn["stale_if_error"] = dice.oneIn(4) ? "0s" : duration(seconds: 100...7_200) }
      if dice.oneIn(2) { cdn["error_ttl"] = dice.oneIn(4) ? "0s" : duration(seconds: 100...900) }
      if dice.oneIn(2) {
        cdn["popularity"] = .plain(dice.pick(["uniform", "zipf 0", "zipf 1.0", "zipf 0.\(dice.from(1...9))"]))
      }
      fields["cdn"] = cdn.tree
    }
  }
}
