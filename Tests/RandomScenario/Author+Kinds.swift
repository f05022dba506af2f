/// Kinds: timelines, requests, caches, taps.
extension Author {
  mutating func kind() -> Tree {
    var fields = Fields()
    if dice.oneIn(3) {
      fields["phases"] = .list((0...dice.below(3)).map { _ in phase() })
    } else {
      if dice.oneIn(3) { fields["entries"] = entries() }
      fields["reload"] = policy()
    }
    if dice.oneIn(3) { fields["when"] = .list((0...dice.below(2)).map { _ in window() }) }
    if dice.oneIn(2) {
      var jitter = Fields()
      jitter["up_to"] = duration(seconds: 0...1_800)
      if dice.oneIn(2) { jitter["per"] = .plain(dice.pick(["run", "device"])) }
      fields["jitter"] = jitter.shortest("up_to")
    }
    if !dice.oneIn(6) { fields["requests"] = .list((0...dice.below(2)).map { _ in request() }) }
    failures(&fields)
    touch(&fields)
    return fields.tree
  }

  private mutating func failures(_ fields: inout Fields) {
    if dice.oneIn(2) {
      var cache = Fields()
      cache["ttl"] = dice.oneIn(4) ? "never-expires" : duration(seconds: 60...40_000)
      if dice.oneIn(2) { cache["scope"] = .plain(dice.pick(["kind", "instance"])) }
      if dice.oneIn(2) { cache["single_flight"] = flag() }
      fields["cache"] = cache.shortest("ttl")
    }
    if dice.oneIn(2) { fields["on_error"] = dice.oneIn(3) ? "retry-after" : policy() }
    if dice.oneIn(2) {
      var attempts = Fields()
      if !dice.oneIn(3) { attempts["count"] = "\(dice.from(1...4))" }
      if !dice.oneIn(3) { attempts["backoff"] = duration(seconds: 0...40) }
      fields["attempts"] = attempts.shortest("count")
    }
    if dice.oneIn(3) { fields["background_session"] = flag() }
    if dice.oneIn(3) { fields["crash"] = share(0...10) }
  }

  private mutating func touch(_ fields: inout Fields) {
    if dice.oneIn(2) {
      var taps = Fields()
      taps["per_day"] = number(0...12)
      if dice.oneIn(2) { taps["burst"] = "\(dice.from(1...4))" }
      if dice.oneIn(2) { taps["gap"] = duration(seconds: 0...8) }
      if dice.oneIn(2) { taps["reloads"] = .plain(dice.pick(["kind", "instance"])) }
      fields["taps"] = taps.shortest("per_day")
    }
    if dice.oneIn(3) { fields["location_changes_per_day"] = number(0...8) }
    if dice.oneIn(4) { fields["protected"] = flag() }
    if dice.oneIn(2) { fields["stale_after"] = dice.oneIn(4) ? "none" : duration(seconds: 0...20_000) }
    if dice.oneIn(3) { fields["cpu"] = duration(seconds: 0...10) }
  }

  private mutating func phase() -> Tree {
    var fields = Fields()
    if dice.oneIn(2) { fields["entries"] = entries() }
    fields["reload"] = policy()
    return fields.tree
  }

  private mutating func entries() -> Tree {
    var fields = Fields()
    if !dice.oneIn(4) { fields["count"] = "\(dice.from(1...6))" }
    if !dice.oneIn(4) { fields["every"] = .plain(dice.pick(["5min", "15min", "1h", "2h30min", "100min"])) }
    if dice.oneIn(2) { fields["align"] = .plain(dice.pick(["run", "wall"])) }
    return fields.shortest("count")
  }

  private mutating func policy() -> Tree {
    switch dice.below(7) {
    case 0: return "never"
    case 1: return "at-end"
    case 2:
      var date = Fields()
      date["at"] = clockTime()
      if dice.oneIn(2) { date["zone"] = zoneOrLocal() }
      if dice.oneIn(2) { date["days"] = weekdays() }
      return .map([("after", date.tree)])
    case 3:
      var date = Fields()
      date["every"] = .plain(dice.pick(["10min", "30min", "1h", "7h", "1d"]))
      if dice.oneIn(2) { date["zone"] = zoneOrLocal() }
      return .map([("after", date.tree)])
    default: return .map([("after", distribution(seconds: 300...14_400))])
    }
  }

  private mutating func window() -> Tree {
    var fields = Fields()
    if dice.oneIn(2) { fields["days"] = weekdays() }
    let from = dice.from(1...23)
    if !dice.oneIn(4) { fields["from"] = .quoted(two(from) + ":00") }
    if !dice.oneIn(4) { fields["to"] = .quoted(dice.oneIn(4) ? "24:00" : two((from + dice.from(1...8)) % 24) + ":30") }
    if dice.oneIn(2) { fields["zone"] = zoneOrLocal() }
    fields["reload"] = policy()
    return fields.tree
  }

  private mutating func request() -> Tree {
    var fields = Fields()
    fields["endpoint"] = .quoted(dice.pick(Self.endpoints))
    if dice.oneIn(2) { fields["count"] = "\(dice.from(1...4))" }
    if !dice.oneIn(3) { fields["up"] = bytes() }
    if !dice.oneIn(3) { fields["down"] = bytes() }
    return fields.tree
  }
}
