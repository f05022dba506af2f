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
      fields["jitter"] = jitter()
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
    if dice.oneIn(2) {
      fields["on_error"] = dice.oneIn(3) ? "retry-after" : dice.oneIn(3) ? backoff() : policy(isError: true)
    }
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
      if dice.oneIn(2) { taps["reloads"] = .plain(dice.pick(["kind", "instance", "none"])) }
      if dice.oneIn(3) { taps["requests"] = .list((0...dice.below(2)).map { _ in request() }) }
      fields["taps"] = taps.shortest("per_day")
    }
    if dice.oneIn(3) { fields["location_changes_per_day"] = number(0...8) }
    if dice.oneIn(4) { fields["protected"] = flag() }
    if dice.oneIn(4) { fields["pushes"] = flag() }
    if dice.oneIn(2) { fields["stale_after"] = dice.oneIn(4) ? "none" : duration(seconds: 0...20_000) }
    if dice.oneIn(3) { fields["cpu"] = duration(seconds: 0...10) }
  }

  private mutating func phase() -> Tree {
    var fields = Fields()
    if dice.oneIn(2) { fields["entries"] = entries() }
    if dice.oneIn(3) { fields["repeat"] = "\(dice.from(1...5))" }
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

  private mutating func policy(isError: Bool = false) -> Tree {
    switch dice.below(9) {
    case 0: return "never"
    case 1: return "at-end"
    case 2: return .map([("after", clock())])
    case 3: return .map([("after", multiple())])
    case 4, 5:
      var policy = Fields()
      policy["after"] = .list([distribution(seconds: 300...14_400), clock(), multiple()])
      if !isError, dice.oneIn(2) { policy["from"] = .plain(dice.pick(["run", "data"])) }
      if !isError, dice.oneIn(2) { policy["at_least"] = duration(seconds: 0...3_600) }
      return policy.tree
    default: return .map([("after", distribution(seconds: 300...14_400))])
    }
  }

  private mutating func clock() -> Tree {
    var date = Fields()
    date["at"] = dice.oneIn(3) ? .list([clockTime(), clockTime()]) : clockTime()
    if dice.oneIn(2) { date["zone"] = zoneOrLocal() }
    if dice.oneIn(2) { date["days"] = weekdays() }
    return date.tree
  }

  private mutating func multiple() -> Tree {
    var date = Fields()
    date["every"] = .plain(dice.pick(["10min", "30min", "1h", "7h", "1d"]))
    if dice.oneIn(2) { date["zone"] = zoneOrLocal() }
    return date.tree
  }

  private mutating func backoff() -> Tree {
    var fields = Fields()
    fields["first"] = duration(seconds: 1...600)
    if dice.oneIn(2) { fields["factor"] = .plain(dice.pick(["1", "1.5", "2", "10"])) }
    if dice.oneIn(2) { fields["max"] = duration(seconds: 3_600...20_000) }
    return .map([("backoff", fields.tree)])
  }

  private mutating func jitter() -> Tree {
    var fields = Fields()
    fields["up_to"] = duration(seconds: 0...1_200)
    if dice.oneIn(3) { fields["early"] = duration(seconds: 0...600) }
    if dice.oneIn(2) { fields["per"] = .plain(dice.pick(["run", "device"])) }
    return fields.shortest("up_to")
  }

  private mutating func window() -> Tree {
    let isNamed = hasWindows && dice.oneIn(3)
    var fields = isNamed ? Fields() : times()
    if isNamed { fields["window"] = "evening" }
    fields["reload"] = policy()
    if dice.oneIn(3) { fields["jitter"] = jitter() }
    if dice.oneIn(3) { fields["stale_after"] = duration(seconds: 0...20_000) }
    return fields.tree
  }

  /// Draws the times of a window.
  mutating func times() -> Fields {
    var fields = Fields()
    if dice.oneIn(2) { fields["days"] = weekdays() }
    let from = dice.from(1...23)
    if !dice.oneIn(4) { fields["from"] = .quoted(two(from) + ":00") }
    if !dice.oneIn(4) { fields["to"] = .quoted(dice.oneIn(4) ? "24:00" : two((from + dice.from(1...8)) % 24) + ":30") }
    if dice.oneIn(2) { fields["zone"] = zoneOrLocal() }
    return fields
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
